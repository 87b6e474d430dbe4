"""A view that nothing speaks of."""

from __future__ import annotations

from collections.abc import Iterator

from rulespec.lint.finding import Finding, LintRule
from rulespec.lint.game import LintGame

RULE = LintRule("L027")


def check(game: LintGame) -> Iterator[Finding]:
    """Views that stand in no type and no expression."""
    for view in game.context.views.values():
        if view.name not in game.context.used:
            yield Finding(RULE, f"nothing uses the view `{view.name}`", view.span)
