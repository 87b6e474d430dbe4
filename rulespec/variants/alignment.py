"""Which items of two lists are versions of each other: those whose pairing leaves the least to be said."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from difflib import SequenceMatcher

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
            if i:
                ways.append((costs[i - 1][j] + remove(old[i - 1]), (1, 0)))
            if j:
                ways.append((costs[i][j - 1] + insert(new[j - 1]), (0, 1)))
            if ways:
                costs[i][j], steps[i][j] = min(ways, key=lambda way: way[0])
    found: list[tuple[int | None, int | None]] = []
    i, j = len(old), len(new)
    while i or j:
        di, dj = steps[i][j]
        found.append((old[i - 1] if di else None, new[j - 1] if dj else None))
        i, j = i - di, j - dj
    return found[::-1]
