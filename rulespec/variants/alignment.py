"""Which items of two lists are versions of each other: those whose pairing leaves the least to be said."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from difflib import SequenceMatcher

from rulespec.text.yaml_tree import ListNode, MapNode, Node, ScalarNode

MOST = 2_500  # pairs of a stretch that are weighed; of longer ones the items go by their places


def aligned(
    before: Sequence[str],
    after: Sequence[str],
    change: Callable[[int, int], int | None],
    remove: Callable[[int], int],
    insert: Callable[[int], int],
) -> Iterator[tuple[int | None, int | None]]:
    """Pairs of indices in order; None where an item has no partner.  Equal texts are paired first (`difflib`).

    `change`, `remove` and `insert` say what it costs to tell of it; a pair that cannot be one costs None.
    """
    for tag, low, high, start, stop in SequenceMatcher(None, before, after, autojunk=False).get_opcodes():
        if tag == "equal":
            yield from zip(range(low, high), range(start, stop), strict=True)
        elif (high - low) * (stop - start) > MOST:
            yield from ((index, None) for index in range(low, high))
            yield from ((None, index) for index in range(start, stop))
        else:
            yield from cheapest(range(low, high), range(start, stop), change, remove, insert)


def cheapest(
    old: range,
    new: range,
    change: Callable[[int, int], int | None],
    remove: Callable[[int], int],
    insert: Callable[[int], int],
) -> list[tuple[int | None, int | None]]:
    """The cheapest alignment of two stretches (Needleman and Wunsch)."""
    costs = [[0] * (len(new) + 1) for _ in range(len(old) + 1)]
    steps: list[list[tuple[int, int]]] = [[(0, 0)] * (len(new) + 1) for _ in range(len(old) + 1)]
    for i in range(len(old) + 1):
        for j in range(len(new) + 1):
            ways: list[tuple[int, tuple[int, int]]] = []
            if i and j and (price := change(old[i - 1], new[j - 1])) is not None:
                ways.append((costs[i - 1][j - 1] + price, (1, 1)))
            if j:  # of ways that cost the same, what is removed comes before what is new
                ways.append((costs[i][j - 1] + insert(new[j - 1]), (0, 1)))
            if i:
                ways.append((costs[i - 1][j] + remove(old[i - 1]), (1, 0)))
            if ways:
                costs[i][j], steps[i][j] = min(ways, key=lambda way: way[0])
    found: list[tuple[int | None, int | None]] = []
    i, j = len(old), len(new)
    while i or j:
        di, dj = steps[i][j]
        found.append((old[i - 1] if di else None, new[j - 1] if dj else None))
        i, j = i - di, j - dj
    return found[::-1]


def size(node: Node) -> int:
    """Some letters that a tree takes."""
    if isinstance(node, MapNode):
        return 2 + sum(len(key.value) + 4 + size(value) for key, value in node.entries)
    if isinstance(node, ListNode):
        return 2 + sum(2 + size(item) for item in node.items)
    return len(node.value)


def distance(a: Node, b: Node) -> int:
    """Some letters in which two trees differ."""
    if isinstance(a, MapNode) and isinstance(b, MapNode):
        both = sum(distance(value, other) for key, value in a.entries if (other := b.get(key.value)) is not None)
        alone = [(key, value) for one, two in ((a, b), (b, a)) for key, value in one.entries if key.value not in two]
        return both + sum(len(key.value) + 4 + size(value) for key, value in alone)
    if isinstance(a, ListNode) and isinstance(b, ListNode):
        length = min(len(a), len(b))
        same = sum(distance(one, other) for one, other in zip(a.items, b.items, strict=False))
        return same + sum(2 + size(one) for one in (*a.items[length:], *b.items[length:]))
    if isinstance(a, ScalarNode) and isinstance(b, ScalarNode):
        return 0 if a.value == b.value else max(len(a.value), len(b.value), 1)
    return size(a) + size(b)
