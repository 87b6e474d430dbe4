"""Control flow: where control may go from each instruction of a procedure, and which locals are written on the way.

3  next L2 else 7     # to 4, with L3 and L4 written (how many are done, the item); or to 7 with nothing written

What goes round procedures is here, too: which may ask somebody, which may leave a region around those that called them.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Container, Iterable
from dataclasses import replace

from rulespec import ir
from rulespec.ir.reads import read_by
from rulespec.ir.roles import ROLES, set_by, target_of
from rulespec.ir.walk import reachable_from

Edge = tuple[int, int]  # the position that is next, and the locals written on the way there (bits)
RULES = -1  # stands for whatever rule an event may set off, among procedures


def edges(procedure: ir.Procedure, position: int, leaving: frozenset[int] | None = None) -> tuple[Edge, ...]:
    """All ways on from an instruction within its procedure; none after a Return.

    `leaving` are the procedures from within which a region around them may be left (see `leaving_procedures`); None: all.
    """
    i = procedure.code[position]
    after = ((position + 1, set_by(i)),) if ROLES[i.__class__].falls else ()
    target = target_of(i)
    if target is not None:
        return (*after, (target, 0))
    return (*after, *left(procedure, position)) if leaves(i, leaving) else after


def region_at(procedure: ir.Procedure, position: int) -> ir.Region | None:
    """The innermost region around a position."""
    for region in reversed(procedure.regions):
        if region.start <= position < region.end:
            return region
    return None


def left(procedure: ir.Procedure, position: int) -> tuple[Edge, ...]:
    """Where leaving goes on in the same procedure: the handler of the innermost region around the position, if any."""
    region = region_at(procedure, position)
    return () if region is None else ((region.handler, 1 << region.index),)


def leaves(i: ir.Instruction, leaving: frozenset[int] | None) -> bool:
    """Whether an instruction may lead out of the regions around it; `leaving` as for `edges`."""
    if isinstance(i, ir.Unwind | ir.Resume):
        return True
    return isinstance(i, ir.Call | ir.CallRule) and (leaving is None or runs(i, leaving))


def unwinds(
    i: ir.Instruction, of_procedure: Callable[[int], set[int]], of_rules: Callable[[int], set[int]]
) -> set[int]:
    """The targets that an instruction may leave towards, itself or in what it runs.

    `of_procedure` says it of a procedure, `of_rules` of the rules of a window, by the local of their answer.
    """
    match i:
        case ir.Unwind(target):
            return {target}
        case ir.Call(procedure):
            return of_procedure(procedure)
        case ir.CallRule(live=live):
            return of_rules(live)
        case _:
            return set()


def stops(i: ir.Instruction, stopping: frozenset[int]) -> bool:
    """Whether a player or chance may be asked at an instruction, or in what it runs; see `stopping_procedures`."""
    return asks(i) or runs(i, stopping)


def asks(i: ir.Instruction) -> bool:
    """Whether a player or chance may be asked at an instruction itself, or sealed choices open there."""
    return isinstance(i, ir.Ask | ir.Draw | ir.Fork) or (isinstance(i, ir.NextRule) and i.arrange is not None)


def runs(i: ir.Instruction, some: frozenset[int]) -> bool:
    """Whether an instruction may run one of some procedures; with RULES, whether it runs rules."""
    return (isinstance(i, ir.Call) and i.procedure in some) or (isinstance(i, ir.CallRule) and RULES in some)


def leaving_procedures(program: ir.Program) -> frozenset[int]:
    """The procedures that may unwind, or that run others which may; with RULES if a rule does."""
    return with_callers(program, with_any(program, lambda i: isinstance(i, ir.Unwind)))


def stopping_procedures(program: ir.Program) -> frozenset[int]:
    """The procedures in which a player or chance may be asked, or that run others in which one may; with RULES if a rule does."""
    return with_callers(program, with_any(program, asks))


def with_any(program: ir.Program, test: Callable[[ir.Instruction], bool]) -> list[int]:
    """The procedures with an instruction that passes a test."""
    return [number for number, procedure in enumerate(program.procedures) if any(map(test, procedure.code))]


def with_callers(program: ir.Program, some: Iterable[int]) -> frozenset[int]:
    """Some procedures and all that may run them, directly or not; with RULES if rules may."""
    callers: dict[int, list[int]] = defaultdict(list)
    for rule in program.rules:
        callers[rule.procedure].append(RULES)
    for number, procedure in enumerate(program.procedures):
        for i in procedure.code:
            if isinstance(i, ir.Call):
                callers[i.procedure].append(number)
            elif isinstance(i, ir.CallRule):
                callers[RULES].append(number)
    return frozenset(reachable_from(some, lambda number: callers.get(number, ())))


def reachable(procedure: ir.Procedure, leaving: frozenset[int] | None = None) -> set[int]:
    """The positions that control may come to from the beginning."""
    out = len(procedure.code)
    return reachable_from([0] if out else [], lambda at: [to for to, _ in edges(procedure, at, leaving) if to < out])


def live_before(
    procedure: ir.Procedure,
    sites: tuple[ir.Site, ...],
    leaving: frozenset[int] | None = None,
    free: Container[int] = (),
) -> list[int]:
    """For each instruction the locals (bits) that are live before it; 0 behind the last.

    The assignments at `free` have no effect of their own: what they read is live only if what they assign is.
    """
    code = procedure.code
    used = [read_by(i, sites) for i in code]
    ways = [edges(procedure, pc, leaving) for pc in range(len(code))]
    before = [0] * (len(code) + 1)
    changed = True
    while changed:
        changed = False
        for pc in reversed(range(len(code))):
            live_out = 0
            for target, written in ways[pc]:
                live_out |= before[target] & ~written
            i = code[pc]
            if pc not in free or (isinstance(i, ir.Let) and before[pc + 1] >> i.index & 1):
                live_out |= used[pc]
            if live_out != before[pc]:
                before[pc] = live_out
                changed = True
    return before


def aimed(i: ir.Instruction, target: int) -> ir.Instruction:
    """A jump, test or loop head with another target."""
    assert isinstance(i, ir.Jump | ir.Unless | ir.Next | ir.NextRule)
    return replace(i, target=target)
