"""Regions that nothing leaves: an `end: Combat` names a region, and where none can come from within, it is no region.

region 4 0..7 handler 8     # no `unwind 4` in it nor in what it calls: dropped, with the `resume` behind it
"""

from __future__ import annotations

from dataclasses import replace

from rulespec import ir
from rulespec.ir.flow import leaves, leaving_procedures, reachable


def regions(program: ir.Program) -> ir.Program:
    """The program without the regions inside which nothing may unwind; their handlers follow them as before."""
    leaving = leaving_procedures(program)
    return replace(program, procedures=tuple(left_only(p, leaving) for p in program.procedures))


def left_only(procedure: ir.Procedure, leaving: frozenset[int]) -> ir.Procedure:
    """A procedure with the regions that may be left."""
    if not procedure.regions:
        return procedure
    exits = [pc for pc in reachable(procedure, leaving) if leaves(procedure.code[pc], leaving)]
    kept = tuple(r for r in procedure.regions if any(r.start <= pc < r.end for pc in exits))
    return replace(procedure, regions=kept) if len(kept) < len(procedure.regions) else procedure
