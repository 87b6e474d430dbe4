"""A tree in which keys have the names that were meant, so that one slip brings one message and what it declares is there."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import Any

from rulespec.text.yaml_tree import ListNode, MapNode, Node

Path = tuple[str | int, ...]
Meant = Mapping[Path, str]  # the path of a key that is not known, and the name of the one that is meant


def with_names(root: Node, meant: Meant) -> Node:
    """The tree in which keys have the names that were meant; of two that mean one, or one that is there already, only that one has it."""
    leads = {path[:length] for path in meant for length in range(len(path))}  # to where something is to be named

    def named(node: Node, path: Path) -> Node:
        if path not in leads:
            return node
        if isinstance(node, ListNode):
            return replace(node, items=tuple(named(item, (*path, n)) for n, item in enumerate(node.items)))
        if not isinstance(node, MapNode):
            return node
        entries, taken = [], set(node.keys())
        for key, value in node.entries:
            here = (*path, key.value)
            name = meant.get(here, key.value)
            entries.append((key if name in taken else replace(key, value=name), named(value, here)))
            taken.add(name)
        return MapNode(tuple(entries), node.span)

    return named(root, ())


def at(node: Node, path: Path) -> Any:
    """The node at a path; the last that is there where the path leads nowhere."""
    for part in path:
        if isinstance(node, MapNode) and isinstance(part, str):
            node = found if (found := node.get(part)) is not None else node
        elif isinstance(node, ListNode) and isinstance(part, int):
            node = node.items[part]
    return node
