"""What is known of values, compared with the values themselves: all small numbers, and all short collections of few."""

from __future__ import annotations

import itertools
import random
from functools import cache
from typing import Any

import pytest

from rulespec import ir
from rulespec.analysis import domain
from rulespec.analysis.domain import Fact, holds, items, join, meet, widened
from rulespec.library.errors import BIGGEST
from tests.helpers.assembler import EMPTY
from tests.helpers.programs import Build, finish

FAR = 7  # numbers that stand for all beyond
NUMBERS = tuple(range(-FAR, FAR + 1))
ENDS = (None, -2, 0, 1)
SPANS = [(low, high) for low in ENDS for high in ENDS if low is None or high is None or low <= high]
INTS = [Fact("int", low, high, none) for low, high in SPANS for none in (False, True)]
LISTS = [row for n in range(4) for row in itertools.product(range(3), repeat=n)]
SIZES = [(least, most) for least in range(3) for most in (0, 1, 2, 3, None) if most is None or least <= most]
OF_LISTS = [
    Fact("items", size=most, item=Fact("int", *span), ordered=ordered, least=least, none=none)
    for (least, most), span, ordered, none in itertools.product(
        SIZES, ((0, 2), (1, 2), (1, 1)), (False, True), (False, True)
    )
]


@cache
def numbers_of(fact: Fact) -> frozenset[int | None]:
    """The numbers of -FAR..FAR for which a fact about a number stands, and None."""
    low, high = -FAR if fact.low is None else fact.low, FAR if fact.high is None else fact.high
    found = {n for n in NUMBERS if low <= n <= high and fact.what != "never"}
    return frozenset(found | {None} if fact.none else found)


@cache
def lists_of(fact: Fact) -> frozenset[Any]:
    """The lists for which a fact about a collection of numbers stands, and None."""
    assert fact.item is not None
    found: set[Any] = {None} if fact.none else set()
    for row in LISTS:
        most = 3 if fact.size is None else fact.size
        ascends = sorted(set(row)) == [*row]
        if fact.least <= len(row) <= most and {*row} <= numbers_of(fact.item) and (ascends or not fact.ordered):
            found.add(row)
    return frozenset(found)


def test_what_stands_for_which_values() -> None:
    for fact in INTS:
        assert {n for n in (None, *NUMBERS) if holds(fact, n)} == numbers_of(fact)
        assert {n for n in NUMBERS if fact.has(n)} == numbers_of(fact) - {None}
        known = {bool(n) if n is not None else None for n in numbers_of(fact)}
        assert fact.truth == (known.pop() if len(numbers_of(fact)) == 1 else None)
        assert fact.some and not fact.empty
        for low, high in itertools.product((-2, 0, 1), repeat=2):
            assert fact.within(low, high) == (numbers_of(fact) <= {*range(low, high + 1)}), (fact, low, high)
    for fact in OF_LISTS:
        assert {row for row in (None, *LISTS) if holds(fact, row)} == lists_of(fact)
        assert not any(holds(fact, other) for other in (0, "a", 2.5))
    two = Fact("items", size=2, parts=(Fact("int", 0, 1), Fact("int", 2, 2)), least=2)
    assert [row for row in LISTS if holds(two, row)] == [(0, 2), (1, 2)]
    assert holds(domain.TEXT, "a") and holds(domain.TEXT, ("a", (0, 1))) and not holds(domain.TEXT, 1)
    assert not any(holds(domain.NOTHING, value) for value in (None, 0, "a", ()))
    assert holds(domain.NONE, None) and domain.NOTHING.empty and not domain.NONE.empty and not domain.NONE.some
    assert all(holds(domain.ANY, value) for value in (None, 0, "a", (), 2.5)) and not holds(domain.SOME, None)


