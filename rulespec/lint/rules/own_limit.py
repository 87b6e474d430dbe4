"""A limit that can never be used up: it counts how often a rule acts in one announcement of what it hears."""

from __future__ import annotations

from collections.abc import Iterator

from rulespec.checker.alive import LIMIT
from rulespec.lint.finding import Finding, LintRule
from rulespec.lint.game import LintGame
from rulespec.text.quoting import ticked
from rulespec.text.yaml_tree import ScalarNode

RULE = LintRule("L130")
TIMES = ("before", "instead of", "after")


def check(game: LintGame) -> Iterator[Finding]:
    """Rules whose limit names the event that they react to; of lasting effects several may react, so it may limit them."""
    for rule in game.context.rules:
        limit = rule.node.get("limit")
        match = LIMIT.match(limit.value) if isinstance(limit, ScalarNode) else None
        if match is None or limit is None or rule.lasting is not None:
            continue
        heard = [e for time in TIMES if isinstance(e := rule.node.get(time), ScalarNode) and e.value == match[3]]
        if heard:
            yield Finding(
                RULE,
                f"this limit is never used up: each time {ticked(match[3])} is announced it counts afresh",
                limit.span,
                related=((heard[0].span, "and the rule acts once each time, at most"),),
                help=("name the phase or scope in which it may act so often, or leave the limit out",),
            )
