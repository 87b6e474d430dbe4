"""How much each transfer function knows: one example by hand of each, exactly; and the lattice, of small facts whose values are counted.

`test_facts.py` says that they are true.  Without this, one that says nothing would be true as well.
"""

from __future__ import annotations

import itertools
from typing import Any

import pytest

from rulespec.analysis import transfer
from rulespec.analysis.domain import (
    ANY,
    BOOL,
    EMPTY,
    INT,
    ITEMS,
    NO,
    NONE,
    NOTHING,
    SOME,
    TEXT,
    YES,
    Fact,
    holds,
    items,
    join,
    meet,
    of_value,
    sized,
    widened,
)
from rulespec.language.facts import Result
from rulespec.language.registry import facts
from rulespec.library.errors import LIMIT


def n(low: int | None, high: int | None, none: bool = False) -> Fact:
    return Fact("int", low, high, none)


def some(least: int, most: int | None, item: Fact | None = None, ordered: bool = False) -> Fact:
    return items(item, most, ordered, least)


SMALL, LARGE, MAYBE = n(1, 3), n(5, 9), n(1, 3, none=True)
LIST, SET = some(2, 4, LARGE), some(2, 4, LARGE, True)
PAIR = Fact("items", size=2, item=n(1, 9), parts=(SMALL, LARGE), least=2)
PAIRS = some(2, 4, PAIR)
BAG = some(3, 3, n(0, 5))
GRAPH = some(6, 6, some(0, 6, n(0, 5), True))
BOARD = of_value(("square", 3, 4, False, False, ((1, 1), (1, 2), (1, 3)), ()))
CELLS = some(30, 30)
SIZED_LATER, ROUND = (
    Fact("items", size=7, parts=(TEXT, n(2, 3), n(2, 5), NO, round_, CELLS, EMPTY), least=7) for round_ in (NO, BOOL)
)
EXAMPLES: list[tuple[str, list[Fact], Fact]] = [
    ("step", [SMALL, SMALL, BOARD], ANY),
    ("eq", [SMALL, LARGE], NO),
    ("eq", [of_value(4), of_value(4)], YES),
    ("eq", [of_value(4), n(4, None)], BOOL),
    ("eq", [n(None, 4), of_value(4)], BOOL),
    ("eq", [NONE, SMALL], NO),
    ("eq", [NONE, MAYBE], BOOL),
    ("ne", [some(3, 4), some(0, 2)], YES),
    ("not_", [YES], NO),
    ("is_none", [SMALL], NO),
    ("contains", [LIST, SMALL], NO),
    ("any_item", [LIST], YES),
    ("no_item", [EMPTY], YES),
    ("size", [LIST], n(2, 4)),
    ("size", [ITEMS], n(0, transfer.LONGEST)),
    ("count_of", [LIST, LARGE], n(0, 4)),
    ("count_of", [LIST, SMALL], NO),
    ("position", [LIST, LARGE], n(0, 4)),
    ("total", [LIST], n(10, 36)),
    ("total", [some(2, 4, n(-3, -1))], n(-12, -2)),
    ("total", [some(0, None, n(0, 3))], n(0, None)),
    ("first", [LIST], LARGE),
    ("first", [EMPTY], NOTHING),
    ("highest", [some(1, None, MAYBE)], SMALL),
    ("get", [PAIR, of_value(0)], SMALL),
    ("get", [PAIR, of_value(1)], LARGE),
    ("get", [PAIR, of_value(2)], n(1, 9)),
    ("get", [PAIR, n(0, 1)], n(1, 9)),
    ("border", [SMALL, SMALL, LIST, ITEMS], LARGE),
    ("bag_any", [BAG], n(0, 2)),
    ("row", [PAIRS, SMALL], LARGE),
    ("row_or_none", [PAIRS, SMALL], n(5, 9, none=True)),
    ("narrow", [SMALL, BOOL], SMALL),
    ("in_range", [n(0, None, none=True), of_value(2), of_value(4), TEXT], n(2, 4, none=True)),
    ("in_range", [SMALL, of_value(7), of_value(9), TEXT], NOTHING),
    ("those", [SET], SET),
    ("minus", [SET, some(0, 1)], some(1, 4, LARGE, True)),
    ("backwards", [SET], LIST),
    ("sort_items", [LIST], LIST),
    ("to_set", [some(2, 40, LARGE)], some(1, 5, LARGE, True)),
    ("legal_after", [SET, SET], some(0, 4, LARGE, True)),
    ("in_order", [LIST, ITEMS], some(0, 4, LARGE)),
    ("first_of", [LIST, n(1, 3)], some(1, 3, LARGE)),
    ("most", [PAIRS], some(1, 4, SMALL)),
    ("sorted_by", [PAIRS], some(2, 4, SMALL)),
    ("ranking", [PAIRS], some(1, 4, some(1, 4, SMALL))),
    ("union", [some(1, 2, SMALL), LIST], some(1, 6, n(1, 9), True)),
    ("union", [SET, EMPTY], SET),
    ("concat", [some(1, 2, SMALL), LIST], some(3, 6, n(1, 9))),
    ("interval", [n(1, 2), n(4, 6)], some(3, 6, n(1, 6), True)),
    ("interval", [n(1, None), n(4, 6)], some(0, 6, n(1, 6), True)),
    ("interval", [LARGE, SMALL], EMPTY),
    ("seats", [n(2, 4)], some(2, 4, n(0, 3), True)),
    ("seats_from", [SMALL, of_value(3)], some(3, 3, n(0, 2))),
    ("pack", [SMALL, LARGE], PAIR),
    ("set_of", [SMALL, LARGE], some(1, 2, n(1, 9), True)),
    ("pairs_of", [LIST], some(1, 6, some(2, 2, LARGE))),
    ("edge", [BOARD], ITEMS),
    ("bag_amounts", [BAG, BAG, SMALL, SMALL, SMALL], some(0, None, n(0, None), True)),
    ("present", [some(3, 3, MAYBE)], some(0, 3, n(0, 2), True)),
    ("by_winners", [SET, of_value(3)], some(3, 3, n(-1, 1))),
    ("lasting_of", [ITEMS, SMALL], ITEMS),
    ("text", [ITEMS], TEXT),
    ("bag_one", [SMALL, SMALL, of_value(4)], some(4, 4, n(0, 3))),
    ("bag_from", [LIST, of_value(7)], some(7, 7, n(0, 4))),
    ("bag_all", [LIST, SMALL, of_value(7)], some(7, 7, n(0, 3))),
    ("bag_add", [BAG, BAG], some(3, 3, n(0, 10))),
    ("bag_mul", [BAG, SMALL], some(3, 3, n(0, 15))),
    ("bag_mul", [BAG, NO], some(3, 3, NO)),
    ("bag_sub", [BAG, BAG], BAG),
    ("bag_kinds", [BAG], some(0, 3, n(0, 2), True)),
    ("bag_items", [BAG], some(0, None, n(0, 2))),
    ("bag_weights", [BAG], some(0, 3, n(1, 5))),
    ("bag_ways", [BAG, BAG, SMALL, SMALL], some(0, None, some(3, 3, n(0, 10)))),
    (
        "payments",
        [ITEMS, BAG, SET, SMALL, SMALL, ITEMS],
        some(0, None, Fact("items", size=3, parts=(BAG, some(0, 4, LARGE, True), n(0, None)), item=ANY, least=3)),
    ),
    ("adjacency", [ITEMS, ITEMS, of_value(6)], GRAPH),
    ("reach", [SMALL, SMALL, GRAPH], some(0, 6, n(0, 5), True)),
    ("path", [SMALL, SMALL, GRAPH], some(0, 6, n(0, 5))),
    ("distance", [SMALL, SMALL, GRAPH], n(0, 6, none=True)),
    ("group", [SMALL, ITEMS, BOARD], some(0, 3, n(0, 2), True)),
    ("between", [SMALL, SMALL, BOARD], some(0, 3, n(0, 2))),
    ("between", [SMALL, SMALL, SIZED_LATER], some(0, 5, n(0, 29))),
    ("between", [SMALL, SMALL, ROUND], some(0, 30, n(0, 29))),
    ("add", [SMALL, n(0, None)], n(1, None)),
    ("lt", [SMALL, LARGE], YES),
]