@pytest.mark.parametrize("end", [0, 5, 2**62 - 1, 2**62, 2**62 + 1])
def test_what_is_bounded_is_of_62_bits(end: int) -> None:
    fits = end < 2**62
    assert Fact("int", 0, end).bounded == Fact("int", -end, 0).bounded == fits
    assert Fact("int", 0, end).within(0, end) == Fact("int", -end, 0).within(-end, 0) == fits
    for other in (Fact("int", None, end), Fact("int", -end, None), Fact("int", 0, end, none=True), Fact("any", 0, end)):
        assert not other.bounded and not other.within(-end, end)


def test_what_is_made_of_bounds() -> None:
    assert numbers_of(domain.below(3)) == {0, 1, 2} and numbers_of(domain.number(-1, None)) == {*range(-1, FAR + 1)}
    for known, wanted in ((True, {1}), (False, {0}), (None, {0, 1})):
        assert numbers_of(domain.truth(known)) == wanted
    for most in (-1, 0):
        assert items(domain.INT, most) == domain.EMPTY
    assert items(domain.BOOL, 1) == Fact("items", size=1, item=domain.BOOL)
    assert items(domain.BOOL, None, True, -2) == Fact("items", item=domain.BOOL, ordered=True)
    for fact in (domain.sized(1, 2), domain.sized(1, 2, True)):
        assert (
            {len(row) for row in LISTS if holds(fact, row)} == {1, 2}
            and holds(fact, 5)
            and holds(fact, None) == fact.none
        )
    for fact in (domain.between(0, 1), domain.between(0, 1, True)):
        assert {n for n in NUMBERS if holds(fact, n)} == {0, 1} and holds(fact, (5,)) and holds(fact, None) == fact.none


def test_the_fact_of_a_constant() -> None:
    """Nothing else of its sort is one; of many parts it says what they have in common."""
    for number in (-3, 0, True, 2**70):
        assert domain.of_value(number) == Fact("int", int(number), int(number))
    for row in LISTS:
        assert {other for other in LISTS if holds(domain.of_value(row), other)} == {row}
    for length in (domain.MOST_PARTS, domain.MOST_PARTS + 1):
        for row in (tuple(range(length)), tuple(range(length))[::-1], (1,) * length, (True,) * length, ("a",) * length):
            known = domain.of_value(row)
            assert (known.least, known.size) == (length, length) and not known.none
            assert (known.parts is not None) == (length <= domain.MOST_PARTS)
            assert known.ordered == (row[0] == 0)
            assert known.item == (domain.TEXT if row[0] == "a" else Fact("int", min(row), max(row)))
    assert domain.of_value((1, None)).item == Fact("int", 1, 1, none=True) and not domain.of_value((0, "a")).ordered
    assert domain.of_value(2.5) == domain.ANY


def hull(numbers: frozenset[Any]) -> set[int | None]:
    """All numbers between some."""
    own = numbers - {None}
    return ({*range(min(own), max(own) + 1)} if own else set()) | (numbers & {None})


def test_joins_of_numbers() -> None:
    """All numbers between those of both; what is widened by the other has its ends where these stay, and none where they move."""
    for a, b in itertools.product(INTS, repeat=2):
        both, wider = join(a, b), widened(a, b)
        assert numbers_of(both) == hull(numbers_of(a) | numbers_of(b))
        ends, moved = numbers_of(a) - {None}, numbers_of(b) - {None}
        wanted = {
            *range(-FAR if min(moved) < min(ends) else min(ends), (FAR if max(moved) > max(ends) else max(ends)) + 1)
        }
        assert numbers_of(wider) == wanted | ({None} if a.none or b.none else set())
        met = meet(a, b)
        common = numbers_of(a) & numbers_of(b)
        assert (numbers_of(met) if met.what == "int" or met.none else set()) == common and met.empty == (not common)


def test_what_comes_to_nothing_or_none_is_not_widened() -> None:
    """The first value that is met does not move an end, and neither does another sort."""
    for fact in INTS:
        assert widened(domain.NOTHING, fact) == fact == widened(fact, domain.NOTHING)
        assert (
            numbers_of(widened(domain.NONE, fact))
            == numbers_of(fact) | {None}
            == numbers_of(widened(fact, domain.NONE))
        )
        assert all(holds(widened(fact, domain.TEXT), value) for value in (*numbers_of(fact), "a"))


