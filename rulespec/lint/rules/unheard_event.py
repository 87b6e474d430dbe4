"""An event that no rule hears."""

from __future__ import annotations

from collections.abc import Iterator

from rulespec.lint.finding import Finding, LintRule
from rulespec.lint.game import LintGame

RULE = LintRule("L022")


def check(game: LintGame) -> Iterator[Finding]:
    """Events that are announced, for which no rule waits and by which no limit counts.

    Where rules hear none at all, events are kept for what may come: a variant, an expansion.
    """
    heard = {name for (name, _), rules in game.context.listeners.items() if rules} | set(game.context.limits)
    if not heard & set(game.context.events):
        return
    for event in game.context.events.values():
        if event.name not in heard and ("event", event.name) in game.context.in_play:
            yield Finding(RULE, f"no rule hears the event `{event.name}`", event.span)
