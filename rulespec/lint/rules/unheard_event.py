"""An event that no rule hears."""

from __future__ import annotations

from collections.abc import Iterator

from rulespec.lint.finding import Finding, LintRule
from rulespec.lint.game import LintGame

RULE = LintRule("L022")


def check(game: LintGame) -> Iterator[Finding]:
    """Events that are announced, for which no rule waits and by which no limit counts."""
    heard = {name for (name, _), rules in game.context.listeners.items() if rules} | set(game.context.limits)
    for event in game.context.events.values():
        if event.name not in heard and ("event", event.name) in game.context.refs:
            yield Finding(RULE, f"no rule hears the event `{event.name}`", event.span)
