"""The abstract domain of values: bounds of a number, sizes and items of a collection, whether there may be none.

A `Fact` stands for a set of values and is an over-approximation: it never leaves out a value that can occur; where nothing is
known it is ANY.  Members of types are numbers, yes and no are 1 and 0.  `join` is the union's hull, `meet` the intersection,
`widened` makes iteration end:

    join(1..3, 7..9) = 1..9     meet(1..5, 4..9) = 4..5     widened(0..3, 0..4) = 0.. (no upper bound)
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from functools import lru_cache
from itertools import pairwise
from typing import Any, Final, assert_never

from rulespec import ir
from rulespec.ir.inhabits import slot_types
from rulespec.language.bounds import Bound, Span, hull
from rulespec.language.bounds import meet as meet_spans
from rulespec.library.errors import BIGGEST
from rulespec.system.records import dataclass

MOST_PARTS = 8  # of a constant collection, of each of which something is known


@dataclass(frozen=True, slots=True)
class Fact:
    """What is known of a value: its sort `what`, or None too if `none`.

    `what` is "int", bools included, "items", "text", "never" (no value but None, if that) or "any" of these; the writer of C has
    more sorts.  If it is a number, `low` and `high` are its bounds (None: no bound known).  If it is a collection, it has at least
    `least` and at most `size` items (None: unknown), `item` is what each of them is (None: unknown, or there are none), `parts` what
    each is where their number is fixed; `ordered`: they are distinct numbers and ascend.  Bounds of a number say nothing of a
    collection, and the other way round.
    """

    what: str
    low: Bound = None
    high: Bound = None
    none: bool = False
    size: Bound = None
    item: Fact | None = None
    parts: tuple[Fact, ...] | None = None
    ordered: bool = False
    least: int = 0

    @property
    def some(self) -> bool:
        """Whether it may be anything but None."""
        return self.what != "never"

    @property
    def empty(self) -> bool:
        """Whether no value is left."""
        return self.what == "never" and not self.none

    @property
    def truth(self) -> bool | None:
        """Whether it is surely yes, surely no, or None."""
        if self.none or self.what == "never" or self.low is None or self.low != self.high:
            return None
        return bool(self.low)

    @property
    def bounded(self) -> bool:
        """Whether it is a number of at most 62 bits, and never None."""
        return (
            self.what == "int"
            and not self.none
            and self.low is not None
            and self.high is not None
            and self.low > -(1 << 62)
            and self.high < 1 << 62
        )

    def within(self, low: int, high: int) -> bool:
        """Whether it is a number of low..high, and never None."""
        return self.bounded and self.low >= low and self.high <= high  # type: ignore[operator]

    def has(self, number: int) -> bool:
        """Whether a number may be the value."""
        return self.some and (self.low is None or self.low <= number) and (self.high is None or number <= self.high)


ANY: Final = Fact("any", none=True)  # nothing is known
SOME: Final = Fact("any")  # anything but none
NOTHING: Final = Fact("never")  # no value at all
NONE: Final = Fact("never", none=True)
BOOL: Final = Fact("int", 0, 1)
YES: Final = Fact("int", 1, 1)
NO: Final = Fact("int", 0, 0)
INT: Final = Fact("int")
NATURAL: Final = Fact("int", 0)
ITEMS: Final = Fact("items")
TEXT: Final = Fact("text")
EMPTY: Final = Fact("items", size=0, parts=(), ordered=True)


def number(low: Bound, high: Bound) -> Fact:
    """A whole number within bounds."""
    return Fact("int", low, high)


def below(n: int) -> Fact:
    """A number of 0..n-1: a member of a kind."""
    return Fact("int", 0, n - 1)


def truth(known: bool | None) -> Fact:
    """A yes or no that may be known."""
    return BOOL if known is None else YES if known else NO


def items(item: Fact | None, size: Bound, ordered: bool = False, least: int = 0) -> Fact:
    """A collection of `least` to `size` items."""
    if size is not None and size <= 0:
        return EMPTY
    return Fact("items", size=size, item=item, ordered=ordered, least=max(0, least))


def sized(least: int, size: Bound = None, none: bool = False) -> Fact:
    """Whatever is no collection, and collections of `least` to `size` items: what a test of a size tells."""
    return Fact("any", none=none, least=least, size=size)


def between(low: Bound, high: Bound, none: bool = False) -> Fact:
    """Whatever is no number, and the numbers of low..high: what a test of a number tells."""
    return Fact("any", low, high, none)


def of_value(value: Any) -> Fact:
    """The fact of a constant."""
    if value is None:
        return NONE
    if isinstance(value, int):
        return of_number(int(value))
    if isinstance(value, str):
        return TEXT
    if isinstance(value, tuple):
        if not value:
            return EMPTY
        n = len(value)
        few = n <= MOST_PARTS
        if all(v.__class__ is int for v in value):  # looked at once: tables have thousands of them
            numbers = tuple(map(of_number, value)) if few else None
            return Fact(
                "items", None, None, False, n, Fact("int", min(value), max(value)), numbers, ascending(value), n
            )
        parts = tuple(map(of_value, value))
        ordered = all(isinstance(v, int) for v in value) and ascending(value)
        return Fact("items", None, None, False, n, join(*parts), parts if few else None, ordered, n)
    return ANY


@lru_cache(4096)
def of_number(number: int) -> Fact:
    """The fact of a number that is known."""
    return Fact("int", number, number)


def ascending(numbers: tuple[int, ...]) -> bool:
    """Whether each is larger than the one before."""
    return all(a < b for a, b in pairwise(numbers))


# --- the lattice ------------------------------------------------------------------------------------------------------
def join(*facts: Fact) -> Fact:
    """What holds of a value of which one of these facts holds; NOTHING of none."""
    result = facts[0] if facts else NOTHING
    for other in facts[1:]:
        result = join_two(result, other)
    return result


def join_two(a: Fact, b: Fact) -> Fact:
    """The join of two facts."""
    if a is b or a == b:
        return a
    none = a.none or b.none
    if a.what == "never" or b.what == "never":
        kept = b if a.what == "never" else a
        return kept if kept.none == none else replace(kept, none=none)
    if a.what == b.what == "int":
        return Fact("int", *hull((a.low, a.high), (b.low, b.high)), none)
    if a.what == b.what == "text":
        return Fact("text", none=none)
    if a.what == b.what == "items":
        return join_items(a, b, join_two)
    both = join_items(a, b, join_two)
    low, high = hull((a.low, a.high), (b.low, b.high))
    return Fact("any", low, high, none, both.size, both.item, least=both.least)


def join_items(a: Fact, b: Fact, join_two: Callable[[Fact, Fact], Fact]) -> Fact:
    """The join of the facts of two collections, by the join of what they hold."""
    size = None if a.size is None or b.size is None else max(a.size, b.size)
    parts = None
    if a.parts is not None and b.parts is not None and len(a.parts) == len(b.parts):
        parts = tuple(map(join_two, a.parts, b.parts))
    ordered = a.ordered and b.ordered
    return Fact(
        "items", None, None, a.none or b.none, size, either_item(a, b, join_two), parts, ordered, min(a.least, b.least)
    )


def either_item(a: Fact, b: Fact, join_two: Callable[[Fact, Fact], Fact] = join_two) -> Fact | None:
    """What an item of one of two collections is."""
    if a.item is None or b.item is None:
        return a.item if b.size == 0 else b.item if a.size == 0 else None
    return join_two(a.item, b.item)


def meet(a: Fact, b: Fact) -> Fact:
    """A fact of the values of which both hold; `empty` where there are none."""
    none = a.none and b.none
    nothing = NONE if none else NOTHING
    if a.what == "never" or b.what == "never":
        return nothing
    if a.what != b.what and a.what != "any" and b.what != "any":
        return a if a.none == none else replace(a, none=none)  # not looked at: what holds of both holds of one
    what = b.what if a.what == "any" else a.what
    low, high = meet_spans((a.low, a.high), (b.low, b.high))
    least, size = max(a.least, b.least), lowest(a.size, b.size)
    if (low is not None and high is not None and low > high) or (size is not None and least > size):
        return nothing
    if what == "int":
        return Fact("int", low, high, none)
    if what == "text":
        return Fact("text", none=none)
    item = a.item if b.item is None else b.item if a.item is None else meet(a.item, b.item)
    if what == "items":
        parts = b.parts if a.parts is None else a.parts
        return Fact("items", None, None, none, size, item, parts, a.ordered or b.ordered, least)
    return Fact(what, low, high, none, size, item, None, False, least)


def lowest(a: Bound, b: Bound) -> Bound:
    """The lower of two upper bounds."""
    return b if a is None else a if b is None else min(a, b)


def widened(old: Fact, new: Fact, join_two: Callable[[Fact, Fact], Fact] = join_two) -> Fact:
    """The join of both, without the bounds that moved."""
    both = join_two(old, new)
    if both == old or both.what != old.what:
        return both
    if both.what == "int":
        return Fact("int", *still((old.low, old.high), (both.low, both.high)), both.none)
    if both.what not in ("items", "any"):
        return both
    low, high = still((old.low, old.high), (both.low, both.high))
    item, parts = both.item, both.parts
    if item is not None and old.item is not None:
        item = widened(old.item, item, join_two)
    if parts is not None and old.parts is not None:
        parts = tuple(widened(a, b, join_two) for a, b in zip(old.parts, parts, strict=True))
    least = both.least if both.least == old.least else 0
    size = both.size if both.size == old.size else None
    return Fact(both.what, low, high, both.none, size, item, None if size is None else parts, both.ordered, least)


def still(old: Span, new: Span) -> Span:
    """The bounds that are what they were."""
    return new[0] if new[0] == old[0] else None, new[1] if new[1] == old[1] else None


# --- what is declared -------------------------------------------------------------------------------------------------
def of_type(program: ir.Program, t: ir.Type) -> Fact:
    """The fact that a type is."""
    match t.what:
        case "bool":
            return BOOL
        case "int":
            return Fact("int", t.low, t.high)
        case "entity":
            return below(len(program.kinds[t.kind or 0].members))
        case "set" | "list":
            return items(of_type(program, t.parts[0]), t.capacity, t.what == "set")
        case "bag":
            kinds = len(program.kinds[t.kind or 0].members)
            return items(Fact("int", 0, BIGGEST), kinds, least=kinds)
        case "option":
            return replace(of_type(program, t.parts[0]), none=True)
        case "record" | "pack":
            parts = tuple(of_type(program, part) for part in t.parts)
            return Fact("items", size=len(parts), parts=parts, least=len(parts))
        case "none":
            return NONE
        case "target":
            return Fact("int", 0, len(program.targets) - 1, none=True)
        case "aside" | "entry" | "effect":
            return ITEMS
        case "text":
            return TEXT
        case "choice" | "frames" | "any":
            return ANY
    assert_never(t.what)


class SlotFacts:
    """The facts of slots, by their types."""

    def __init__(self, program: ir.Program) -> None:
        self.joins: dict[tuple[int, int], Fact] = {}  # by the first slot and how many there are
        types = slot_types(program)
        known = {t: of_type(program, t) for t in set(types)}
        self.facts = {
            slot: join_two(known[t], of_value(value))
            for slot, (t, value) in enumerate(zip(types, program.initial, strict=False))
        }

    def of(self, base: int, size: int) -> Fact:
        """The join of the facts of `size` slots."""
        joint = self.joins.get((base, size))
        if joint is None:
            joint = self.facts.get(base, ANY)
            for slot in range(base + 1, base + size):
                known = self.facts.get(slot, ANY)
                if known is not joint:
                    joint = join_two(joint, known)
            self.joins[base, size] = joint
        return joint


def holds(fact: Fact, value: Any) -> bool:
    """Whether a fact holds of a value."""
    if value is None:
        return fact.none
    if isinstance(value, int):
        return fact.what in ("int", "any") and fact.has(value)
    if fact.what == "text":
        return isinstance(value, str | tuple)
    if not isinstance(value, tuple):
        return fact.what == "any"
    if (
        fact.what not in ("items", "any")
        or len(value) < fact.least
        or (fact.size is not None and len(value) > fact.size)
    ):
        return False
    if fact.parts is not None:
        return len(fact.parts) == len(value) and all(map(holds, fact.parts, value))
    if fact.ordered and not (all(isinstance(v, int) for v in value) and ascending(value)):
        return False
    return fact.item is None or all(holds(fact.item, v) for v in value)
