"""A scope that never begins."""

from __future__ import annotations

from collections.abc import Iterator

from rulespec.lint.finding import Finding, LintRule
from rulespec.lint.game import LintGame

RULE = LintRule("L025")


def check(game: LintGame) -> Iterator[Finding]:
    """Scopes that are begun neither in play nor in a case."""
    for scope in game.context.scopes.values():
        if scope.alive not in game.used.writes:
            yield Finding(RULE, f"the scope `{scope.name}` never begins", scope.span)
