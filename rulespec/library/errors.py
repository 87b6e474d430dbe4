"""What the body of a function raises when a value is outside its domain, and the bounds of all values.

The machine reports it at the spec's line.
"""

from __future__ import annotations


class DomainError(Exception):
    """A function has no answer for these values, such as the first of nothing; `code` is a run-time fault's."""

    def __init__(self, message: str, code: str = "R001") -> None:
        super().__init__(message)
        self.code = code


BIGGEST = (1 << 63) - 1  # of a number, whatever its sign
LIMIT = 100_000  # items in one collection, at most
TEXT_LIMIT = 1_000  # characters and values in one text that is filled in, at most


def bounded(size: int) -> int:
    """The size, if a collection may have it; raises DomainError above the limit."""
    if size > LIMIT:
        raise DomainError(f"a collection of {size} items is larger than {LIMIT}", "R002")
    return size
