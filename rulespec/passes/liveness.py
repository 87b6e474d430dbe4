"""Liveness, and points: where frames wait, and which locals they keep.

    2  L1 := size(S4)
    3  L2 := ask 0          # a frame that waits here keeps L1, which is alive: 4 reads it before it is written
    4  S5 := add(L1, L2)

A frame keeps what may still be read, nothing else, so that positions that cannot be told apart are equal.
"""

from __future__ import annotations

from dataclasses import replace

from rulespec import ir
from rulespec.ir.flow import asks, edges, leaving_procedures, live_before
from rulespec.ir.reads import read_while_waiting


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
    return asks(i) or isinstance(i, ir.Call | ir.CallRule)


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
