"""An event that no rule hears."""

from __future__ import annotations

from collections.abc import Iterator

from rulespec.lint.finding import Finding, Rule
from rulespec.lint.game import LintGame

RULE = Rule("L022")


def check(game: LintGame) -> Iterator[Finding]:
    """Events that are announced, for which no rule waits and by which no limit counts."""
    heard = {name for (name, _), rules in game.game.listeners.items() if rules} | set(game.game.limits)
    for event in game.game.events.values():
        if event.name not in heard and ("event", event.name) in game.game.refs:
            yield Finding(RULE, f"no rule hears the event `{event.name}`", event.span)
