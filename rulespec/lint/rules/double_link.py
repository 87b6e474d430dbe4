"""Two links that join the same places."""

from __future__ import annotations

from collections.abc import Iterator

from rulespec.lint.finding import Finding, LintRule
from rulespec.lint.game import LintGame
from rulespec.lint.places import links_of

RULE = LintRule("L074")


def check(game: LintGame) -> Iterator[Finding]:
    """Links between places that another link joins already, in a direction in which it leads, and links to themselves."""
    for kind in game.kinds():
        seen: dict[tuple[int, int], int] = {}
        for number, (a, b, one_way) in enumerate(links_of(kind)):
            assert kind.links is not None
            span = kind.links.spans[number]
            if a == b:
                yield Finding(RULE, f"this link leads from `{kind.members[a]}` to itself", span)
                continue
            ways = [(a, b)] if one_way else [(a, b), (b, a)]
            first = next((seen[way] for way in ways if way in seen), None)
            if first is not None:
                yield Finding(
                    RULE,
                    f"`{kind.members[a]}` and `{kind.members[b]}` are joined already",
                    span,
                    related=((kind.links.spans[first], "by this link"),),
                )
            for way in ways:
                seen.setdefault(way, number)
