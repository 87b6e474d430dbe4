"""Walks over what is written in a game, for rules that look at how it is written."""

from __future__ import annotations

from collections.abc import Iterator

from rulespec.checker.context import Written
from rulespec.expr import syntax
from rulespec.lint.game import LintGame
from rulespec.text.yaml_tree import ListNode, MapNode, Node, ScalarNode

ASIDE = {"cases", "positions", "sources", "table", "about", "cites"}  # sections and keys that are no rules


def written(game: LintGame) -> Iterator[Node]:
    """Every node of the rules of a game: what stands in cases, notes and hints is left out."""
    return nodes(game.checked.context.root)


def nodes(node: Node) -> Iterator[Node]:
    """A node and all in it, but for what stands under keys that are no rules."""
    yield node
    match node:
        case MapNode():
            for key, value in node.entries:
                if key.value not in ASIDE:
                    yield from nodes(value)
        case ListNode():
            for item in node.items:
                yield from nodes(item)
        case _:
            pass


def in_rules(game: LintGame) -> Iterator[tuple[ScalarNode, syntax.Expr]]:
    """Every expression of the rules, with the scalar that it stands in: those of cases are left out."""
    for scalar, tree, _ in typed_in_rules(game):
        yield scalar, tree


def typed_in_rules(game: LintGame) -> Iterator[Written]:
    """The same, with the names of steps and parameters that each may use."""
    root = game.context.root
    aside = [node.span for name in ("cases", "positions") for node in [root.get(name)] if node is not None]
    for written in game.context.written.values():
        if not any(span.holds(written.scalar.span) for span in aside):
            yield written


def scalars(node: Node) -> Iterator[ScalarNode]:
    """Every scalar in a node, keys too, in the order of the file."""
    match node:
        case ScalarNode():
            yield node
        case MapNode():
            for key, value in node.entries:
                yield key
                yield from scalars(value)
        case ListNode():
            for item in node.items:
                yield from scalars(item)
