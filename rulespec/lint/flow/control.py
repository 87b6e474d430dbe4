"""Which instructions of a procedure run or not by the way that a branch goes: control dependence."""

from __future__ import annotations

from collections.abc import Sequence

from rulespec import ir


def successors(procedure: ir.Procedure) -> list[tuple[int, ...]]:
    """Where each instruction goes on; behind the last position is the way out."""
    out = len(procedure.code)
    return [following(procedure, pc, i, out) for pc, i in enumerate(procedure.code)]


def following(procedure: ir.Procedure, pc: int, i: ir.Instruction, out: int) -> tuple[int, ...]:
    """Where one instruction goes on."""
    match i:
        case ir.Jump(target):
            return (target,)
        case ir.Unless(_, target) | ir.Next(_, target):
            return pc + 1, target
        case ir.NextRule():
            return pc + 1, i.target
        case ir.Return() | ir.Finish():
            return (out,)
        case ir.Unwind():
            return (handler(procedure, pc, out),)
    return (pc + 1,)


def handler(procedure: ir.Procedure, pc: int, out: int) -> int:
    """Where leaving goes on within the procedure, or the way out."""
    for region in reversed(procedure.regions):
        if region.start <= pc < region.end:
            return region.handler
    return out


def dependence(ways: Sequence[tuple[int, ...]]) -> list[frozenset[int]]:
    """For each instruction, the branches that decide whether it runs, directly or by others."""
    count = len(ways)
    everything = (1 << (count + 1)) - 1
    after = [everything] * count + [1 << count]  # as bits: what surely runs from here on
    changed = True
    while changed:
        changed = False
        for n in range(count - 1, -1, -1):
            common = everything
            for m in ways[n]:
                common &= after[m]
            common |= 1 << n
            if common != after[n]:
                after[n], changed = common, True
    direct: list[set[int]] = [set() for _ in range(count)]
    for branch, targets in enumerate(ways):
        if len(targets) < 2:
            continue
        surely = after[branch] & ~(1 << branch)
        for target in targets:
            decided = after[target] & ~surely & ~(1 << count)
            for n in range(count):
                if decided >> n & 1:
                    direct[n].add(branch)
    return [closure(n, direct) for n in range(count)]


def closure(start: int, direct: list[set[int]]) -> frozenset[int]:
    """All branches that decide about an instruction."""
    found: set[int] = set()
    todo = list(direct[start])
    while todo:
        branch = todo.pop()
        if branch not in found:
            found.add(branch)
            todo += direct[branch]
    return frozenset(found)
