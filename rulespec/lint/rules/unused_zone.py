"""A zone that nothing speaks of and in which nothing lies."""

from __future__ import annotations

from collections.abc import Iterator

from rulespec.lint.finding import Finding, LintRule
from rulespec.lint.game import LintGame

RULE = LintRule("L014")


def check(game: LintGame) -> Iterator[Finding]:
    """Zones without a start that are named nowhere; one that holds what is out of play need not be named."""
    for zone in game.context.zones:
        if zone.name not in game.context.used and zone.start is None:
            yield Finding(RULE, f"nothing uses the zone `{zone.name}`", zone.span)
