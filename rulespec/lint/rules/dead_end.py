"""A place that can be entered and not left, or left and not entered."""

from __future__ import annotations

from collections.abc import Iterator

from rulespec.lint.finding import Finding, LintRule
from rulespec.lint.game import LintGame
from rulespec.lint.places import links_of
from rulespec.text.quoting import ticked

RULE = LintRule("L073")
FEW = 4  # one in so many links may lead one way only; where more do, it is meant


def check(game: LintGame) -> Iterator[Finding]:
    """Places that only links in one direction touch, on a map where nearly all links lead both ways."""
    for kind in game.kinds():
        links = links_of(kind)
        single = [(n, a, b) for n, (a, b, one_way) in enumerate(links) if one_way]
        if not single or len(single) * FEW > len(links):
            continue
        both = {end for a, b, one_way in links if not one_way for end in (a, b)}
        left, entered = {a for _, a, _ in single}, {b for _, _, b in single}
        for number, a, b in single:
            if a not in both and a not in entered:
                where, fault = a, "can be left and never entered"
            elif b not in both and b not in left:
                where, fault = b, "can be entered and never left"
            else:
                continue
            assert kind.links is not None
            yield Finding(
                RULE,
                f"{ticked(kind.members[where])} {fault}",
                kind.links.spans[number],
                help=("is the link meant to lead both ways?",),
            )
