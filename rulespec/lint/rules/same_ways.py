"""A decision after which the same happens either way."""

from __future__ import annotations

from collections.abc import Iterator
from operator import attrgetter

from rulespec.lint.finding import Finding, LintRule
from rulespec.lint.game import LintGame
from rulespec.lint.trees import written
from rulespec.text.yaml_tree import MapNode, as_data

RULE = LintRule("L092")
TEXT = attrgetter("value")  # of a scalar


def check(game: LintGame) -> Iterator[Finding]:
    """Steps `then` and `else` of which one is a copy of the other."""
    for node in written(game):
        if isinstance(node, MapNode) and {"if", "then", "else"} <= {key.value for key, _ in node.entries}:
            then, other = node.get("then"), node.get("else")
            if (
                then is not None
                and other is not None
                and (steps := as_data(then, TEXT))
                and steps == as_data(other, TEXT)
            ):
                yield Finding(
                    RULE,
                    "`else` does the same as `then`",
                    game.line_of(other.span),
                    help=("was it copied, and left as it was?",),
                    related=((game.line_of(then.span), "`then`"),),
                )
