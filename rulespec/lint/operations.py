"""What the operations of a program make of ranges.  An operation that is not here may give anything."""

from __future__ import annotations

from collections.abc import Callable

from rulespec.lint.ranges import (
    ANY,
    BOOL,
    NATURAL,
    NOTHING,
    SOME,
    Bound,
    Range,
    join,
    many,
    number,
    truth,
    union,
)  # fmt: skip

Transfer = Callable[..., Range]
OPERATIONS: dict[str, Transfer] = {}


def operation(*names: str) -> Callable[[Transfer], Transfer]:
    """Register what some operations give."""

    def register(transfer: Transfer) -> Transfer:
        for name in names:
            OPERATIONS[name] = transfer
        return transfer

    return register


def apply(name: str, args: list[Range]) -> Range:
    """What an operation gives of values in these ranges."""
    if any(a.empty for a in args):
        return NOTHING
    transfer = OPERATIONS.get(name)
    return ANY if transfer is None else transfer(*args)


# --- numbers ----------------------------------------------------------------------------------------------------------
def plus(a: Bound, b: Bound) -> Bound:
    return None if a is None or b is None else a + b


def minus(a: Bound, b: Bound) -> Bound:
    return None if a is None or b is None else a - b


@operation("add")
def add(a: Range, b: Range) -> Range:
    return number(plus(a.low, b.low), plus(a.high, b.high))


@operation("sub")
def sub(a: Range, b: Range) -> Range:
    return number(minus(a.low, b.high), minus(a.high, b.low))


@operation("neg")
def neg(a: Range) -> Range:
    return number(None if a.high is None else -a.high, None if a.low is None else -a.low)


@operation("mul")
def mul(a: Range, b: Range) -> Range:
    if a.low is None or a.high is None or b.low is None or b.high is None:
        natural = a.low is not None and a.low >= 0 and b.low is not None and b.low >= 0
        return NATURAL if natural else number(None, None)
    ends = [x * y for x in (a.low, a.high) for y in (b.low, b.high)]
    return number(min(ends), max(ends))