@pytest.mark.parametrize(
    ("name", "args", "known"), EXAMPLES, ids=[f"{number} {row[0]}" for number, row in enumerate(EXAMPLES)]
)
def test_what_is_known_of_a_result(name: str, args: list[Fact], known: Fact) -> None:
    assert transfer.result(name, args) == known


def test_no_collection_is_longer_than_is_thought() -> None:
    """Of one of unknown size as many items are counted as the machine lets it have."""
    assert transfer.longest(ITEMS) >= LIMIT


def test_every_transfer_has_an_example() -> None:
    assert {facts(name).result for name, _, _ in EXAMPLES} >= set(Result)
    assert transfer.TRANSFERS.keys() == set(Result)


# --- the lattice ------------------------------------------------------------------------------------------------------
VALUES: tuple[Any, ...] = (None, -1, 0, 1, 2, "a", (), (0,), (1,), (0, 1), (1, 0), (0, 1, 2), (None, 1), ((0, 1), 2))
FACTS = [
    ANY, SOME, NOTHING, NONE, BOOL, INT, ITEMS, TEXT, EMPTY, n(0, 1), n(1, 2, True), n(None, 0), sized(1), sized(0, 1),
    some(1, 2, BOOL), some(0, 3, n(0, 2), True), *map(of_value, VALUES),
]  # fmt: skip


def values(fact: Fact) -> set[Any]:
    return {value for value in VALUES if holds(fact, value)}


def test_a_constant_is_all_that_its_fact_holds_of() -> None:
    for value in VALUES:
        assert holds(of_value(value), value) and (values(of_value(value)) == {value} or value == "a")


def test_joins_and_meets_of_facts() -> None:
    """A join has all values of both, a meet those that both have, and nothing more where both are of one sort."""
    for a, b in itertools.product(FACTS, repeat=2):
        both, common = join(a, b), meet(a, b)
        assert both == join(b, a) and join(a, a) == meet(a, a) == a
        assert values(both) >= values(a) | values(b)
        assert values(common) >= values(a) & values(b) and values(common) <= values(a) | values(b)
        if a.what == b.what == "int" or a.what == "never":
            assert values(common) == values(a) & values(b)
        assert values(widened(a, b)) >= values(both)


def test_what_keeps_moving_is_given_up() -> None:
    """A chain of widenings ends, wherever it begins."""
    for first in FACTS:
        fact, changes = first, 0
        for step in range(1, 60):
            wider = widened(fact, n(0, step)) if first.what == "int" else widened(fact, some(0, step, n(-step, step)))
            changes, fact = changes + (wider != fact), wider
        assert changes <= 6, first
