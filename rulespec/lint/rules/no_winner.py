"""A game that nobody wins."""

from __future__ import annotations

from collections.abc import Iterator

from rulespec import ir
from rulespec.lint.finding import Finding, LintRule
from rulespec.lint.game import LintGame

RULE = LintRule("L042", "note")
MAIN = "game"  # the phase that is the whole game


def check(game: LintGame) -> Iterator[Finding]:
    """Games in which no step that can be come to says who wins, and which do not say what each has."""
    if ir.WINNERS in game.reach.writes or any(
        key.value in ("returns", "winners", "rank") for key, _ in game.section("end of game")
    ):
        return
    key = next((key for key, _ in game.section("phases") if key.value == MAIN), None)
    if key is not None:
        yield Finding(
            RULE,
            "nobody ever wins: the game ends, and all have 0",
            key.span,
            help=("say who has won by `win`, or what each has under `end of game`",),
        )