@operation("divide")
def divide(a: Range, b: Range) -> Range:
    if b.low is None or b.low <= 0:
        return number(None, None)
    if a.low is None or a.low < 0:
        return number(None, None)
    return number(0 if b.high is None else a.low // b.high, None if a.high is None else a.high // b.low)


@operation("modulo")
def modulo(_: Range, b: Range) -> Range:
    return number(0, minus(b.high, 1)) if b.low is not None and b.low > 0 else number(None, None)


@operation("absolute")
def absolute(a: Range) -> Range:
    if a.low is not None and a.low >= 0:
        return number(a.low, a.high)
    return number(0, None if a.low is None or a.high is None else max(-a.low, a.high))


@operation("least_number")
def least_number(*args: Range) -> Range:
    lows, highs = [a.low for a in args], [a.high for a in args if a.high is not None]
    known = [low for low in lows if low is not None]
    return number(min(known) if len(known) == len(lows) else None, min(highs) if highs else None)


@operation("greatest_number")
def greatest_number(*args: Range) -> Range:
    lows, highs = [a.low for a in args if a.low is not None], [a.high for a in args]
    known = [high for high in highs if high is not None]
    return number(max(lows) if lows else None, max(known) if len(known) == len(highs) else None)


@operation("clamp")
def clamp(a: Range, low: Range, high: Range) -> Range:
    return least_number(greatest_number(a, low), high)


@operation("points")
def points(a: Range, holds: Range) -> Range:
    own = number(a.low, a.high)
    return own if holds.truth is True else number(0, 0) if holds.truth is False else join(own, number(0, 0))


@operation("compare")
def compare(a: Range, b: Range) -> Range:
    below, above = less(a, b), less(b, a)
    if below.truth is True:
        return number(0, 0)
    if above.truth is True:
        return number(2, 2)
    return number(1 if below.truth is False else 0, 1 if above.truth is False else 2)


# --- yes and no -------------------------------------------------------------------------------------------------------
@operation("lt")
def less(a: Range, b: Range) -> Range:
    if a.high is not None and b.low is not None and a.high < b.low:
        return truth(True)
    if a.low is not None and b.high is not None and a.low >= b.high:
        return truth(False)
    return BOOL


@operation("le")
def at_most(a: Range, b: Range) -> Range:
    other = less(b, a).truth
    return truth(None if other is None else not other)


@operation("eq")
def equal(a: Range, b: Range) -> Range:
    """Numbers with no value in common differ; none and something do; collections of different sizes do."""
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


@operation("ne")
def differs(a: Range, b: Range) -> Range:
    return opposite(equal(a, b))


@operation("not_")
def opposite(a: Range) -> Range:
    return truth(None if a.truth is None else not a.truth)


@operation("is_none")
def is_none(a: Range) -> Range:
    return truth(True if not a.some else None if a.none else False)


@operation("contains")
def contains(items: Range, item: Range) -> Range:
    if items.most == 0:
        return truth(False)
    if items.item is not None and equal(items.item, item).truth is False:
        return truth(False)
    return BOOL


@operation("includes", "bag_includes", "adjacent", "connected", "payable")
def yes_or_no(*_: Range) -> Range:
    return BOOL


@operation("any_item")
def any_item(items: Range) -> Range:
    return truth(True if items.least > 0 else False if items.most == 0 else None)


@operation("no_item")
def no_item(items: Range) -> Range:
    return opposite(any_item(items))


# --- collections ------------------------------------------------------------------------------------------------------
@operation("size", "count")
def size(items: Range) -> Range:
    return number(items.least, items.most)


@operation("member_number")
def member_number(member: Range) -> Range:
    return number(plus(member.low, 1), plus(member.high, 1))


@operation("bag_size", "bag_count", "position")
def natural(*_: Range) -> Range:
    return NATURAL


@operation("count_of")
def count_of(items: Range, item: Range) -> Range:
    return number(0, 0 if contains(items, item).truth is False else items.most)


@operation("total")
def total(items: Range) -> Range:
    own = items.item
    if items.most == 0:
        return number(0, 0)
    if own is None:
        return number(None, None)
    low = None if own.low is None else own.low * items.least if own.low >= 0 else None
    if own.low is not None and own.low < 0 and items.most is not None:
        low = own.low * items.most
    high = None
    if own.high is not None and own.high <= 0:
        high = own.high * items.least
    elif own.high is not None and items.most is not None:
        high = own.high * items.most
    return number(low, high)


@operation("highest", "lowest", "first", "last", "top", "bottom", "only_one", "item_at", "bag_any")
def one_of(items: Range, *_: Range) -> Range:
    return ANY if items.item is None else items.item


@operation("those", "each", "backwards", "sort_items")
def same(items: Range) -> Range:
    return items


@operation("to_set")
def to_set(items: Range) -> Range:
    return many(min(items.least, 1), items.most, items.item)


@operation("legal_after")
def some_of(items: Range, *_: Range) -> Range:
    return many(0, items.most, items.item)


@operation("first_of", "top_of")
def first_of(items: Range, wanted: Range) -> Range:
    most = items.most if wanted.high is None else wanted.high if items.most is None else min(items.most, wanted.high)
    low = 0 if wanted.low is None else min(items.least, wanted.low)
    return many(max(0, low), None if most is None else max(0, most), items.item)


@operation("most", "least")
def best(items: Range) -> Range:
    """Of what is compared, pairs with a number, at least one is best."""
    item = None if items.item is None or items.item.item is None else items.item.item
    return many(min(items.least, 1), items.most, item)


@operation("union")
def union_of(a: Range, b: Range) -> Range:
    return many(max(a.least, b.least), plus(a.most, b.most), both(a, b))


@operation("concat")
def concat(a: Range, b: Range) -> Range:
    return many(a.least + b.least, plus(a.most, b.most), both(a, b))


def both(a: Range, b: Range) -> Range | None:
    """What is known of the items of two collections."""
    if a.most == 0 or b.most == 0:
        return a.item if b.most == 0 else b.item
    return None if a.item is None or b.item is None else join(a.item, b.item)


@operation("minus")
def without(a: Range, b: Range) -> Range:
    return many(0 if b.most is None else a.least - b.most if a.least else 0, a.most, a.item)


@operation("interval")
def interval(low: Range, high: Range) -> Range:
    count_low, count_high = minus(high.low, low.high), minus(high.high, low.low)
    most = None if count_high is None else max(0, count_high + 1)
    return many(0 if count_low is None else count_low + 1, most, number(low.low, high.high))


@operation("seats")
def seats(players: Range) -> Range:
    return many(players.low or 0, players.high, number(0, minus(players.high, 1)))


@operation("seats_from")
def seats_from(_: Range, players: Range) -> Range:
    return seats(players)


@operation("list_of", "pack")
def listed(*items: Range) -> Range:
    return many(len(items), len(items), union(items))


@operation("set_of")
def set_of(*items: Range) -> Range:
    return to_set(listed(*items))


@operation("get")
def get(items: Range, *_: Range) -> Range:
    return ANY if items.item is None else items.item


@operation("neighbours", "reach", "path", "bag_kinds", "bag_items", "sorted_by", "ranking", "bag_amounts", "bag_ways")
def a_collection(*_: Range) -> Range:
    return many(0, None)


@operation("narrow")
def narrow(member: Range, _: Range) -> Range:
    return member


@operation("is_addition")
def is_addition(*_: Range) -> Range:
    return BOOL


@operation("left_of", "right_of", "rival", "next_member", "previous_member")
def a_member(_: Range, *count: Range) -> Range:
    return number(0, minus(count[0].high, 1)) if count else SOME
