"""Summaries of procedures: what leads where, what is left by name, and what may be written until control comes back.

- scope: Bout
  do:
    - try_it       # may leave the scope (`end: Bout`) and write whatever the rules that it sets off write
    - log: On      # is not always done
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import field

from rulespec import ir
from rulespec.ir import walk
from rulespec.ir.flow import RULES, edges, unwinds
from rulespec.ir.roles import ROLES, zones_of
from rulespec.ir.walk import unnegated
from rulespec.system.records import dataclass

ANYTHING = -1  # among what is written: whatever there is


@dataclass(slots=True)
class Summaries:
    """Summaries of all procedures: `escapes`, the targets each may leave towards, and `writes`, the slots each may write."""

    program: ir.Program
    escapes: dict[int, set[int]] = field(default_factory=dict)  # targets that a procedure may leave towards
    writes: dict[int, set[int]] = field(default_factory=dict)  # bases of slots that it may write
    counters: set[int] = field(default_factory=set)  # slots that count how often a limit was used

    def __post_init__(self) -> None:
        """Compute both for all procedures: the least fixed point over their calls."""
        for rule in self.program.rules:
            if rule.counter is not None:
                self.counters.update(range(rule.counter, rule.counter + max(1, len(rule.pieces))))
        numbers = range(len(self.program.procedures))
        self.escapes = {number: set() for number in (*numbers, RULES)}
        self.writes = {number: set() for number in (*numbers, RULES)}
        ruled = {rule.procedure for rule in self.program.rules}
        own, others = [], []  # what each writes itself, and its instructions that depend on other procedures, or leave
        for procedure in self.program.procedures:
            own.append({base for i in procedure.code for base in self.written(i)})
            others.append(
                [(p, i) for p, i in enumerate(procedure.code) if isinstance(i, ir.Call | ir.CallRule | ir.Unwind)]
            )
        changed = True
        while changed:
            changed = False
            for number in numbers:
                procedure = self.program.procedures[number]
                escapes = {t for p, i in others[number] for t in self.leaving(procedure, p, i)}
                writes = own[number].union(*(self.written(i) for _, i in others[number]))
                changed |= escapes != self.escapes[number] or writes != self.writes[number]
                self.escapes[number], self.writes[number] = escapes, writes
            for relation in (self.escapes, self.writes):
                relation[RULES] = set().union(*(relation[number] for number in ruled))

    def leaving(self, procedure: ir.Procedure, position: int, i: ir.Instruction) -> Iterator[int]:
        """The targets beyond this procedure that an instruction may leave towards."""
        around = {r.name for r in procedure.regions if r.start <= position < r.end}
        yield from (target for target in self.unwound(i) if target not in around)

    def unwound(self, i: ir.Instruction) -> set[int]:
        """The targets that an instruction may leave towards, in its own procedure or beyond."""
        return unwinds(i, self.escapes.__getitem__, lambda _: self.escapes[RULES])

    def written(self, i: ir.Instruction) -> Iterator[int]:
        """The bases of the slots that an instruction may write."""
        roles = ROLES[i.__class__]
        yield from roles.system
        zones = [self.program.zones[number] for number in zones_of(i)]
        if roles.anywhere:
            kinds = {zone.kind for zone in zones}
            zones = [zone for zone in self.program.zones if zone.kind in kinds]
            yield from (place for kind in kinds if (place := self.program.kinds[kind].location) is not None)
        yield from (zone.base for zone in zones)
        match i:
            case ir.Store(base):
                yield base
            case ir.Reset(low, high):
                yield from range(low, high)
            case ir.Enter(low=low) | ir.Leave(low=low):
                yield low if low in self.counters else ANYTHING
            case ir.Call(called):
                yield from self.writes[called]
            case ir.CallRule():
                yield from self.writes[RULES]


def onward(procedure: ir.Procedure, position: int) -> list[int]:
    """Where control may go from an instruction; a test that is written as yes or no goes one way only."""
    i = procedure.code[position]
    if isinstance(i, ir.Unless):
        test, wanted = unnegated(i.test)
        if isinstance(test, ir.Const):
            return [position + 1 if bool(test.value) == wanted else i.target]
    return [target for target, _ in edges(procedure, position)]


def reachable_from(procedure: ir.Procedure, start: int = 0, without: int | None = None) -> set[int]:
    """The positions reachable from one without passing through another."""
    out = len(procedure.code)

    def after(position: int) -> list[int]:
        return [p for p in onward(procedure, position) if p != without and p < out]

    return walk.reachable_from([] if start == without or start >= out else [start], after)


def behind_rules(procedure: ir.Procedure, collect: int) -> ir.Instruction | None:
    """The instruction behind the one that runs the rules of the window that opens at a position; None if there is none.

    A window is `Collect`, `NextRule`, `CallRule`, and what is done with the answer of each rule.
    """
    runs = (p for p in range(collect + 1, len(procedure.code)) if isinstance(procedure.code[p], ir.CallRule))
    behind = next(runs, len(procedure.code)) + 1
    return procedure.code[behind] if behind < len(procedure.code) else None


def always_done(procedure: ir.Procedure) -> list[int]:
    """The positions on every path that ends: they post-dominate the beginning."""
    ends = {p for p, i in enumerate(procedure.code) if isinstance(i, ir.Return)}
    live = reachable_from(procedure)
    if not ends & live:
        return []
    return [p for p in sorted(live) if not reachable_from(procedure, 0, p) & ends]
