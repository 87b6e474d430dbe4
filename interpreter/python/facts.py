"""How large values may be, from what is known of them: whether results need a test of their size, and loops count their items."""

from __future__ import annotations

from dataclasses import replace

from interpreter.runtime.limits import LIMIT
from rulespec.analysis.domain import ANY, Fact
from rulespec.ir.weight import FEW


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
