"""A neighbour that is none the other way round, where all others are."""

from __future__ import annotations

from collections.abc import Iterator

from rulespec.checker import symbols
from rulespec.language.types import EntityType, ListType, SetType
from rulespec.lint.finding import Finding, LintRule
from rulespec.lint.game import LintGame
from rulespec.lint.places import links_of
from rulespec.text.quoting import ticked
from rulespec.text.source import Span

RULE = LintRule("L075")
FEW = 6  # one in so many may lead one way only; where more do, it is meant
Pair = tuple[int, int]


def check(game: LintGame) -> Iterator[Finding]:
    """Links and lists of neighbours where each place but a few is also its neighbours' neighbour."""
    for kind in game.kinds():
        for pairs, both in (ways(kind), *((near, {}) for near in lists(kind))):
            alone = [(a, b) for a, b in pairs if (b, a) not in pairs and (b, a) not in both]
            if not alone or len(alone) * FEW > len(pairs):
                continue
            for a, b in alone:
                others = "all others lead both ways" if len(alone) == 1 else "nearly all others lead both ways"
                message = f"a way leads from {ticked(kind.members[a])} to {ticked(kind.members[b])}, and none back"
                yield Finding(RULE, message, game.line_of(pairs[a, b]), help=(others,))


def ways(kind: symbols.Kind) -> tuple[dict[Pair, Span], dict[Pair, Span]]:
    """The links of a map that lead one way, and those that lead both."""
    single: dict[Pair, Span] = {}
    both: dict[Pair, Span] = {}
    for number, (a, b, one_way) in enumerate(links_of(kind)):
        assert kind.links is not None
        (single if one_way else both)[a, b] = kind.links.spans[number]
    return single, both | {(b, a): span for (a, b), span in both.items()}


def lists(kind: symbols.Kind) -> Iterator[dict[Pair, Span]]:
    """The fields that give each member some others of its kind."""
    for field in kind.fields.values():
        if isinstance(field.type, SetType | ListType) and field.type.item == EntityType(kind.name):
            yield {
                (a, b): kind.spans[a]
                for a, values in enumerate(field.values)
                for b in (values if isinstance(values, tuple) else ())
                if isinstance(b, int)
            }
