"""A row that has what another has, where the combination that it should have is missing."""

from __future__ import annotations

from collections.abc import Iterator

from rulespec.lint.combinations import nearly_full, said
from rulespec.lint.finding import Finding, LintRule
from rulespec.lint.game import LintGame
from rulespec.text.quoting import ticked

RULE = LintRule("L076")


def check(game: LintGame) -> Iterator[Finding]:
    """Rows that would have every combination of some values once, were it not for one that is there twice."""
    for kind in game.kinds():
        for grid in nearly_full(kind):
            if len(grid.twice) == len(grid.missing) == 1:
                first, second = grid.twice[0]
                names = " and ".join(f"`{field.name}`" for field in grid.fields)
                yield Finding(
                    RULE,
                    f"{ticked(kind.members[second])} has the same {names} as {ticked(kind.members[first])}, and no row has "
                    f"{said(game, grid.fields, grid.missing[0])}",
                    kind.spans[second],
                    related=((kind.spans[first], "the same"),),
                )
                break
