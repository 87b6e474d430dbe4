"""What all were told under a name of steps (`let: ... seen by: all`) goes with the first answer after these steps have ended.

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
from rulespec.ir.flow import aimed, target_of
from rulespec.text.source import Span


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
        code.append(ir.Unless(above_zero(ir.Op("size", (ir.Op("present", (ir.Local(i.live),)),))), 1 + 3 * len(told)))
    for variable in told:
        assert variable.over is not None
        code.append(ir.Unless(above_zero(ir.Load(variable.over)), len(code) + 3))
        code.append(store(variable.base, None, variable.name, variable.span))
        code.append(store(variable.over, 0, f"{variable.name} over", variable.span))
    return code


def above_zero(number: ir.Expr) -> ir.Expr:
    """Whether a number is above 0."""
    return ir.Op("lt", (ir.Const(0), number))


def store(base: int, value: ir.Value, name: str, span: Span | None) -> ir.Store:
    """Set a slot, which has no bounds."""
    return ir.Store(base, None, 1, ir.Const(value), None, None, False, name, span)