def test_joins_of_collections() -> None:
    """As many items as either, each between those of both, and in order where both are; a meet has what both have."""
    chooser = random.Random(1)
    for a, b in (chooser.sample(OF_LISTS, 2) for _ in range(1500)):
        one, two, both = lists_of(a), lists_of(b), join(a, b)
        assert lists_of(both) >= one | two
        most = None if a.size is None or b.size is None else max(a.size, b.size)
        assert (both.least, both.size) == (min(a.least, b.least), most)
        assert a.item is not None and b.item is not None and both.item is not None
        if a.size != 0 and b.size != 0:
            assert numbers_of(both.item) == hull(numbers_of(a.item) | numbers_of(b.item))
        assert both.ordered == (a.ordered and b.ordered) and both.none == (a.none or b.none)
        common = meet(a, b)
        assert common.none == (a.none and b.none) and common.empty <= (not one & two)
        if common.what == "items" and not (common.item is None or common.item.empty):
            assert lists_of(common) == one & two
        else:
            assert one & two <= {None, ()}
        wider = widened(a, b)
        assert lists_of(wider) >= one | two and wider.none == (a.none or b.none)
        assert wider.least == (a.least if b.least >= a.least else 0)
        assert wider.size == (a.size if most == a.size else None)
        assert wider.item is not None and numbers_of(wider.item) == numbers_of(widened(a.item, b.item))


def test_the_fact_of_a_type() -> None:
    """Of a program of two players and three targets."""
    number, seat = ir.types.number(-1, 4), ir.types.entity(0)
    for t, fact in (
        (ir.types.BOOL, domain.BOOL),
        (number, Fact("int", -1, 4)),
        (seat, Fact("int", 0, 1)),
        (ir.types.set_of(seat, 2), Fact("items", size=2, item=Fact("int", 0, 1), ordered=True)),
        (ir.types.list_of(number, 5), Fact("items", size=5, item=Fact("int", -1, 4))),
        (ir.types.bag(0), Fact("items", size=2, item=Fact("int", 0, BIGGEST), least=2)),
        (ir.types.option(number), Fact("int", -1, 4, none=True)),
        (
            ir.Type("record", parts=(seat, number)),
            Fact("items", size=2, parts=(Fact("int", 0, 1), Fact("int", -1, 4)), least=2),
        ),
        (ir.types.NONE, domain.NONE),
        (ir.Type("target"), Fact("int", 0, 2, none=True)),
        (ir.Type("effect"), domain.ITEMS),
        (ir.types.TEXT, domain.TEXT),
        (ir.types.ANY, domain.ANY),
    ):
        assert domain.of_type(EMPTY, t) == fact, t


def test_the_facts_of_slots_are_those_of_their_types_and_first_values() -> None:
    """Of several what their facts have in common, and of no slot behind them."""
    b = Build(2)
    small = b.variable("small", 2, 2, printer=ir.types.number(0, 4))
    large = b.variable("large", 7, printer=ir.types.number(5, 9))
    far = b.variable("far", 20, printer=ir.types.number(0, 3))  # begins outside its range
    maybe = b.variable("maybe", None, printer=ir.types.option(ir.types.number(1, 2)))
    b.procedure("main", 0, finish(0, 0))
    facts = domain.SlotFacts(b.program())
    wanted = {small: (0, 4), small + 1: (0, 4), large: (5, 9), far: (0, 20)}
    for slot, (low, high) in wanted.items():
        assert facts.of(slot, 1) == Fact("int", low, high)
    for base, size in ((small, 2), (small, 3), (small, 4), (large, 2)):
        ends = [wanted[slot] for slot in range(base, base + size)]
        for _ in range(2):  # worked out, and kept
            assert facts.of(base, size) == Fact("int", min(low for low, _ in ends), max(high for _, high in ends))
    assert facts.of(far, 2) == Fact("int", 0, 20, none=True) and facts.of(maybe, 1).none
    assert facts.of(maybe + 50, 1) == domain.ANY == facts.of(maybe, 50)
