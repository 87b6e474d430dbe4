"""The order of values, in which sets keep their items."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

Items = tuple[Any, ...]


def ascending(items: Iterable[Any]) -> Items:
    """Values of one type from the smallest to the largest; none is smaller than any other, as in C."""
    found = list(items)
    try:
        return tuple(sorted(found))
    except TypeError:  # none beside others: rare, and for all others there is no faster way
        return tuple(sorted(found, key=rank))


def rank(value: Any) -> Any:
    """What stands for a value where some of its type, or of their parts, may be none."""
    if value is None:
        return (0,)
    return (1, tuple(map(rank, value)) if isinstance(value, tuple) else value)
