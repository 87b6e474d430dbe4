"""Liveness, and points: where frames wait, and which locals they keep.

    2  L1 := size(S4)
    3  L2 := ask 0          # a frame that waits here keeps L1, which is alive: 4 reads it before it is written
    4  S5 := add(L1, L2)

A frame keeps what may still be read, nothing else, so that positions that cannot be told apart are equal.
"""

from __future__ import annotations

from collections.abc import Container
from dataclasses import replace

from rulespec import ir
from rulespec.ir.reads import read_by, read_while_waiting
from rulespec.passes.flow import edges, leaving_procedures


def liveness(program: ir.Program) -> ir.Program:
    """The program with its points; those that it has are made anew."""
    leaving = leaving_procedures(program)
    points: list[ir.Point] = []
    for number, procedure in enumerate(program.procedures):
        waiting = [pc for pc, i in enumerate(procedure.code) if waits(i)]
        before = live_before(procedure, program.sites, leaving) if waiting else []
        for position in waiting:
            i = procedure.code[position]
            live: int = i.live + 1 if isinstance(i, ir.NextRule) else i.live  # type: ignore[union-attr]
            # What lies beyond has no value any more once something has waited here.
            read = alive_across(procedure, position, before, program.sites, leaving)
            points.append(ir.Point(number, position, live, tuple(k for k in range(live) if read >> k & 1)))
    where = {(p.procedure, p.position): n for n, p in enumerate(points)}
    return replace(program, points=tuple(points), point_of=where)


def waits(i: ir.Instruction) -> bool:
    """Whether a frame may wait at an instruction."""
    if isinstance(i, ir.NextRule):
        return i.arrange is not None
    return isinstance(i, ir.Call | ir.Ask | ir.Draw | ir.CallRule | ir.Fork)


def alive_across(
    procedure: ir.Procedure,
    position: int,
    before: list[int],
    sites: tuple[ir.Site, ...],
    leaving: frozenset[int] | None = None,
) -> int:
    """The locals (bits) that are read while something waits at a position, or afterwards.

    `before` are those that are alive before each instruction of the procedure.
    """
    i = procedure.code[position]
    read = read_while_waiting(i, sites)
    ways = edges(procedure, position, leaving)
    for target, written in ways[:1] if isinstance(i, ir.NextRule) else ways:  # its other way is for an empty queue
        read |= before[target] & ~written
    return read


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
