"""A zone that nothing ever enters."""

from __future__ import annotations

from collections.abc import Iterator

from rulespec.lint.finding import Finding, LintRule
from rulespec.lint.game import LintGame

RULE = LintRule("L015")


def check(game: LintGame) -> Iterator[Finding]:
    """Zones that are spoken of, start empty, and to which nothing is moved, drawn, dealt or given back, not even by what nothing runs."""
    entered = game.used.entered | game.unrun.entered
    for zone in game.context.zones:
        if zone.name in game.context.used and zone.start is None and zone.index not in entered:
            yield Finding(
                RULE,
                f"nothing ever enters the zone `{zone.name}`",
                zone.span,
                help=("say what it `starts with`, or move something to it",),
            )
