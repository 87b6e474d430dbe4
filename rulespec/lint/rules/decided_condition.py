"""A condition that always or never holds."""

from __future__ import annotations

from collections.abc import Iterator

from rulespec.lint.finding import Finding, LintRule
from rulespec.lint.game import LintGame
from rulespec.text.quoting import ticked

RULE = LintRule("L030")


def check(game: LintGame) -> Iterator[Finding]:
    """Conditions with one answer in every setup, by the ranges of what they speak of and the conditions before them."""
    for span, holds in game.ranges.decided():
        text = " ".join(span.text.split())
        yield Finding(
            RULE,
            f"{ticked(text)} {'always' if holds else 'never'} holds here",
            span,
            help=("the ranges of what it speaks of, and the conditions around it, leave no other answer",),
        )
