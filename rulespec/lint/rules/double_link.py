"""Two links that join the same places."""

from __future__ import annotations

import re
from collections.abc import Iterator

from rulespec.checker import symbols
from rulespec.lint.finding import Finding, LintRule
from rulespec.lint.game import LintGame
from rulespec.lint.places import links_of
from rulespec.text.quoting import ticked

RULE = LintRule("L074")
WORD = re.compile(r"[^_]+")


def check(game: LintGame) -> Iterator[Finding]:
    """Links between places that another link joins already, in a direction in which it leads, and links to themselves.

    Links of different colours or lengths are two tracks, and so are those that are told apart in play, unless the name of one speaks of
    another place: then one was copied, and its ends were left.
    """
    for kind in game.kinds():
        seen: dict[tuple[int, int], int] = {}
        for number, (a, b, one_way) in enumerate(links_of(kind)):
            assert kind.links is not None
            span = kind.links.spans[number]
            if a == b:
                yield Finding(RULE, f"this link leads from {ticked(kind.members[a])} to itself", span)
                continue
            ways = [(a, b)] if one_way else [(a, b), (b, a)]
            first = next((seen[way] for way in ways if way in seen), None)
            if first is not None and not two_tracks(game, kind, first, number, {a, b}):
                yield Finding(
                    RULE,
                    f"{ticked(kind.members[a])} and {ticked(kind.members[b])} are joined already",
                    span,
                    related=((kind.links.spans[first], "by this link"),),
                )
            for way in ways:
                seen.setdefault(way, number)


def two_tracks(game: LintGame, kind: symbols.Kind, first: int, second: int, ends: set[int]) -> bool:
    """Whether two links between the same places differ, by what is written of them or in play."""
    links = kind.links
    assert links is not None
    for field in list(links.fields.values())[2:]:
        if field.values[first] != field.values[second]:
            return True
    elsewhere = {kind.members[n] for n in range(len(kind.members)) if n not in ends}
    if any(elsewhere & {links.members[n], *WORD.findall(links.members[n])} for n in (first, second)):
        return False
    indices = [v.per for v in game.context.variables] + [z.per for z in game.context.zones]
    return any(links in per for per in indices)
