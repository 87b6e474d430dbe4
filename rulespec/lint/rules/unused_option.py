"""An option that changes nothing."""

from __future__ import annotations

from collections.abc import Iterator

from rulespec.lint.finding import Finding, LintRule
from rulespec.lint.game import LintGame

RULE = LintRule("L018")


def check(game: LintGame) -> Iterator[Finding]:
    """Options that are read neither in play nor in a case: whoever sets them changes nothing."""
    for option in game.context.options.values():
        if option.name not in game.used.settings and option.name not in game.context.sizing:
            yield Finding(RULE, f"nothing reads the option `{option.name}`, so setting it changes nothing", option.span)
