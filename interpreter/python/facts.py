"""Facts: an abstract domain of values (type, range, number of items, whether they ascend), as in abstract interpretation.

A fact must hold for every value that an expression can have; where nothing is known it is ANY.  Generated code leaves a
check out only where a fact makes it idle.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from functools import lru_cache
from itertools import pairwise
from typing import Any, assert_never

from interpreter.runtime.limits import BIGGEST, LIMIT
from rulespec import ir
from rulespec.ir.inhabits import slot_types
from rulespec.ir.weight import FEW
from rulespec.system.records import dataclass

MOST_PARTS = 8  # of a constant collection, of each of which something is known


@dataclass(frozen=True, slots=True)
class Fact:
    """What is known of a value: its type `what` ("int", bools included, "items", "text" or "any"), or None too if `none`.

    Of numbers `low` and `high` (None: no bound known).  Of items `size`, at most so many (None: unknown), `item`, what each of
    them is, `parts`, what each is where their number is fixed, and `ordered`: they are distinct and ascend.
    """

    what: str
    low: int | None = None
    high: int | None = None
    none: bool = False
    size: int | None = None
    item: Fact | None = None
    parts: tuple[Fact, ...] | None = None
    ordered: bool = False

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


ANY = Fact("any", none=True)
BOOL = Fact("int", 0, 1)
INT = Fact("int")
NONE = Fact("never", none=True)
ITEMS = Fact("items")
TEXT = Fact("text")


def below(n: int) -> Fact:
    """A number of 0..n-1: a member of a kind."""
    return Fact("int", 0, n - 1)


def items(item: Fact | None, size: int | None, ordered: bool = False) -> Fact:
    """A collection."""
    return Fact("items", size=size, item=item, ordered=ordered)


def of_value(value: Any) -> Fact:
    """The fact of a constant."""
    if value is None:
        return NONE
    if isinstance(value, int):
        return of_number(int(value))
    if isinstance(value, str):
        return TEXT
    if isinstance(value, tuple):
        few = len(value) <= MOST_PARTS
        if value and all(v.__class__ is int for v in value):  # looked at once: tables have thousands of them
            numbers = tuple(map(of_number, value)) if few else None
            range_ = Fact("int", min(value), max(value))
            return Fact("items", size=len(value), item=range_, ordered=ascending(value), parts=numbers)
        parts = tuple(map(of_value, value))
        ordered = all(isinstance(v, int) for v in value) and ascending(value)
        item = join(*parts) if parts else None
        return Fact("items", size=len(value), item=item, ordered=ordered, parts=parts if few else None)
    return ANY


@lru_cache(4096)
def of_number(number: int) -> Fact:
    """The fact of a number that is known."""
    return Fact("int", number, number)


def ascending(numbers: tuple[int, ...]) -> bool:
    """Whether each is larger than the one before."""
    return all(a < b for a, b in pairwise(numbers))


def join(*facts: Fact) -> Fact:
    """The join: what holds of a value of which one of these facts holds."""
    if not facts:
        return ANY
    first = facts[0]
    for other in facts[1:]:
        first = _join(first, other)
    return first


def _join(a: Fact, b: Fact) -> Fact:
    if a is b:
        return a
    none = a.none or b.none
    if a.what == "never" or b.what == "never":
        return replace(b if a.what == "never" else a, none=none)
    if a == b:
        return a
    if a.what == b.what == "int":
        return join_numbers(a, b)
    if a.what == b.what == "text":
        return Fact("text", none=none)
    if a.what == b.what == "items":
        return join_items(a, b, _join)
    return ANY


def join_numbers(a: Fact, b: Fact) -> Fact:
    """The join of the facts of two numbers."""
    low = None if a.low is None or b.low is None else min(a.low, b.low)
    high = None if a.high is None or b.high is None else max(a.high, b.high)
    return Fact("int", low, high, a.none or b.none)


def join_items(a: Fact, b: Fact, join_two: Callable[[Fact, Fact], Fact]) -> Fact:
    """The join of the facts of two collections, by the join of what they hold."""
    size = None if a.size is None or b.size is None else max(a.size, b.size)
    if a.item is None or b.item is None:
        item = a.item if b.size == 0 else b.item if a.size == 0 else None
    else:
        item = join_two(a.item, b.item)
    parts = None
    if a.parts is not None and b.parts is not None and len(a.parts) == len(b.parts):
        parts = tuple(map(join_two, a.parts, b.parts))
    ordered = a.ordered and b.ordered
    return Fact("items", none=a.none or b.none, size=size, item=item, parts=parts, ordered=ordered)


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
            return items(Fact("int", 0, BIGGEST), len(program.kinds[t.kind or 0].members))
        case "option":
            return replace(of_type(program, t.parts[0]), none=True)
        case "record" | "pack":
            parts = tuple(of_type(program, part) for part in t.parts)
            return Fact("items", size=len(parts), parts=parts)
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
            slot: _join(known[t], of_value(value))
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
                    joint = _join(joint, known)
            self.joins[base, size] = joint
        return joint


def length(fact: Fact) -> int | None:
    """The most items that a value can have."""
    return fact.size if fact.what == "items" else None


def fits(fact: Fact) -> bool:
    """Whether a result is small enough to need no check of its size."""
    if fact.what in ("never", "text") or fact.bounded or (fact.none and replace(fact, none=False).bounded):
        return True
    return fact.what == "items" and not fact.none and fact.size is not None and fact.size <= LIMIT


def longest(fact: Fact, unknown: int | None = None) -> int | None:
    """How many items a value has at most, those within its items included; None if that is not known.

    `unknown`: how many a collection of unknown size has at most.
    """
    if fact.what in ("int", "never"):
        return 0
    size = unknown if fact.size is None else fact.size
    if fact.what != "items" or size is None:
        return None
    if size == 0:
        return 0
    parts = fact.parts if fact.parts is not None else (fact.item or ANY,)
    inner = [longest(part, unknown) for part in parts]
    if None in inner:
        return None
    return size + (1 if fact.parts is not None else size) * sum(n for n in inner if n is not None)


def flat(fact: Fact) -> bool:
    """Whether a value is a collection of single values."""
    return fact.what == "items" and (fact.size == 0 or (fact.item is not None and fact.item.what in ("int", "never")))


def may_be_long(fact: Fact) -> bool:
    """Whether a value may have so many items that functions count them."""
    most = longest(fact)
    return most is None or most > FEW


def holds(fact: Fact, value: Any) -> bool:
    """Whether a fact holds of a value."""
    if value is None:
        return fact.none or fact.what == "any"
    if fact.what == "any":
        return True
    if fact.what == "int":
        low, high = fact.low, fact.high
        return isinstance(value, int) and (low is None or value >= low) and (high is None or value <= high)
    if fact.what == "text":
        return isinstance(value, str | tuple)
    if fact.what != "items" or not isinstance(value, tuple):
        return False
    if fact.size is not None and len(value) > fact.size:
        return False
    if fact.parts is not None:
        return len(fact.parts) == len(value) and all(map(holds, fact.parts, value))
    if fact.ordered and not all(isinstance(v, int) for v in value):
        return False
    ascending = not fact.ordered or all(a < b for a, b in pairwise(value))
    return ascending and (fact.item is None or all(holds(fact.item, v) for v in value))
