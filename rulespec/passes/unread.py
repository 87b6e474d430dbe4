"""Dead stores: values that nobody reads are not worked out.

2  L1 := size(S4)     # L1 is not alive behind it: `jump 3`
"""

from __future__ import annotations

from dataclasses import replace

from rulespec import ir
from rulespec.ir.flow import leaving_procedures, live_before
from rulespec.passes.total import total


def unread(program: ir.Program) -> ir.Program:
    """The program without the assignments to locals that are dead afterwards, where the assigned expression cannot fault.

    A local that is read only to compute its own next value, such as a list that grows and is never used, is dead.
    """
    leaving = leaving_procedures(program)
    return replace(program, procedures=tuple(needed(p, program.sites, leaving) for p in program.procedures))


def needed(procedure: ir.Procedure, sites: tuple[ir.Site, ...], leaving: frozenset[int]) -> ir.Procedure:
    """A procedure in which jumps to the next instruction stand for the assignments that are not needed."""
    free = {pc for pc, i in enumerate(procedure.code) if isinstance(i, ir.Let) and total(i.value)}
    if not free:
        return procedure
    before = live_before(procedure, sites, leaving, free)
    code = tuple(
        ir.Jump(pc + 1, i.where) if pc in free and isinstance(i, ir.Let) and not before[pc + 1] >> i.index & 1 else i
        for pc, i in enumerate(procedure.code)
    )
    return replace(procedure, code=code) if code != procedure.code else procedure
