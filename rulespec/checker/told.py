"""What all or some were told under a name of steps (`let: ... seen by: ...`) goes with the first answer after these steps have ended.

4  L2 := ask 0
5  unless lt(0, S9) goto 8     # S9: the steps with the name that S8 keeps are over
6  S8 := None
7  S9 := 0

So it is there to be seen whenever somebody is asked while the steps go on, and once more after them.  In which order somebody lets
his rules run is part of their event, and takes nothing away.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import replace
from itertools import accumulate

from rulespec import ir
from rulespec.checker import symbols
from rulespec.ir.flow import aimed
from rulespec.ir.roles import target_of


def forgetting(procedures: tuple[ir.Procedure, ...], told: Iterable[symbols.Variable]) -> tuple[ir.Procedure, ...]:
    """The procedures in which answers take away what was told; sealed choices do so when all have answered."""
    told = [variable for variable in told if variable.told]
    if not told:
        return procedures
    sealed = {i.procedure for procedure in procedures for i in procedure.code if isinstance(i, ir.Fork)}
    return tuple(
        procedure if number in sealed else after_answers(procedure, told) for number, procedure in enumerate(procedures)
    )


def after_answers(procedure: ir.Procedure, told: list[symbols.Variable]) -> ir.Procedure:
    """A procedure with what each answer does behind its question; all positions follow."""
    behind = [taking_away(i, told) for i in procedure.code]
    place = [position + before for position, before in enumerate(accumulate(map(len, behind), initial=0))]
    code: list[ir.Instruction] = []
    for i, added in zip(procedure.code, behind, strict=True):
        code.append(moved(i, place.__getitem__))
        begin = len(code)
        code.extend(moved(one, begin.__add__) for one in added)
    regions = (replace(r, start=place[r.start], end=place[r.end], handler=place[r.handler]) for r in procedure.regions)
    return replace(procedure, code=tuple(code), regions=tuple(regions))


def moved(i: ir.Instruction, to: Callable[[int], int]) -> ir.Instruction:
    """An instruction that jumps to where its target is now."""
    target = target_of(i)
    return i if target is None else aimed(i, to(target))


def taking_away(i: ir.Instruction, told: list[symbols.Variable]) -> list[ir.Instruction]:
    """What stands behind an instruction: nothing if nobody answers it; jumps count from its own beginning."""
    if not isinstance(i, ir.Ask | ir.Fork):
        return []
    code: list[ir.Instruction] = []
    if isinstance(i, ir.Fork):  # with no seat nobody is asked
        many = sum(2 + variable.size for variable in told)
        code.append(ir.Unless(above_zero(ir.Op("size", (ir.Op("present", (ir.Local(i.live),)),))), 1 + many))
    for variable in told:
        assert variable.over is not None
        code.append(ir.Unless(above_zero(ir.Load(variable.over)), len(code) + 2 + variable.size))
        code.extend(store(variable, None, k) for k in range(variable.size))
        code.append(replace(store(variable, 0), base=variable.over, index=None, size=1, name=f"{variable.name} over"))
    return code


def above_zero(number: ir.Expr) -> ir.Expr:
    """Whether a number is above 0."""
    return ir.Op("lt", (ir.Const(0), number))


def store(variable: symbols.Variable, value: ir.Value, k: int = 0) -> ir.Store:
    """Set one of a variable's slots, which have no bounds."""
    index = None if variable.size == 1 else ir.Const(k)
    return ir.Store(
        variable.base, index, variable.size, ir.Const(value), None, None, False, variable.name, variable.span
    )
