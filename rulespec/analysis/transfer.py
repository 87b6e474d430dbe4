"""Transfer functions of the library: the fact of a result from those of the arguments.

A function names its transfer function in its definition (`rulespec.language.facts`); here are these names' meanings, for lint and
all back ends.  Example: of `min` of a number in 0..5 and one in 3..9 the result is in 0..5.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

from rulespec.analysis.domain import (
    ANY,
    BOOL,
    EMPTY,
    INT,
    ITEMS,
    NATURAL,
    NONE,
    NOTHING,
    TEXT,
    Fact,
    below,
    either_item,
    items,
    join,
    lowest,
    number,
    truth,
)  # fmt: skip
from rulespec.language import bounds
from rulespec.language.bounds import Bound, Span, difference_of, sum_of
from rulespec.language.facts import Result
from rulespec.language.registry import facts as facts_of

LONGEST = 1 << 40  # an upper bound of the items of any collection
MOST_PLAYERS = 64
FEW_MEMBERS = 5000  # of so many numbers a set has no more items than there are of them

Transfer = Callable[..., Fact]


def result(name: str, args: list[Fact]) -> Fact:
    """The fact of a function's result for such arguments; NOTHING where there surely is none."""
    if any(a.empty for a in args):
        return NOTHING
    transfer = facts_of(name).result
    if isinstance(transfer, Result):
        return TRANSFERS[transfer](*args)
    return number(*transfer(*map(span, args)))


def reliable(name: str, args: list[Fact]) -> Fact:
    """The same, and ANY where there surely is none: of a fault, or of what is never reached, nothing is relied on."""
    known = result(name, [ANY if a.empty else a for a in args])
    return ANY if known.empty else known


def span(a: Fact) -> Span:
    """The bounds of a number."""
    return a.low, a.high


# --- conditions -------------------------------------------------------------------------------------------------------
def equal(a: Fact, b: Fact) -> Fact:
    """Surely false for disjoint numbers, for none and something, and for collections of different sizes."""
    if not a.some and not b.some:
        return truth(True)
    if a.none and b.none:
        return BOOL
    if not a.some or not b.some:  # one is surely none, the other surely not
        return truth(False)
    apart = a.high is not None and b.low is not None and a.high < b.low
    apart = apart or (b.high is not None and a.low is not None and b.high < a.low)
    apart = apart or (a.size is not None and a.size < b.least) or (b.size is not None and b.size < a.least)
    if apart:
        return truth(False)
    known = not a.none and not b.none and a.low is not None and a.low == a.high == b.low == b.high
    return truth(True if known else None)


def opposite(a: Fact) -> Fact:
    """Whether a condition does not hold."""
    return truth(None if a.truth is None else not a.truth)


def is_none(a: Fact) -> Fact:
    """Whether there is nothing."""
    return truth(True if not a.some else None if a.none else False)


def contains(collection: Fact, one: Fact) -> Fact:
    """Whether the second is an item of the first."""
    apart = collection.size == 0 or (collection.item is not None and equal(collection.item, one).truth is False)
    return truth(False if apart else None)


def any_item(a: Fact) -> Fact:
    """Whether there are items."""
    return truth(True if a.least > 0 else False if a.size == 0 else None)


# --- numbers ----------------------------------------------------------------------------------------------------------
def longest(a: Fact) -> int:
    """How many items there are, at most."""
    return LONGEST if a.size is None else a.size


def size(a: Fact) -> Fact:
    """How many items there are."""
    return number(a.least, longest(a))


def occurrences(a: Fact, one: Fact) -> Fact:
    """How often the second is an item of the first."""
    return number(0, 0 if contains(a, one).truth is False else longest(a))


def total(a: Fact) -> Fact:
    """The sum of numbers."""
    if a.size == 0:
        return number(0, 0)
    if a.item is None:
        return INT
    low, high = a.item.low, a.item.high
    return number(summed(low, a.least if low is not None and low >= 0 else a.size),
                  summed(high, a.least if high is not None and high <= 0 else a.size))  # fmt: skip


