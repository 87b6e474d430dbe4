"""A tree in which keys have the names that were meant, so that one slip brings one message and what it declares is there."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import Any

from rulespec.text.yaml_tree import ListNode, MapNode, Node

Path = tuple[str | int, ...]
Meant = Mapping[Path, str]  # the path of a key that is not known, and the name of the one that is meant


def with_names(node: Node, meant: Meant, path: Path = ()) -> Node:
    """The tree in which keys have the names that were meant; a key that is there already is left alone."""
    if not any(own[: len(path)] == path for own in meant):
        return node
    if isinstance(node, ListNode):
        return replace(node, items=tuple(with_names(item, meant, (*path, n)) for n, item in enumerate(node.items)))
    if not isinstance(node, MapNode):
        return node
    entries = []
    for key, value in node.entries:
        here = (*path, key.value)
        name = meant.get(here, key.value)
        entries.append((key if name in node else replace(key, value=name), with_names(value, meant, here)))
    return MapNode(tuple(entries), node.span)


def at(node: Node, path: Path) -> Any:
    """The node at a path; the last that is there where the path leads nowhere."""
    for part in path:
        if isinstance(node, MapNode) and isinstance(part, str):
            node = node.get(part) or node
        elif isinstance(node, ListNode) and isinstance(part, int):
            node = node.items[part]
    return node
