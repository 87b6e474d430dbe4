"""Payments: every distinct way to pay a price, as a list to choose from."""

from __future__ import annotations

from collections.abc import Iterator

from rulespec.library.errors import bounded
from rulespec.registry import function

Counts = tuple[int, ...]
Way = tuple[Counts, tuple[int, ...], int]  # what is paid from the stock, the cards used, how many by conversion


@function(
    "payments(prices: many bag of K, stock: bag of K, cards: set of C, rate: 0..) -> list of Payment",
    hidden=("bonus of C",),
    examples={
        "size(payments(list(2 of ruby + 1 of pearl), 2 of ruby + 1 of pearl))": "1",
        "size(payments(list(1 of ruby + 1 of pearl), 1 of ruby, set(red_5, blue_3)))": "3",
    },
)
def payments(
    prices: tuple[Counts, ...], stock: Counts, cards: tuple[int, ...], rate: int, bonus: tuple[tuple[int, ...], ...]
) -> tuple[Way, ...]:
    """Every distinct way to pay one of the prices, once each.

    Each card stands for one piece of a kind in its `bonus`; `rate` pieces of one kind stand for one of another (0: not
    at all).  Equal pieces and cards with equal bonuses make one way, and nothing is paid in excess.  A payment has
    `gems`, `cards` and `swapped`, how many needs were met by conversion.
    """
    groups: dict[tuple[int, ...], list[int]] = {}
    for card in cards:
        if bonus[card]:
            groups.setdefault(bonus[card], []).append(card)
    kinds = list(groups)
    ways: set[Way] = set()
    for price in dict.fromkeys(prices):
        seen: set[tuple[Counts, Counts]] = set()
        for rest, used in covered(price, kinds, [len(groups[k]) for k in kinds], seen):
            chosen = tuple(sorted(card for kind, n in zip(kinds, used, strict=True) for card in groups[kind][:n]))
            for paid, swapped in converted(rest, stock, rate):
                ways.add((paid, chosen, swapped))
                bounded(len(ways) * 20)  # a choice of 5000 ways is none
    return tuple(sorted(ways))


@function(
    "payable(prices: many bag of K, stock: bag of K, cards: set of C, rate: 0..) -> Yes or no",
    hidden=("bonus of C",),
    examples={"payable(list(1 of ruby), 2 of jade, set(red_5), 2)": "yes", "payable(list(1 of ruby), 1 of jade)": "no"},
)
def payable(
    prices: tuple[Counts, ...], stock: Counts, cards: tuple[int, ...], rate: int, bonus: tuple[tuple[int, ...], ...]
) -> bool:
    """Whether there is a way to pay one of the prices."""
    return bool(payments(prices, stock, cards, rate, bonus))


def covered(
    need: Counts, kinds: list[tuple[int, ...]], left: list[int], seen: set[tuple[Counts, Counts]]
) -> Iterator[tuple[Counts, Counts]]:
    """What remains of a need after cards, with how many cards of each group are used: each pair once."""
    start = (need, (0,) * len(kinds))
    todo = [start]
    seen.add(start)
    while todo:
        rest, used = todo.pop()
        yield rest, used
        for group, stands_for in enumerate(kinds):
            if used[group] == left[group]:
                continue
            more = (*used[:group], used[group] + 1, *used[group + 1 :])
            for kind in stands_for:
                if rest[kind]:
                    pair = ((*rest[:kind], rest[kind] - 1, *rest[kind + 1 :]), more)
                    if pair not in seen:
                        seen.add(pair)
                        bounded(len(seen))
                        todo.append(pair)


def converted(need: Counts, stock: Counts, rate: int) -> Iterator[tuple[Counts, int]]:
    """The ways to pay a need from the stock: what is paid, and how many needs are met by conversion."""
    if all(n <= s for n, s in zip(need, stock, strict=True)):
        yield need, 0
    if rate <= 0:
        return
    size = len(need)
    found: set[tuple[Counts, int]] = set()

    def swap(kind: int, swaps: Counts) -> Iterator[Counts]:
        if kind == size:
            yield swaps
            return
        for n in range(need[kind] + 1):
            yield from swap(kind + 1, (*swaps, n))

    def sources(kind: int, left: int, swaps: Counts, paid: Counts) -> Iterator[Counts]:
        if kind == size:
            if left == 0:
                yield paid
            return
        own = need[kind] - swaps[kind]
        for n in range(left + 1 if swaps[kind] == 0 else 1):  # a kind is not swapped for itself
            total = own + rate * n
            if total > stock[kind]:
                break
            yield from sources(kind + 1, left - n, swaps, (*paid, total))

    for swaps in swap(0, ()):
        number = sum(swaps)
        if number:
            for paid in sources(0, number, swaps, ()):
                if (paid, number) not in found:
                    found.add((paid, number))
                    bounded(len(found))
                    yield paid, number
