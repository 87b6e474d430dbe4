"""Payments: every distinct way to pay a price, as a list to choose from."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from rulespec.language import bounds
from rulespec.language.facts import C, CForm, Facts, Result
from rulespec.language.registry import function
from rulespec.library.errors import DomainError, bounded

Counts = tuple[int, ...]
Units = tuple[Counts, ...]  # of a card: its pieces, each by the kinds that it may stand for
Way = tuple[Counts, Counts, int]  # what is paid from the stock, the cards used, how many needs are met by conversion


@function(
    "payments(prices: many bag of K, stock: bag of K, cards: set of C, rate: 0.., lot: 1..) -> list of Payment",
    hidden=("bonus of C",),
    examples={
        "size(payments(list(2 of ruby + 1 of pearl), 2 of ruby + 1 of pearl))": "1",
        "size(payments(list(1 of ruby + 1 of pearl), 1 of ruby, set(red_5, blue_3)))": "3",
    },
    facts=Facts(result=Result.PAYMENTS, heavy=True, memo=True, c=C(form=CForm.PAYMENTS)),
)
def payments(
    prices: tuple[Counts, ...], stock: Counts, cards: Counts, rate: int, lot: int, bonus: tuple[Units, ...]
) -> tuple[Way, ...]:
    """Every distinct way to pay one of the prices, once each.

    Each card stands for one piece of a kind in its `bonus`, or for one piece of each set there if that is a list of
    sets.  `rate` pieces of one kind stand for `lot` of one other kind (1, if left out; rate 0: not at all), and
    pieces of cards may be among them.  Equal pieces and cards with equal bonuses make one way, and a way is left out if
    less would do: some of its pieces and cards.  A payment has `gems`, `cards` and `swapped`, how many needs were met by
    conversion.
    """
    groups = alike(cards, bonus)
    cheapest: dict[tuple[Counts, Counts], int] = {}
    for way, swapped in paid(prices, stock, groups, rate, lot):
        cheapest[way] = min(swapped, cheapest.get(way, swapped))
        bounded(len(cheapest) * 20)  # a choice of 5000 ways is none
    lean = set(leanest([(*gems, *used) for gems, used in cheapest])) if excess_possible(prices, groups, rate) else None
    ways: list[Way] = []
    for (gems, used), swapped in cheapest.items():
        if lean is None or (*gems, *used) in lean:
            chosen = sorted(card for group, n in zip(groups.values(), used, strict=True) for card in group[:n])
            ways.append((gems, tuple(chosen), swapped))
    return tuple(sorted(ways))


@function(
    "payable(prices: many bag of K, stock: bag of K, cards: set of C, rate: 0.., lot: 1..) -> Yes or no",
    hidden=("bonus of C",),
    examples={"payable(list(1 of ruby), 2 of jade, set(red_5), 2)": "yes", "payable(list(1 of ruby), 1 of jade)": "no"},
    facts=Facts(result=bounds.yes_or_no, heavy=True, memo=True, c=C(form=CForm.PAYABLE)),
)
def payable(
    prices: tuple[Counts, ...], stock: Counts, cards: Counts, rate: int, lot: int, bonus: tuple[Units, ...]
) -> bool:
    """Whether there is a way to pay one of the prices."""
    if lot >= 1 and any(enough(price, stock, rate, lot) for price in prices):
        return True
    groups = alike(cards, bonus)
    if lot >= 1:
        supply = supplied(stock, groups)
        prices = tuple(price for price in prices if enough(price, supply, rate, lot))
        if not prices or not groups:
            return False
    return any(True for _ in paid(prices, stock, groups, rate, lot))


def enough(price: Counts, supply: Iterable[int], rate: int, lot: int) -> bool:
    """Whether a price can be met from pieces that stand for one kind each, by conversion of what is to spare."""
    short = spare = 0
    for wanted, there in zip(price, supply, strict=True):
        if wanted > there:
            lots = -((there - wanted) // lot)
            if rate <= 0 or lots > wanted // lot:
                return False
            short += lots
        elif rate > 0:
            spare += (there - wanted) // rate
    return short <= spare


def supplied(stock: Counts, groups: dict[Units, list[int]]) -> list[int]:
    """The stock with every piece of a card counted for each kind that it may stand for."""
    supply = list(stock)
    for units, group in groups.items():
        for kind in (kind for unit in units for kind in unit):
            supply[kind] += len(group)
    return supply


def alike(cards: Counts, bonus: tuple[Units, ...]) -> dict[Units, list[int]]:
    """The cards that stand for something, by what they stand for."""
    groups: dict[Units, list[int]] = {}
    for card in cards:
        units = tuple(sorted(unit for unit in bonus[card] if unit))
        if units:
            groups.setdefault(units, []).append(card)
    return groups


def excess_possible(prices: tuple[Counts, ...], groups: dict[Units, list[int]], rate: int) -> bool:
    """Whether a way may hold more than another: by a choice of prices, by conversion or by cards of several pieces."""
    return len(prices) > 1 or rate > 0 or any(len(units) > 1 for units in groups)


def paid(
    prices: tuple[Counts, ...], stock: Counts, groups: dict[Units, list[int]], rate: int, lot: int
) -> Iterator[tuple[tuple[Counts, Counts], int]]:
    """((what is paid from the stock, how many cards of each group), needs met by conversion), with repeats."""
    if lot < 1:
        raise DomainError(f"a lot of {lot} pieces cannot be converted")
    meets = [what_it_meets(units, len(stock)) for units in groups]
    left = [len(group) for group in groups.values()]
    supply = supplied(stock, groups)
    wanted: set[Counts] = set()
    for price in dict.fromkeys(prices):
        for pieces, swapped in converted(price, supply, rate, lot):
            wanted.add((*pieces, swapped))
            bounded(len(wanted))
    for vector in leanest(list(wanted)):
        for rest, used in covered(vector[:-1], meets, left):
            if all(n <= s for n, s in zip(rest, stock, strict=True)):
                yield (rest, used), vector[-1]


def what_it_meets(units: Units, size: int) -> list[Counts]:
    """What needs a card can meet: some of its pieces, at least one, each as one of its kinds."""
    reachable: set[Counts] = {(0,) * size}
    for unit in units:
        reachable |= {(*c[:k], c[k] + 1, *c[k + 1 :]) for c in reachable for k in unit}
        bounded(len(reachable))
    return sorted(counts for counts in reachable if any(counts))


def leanest(vectors: list[Counts]) -> list[Counts]:
    """Those that hold no other one: nothing of theirs could be left out."""
    kept: list[Counts] = []
    for vector in sorted(vectors, key=lambda v: (sum(v), v)):
        if not any(all(a <= b for a, b in zip(less, vector, strict=True)) for less in kept):
            kept.append(vector)
    return kept


def covered(need: Counts, meets: list[list[Counts]], left: list[int]) -> Iterator[tuple[Counts, Counts]]:
    """What remains of a need after cards, with how many cards of each group are used: each pair once."""
    start = (need, (0,) * len(meets))
    todo, seen = [start], {start}
    while todo:
        rest, used = todo.pop()
        yield rest, used
        for group, choices in enumerate(meets):
            if used[group] == left[group]:
                continue
            more = (*used[:group], used[group] + 1, *used[group + 1 :])
            for met in choices:
                if all(m <= r for m, r in zip(met, rest, strict=True)):
                    pair = (tuple(r - m for m, r in zip(met, rest, strict=True)), more)
                    if pair not in seen:
                        seen.add(pair)
                        bounded(len(seen))
                        todo.append(pair)


def converted(need: Counts, supply: Iterable[int], rate: int, lot: int) -> Iterator[tuple[Counts, int]]:
    """What pieces a need becomes by conversion, and how many needs are converted: within what can be supplied."""
    limits = list(supply)
    size = len(need)

    def swap(kind: int, lots: Counts) -> Iterator[Counts]:
        if kind == size:
            yield lots
            return
        count = need[kind]
        for n in range(count // lot + 1 if rate > 0 else 1):
            if count - lot * n <= limits[kind]:
                yield from swap(kind + 1, (*lots, n))

    def sources(kind: int, left: int, lots: Counts, pieces: Counts) -> Iterator[Counts]:
        if kind == size:
            if left == 0:
                yield pieces
            return
        if left > room[kind]:
            return
        count = need[kind] - lot * lots[kind]
        for n in range(left + 1 if lots[kind] == 0 else 1):  # a kind is not converted into itself
            total = count + rate * n
            if total > limits[kind]:
                break
            yield from sources(kind + 1, left - n, lots, (*pieces, total))

    tried = 0
    room = [0] * (size + 1)  # how many conversions the kinds from one on can supply
    for lots in swap(0, ()):
        tried = bounded(tried + 1)
        for kind in reversed(range(size)):
            spare = limits[kind] - need[kind]
            room[kind] = room[kind + 1] + (spare // rate if rate > 0 and lots[kind] == 0 and spare > 0 else 0)
        for pieces in sources(0, sum(lots), lots, ()):
            tried = bounded(tried + 1)
            yield pieces, lot * sum(lots)
