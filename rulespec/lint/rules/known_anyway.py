"""Statements on the returns that follow from the rules."""

from __future__ import annotations

from collections.abc import Iterator

from rulespec.lint.finding import Finding, LintRule
from rulespec.lint.game import LintGame
from rulespec.lint.utility import verdicts
from rulespec.text.source import Span

RULE = LintRule("L133", "note")


def check(game: LintGame) -> Iterator[Finding]:
    """What `utility` states and every end of the game surely keeps."""
    seen: set[Span] = set()
    for verdict in verdicts(game):
        if verdict.holds and not verdict.words and verdict.where not in seen:
            seen.add(verdict.where)
            yield Finding(
                RULE,
                "this follows from the rules",
                verdict.where,
                help=("leave it out, or leave it as a check that the rules stay so",),
            )
