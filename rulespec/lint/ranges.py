"""The abstract values of lint: bounds of a number, whether it may be none, how many items a collection has.

A `Range` stands for a set of values and is an over-approximation: it never leaves out a value that can occur.  Members of types
are numbers, yes and no are 1 and 0.  `join` is the union's hull, `meet` the intersection, `widened` makes iteration end:

    join(1..3, 7..9) = 1..9     meet(1..5, 4..9) = 4..5     widened(0..3, 0..4) = 0.. (no upper bound)
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace
from typing import Any

from rulespec.system.records import dataclass

Bound = int | None  # None: no bound
DEEP = 3  # how deep collections in collections are looked at
LONG = 4096  # how many items of a constant are looked at


@dataclass(frozen=True, slots=True)
class Range:
    """Numbers low..high and collections of least..most items; `none`, `some`: whether it may be none, or anything else.

    The bounds of a number say nothing of a collection, and the other way round.  `item` None: nothing is known of the items.
    """

    low: Bound = None
    high: Bound = None
    none: bool = False
    some: bool = True
    least: int = 0
    most: Bound = None
    item: Range | None = None

    @property
    def truth(self) -> bool | None:
        """Whether it is surely yes, surely no, or None."""
        if self.none or not self.some or self.low is None or self.low != self.high:
            return None
        return bool(self.low)

    @property
    def empty(self) -> bool:
        """Whether no value is left."""
        return not self.none and not self.some

    def has(self, number: int) -> bool:
        """Whether a number may be the value."""
        return self.some and (self.low is None or self.low <= number) and (self.high is None or number <= self.high)


ANY = Range(none=True)  # nothing is known
SOME = Range()  # anything but none
NOTHING = Range(some=False)  # no value at all
NONE = Range(none=True, some=False)
BOOL = Range(0, 1)
YES, NO = Range(1, 1), Range(0, 0)
NATURAL = Range(0)
EMPTY = Range(most=0, item=NOTHING)


def number(low: Bound, high: Bound) -> Range:
    """A whole number."""
    return Range(low, high)


def truth(known: bool | None) -> Range:
    """A yes or no that may be known."""
    return BOOL if known is None else YES if known else NO


def many(least: int, most: Bound, item: Range | None = None) -> Range:
    """A collection."""
    return EMPTY if most == 0 else Range(least=max(0, least), most=most, item=item)


def of_value(value: Any, depth: int = 0) -> Range:
    """Just this value; a collection by its size and what its items have in common."""
    if value is None:
        return NONE
    if isinstance(value, int):
        return Range(int(value), int(value))
    if not isinstance(value, tuple):
        return SOME
    item = None if depth >= DEEP or len(value) > LONG else union(of_value(v, depth + 1) for v in value)
    return Range(least=len(value), most=len(value), item=item)


def union(ranges: Iterable[Range]) -> Range:
    """The least range that has the values of all."""
    result = NOTHING
    for interval in ranges:
        result = join(result, interval)
    return result


def join(a: Range, b: Range) -> Range:
    """The least range that has the values of both."""
    if a is b:
        return a
    if not a.some or not b.some:
        kept = b if not a.some else a
        return kept if kept.none or not (a.none or b.none) else replace(kept, none=True)
    return Range(
        None if a.low is None or b.low is None else min(a.low, b.low),
        None if a.high is None or b.high is None else max(a.high, b.high),
        a.none or b.none,
        True,
        min(a.least, b.least),
        None if a.most is None or b.most is None else max(a.most, b.most),
        None if a.item is None or b.item is None else join(a.item, b.item),
    )


def meet(a: Range, b: Range) -> Range:
    """A range that has the values which both have; `empty` where there are none."""
    low = a.low if b.low is None else b.low if a.low is None else max(a.low, b.low)
    high = a.high if b.high is None else b.high if a.high is None else min(a.high, b.high)
    least = max(a.least, b.least)
    most = a.most if b.most is None else b.most if a.most is None else min(a.most, b.most)
    item = a.item if b.item is None else b.item if a.item is None else meet(a.item, b.item)
    some = a.some and b.some and not (low is not None and high is not None and low > high)
    some = some and not (most is not None and least > most)
    none = a.none and b.none
    return Range(low, high, none, True, least, most, item) if some else NONE if none else NOTHING


def widened(old: Range, new: Range) -> Range:
    """The new range, without the bounds that keep moving."""
    if old == new:
        return new
    both = join(old, new)
    return Range(
        both.low if both.low == old.low else None,
        both.high if both.high == old.high else None,
        both.none,
        both.some,
        both.least if both.least == old.least else 0,
        both.most if both.most == old.most else None,
        None if old.item is None or both.item is None else widened(old.item, both.item),
    )


def within(a: Range, b: Range) -> bool:
    """Whether each value of a is one of b, as far as numbers go."""
    above = b.low is None or (a.low is not None and a.low >= b.low)
    below = b.high is None or (a.high is not None and a.high <= b.high)
    return not a.some or (above and below)
