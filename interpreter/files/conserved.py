"""Conservation of counted pieces: their number changes only where a rule takes pieces from outside the game, or puts them there."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterator

from interpreter.runtime.values import Slots
from rulespec import ir

Kind = int


def not_conserved(flows: Flows, begin: Slots, S: Slots) -> int | None:
    """A slot of a kind of which there are more or fewer pieces than any play of the game can have led to; None if there is none.

    Kinds with zones in a scope are not checked: the contents of those zones are not in the slots while the scope does not run.
    """
    program = flows.program
    scoped = {zone.kind for zone in program.zones if zone.scope is not None}
    for kind in program.kinds:
        held = [
            zone.base + n for zone in program.zones if zone.counts and zone.kind == kind.index for n in range(zone.size)
        ]
        if not held or kind.index in scoped:
            continue
        for member in range(len(kind.members)):
            now, first, before = (sum(slots[slot][member] for slot in held) for slots in (S, begin, program.initial))
            if now < first and kind.index not in flows.go:
                return held[0]
            if now > before + flows.once[kind.index][member] and kind.index not in flows.come:
                return held[0]
    return None


class Flows:
    """Which kinds may enter or leave at any time, and how many of each member enter once, when the game is set up."""

    def __init__(self, program: ir.Program) -> None:
        self.program = program
        self.come: set[Kind] = set()
        self.go: set[Kind] = set()
        self.once: dict[Kind, Counter[int]] = defaultdict(Counter)
        sure = once_only(program)
        for number, procedure in enumerate(program.procedures):
            low, high = loop(procedure)
            for at, i in enumerate(procedure.code):
                if isinstance(i, ir.MoveCounts):
                    self.move(i, number in sure and not low <= at <= high)

    def move(self, i: ir.MoveCounts, once: bool) -> None:
        """Record the flow of one instruction."""
        if i.zone is None and i.source is not None:
            self.go.add(self.program.zones[i.source].kind)
        if i.source is None and i.zone is not None:
            kind = self.program.zones[i.zone].kind
            if once and isinstance(i.bag, ir.Const) and isinstance(i.bag.value, tuple):
                self.once[kind].update({n: count for n, count in enumerate(i.bag.value) if isinstance(count, int)})
            else:
                self.come.add(kind)


def jumps(procedure: ir.Procedure) -> Iterator[tuple[int, int]]:
    """The jumps of a procedure's code as pairs of positions."""
    for at, i in enumerate(procedure.code):
        if isinstance(i, ir.Jump | ir.Unless | ir.Next | ir.NextRule):
            yield at, i.target
    yield from ((region.end, region.handler) for region in procedure.regions)


def once_only(program: ir.Program) -> set[int]:
    """The procedures that run once in a game at most: its main one, and those that such a one calls at one place, outside loops."""
    calls: dict[int, list[tuple[int, int]]] = defaultdict(list)
    ruled = {rule.procedure for rule in program.rules}
    for number, procedure in enumerate(program.procedures):
        for at, i in enumerate(procedure.code):
            if isinstance(i, ir.Call | ir.Fork):
                calls[i.procedure].append((number, at))
    once = {program.main} - set(calls) - ruled
    todo = list(once)
    while todo:
        caller = todo.pop()
        low, high = loop(program.procedures[caller])
        for called, sites in calls.items():
            if (
                len(sites) == 1
                and sites[0][0] == caller
                and not low <= sites[0][1] <= high
                and called not in ruled | once
            ):
                once.add(called)
                todo.append(called)
    return once


def loop(procedure: ir.Procedure) -> tuple[int, int]:
    """The range of positions, inclusive, that loops may run again; empty where the procedure has no loops."""
    back = [(target, at) for at, target in jumps(procedure) if target <= at]
    return (min(low for low, _ in back), max(high for _, high in back)) if back else (0, -1)
