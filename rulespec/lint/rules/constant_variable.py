"""A variable that nothing changes."""

from __future__ import annotations

from collections.abc import Iterator

from rulespec.language.types import PLAYER
from rulespec.lint.finding import Finding, LintRule
from rulespec.lint.game import LintGame
from rulespec.lint.repeats import read_again

RULE = LintRule("L013")


def check(game: LintGame) -> Iterator[Finding]:
    """Variables that are read and always have the value they start with.

    A player, such as a dealer, may stay the same where nothing asks for him again: a game of one deal.
    """
    again = read_again(game)
    for variable in game.context.variables:
        if variable.type == PLAYER and variable.base not in again:
            continue
        if variable.base in game.used.reads and variable.base not in game.changed:
            yield Finding(
                RULE,
                f"nothing changes the variable `{variable.name}`",
                variable.span,
                help=("set it where it should change, or make it a function or an option",),
            )
