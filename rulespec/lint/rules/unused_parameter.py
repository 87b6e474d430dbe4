"""A parameter that is not looked at."""

from __future__ import annotations

from collections.abc import Iterator

from rulespec import ir
from rulespec.ir.walk import within
from rulespec.lint.analysis import functions
from rulespec.lint.finding import Finding, LintRule
from rulespec.lint.game import LintGame

RULE = LintRule("L028")
IMPLIED = ("me", "this")


def check(game: LintGame) -> Iterator[Finding]:
    """Parameters of functions and procedures in use that nothing in them reads; events and menus have them for others."""
    for function in functions(game.context):
        if function.what == "function" and function.index in game.used.functions:
            read = {e.index for e in within(game.program.functions[function.index].body) if isinstance(e, ir.Local)}
            for position, parameter in enumerate(function.parameters):
                if position not in read and parameter.name not in IMPLIED:
                    yield Finding(
                        RULE, f"`{function.name}` does not look at its parameter `{parameter.name}`", parameter.span
                    )
    for procedure in game.context.procedures.values():
        if procedure.index in game.used.procedures and procedure.parameters:
            read = locals_of(game, procedure.index)
            for position, parameter in enumerate(procedure.parameters):
                if position not in read and parameter.name not in IMPLIED:
                    yield Finding(
                        RULE, f"`{procedure.name}` does not look at its parameter `{parameter.name}`", parameter.span
                    )


def locals_of(game: LintGame, number: int) -> set[int]:
    """The locals that a procedure reads, in its questions too."""
    indices = set()
    for i in game.program.procedures[number].code:
        parts: tuple[object, ...] = (i, game.program.sites[i.site]) if isinstance(i, ir.Ask) else (i,)
        indices |= {e.index for part in parts for e in within(part) if isinstance(e, ir.Local)}
    return indices
