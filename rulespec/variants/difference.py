"""The differences of two games: what only one declares, and what both declare differently, down to single scalars."""

from __future__ import annotations

import json
from collections.abc import Iterator
from typing import Literal

from rulespec.system.records import dataclass
from rulespec.text.source import Span
from rulespec.text.yaml_tree import ListNode, MapNode, Node, ScalarNode
from rulespec.variants.alignment import aligned, distance, size
from rulespec.variants.changes import data
from rulespec.variants.paths import FIXED, TreePlace, label

# Sections that are not part of the rules, or are the same in every game.
LEFT_OUT = ("rulespec", "title", "about", "parts", "part of", "positions", "cases", "sources")
NOT_RULES = frozenset({*LEFT_OUT, *FIXED})  # sections by which nobody plays, and which no variant changes


@dataclass(frozen=True, slots=True)
class Difference:
    """One difference: its path as a variant would write it, and the node there in either game."""

    what: Literal["added", "removed", "changed", "reordered"]
    path: str
    old: Node | None = None
    new: Node | None = None
    old_span: Span | None = None
    new_span: Span | None = None


def differences(old: MapNode, new: MapNode) -> list[Difference]:
    """All differences of two trees, in the order of the first."""
    return list(mappings(TreePlace((), leave_out(old)), TreePlace((), leave_out(new))))


def leave_out(root: MapNode) -> MapNode:
    """A game without the sections that are not compared."""
    return MapNode(tuple(entry for entry in root.entries if entry[0].value not in LEFT_OUT), root.span)


def between(old: TreePlace, new: TreePlace) -> Iterator[Difference]:
    """The differences at a place that both have."""
    if data(old.node, True) == data(new.node, True):
        return
    if isinstance(old.node, MapNode) and isinstance(new.node, MapNode):
        yield from mappings(old, new)
    elif isinstance(old.node, ListNode) and isinstance(new.node, ListNode):
        yield from sequences(old, new)
    else:
        yield Difference("changed", old.text(), old.node, new.node, old.span, new.span)


def mappings(old: TreePlace, new: TreePlace) -> Iterator[Difference]:
    """The differences of two mappings, key by key."""
    a, b = old.node, new.node
    assert isinstance(a, MapNode) and isinstance(b, MapNode)
    names, others = list(a.keys()), list(b.keys())
    for index, name in enumerate(names):
        if name in b:
            yield from between(old.inner(index), new.inner(others.index(name)))
        else:
            yield one("removed", old.inner(index))
    for index, name in enumerate(others):
        if name not in a:
            yield one("added", new.inner(index))
    if old.trail and [name for name in names if name in b] != [name for name in others if name in a]:
        yield Difference("reordered", old.text(), a, b, old.span, new.span)


def sequences(old: TreePlace, new: TreePlace) -> Iterator[Difference]:
    """The differences of two lists: equal items are paired (`difflib`), of the others those with one verb that are most alike."""
    a, b = old.node, new.node
    assert isinstance(a, ListNode) and isinstance(b, ListNode)
    before, after = [written(item) for item in a.items], [written(item) for item in b.items]

    def change(one: int, other: int) -> int | None:
        return distance(a.items[one], b.items[other]) if alike(a.items[one], b.items[other]) else None

    pairs = aligned(before, after, change, lambda index: size(a.items[index]), lambda index: size(b.items[index]))
    for index, twin in pairs:
        if twin is None and index is not None:
            yield one("removed", old.inner(index))
        elif index is None and twin is not None:
            yield one("added", new.inner(twin))
        elif index is not None and twin is not None:
            yield from between(old.inner(index), new.inner(twin))


def written(item: Node) -> str:
    """An item as a text, to be compared."""
    return json.dumps(data(item, True))


def alike(a: Node, b: Node) -> bool:
    """Whether two items are versions of one step: their first keys are the same."""
    if isinstance(a, MapNode) and isinstance(b, MapNode):
        first, second = label(a).split(" ", 1)[0], label(b).split(" ", 1)[0]
        return bool(a.entries) and first == second
    return isinstance(a, ListNode) and isinstance(b, ListNode)


def one(kind: Literal["added", "removed"], place: TreePlace) -> Difference:
    """The difference of a place that only one of the games has."""
    if kind == "added":
        return Difference(kind, place.text(), None, place.node, None, place.span)
    return Difference(kind, place.text(), place.node, None, place.span, None)


def flow(node: Node) -> str:
    """A tree on one line."""
    if isinstance(node, MapNode):
        return "{" + ", ".join(f"{key.value}: {flow(value)}" for key, value in node.entries) + "}"
    if isinstance(node, ListNode):
        return "[" + ", ".join(map(flow, node.items)) + "]"
    return " ".join(node.value.split()) if isinstance(node, ScalarNode) else ""
