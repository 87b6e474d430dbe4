"""A map in several parts between which no way leads."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator

from rulespec.checker import symbols
from rulespec.lint.finding import Finding, LintRule
from rulespec.lint.game import LintGame
from rulespec.lint.places import Link, links_of, parts
from rulespec.text.quoting import ticked

RULE = LintRule("L072")


def check(game: LintGame) -> Iterator[Finding]:
    """Places that no link joins to the largest part of the map; one finding for each part.

    Boards of the same shape, one for each player say, are parts on purpose, and so are parts that a field tells apart.
    """
    for kind in game.kinds():
        links = links_of(kind)
        if not links:
            continue
        components = parts(len(kind.members), links)
        if alike(components, links) or told_apart(kind, components):
            continue
        for part in components[1:]:
            names = [ticked(kind.members[n]) for n in part]
            many = f"{', '.join(names[:3])} and {len(names) - 3} more" if len(names) > 4 else " and ".join(names)
            yield Finding(RULE, f"no way leads from {many} to the rest of the map", kind.spans[part[0]])


def alike(components: list[list[int]], links: list[Link]) -> bool:
    """Whether all parts are of several places, and of one shape as far as the numbers of their links tell."""
    degrees = Counter(end for a, b, _ in links for end in (a, b))
    shapes = {tuple(sorted(degrees[n] for n in part)) for part in components}
    return len(shapes) == 1 and len(components[0]) > 1


def told_apart(kind: symbols.Kind, components: list[list[int]]) -> bool:
    """Whether there are parts of several places, and a field has one value in each, and in each another."""
    if len(components) < 2 or any(len(part) == 1 for part in components):
        return False
    for field in kind.fields.values():
        values = [{field.values[n] for n in part} for part in components]
        if all(len(those) == 1 for those in values) and len(set.union(*values)) == len(components):
            return True
    return False
