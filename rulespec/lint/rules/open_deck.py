"""A deck that lies open, or that is never shuffled."""

from __future__ import annotations

from collections.abc import Iterator

from rulespec.checker import symbols
from rulespec.lint.finding import Finding, LintRule
from rulespec.lint.game import LintGame
from rulespec.lint.stages import steps
from rulespec.lint.trees import scalars

RULE = LintRule("L114")


def check(game: LintGame) -> Iterator[Finding]:
    """Shuffled zones that all see, and piles with a beginning that people draw from unseen and that nothing shuffles."""
    drawn = {
        source.value.split("(")[0].split(".")[-1] for step in steps(game) if (source := step.part("deck")) is not None
    }
    shuffled = {
        scalar.value
        for step in steps(game)
        if (mixed := step.role("shuffled")) is not None
        for scalar in scalars(mixed)
    }
    shuffled = {name.split("(")[0].split(".")[-1] for name in shuffled}
    for zone in game.context.zones:
        if zone.start is None or zone.name not in drawn or zone.counts:
            continue
        if zone.order == "shuffled" and zone.seen == symbols.ALL:
            yield Finding(
                RULE,
                f"`{zone.name}` is shuffled, and everybody sees in which order it lies",
                zone.span,
                help=("a deck that is drawn from has `seen by: none`",),
            )
        elif zone.order == "pile" and zone.seen != symbols.ALL and zone.name not in shuffled:
            yield Finding(
                RULE,
                f"nothing shuffles `{zone.name}`: each game is dealt in the order of the rows",
                zone.span,
                help=("`order: shuffled` shuffles it before the game, the step `shuffle` when it is run",),
            )
