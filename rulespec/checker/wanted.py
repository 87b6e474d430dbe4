"""The program of a game with some of its cases: what the others run does nothing there, and no pass spends time on it."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from functools import partial

from rulespec import ir
from rulespec.ir.gamedef import Roots
from rulespec.ir.roles import site_of
from rulespec.ir.walk import called, reachable_from

# For numbers that are not used.
NOTHING = ir.Procedure("nothing", 0, (), (ir.Return(),), result=ir.types.NONE)
NO_VALUE = ir.Function("nothing", 0, (), ir.Const(None), result=ir.types.NONE)


def wanted(program: ir.Program, game: ir.Program, roots: Roots) -> ir.Program:
    """A program that begins with that of `game`, without what is neither there nor is run from some roots.  Numbers stay."""
    first = len(game.procedures)
    run = reachable_from(roots.procedures, partial(calls, program))
    procedures = tuple(
        procedure if number < first or number in run else NOTHING for number, procedure in enumerate(program.procedures)
    )
    parts = tuple((code := program.procedures[number].code, sites_of(program, code)) for number in run)
    first = len(game.functions)
    asked = reachable_from((*roots.functions, *called(parts)), lambda number: called(program.functions[number].body))
    functions = tuple(
        function if number < first or number in asked else NO_VALUE for number, function in enumerate(program.functions)
    )
    return replace(program, procedures=procedures, functions=functions)


def calls(program: ir.Program, number: int) -> Iterator[int]:
    """The procedures that one runs by their numbers."""
    return (i.procedure for i in program.procedures[number].code if isinstance(i, ir.Call | ir.Fork))


def sites_of(program: ir.Program, code: tuple[ir.Instruction, ...]) -> tuple[ir.Site, ...]:
    """The sites where some code asks."""
    return tuple(program.sites[site] for i in code if (site := site_of(i)) is not None)
