"""Transfer functions of the library: the fact of a result from those of the arguments, and where a template cannot fail.

A function names its transfer function in its definition (`rulespec.language.facts`); here are these names' meanings.  Example: of `min`
of a number in 0..5 and one in 3..9 the result is in 0..5.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import assert_never

from interpreter.python.facts import ANY, BOOL, INT, ITEMS, TEXT, Fact, items, join
from rulespec.language import bounds
from rulespec.language.bounds import Span
from rulespec.language.facts import Needs, Result
from rulespec.language.registry import facts as facts_of

LONGEST = 1 << 40  # an upper bound of the items of any collection

Transfer = Callable[..., Fact]


def span(fact: Fact) -> Span:
    """The bounds of a number; none for a value that may be None or needs more than 62 bits."""
    return (fact.low, fact.high) if fact.bounded else (None, None)


def item(a: Fact) -> Fact:
    """One of the items."""
    return a.item if a.what == "items" and a.item is not None else ANY


def number(a: Fact) -> Fact:
    """One of the items, which are numbers."""
    element = item(a)
    return replace(element, none=False) if element.what == "int" else INT


def size(a: Fact, *_: Fact) -> Fact:
    """How many items there are, at most."""
    return Fact("int", 0, a.size if a.what == "items" and a.size is not None else LONGEST)


def total(a: Fact) -> Fact:
    """The sum of numbers."""
    element = item(a)
    if a.size is None or not element.bounded:
        return INT
    return Fact("int", min(0, a.size * element.low), max(0, a.size * element.high))  # type: ignore[operator]


def selected(a: Fact, *_: Fact) -> Fact:
    """Some of the items, in their order."""
    return replace(a, none=False, parts=None) if a.what == "items" else ITEMS


def listed(a: Fact, *_: Fact) -> Fact:
    """Some of the items, in any order."""
    return replace(selected(a), ordered=False)


def as_set(a: Fact, *_: Fact) -> Fact:
    """Some of the items, ascending and distinct."""
    return replace(selected(a), ordered=True)


def union(a: Fact, b: Fact) -> Fact:
    """The items of two sets: no more than there are numbers for small ones."""
    most = None if a.size is None or b.size is None else a.size + b.size
    element = either_item(a, b)
    if element is not None and element.within(0, 5000) and element.high is not None:
        most = element.high + 1 if most is None else min(most, element.high + 1)
    return items(element, most, True)


def either_item(a: Fact, b: Fact) -> Fact | None:
    """An item of one of two collections."""
    if a.what != "items" or b.what != "items":
        return None
    if a.size == 0:
        return b.item
    if b.size == 0:
        return a.item
    return None if a.item is None or b.item is None else join(a.item, b.item)


def concatenated(a: Fact, b: Fact) -> Fact:
    """The items of both."""
    return items(either_item(a, b), None if a.size is None or b.size is None else a.size + b.size)


def interval(a: Fact, b: Fact) -> Fact:
    """The numbers from a to b."""
    if not (a.bounded and b.bounded):
        return items(INT, None, True)
    return items(Fact("int", a.low, b.high), max(0, b.high - a.low + 1), True)  # type: ignore[operator]


def seats(n: Fact) -> Fact:
    """The numbers below n."""
    return items(Fact("int", 0, n.high - 1), n.high, True) if n.bounded and n.high is not None else ITEMS


def first_parts(pairs: Fact) -> Fact:
    """The first parts of pairs."""
    pair = item(pairs)
    return items(pair.parts[0] if pair.parts else None, pairs.size if pairs.what == "items" else None)


def part(collection: Fact, index: Fact) -> Fact:
    """A part of a record, or an item of a list."""
    at = index.low
    if collection.parts and at is not None and at == index.high and 0 <= at < len(collection.parts):
        return collection.parts[at]
    return item(collection)


def record(*parts: Fact) -> Fact:
    """The arguments as items."""
    return Fact("items", size=len(parts), item=join(*parts) if parts else None, parts=parts)


def bounded(a: Fact, low: Fact, high: Fact, *_: Fact) -> Fact:
    """A number between two others, or None where it may be."""
    if a.what == "never":
        return a
    return Fact("int", *bounds.held_to((a.low, a.high), (low.low, high.high)), none=a.none)


def row(rows: Fact) -> Fact:
    """A value of a table that is a constant: pairs (key, value)."""
    pair = rows.item if rows.what == "items" else None
    return pair.parts[1] if pair is not None and pair.parts is not None and len(pair.parts) == 2 else ANY


def kinds(bag: Fact) -> Fact:
    """The kinds that a bag holds."""
    return items(Fact("int", 0, bag.size - 1), bag.size, True) if bag.size else ITEMS


TRANSFERS: dict[Result, Transfer] = {
    Result.UNKNOWN: lambda *_: ANY,
    Result.EQUAL: lambda *_: BOOL,
    Result.DIFFERENT: lambda *_: BOOL,
    Result.OPPOSITE: lambda *_: BOOL,
    Result.ABSENT: lambda *_: BOOL,
    Result.AMONG: lambda *_: BOOL,
    Result.SOME: lambda *_: BOOL,
    Result.NO_ITEM: lambda *_: BOOL,
    Result.SIZE: size,
    Result.OCCURRENCES: size,
    Result.PLACE: size,
    Result.TOTAL: total,
    Result.ITEM: lambda a, *_: item(a),
    Result.NUMBER: number,
    Result.PART: part,
    Result.LINK: lambda _a, _b, links, *_: item(links),
    Result.KIND: lambda bag: Fact("int", 0, bag.size - 1 if bag.size else LONGEST),
    Result.ROW: lambda rows, _: row(rows),
    Result.ROW_OR_NONE: lambda rows, _: replace(row(rows), none=True),
    Result.FIRST: lambda a, *_: a,
    Result.WITHIN: bounded,
    Result.SAME: selected,
    Result.REMAINDER: selected,
    Result.LISTED: listed,
    Result.SORTED: selected,
    Result.AS_SET: as_set,
    Result.LATER: selected,
    Result.SOME_LISTED: listed,
    Result.PREFIX: listed,
    Result.BEST: first_parts,
    Result.BY_KEY: first_parts,
    Result.UNION: union,
    Result.JOINED: concatenated,
    Result.INTERVAL: interval,
    Result.SEATS: seats,
    Result.TURN_ORDER: lambda _, n: replace(seats(n), ordered=False),
    Result.RECORD: record,
    Result.SET: lambda *parts: as_set(record(*parts)),
    Result.COLLECTION: lambda *_: ITEMS,
    Result.NUMBERS: lambda *_: items(INT, None, True),
    Result.PRESENT: lambda a: items(Fact("int", 0, (a.size or 64) - 1), a.size, True),
    Result.RETURNS: lambda *args: items(Fact("int", -1, 1), args[-1].high),
    Result.INSTANCES: lambda *_: items(None, None),
    Result.TEXT: lambda *_: TEXT,
    Result.BAG: lambda *args: items(Fact("int", 0, None), args[-1].high),
    Result.BAGS: lambda a, b: items(Fact("int", 0, None), a.size if a.size is not None else b.size),
    Result.BAG_PART: listed,
    Result.KINDS: kinds,
    Result.WEIGHTS: lambda bag: items(Fact("int", 1, None), bag.size),
}


def result(op: str, args: list[Fact]) -> Fact:
    """The fact of an operation's result."""
    transfer = facts_of(op).result
    if isinstance(transfer, Result):
        return TRANSFERS[transfer](*args)
    return Fact("int", *transfer(*map(span, args)))


def cannot_fail(op: str, args: list[Fact]) -> bool:
    """Whether a template never fails for such values, apart from the size of its result."""
    needs = facts_of(op).python.needs
    match needs:
        case Needs.NEVER:
            return False
        case Needs.ANYTHING:
            return True
        case Needs.ITEMS_FIRST:
            return is_items(args[0])
        case Needs.ITEMS:
            return all(map(is_items, args))
        case Needs.SORTABLE:
            return all(is_items(f) and f.item is not None and f.item.what == "int" and not f.item.none for f in args)
        case Needs.NUMBERS:
            return all(f.what == "int" and not f.none for f in args)
        case Needs.BOUNDED:
            return all(f.bounded for f in args)
        case Needs.PARTS:
            return bool(args[0].parts) and is_items(args[0])
    assert_never(needs)


def is_items(fact: Fact) -> bool:
    """Whether a value is a collection and never None."""
    return fact.what == "items" and not fact.none