def summed(bound: Bound, times: Bound) -> Bound:
    """The bound of a sum of so many numbers that have this bound."""
    return 0 if bound == 0 else None if bound is None or times is None else bound * times


# --- a value out of a collection --------------------------------------------------------------------------------------
def item(a: Fact) -> Fact:
    """One of the items."""
    return NOTHING if a.size == 0 else ANY if a.item is None else a.item


def numeric(a: Fact) -> Fact:
    """One of the items, which are numbers."""
    one = item(a)
    return one if one.empty else number(one.low, one.high)


def part(collection: Fact, index: Fact) -> Fact:
    """A part of a record, or an item of a list."""
    at = index.low
    if collection.parts and at is not None and at == index.high and 0 <= at < len(collection.parts):
        return collection.parts[at]
    return item(collection)


def row(rows: Fact) -> Fact:
    """A value of a table: of pairs (key, value)."""
    pair = rows.item
    return pair.parts[1] if pair is not None and pair.parts is not None and len(pair.parts) == 2 else ANY


def bounded(a: Fact, low: Fact, high: Fact, *_: Fact) -> Fact:
    """A number between two others, or None where it may be."""
    if not a.some:
        return a
    inner = bounds.meet(span(a), (low.low, high.high))
    if inner[0] is not None and inner[1] is not None and inner[0] > inner[1]:
        return NONE if a.none else NOTHING
    return Fact("int", *inner, none=a.none)


# --- collections ------------------------------------------------------------------------------------------------------
def unchanged(a: Fact) -> Fact:
    """The items, in their order."""
    return replace(a, none=False, parts=None) if a.what == "items" else items(a.item, a.size, least=a.least)


def listed(a: Fact, *_: Fact) -> Fact:
    """The items, in any order."""
    return replace(unchanged(a), ordered=False)


def as_set(a: Fact, *_: Fact) -> Fact:
    """The items, ascending and each once."""
    return a_set(a.item, a.size, a.least)


def a_set(item: Fact | None, size: Bound, least: int) -> Fact:
    """A set of `size` values at most, of which `least` may be equal: no more than there are numbers for small ones."""
    if item is not None and item.within(0, FEW_MEMBERS) and item.high is not None and item.low is not None:
        size = lowest(size, item.high - item.low + 1)
    return items(item, size, True, min(least, 1))


def some_of(a: Fact, *_: Fact) -> Fact:
    """Some of the items, in their order."""
    return replace(unchanged(a), least=0)


def some_listed(a: Fact, *_: Fact) -> Fact:
    """Some of the items, in any order."""
    return replace(unchanged(a), least=0, ordered=False)


def without(a: Fact, b: Fact) -> Fact:
    """The items of the first: each item of the second removes at most one."""
    return replace(unchanged(a), least=0 if b.size is None else max(0, a.least - b.size))


def prefix(a: Fact, wanted: Fact) -> Fact:
    """So many of the items at most."""
    least = 0 if wanted.low is None else max(0, min(a.least, wanted.low))
    return items(a.item, lowest(a.size, wanted.high), least=least)


def first_part(pairs: Fact) -> Fact | None:
    """The first part of pairs."""
    pair = pairs.item
    return None if pair is None else pair.parts[0] if pair.parts else pair.item


def best(pairs: Fact) -> Fact:
    """The first parts of some of the pairs, of one at least."""
    return items(first_part(pairs), pairs.size, least=min(pairs.least, 1))


def by_key(pairs: Fact) -> Fact:
    """The first parts of the pairs."""
    return items(first_part(pairs), pairs.size, least=pairs.least)


def groups(pairs: Fact) -> Fact:
    """The first parts of the pairs in groups, none of them empty."""
    group = items(first_part(pairs), pairs.size, least=1)
    return items(group, pairs.size, least=min(pairs.least, 1))


