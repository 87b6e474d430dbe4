"""A lasting effect that never begins."""

from __future__ import annotations

from collections.abc import Iterator

from rulespec.lint.finding import Finding, LintRule
from rulespec.lint.game import LintGame

RULE = LintRule("L023")


def check(game: LintGame) -> Iterator[Finding]:
    """Lasting effects that begin neither in play nor in a case."""
    for lasting in game.context.lastings.values():
        if lasting.index not in game.used.begun:
            yield Finding(RULE, f"the lasting effect `{lasting.name}` never begins", lasting.span)
