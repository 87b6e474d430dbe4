"""A choice that may have nothing to choose from."""

from __future__ import annotations

from collections.abc import Iterator

from rulespec import ir
from rulespec.lint.finding import Finding, LintRule
from rulespec.lint.game import LintGame
from rulespec.text.source import Span

RULE = LintRule("L051", "note")


def check(game: LintGame) -> Iterator[Finding]:
    """Choices without `or none` or `else` of which the ranges do not tell that there is something to choose from."""
    world = game.ranges.world
    seen: set[Span] = set()
    for _, flow in sorted(game.ranges.flows.items()):
        for position, known in sorted(flow.before.items()):
            i = flow.procedure.code[position] if position < len(flow.procedure.code) else None
            site = flow.sites[i.site] if isinstance(i, ir.Ask) else None
            if site is None or site.where is None or site.none is not None or site.branches or site.where in seen:
                continue
            items = world.range(site.items, known)
            if items.least == 0 and items.size != 0:
                seen.add(site.where)
                yield Finding(
                    RULE,
                    "there may be nothing to choose from here",
                    game.line_of(site.where),
                    help=("if it is so in play, it is an error; `else` says what happens then",),
                )
