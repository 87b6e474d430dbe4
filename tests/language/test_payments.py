"""Payments against a slow definition of them: all gems and cards that could be paid, tried one by one."""

from __future__ import annotations

from itertools import combinations, product

import pytest

from rulespec.language.registry import body
from rulespec.library.errors import DomainError
from rulespec.library.intrinsics import bag_ways
from tests.helpers.games import Dice

KINDS = 3
payments, payable, pairs = body("payments"), body("payable"), body("pairs_of")


def exact(pieces, need, rate, lot):
    """The fewest needs that are converted if exactly these pieces meet the need; None if they do not."""
    best = None
    for lots in product(*(range(n // lot + 1 if rate else 1) for n in need)):
        # each lot of a kind is met by `rate` pieces of one other kind
        choices = [[k for k in range(KINDS) if k != own] for own, n in enumerate(lots) for _ in range(n)]
        for sources in product(*choices):
            wanted = [n - lot * m + rate * sources.count(k) for k, (n, m) in enumerate(zip(need, lots, strict=True))]
            if wanted == list(pieces):
                best = min(lot * len(sources), best if best is not None else 99)
    return best


def used_as(cards, bonus):
    """The pieces that the cards may be: at least one unit of each card."""
    if not cards:
        return {(0,) * KINDS}
    found = set()
    for less in used_as(cards[1:], bonus):
        for units in product(*([None, *unit] for unit in bonus[cards[0]])):
            if any(k is not None for k in units):
                found.add(tuple(n + units.count(k) for k, n in enumerate(less)))
    return found


def brute(prices, stock, cards, rate, lot, bonus):
    """(gems, cards) -> fewest converted, without those of which a part would do."""
    found = {}
    for gems in product(*(range(n + 1) for n in stock)):
        for size in range(len(cards) + 1):
            for some in combinations(cards, size):
                if any(not bonus[c] for c in some):
                    continue
                for extra in used_as(some, bonus):
                    pieces = tuple(a + b for a, b in zip(gems, extra, strict=True))
                    for price in prices:
                        swapped = exact(pieces, price, rate, lot)
                        if swapped is not None:
                            found[gems, some] = min(swapped, found.get((gems, some), swapped))

    def holds(more, less):
        return (
            more != less and all(a >= b for a, b in zip(more[0], less[0], strict=True)) and set(less[1]) <= set(more[1])
        )

    return {way: n for way, n in found.items() if not any(holds(way, other) for other in found)}


def alike(ways, bonus):
    """The same with cards told apart by what they stand for only."""
    return {(gems, tuple(sorted(bonus[c] for c in cards))): n for (gems, cards), n in ways.items()}


@pytest.mark.parametrize("items, code", [(447, ""), (448, "R002")])
def test_every_two_of_many_are_bounded_by_their_number(items: int, code: str) -> None:
    """447 items have 99,681 pairs and 448 have 100,128: a collection has 100,000 items at most."""
    try:
        assert len(pairs(tuple(range(items)))) == items * (items - 1) // 2 and not code
    except DomainError as fault:
        assert fault.code == code


@pytest.mark.parametrize("kinds, code", [(32, ""), (64, "R002")])
def test_many_bags_are_bounded_by_what_they_hold_too(kinds: int, code: str) -> None:
    """60,501 bags are few enough, but not if each counts as two items."""
    try:
        ways = bag_ways((0,) * kinds, (300, 200, *(0,) * (kinds - 2)), 0, 2)
        assert len(ways) == 6 and not code
    except DomainError as fault:
        assert fault.code == code


@pytest.mark.parametrize("seed", range(25))
def test_as_the_slow_definition_has_it(seed):
    dice = Dice(seed)
    for _ in range(4):
        stock = tuple(dice.below(4) for _ in range(KINDS))
        prices = tuple(tuple(dice.below(3) for _ in range(KINDS)) for _ in range(1 + dice.below(2)))
        kinds = (((0,),), ((1,),), ((0, 1, 2),), ((0,), (0,)), ((0,), (1, 2)), ())
        bonus = tuple(kinds[dice.below(len(kinds))] for _ in range(dice.below(4)))
        rate, lot = ((0, 1), (2, 1), (2, 2), (1, 1))[dice.below(4)]
        cards = tuple(range(len(bonus)))
        found = payments(prices, stock, cards, rate, lot, bonus)
        assert len({(gems, chosen) for gems, chosen, _ in found}) == len(found)
        ways = {(gems, chosen): swapped for gems, chosen, swapped in found}
        expected = brute(prices, stock, cards, rate, lot, bonus)
        assert len(alike(ways, bonus)) == len(ways)
        assert alike(ways, bonus) == alike(expected, bonus), (prices, stock, bonus, rate, lot)
        assert payable(prices, stock, cards, rate, lot, bonus) == bool(expected)
