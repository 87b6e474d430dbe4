"""A variable that nothing reads."""

from __future__ import annotations

from collections.abc import Iterator

from rulespec.lint.finding import Finding, Rule
from rulespec.lint.game import LintGame

RULE = Rule("L012")


def check(game: LintGame) -> Iterator[Finding]:
    """Variables that are read neither in play nor in a case; what only its own changes read counts as unread."""
    for variable in game.game.variables:
        if variable.base in game.used.reads or ("sight", variable.name) in game.game.refs:
            continue
        if variable.base in game.changed or variable.initial is not None:
            yield Finding(RULE, f"nothing reads the variable `{variable.name}`", variable.span,
                          help=("what is set here changes nothing in the game",))  # fmt: skip
        else:
            yield Finding(RULE, f"nothing uses the variable `{variable.name}`", variable.span)
