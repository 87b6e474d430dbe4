"""A comparison of one field with what has the name of another: `c.row == column`."""

from __future__ import annotations

from collections.abc import Iterator

from rulespec.expr import syntax
from rulespec.lint.finding import Finding, LintRule
from rulespec.lint.game import LintGame
from rulespec.lint.trees import told_in_rules
from rulespec.text.quoting import ticked

RULE = LintRule("L122")


def check(game: LintGame) -> Iterator[Finding]:
    """Comparisons of a field of something with a name that another field of it has; names of one letter say too little."""
    fields = [set(kind.fields) for kind in game.context.kinds.values() if len(kind.fields) > 1]
    for scalar, tree, _ in told_in_rules(game):
        for node in syntax.walk(tree):
            if not isinstance(node, syntax.Compare) or node.op not in ("==", "!="):
                continue
            for side, other in ((node.left, node.right), (node.right, node.left)):
                if not isinstance(side, syntax.Attr) or not isinstance(other, syntax.Name) or len(other.id) < 2:
                    continue
                if side.name != other.id and any({side.name, other.id} <= names for names in fields):
                    yield Finding(
                        RULE,
                        f"`{side.name}` is compared with {ticked(other.id)}, which is another of its fields",
                        scalar.at(node.start, node.end),
                        help=(f"was `.{other.id}` meant?",),
                    )
