"""A map in several parts between which no way leads."""

from __future__ import annotations

from collections.abc import Iterator

from rulespec.lint.finding import Finding, LintRule
from rulespec.lint.game import LintGame
from rulespec.lint.places import links_of, parts

RULE = LintRule("L072")


def check(game: LintGame) -> Iterator[Finding]:
    """Places that no link joins to the largest part of the map; one finding for each part."""
    for kind in game.kinds():
        links = links_of(kind)
        if not links:
            continue
        for part in parts(len(kind.members), links)[1:]:
            names = [f"`{kind.members[n]}`" for n in part]
            many = f"{', '.join(names[:3])} and {len(names) - 3} more" if len(names) > 4 else " and ".join(names)
            yield Finding(RULE, f"no way leads from {many} to the rest of the map", kind.spans[part[0]])
