"""Transfer functions: the range of an operation's result from the ranges of its arguments, as its `facts.Result` says."""

from __future__ import annotations

from collections.abc import Callable

from rulespec.language.bounds import Span, difference_of, sum_of
from rulespec.language.facts import Result
from rulespec.language.registry import facts
from rulespec.lint.ranges import (
    ANY,
    BOOL,
    NATURAL,
    NOTHING,
    Range,
    join,
    many,
    meet,
    number,
    truth,
    union,
)  # fmt: skip

Transfer = Callable[..., Range]


def apply(name: str, args: list[Range]) -> Range:
    """The range of an operation's result for arguments in these ranges."""
    if any(a.empty for a in args):
        return NOTHING
    transfer = facts(name).result
    if isinstance(transfer, Result):
        return TRANSFERS[transfer](*args)
    return number(*transfer(*map(span, args)))


def span(a: Range) -> Span:
    """The bounds of a number."""
    return a.low, a.high


def equal(a: Range, b: Range) -> Range:
    """`==`: surely false for disjoint numbers, for none and something, and for collections of different sizes."""
    if not a.some and not b.some:
        return truth(True)
    if a.none and b.none:
        return BOOL
    if a.some and b.some:
        apart = a.high is not None and b.low is not None and a.high < b.low
        apart = apart or (b.high is not None and a.low is not None and b.high < a.low)
        apart = apart or (a.most is not None and a.most < b.least) or (b.most is not None and b.most < a.least)
        if apart:
            return truth(False)
        if not a.none and not b.none and a.low is not None and a.low == a.high == b.low == b.high:
            return truth(True)
        return BOOL
    return truth(False)  # one is surely none, the other surely not


def differs(a: Range, b: Range) -> Range:
    return opposite(equal(a, b))


def opposite(a: Range) -> Range:
    return truth(None if a.truth is None else not a.truth)


def is_none(a: Range) -> Range:
    return truth(True if not a.some else None if a.none else False)


def contains(items: Range, item: Range) -> Range:
    if items.most == 0:
        return truth(False)
    if items.item is not None and equal(items.item, item).truth is False:
        return truth(False)
    return BOOL


def any_item(items: Range) -> Range:
    return truth(True if items.least > 0 else False if items.most == 0 else None)


def no_item(items: Range) -> Range:
    return opposite(any_item(items))


# --- collections ------------------------------------------------------------------------------------------------------
def size(items: Range) -> Range:
    return number(items.least, items.most)


def count_of(items: Range, item: Range) -> Range:
    return number(0, 0 if contains(items, item).truth is False else items.most)


def total(items: Range) -> Range:
    element = items.item
    if items.most == 0:
        return number(0, 0)
    if element is None:
        return number(None, None)
    low = None if element.low is None else element.low * items.least if element.low >= 0 else None
    if element.low is not None and element.low < 0 and items.most is not None:
        low = element.low * items.most
    high = None
    if element.high is not None and element.high <= 0:
        high = element.high * items.least
    elif element.high is not None and items.most is not None:
        high = element.high * items.most
    return number(low, high)


def one_of(items: Range, *_: Range) -> Range:
    return ANY if items.item is None else items.item


def unchanged(items: Range) -> Range:
    return items


def to_set(items: Range) -> Range:
    return many(min(items.least, 1), items.most, items.item)


def some_of(items: Range, *_: Range) -> Range:
    return many(0, items.most, items.item)


def first_of(items: Range, wanted: Range) -> Range:
    most = items.most if wanted.high is None else wanted.high if items.most is None else min(items.most, wanted.high)
    low = 0 if wanted.low is None else min(items.least, wanted.low)
    return many(max(0, low), None if most is None else max(0, most), items.item)


def best(items: Range) -> Range:
    """The items with the best key: the source holds pairs (item, key), and at least one pair is best."""
    item = None if items.item is None or items.item.item is None else items.item.item
    return many(min(items.least, 1), items.most, item)


def by_key(items: Range) -> Range:
    """All items in the order of their keys: the source holds pairs (item, key)."""
    return many(items.least, items.most, best(items).item)


def union_of(a: Range, b: Range) -> Range:
    """The union of a set with a set or list; all items of a list may be equal, so they add one at least."""
    return many(max(a.least, min(b.least, 1)), sum_of(a.most, b.most), both(a, b))


def concat(a: Range, b: Range) -> Range:
    return many(a.least + b.least, sum_of(a.most, b.most), both(a, b))


def both(a: Range, b: Range) -> Range | None:
    """What is known of the items of two collections."""
    if a.most == 0 or b.most == 0:
        return a.item if b.most == 0 else b.item
    return None if a.item is None or b.item is None else join(a.item, b.item)


def without(a: Range, b: Range) -> Range:
    """`a` without the items of `b`: each item of b removes at most one."""
    return many(0 if b.most is None else a.least - b.most, a.most, a.item)


def interval(low: Range, high: Range) -> Range:
    count_low, count_high = difference_of(high.low, low.high), difference_of(high.high, low.low)
    most = None if count_high is None else max(0, count_high + 1)
    return many(0 if count_low is None else count_low + 1, most, number(low.low, high.high))


def seats(players: Range) -> Range:
    return many(players.low or 0, players.high, number(0, difference_of(players.high, 1)))


def set_of(*items: Range) -> Range:
    return to_set(listed(*items))


def listed(*items: Range) -> Range:
    return many(len(items), len(items), union(items))


def kind(bag: Range) -> Range:
    return number(0, difference_of(bag.most, 1))


def anything(*_: Range) -> Range:
    return ANY


def a_collection(*_: Range) -> Range:
    return many(0, None)


TRANSFERS: dict[Result, Transfer] = {
    Result.UNKNOWN: anything,
    Result.EQUAL: equal,
    Result.DIFFERENT: differs,
    Result.OPPOSITE: opposite,
    Result.ABSENT: is_none,
    Result.AMONG: contains,
    Result.SOME: any_item,
    Result.NO_ITEM: no_item,
    Result.SIZE: size,
    Result.OCCURRENCES: count_of,
    Result.PLACE: lambda *_: NATURAL,
    Result.TOTAL: total,
    Result.ITEM: one_of,
    Result.NUMBER: one_of,
    Result.PART: one_of,
    Result.LINK: lambda _a, _b, links, *_: one_of(links),
    Result.KIND: kind,
    Result.ROW: anything,
    Result.ROW_OR_NONE: anything,
    Result.FIRST: lambda a, *_: a,
    Result.WITHIN: lambda a, low, high, *_: meet(a, Range(low.low, high.high, none=True)),
    Result.SAME: unchanged,
    Result.REMAINDER: without,
    Result.LISTED: unchanged,
    Result.SORTED: unchanged,
    Result.AS_SET: to_set,
    Result.LATER: some_of,
    Result.SOME_LISTED: anything,
    Result.PREFIX: first_of,
    Result.BEST: best,
    Result.BY_KEY: by_key,
    Result.UNION: union_of,
    Result.JOINED: concat,
    Result.INTERVAL: interval,
    Result.SEATS: seats,
    Result.TURN_ORDER: lambda _, players: seats(players),
    Result.RECORD: listed,
    Result.SET: set_of,
    Result.COLLECTION: a_collection,
    Result.NUMBERS: a_collection,
    Result.PRESENT: anything,
    Result.RETURNS: lambda *_: many(0, None, Range(-1, 1)),
    Result.INSTANCES: anything,
    Result.TEXT: anything,
    Result.BAG: anything,
    Result.BAGS: anything,
    Result.BAG_PART: anything,
    Result.KINDS: a_collection,
    Result.WEIGHTS: anything,
}
