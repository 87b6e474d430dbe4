"""A type, kind of piece or pool that nothing speaks of."""

from __future__ import annotations

from collections.abc import Iterator

from rulespec.lint.finding import Finding, LintRule
from rulespec.lint.game import LintGame

RULE = LintRule("L010")


def check(game: LintGame) -> Iterator[Finding]:
    """Kinds that stand in no type, no zone and no expression, not even by one of their members."""
    for kind in game.kinds():
        if kind.what not in ("node", "link") and not game.spoken_of(kind):
            yield Finding(RULE, f"nothing uses the type `{kind.name}`", kind.span, help=("use it, or remove it",))
