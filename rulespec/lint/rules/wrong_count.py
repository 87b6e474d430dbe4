"""A type with more or fewer members than it says."""

from __future__ import annotations

from collections.abc import Iterator

from rulespec.lint.finding import Finding, LintRule
from rulespec.lint.game import LintGame
from rulespec.text.yaml_tree import MapNode, ScalarNode

RULE = LintRule("L070", "error")


def check(game: LintGame) -> Iterator[Finding]:
    """Types and kinds of pieces whose `count` is not the number of their members, copies included."""
    for kind in game.kinds():
        node = game.node_of(kind)
        wanted = node.get("count") if isinstance(node, MapNode) else None
        number = wanted.resolve() if isinstance(wanted, ScalarNode) else None
        if wanted is not None and isinstance(number, int) and number != len(kind.members):
            yield Finding(
                RULE,
                f"{kind.name} has {len(kind.members)} members, and not {number}",
                wanted.span,
                help=("a row is missing, is there twice, or has other `copies`",),
            )
