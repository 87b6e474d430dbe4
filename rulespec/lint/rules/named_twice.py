"""A member that a set names twice."""

from __future__ import annotations

from collections.abc import Iterator

from rulespec.checker import symbols
from rulespec.language.types import SetType
from rulespec.lint.finding import Finding, LintRule
from rulespec.lint.game import LintGame
from rulespec.text.quoting import ticked
from rulespec.text.yaml_tree import ListNode, MapNode, Node, ScalarNode

RULE = LintRule("L078")


def check(game: LintGame) -> Iterator[Finding]:
    """Cells of rows that are sets, written as a list in which a member stands twice: it counts once."""
    for kind in game.kinds():
        node = game.node_of(kind)
        rows = node.get("rows") if isinstance(node, MapNode) else None
        entries: list[Node] = []
        if isinstance(rows, MapNode):
            entries = [row for _, row in rows.entries]
        elif isinstance(rows, ListNode):
            entries = list(rows.items)
        for row in entries:
            for field, cell in cells(kind, row):
                first: dict[str, ScalarNode] = {}
                for item in cell.items if isinstance(cell, ListNode) and isinstance(field.type, SetType) else ():
                    if isinstance(item, ScalarNode) and item.value in first:
                        yield Finding(
                            RULE,
                            f"{ticked(item.value)} is named twice in this set, and counts once",
                            item.span,
                            related=((first[item.value].span, "the first"),),
                        )
                    elif isinstance(item, ScalarNode):
                        first[item.value] = item


def cells(kind: symbols.Kind, row: Node) -> Iterator[tuple[symbols.Field, Node]]:
    """The cells of a row with their fields: by name, or in the order of the fields."""
    if isinstance(row, MapNode):
        yield from ((kind.fields[key.value], cell) for key, cell in row.entries if key.value in kind.fields)
    elif isinstance(row, ListNode):
        yield from zip(kind.fields.values(), row.items, strict=False)
