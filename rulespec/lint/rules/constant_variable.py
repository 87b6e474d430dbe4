"""A variable that nothing changes."""

from __future__ import annotations

from collections.abc import Iterator

from rulespec.lint.finding import Finding, LintRule
from rulespec.lint.game import LintGame

RULE = LintRule("L013")


def check(game: LintGame) -> Iterator[Finding]:
    """Variables that are read and always have the value they start with."""
    for variable in game.context.variables:
        if variable.base in game.used.reads and variable.base not in game.changed:
            yield Finding(
                RULE,
                f"nothing changes the variable `{variable.name}`",
                variable.span,
                help=("set it where it should change, or make it a function or an option",),
            )
