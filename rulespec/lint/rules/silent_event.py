"""An event that is never announced."""

from __future__ import annotations

from collections.abc import Iterator

from rulespec.lint.finding import Finding, LintRule
from rulespec.lint.game import LintGame

RULE = LintRule("L021")


def check(game: LintGame) -> Iterator[Finding]:
    """Events that no `announce` names; the rules that wait for one are shown with it."""
    for event in game.context.events.values():
        if ("event", event.name) not in game.context.in_play:
            waiting = [
                rule for (name, _), rules in game.context.listeners.items() if name == event.name for rule in rules
            ]
            yield Finding(
                RULE,
                f"nothing announces the event `{event.name}`",
                event.span,
                related=tuple((rule.span, "this rule waits for it") for rule in waiting[:3]),
            )
