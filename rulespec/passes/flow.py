"""Control flow: where control may go from each instruction of a procedure, and which locals are written on the way.

3  next L2 else 7     # to 4, with L3 and L4 written (how many are done, the item); or to 7 with nothing written
"""

from __future__ import annotations

from dataclasses import replace
from typing import assert_never

from rulespec import ir
from rulespec.ir.walk import come_to

Edge = tuple[int, int]  # the position that is next, and the locals written on the way there (bits)
STRAIGHT = frozenset({ir.Store, ir.Move, ir.MoveCounts, ir.Learn, ir.Say, ir.Claim, ir.Leave, ir.Begin, ir.Reset})
RULES = -1  # stands for whatever rule an event may set off, among the procedures that leave


def edges(procedure: ir.Procedure, position: int, leaving: frozenset[int] | None = None) -> tuple[Edge, ...]:
    """All ways on from an instruction within its procedure; none after a Return.

    `leaving` are the procedures from within which a region around them may be left (see `leaving_procedures`); None: all.
    """
    i = procedure.code[position]
    after = position + 1
    if i.__class__ in STRAIGHT:
        return ((after, 0),)
    match i:
        case ir.Let(live):
            return ((after, 1 << live),)
        case ir.Jump(target):
            return ((target, 0),)
        case ir.Unless(_, target):
            return ((after, 0), (target, 0))
        case ir.Next(index, target):
            return ((after, 0b110 << index), (target, 0))
        case ir.NextRule(live, _, target):
            return ((after, 0b11 << live), (target, 0))
        case ir.Return() | ir.Finish():
            return ()
        case ir.Unwind():
            return left(procedure, position)
        case ir.Resume():
            return ((after, 0), *left(procedure, position))
        case ir.Call(live=live) | ir.CallRule(live=live):
            return ((after, 1 << live), *(left(procedure, position) if leaves(i, leaving) else ()))
        case ir.Ask(live=live) | ir.Draw(live=live) | ir.Fork(live=live):
            return ((after, 1 << live),)
        case ir.Collect(live=live) | ir.Enter(live=live) | ir.Cease(live=live):
            return ((after, 1 << live),)
        case ir.Store() | ir.Move() | ir.MoveCounts() | ir.Learn() | ir.Say() | ir.Claim() | ir.Leave():
            return ((after, 0),)
        case ir.Begin() | ir.Reset():
            return ((after, 0),)
        case _:
            assert_never(i)


def left(procedure: ir.Procedure, position: int) -> tuple[Edge, ...]:
    """Where leaving goes on in the same procedure: the handler of the innermost region around the position, if any."""
    for region in reversed(procedure.regions):
        if region.start <= position < region.end:
            return ((region.handler, 1 << region.index),)
    return ()


def leaves(i: ir.Instruction, leaving: frozenset[int] | None) -> bool:
    """Whether an instruction may lead out of the regions around it; `leaving` as for `edges`."""
    match i:
        case ir.Unwind() | ir.Resume():
            return True
        case ir.Call(called):
            return leaving is None or called in leaving
        case ir.CallRule():
            return leaving is None or RULES in leaving
        case ir.Let() | ir.Store() | ir.Jump() | ir.Unless() | ir.Next() | ir.Return() | ir.Ask() | ir.Draw():
            return False
        case (
            ir.Move() | ir.MoveCounts() | ir.Learn() | ir.Say() | ir.Claim() | ir.Fork() | ir.Collect() | ir.NextRule()
        ):
            return False
        case ir.Enter() | ir.Leave() | ir.Begin() | ir.Cease() | ir.Reset() | ir.Finish():
            return False
        case _:
            assert_never(i)


def leaving_procedures(program: ir.Program) -> frozenset[int]:
    """The procedures that may unwind, or that run others which may; with RULES if a rule does."""
    calls: dict[int, set[int]] = {RULES: {rule.procedure for rule in program.rules}}
    leaving: set[int] = set()
    for number, procedure in enumerate(program.procedures):
        callees = calls[number] = set()
        for i in procedure.code:
            match i:
                case ir.Unwind():
                    leaving.add(number)
                case ir.Call(called):
                    callees.add(called)
                case ir.CallRule():
                    callees.add(RULES)
    before = -1
    while len(leaving) != before:
        before = len(leaving)
        leaving |= {number for number, callees in calls.items() if callees & leaving}
    return frozenset(leaving)


def reachable(procedure: ir.Procedure, leaving: frozenset[int] | None = None) -> set[int]:
    """The positions that control may come to from the beginning."""
    out = len(procedure.code)
    return come_to([0] if out else [], lambda at: [to for to, _ in edges(procedure, at, leaving) if to < out])


def aimed(i: ir.Instruction, target: int) -> ir.Instruction:
    """A jump, test or loop head with another target."""
    assert isinstance(i, ir.Jump | ir.Unless | ir.Next | ir.NextRule)
    return replace(i, target=target)


def target_of(i: ir.Instruction) -> int | None:
    """Where an instruction may jump to within its procedure."""
    return i.target if isinstance(i, ir.Jump | ir.Unless | ir.Next | ir.NextRule) else None
