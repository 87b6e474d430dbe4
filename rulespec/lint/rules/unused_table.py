"""A table that nothing looks into."""

from __future__ import annotations

from collections.abc import Iterator

from rulespec.checker import symbols
from rulespec.lint.finding import Finding, LintRule
from rulespec.lint.game import LintGame

RULE = LintRule("L017")


def check(game: LintGame) -> Iterator[Finding]:
    """Tables that are named nowhere."""
    for table in game.context.names.values():
        if isinstance(table, symbols.Table) and table.name not in game.context.used:
            yield Finding(RULE, f"nothing looks into the table `{table.name}`", table.span)
