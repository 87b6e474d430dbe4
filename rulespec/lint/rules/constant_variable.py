"""A variable that nothing changes."""

from __future__ import annotations

from collections.abc import Iterator

from rulespec import ir
from rulespec.checker.symbols import Variable
from rulespec.language.types import PLAYER
from rulespec.lint.finding import Finding, LintRule
from rulespec.lint.game import LintGame
from rulespec.lint.repeats import read_again

RULE = LintRule("L013")


def check(game: LintGame) -> Iterator[Finding]:
    """Variables that are read and always have the value they start with.

    A player, such as a dealer, may stay the same where nothing asks for him again: a game of one deal.  What only a procedure changes
    that nothing runs follows from that.
    """
    again = read_again(game)
    for variable in game.context.variables:
        if (variable.type == PLAYER and variable.base not in again) or variable.base in game.unrun.writes:
            continue
        if variable.base in game.used.reads and variable.base in game.changed and only_reset(game, variable):
            yield Finding(
                RULE,
                f"`{variable.name}` is only ever set to what it is from the beginning",
                variable.span,
                help=("a step that changes it is missing",),
            )
        if variable.base in game.used.reads and variable.base not in game.changed:
            if variable.remembers:
                yield Finding(RULE, "no step remembers positions: `- remember position`", variable.span)
                continue
            yield Finding(
                RULE,
                f"nothing changes the variable `{variable.name}`",
                variable.span,
                help=("set it where it should change, or make it a function or an option",),
            )


def only_reset(game: LintGame, variable: Variable) -> bool:
    """Whether all steps that write a variable set it to the constant that it begins with."""
    if variable.initial is not None or variable.told or variable.scope is not None:
        return False
    first = game.context.initial[variable.base]
    stores = [
        i
        for number in game.used.procedures - {game.context.set_up}
        if (procedure := game.context.out_procedures[number]) is not None
        for i in procedure.code
        if isinstance(i, ir.Store) and i.base == variable.base
    ]
    return all(isinstance(i.value, ir.Const) and i.value.value == first for i in stores)