def union(a: Fact, b: Fact) -> Fact:
    """The items of a set and a set or list, each once; all items of a list may be equal, so they add one at least."""
    both = a_set(either_item(a, b), sum_of(a.size, b.size), 1)
    return replace(both, least=max(a.least, min(b.least, 1))) if both.size != 0 else both


def concatenated(a: Fact, b: Fact) -> Fact:
    """The items of both."""
    return items(either_item(a, b), sum_of(a.size, b.size), least=a.least + b.least)


def interval(a: Fact, b: Fact) -> Fact:
    """The numbers from a to b."""
    least, most = difference_of(b.low, a.high), difference_of(b.high, a.low)
    return items(number(a.low, b.high), None if most is None else most + 1, True, 0 if least is None else least + 1)


def seats(n: Fact) -> Fact:
    """The numbers below n."""
    return items(number(0, difference_of(n.high, 1)), n.high, True, n.low or 0)


def record(*parts: Fact) -> Fact:
    """The arguments as items."""
    single = len(parts) <= 1 and all(p.what == "int" and not p.none for p in parts)
    known = join(*parts) if parts else None
    return Fact("items", size=len(parts), item=known, parts=parts, ordered=single, least=len(parts))


def pairs(a: Fact) -> Fact:
    """Every two of the items."""
    few = a.least * (a.least - 1) // 2
    return items(items(a.item, 2, least=2), None if a.size is None else a.size * (a.size - 1) // 2, least=few)


def present(results: Fact) -> Fact:
    """The places that hold something, of one for each player."""
    return items(below(MOST_PLAYERS if results.size is None else results.size), results.size, True)


# --- bags -------------------------------------------------------------------------------------------------------------
def bag(kinds: Bound, most: Bound) -> Fact:
    """A bag of so many kinds, with at most so many of each."""
    return items(number(0, None if most is None else max(0, most)), kinds, least=kinds or 0)


def highest_count(a: Fact) -> Bound:
    """The most of a kind that a bag may hold."""
    return a.item.high if a.item is not None else 0 if a.size == 0 else None


def bag_sum(a: Fact, b: Fact) -> Fact:
    """Both bags together."""
    return bag(a.size if a.size is not None else b.size, sum_of(highest_count(a), highest_count(b)))


def bag_multiple(a: Fact, n: Fact) -> Fact:
    """The bag n times."""
    return bag(a.size, bounds.times((0, highest_count(a)), (0, n.high))[1])


def kinds(a: Fact) -> Fact:
    """The kinds that a bag holds."""
    return items(kind(a), a.size, True)


def kind(a: Fact) -> Fact:
    """A kind of which a bag may hold some."""
    return NOTHING if a.size == 0 else below(longest(a))


def weights(a: Fact) -> Fact:
    """How many a bag holds of each kind of which it holds some."""
    most = highest_count(a)
    return EMPTY if most == 0 else items(number(1, most), a.size)


def ways(chosen: Fact, rest: Fact, *_: Fact) -> Fact:
    """Bags that add some of the rest to what is chosen."""
    return items(bag_sum(chosen, rest), None)


def payments(_prices: Fact, stock: Fact, cards: Fact, *_: Fact) -> Fact:
    """Ways to pay: (pieces of the stock, cards, needs that were converted)."""
    used = replace(some_of(cards), ordered=True)
    return items(
        Fact("items", size=3, parts=(bag(stock.size, highest_count(stock)), used, NATURAL), item=ANY, least=3), None
    )


# --- maps and boards --------------------------------------------------------------------------------------------------
def rows_of(places: Fact) -> Fact:
    """For each place those next to it."""
    return items(items(number(0, difference_of(places.high, 1)), places.high, True), places.high, least=places.low or 0)


def places(graph: Fact, ordered: bool = True) -> Fact:
    """Places of a graph, each once."""
    return items(number(0, difference_of(graph.size, 1)), graph.size, ordered)


def cells(board: Fact) -> Fact:
    """Cells of a board, each once."""
    return places(board.parts[5]) if board.parts else ITEMS


def line(board: Fact) -> Fact:
    """Cells on a line of a board: of a torus all may be."""
    if not board.parts:
        return ITEMS
    _, columns, rows, wide, high, cells, _ = board.parts
    round_ = wide.truth is not False or high.truth is not False
    ends = bounds.greatest(span(columns), span(rows))[1]
    return items(places(cells).item, lowest(cells.size, None if round_ else ends))


TRANSFERS: dict[Result, Transfer] = {
    Result.UNKNOWN: lambda *_: ANY,
    Result.EQUAL: equal,
    Result.DIFFERENT: lambda a, b: opposite(equal(a, b)),
    Result.OPPOSITE: opposite,
    Result.ABSENT: is_none,
    Result.AMONG: contains,
    Result.SOME: any_item,
    Result.NO_ITEM: lambda a: opposite(any_item(a)),
    Result.SIZE: size,
    Result.OCCURRENCES: occurrences,
    Result.PLACE: occurrences,
    Result.TOTAL: total,
    Result.ITEM: lambda a, *_: item(a),
    Result.NUMBER: numeric,
    Result.PART: part,
    Result.LINK: lambda _a, _b, links, *_: item(links),
    Result.KIND: kind,
    Result.ROW: lambda rows, _: row(rows),
    Result.ROW_OR_NONE: lambda rows, _: replace(row(rows), none=True),
    Result.FIRST: lambda a, *_: a,
    Result.WITHIN: bounded,
    Result.SAME: unchanged,
    Result.REMAINDER: without,
    Result.LISTED: listed,
    Result.SORTED: unchanged,
    Result.AS_SET: as_set,
    Result.LATER: some_of,
    Result.SOME_LISTED: some_listed,
    Result.PREFIX: prefix,
    Result.BEST: best,
    Result.BY_KEY: by_key,
    Result.GROUPS: groups,
    Result.UNION: union,
    Result.JOINED: concatenated,
    Result.INTERVAL: interval,
    Result.SEATS: seats,
    Result.TURN_ORDER: lambda _, n: replace(seats(n), ordered=False),
    Result.RECORD: record,
    Result.SET: lambda *parts: as_set(record(*parts)),
    Result.PAIRS: pairs,
    Result.COLLECTION: lambda *_: ITEMS,
    Result.NUMBERS: lambda *_: items(NATURAL, None, True),
    Result.PRESENT: present,
    Result.RETURNS: lambda *args: items(number(-1, 1), args[-1].high, least=args[-1].low or 0),
    Result.INSTANCES: lambda *_: ITEMS,
    Result.TEXT: lambda *_: TEXT,
    Result.BAG: lambda n, *args: bag(args[-1].high, n.high),
    Result.BAG_OF: lambda given, members: bag(members.high, given.size),
    Result.BAG_OF_EACH: lambda _, n, members: items(
        number(*bounds.hull(span(n), bounds.NO)), members.high, least=members.low or 0
    ),
    Result.BAG_SUM: bag_sum,
    Result.BAG_MULTIPLE: bag_multiple,
    Result.BAG_PART: lambda a, *_: bag(a.size, highest_count(a)),
    Result.KINDS: kinds,
    Result.UNITS: lambda a: items(kind(a), None) if a.size != 0 else EMPTY,
    Result.WEIGHTS: weights,
    Result.WAYS: ways,
    Result.PAYMENTS: payments,
    Result.NEIGHBOUR_SETS: lambda _links, _ends, n: rows_of(n),
    Result.PLACES: lambda *args: places(args[-1]),
    Result.PATH: lambda *args: places(args[-1], False),
    Result.DISTANCE: lambda *args: Fact("int", 0, args[-1].size, none=True),
    Result.CELLS: lambda *args: cells(args[-1]),
    Result.LINE: lambda *args: line(args[-1]),
}
