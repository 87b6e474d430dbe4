"""Walks over what is written in a game, for rules that look at how it is written."""

from __future__ import annotations

from collections.abc import Iterator

from rulespec.checker.context import Written
from rulespec.lint.game import LintGame
from rulespec.text.yaml_tree import ListNode, MapNode, Node, ScalarNode

ASIDE = {"cases", "positions", "sources", "table", "about", "cites"}  # sections and keys that are no rules


def written(game: LintGame) -> tuple[Node, ...]:
    """Every node of the rules of a game: what stands in cases, notes and hints is left out."""
    return game.once(below_root)


def below_root(game: LintGame) -> Iterator[Node]:
    """The same, looked for."""
    return nodes(game.context.root)


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


def told_in_rules(game: LintGame) -> Iterator[Written]:
    """Every expression of the rules in files of which findings are told; otherwise as `typed_in_rules`."""
    told = game.told
    for written in typed_in_rules(game):
        if told is None or told(written.scalar.span.source):
            yield written


def typed_in_rules(game: LintGame) -> tuple[Written, ...]:
    """Every expression of the rules, with the scalar that it stands in, and the names of steps and parameters that it may use.

    Those of cases are left out.
    """
    return game.once(outside_cases)


def outside_cases(game: LintGame) -> Iterator[Written]:
    """The same, looked for."""
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
