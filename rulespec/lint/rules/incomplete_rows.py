"""All combinations but one."""

from __future__ import annotations

from collections.abc import Iterator

from rulespec.lint.combinations import nearly_full, said
from rulespec.lint.finding import Finding, LintRule
from rulespec.lint.game import LintGame
from rulespec.text.quoting import ticked

RULE = LintRule("L077", "note")


def check(game: LintGame) -> Iterator[Finding]:
    """Types and pieces whose rows have all combinations of some values but one, or one of them twice."""
    for kind in game.kinds():
        for grid in nearly_full(kind):
            if len(grid.twice) + len(grid.missing) == 1:
                names = " and ".join(f"`{field.name}`" for field in grid.fields)
                if grid.missing:
                    message = f"{kind.name} has every {names} together but {said(game, grid.fields, grid.missing[0])}"
                else:
                    first, second = (ticked(kind.members[row]) for row in grid.twice[0])
                    message = f"{kind.name} has every {names} together once, but for {first} and {second}"
                yield Finding(RULE, message, kind.span)
                break
