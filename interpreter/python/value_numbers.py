"""Value numbering: equal expressions get the same number, wherever they are (for common subexpression elimination)."""

from __future__ import annotations

from dataclasses import fields
from functools import cache
from typing import Any

from rulespec import ir
from rulespec.ir.reads import numbers, reads
from rulespec.ir.walk import EXPRESSIONS

NEVER = -1  # the number of expressions with an effect: an `ir.Once` stores its value


class ValueNumbers:
    """The numbers of the expressions of one program."""

    def __init__(self) -> None:
        self.known: dict[int, tuple[ir.Expr, int, tuple[int, ...]]] = {}
        self.numbers: dict[Any, int] = {}

    def of(self, e: ir.Expr) -> tuple[int, tuple[int, ...]]:
        """An expression's number and its free locals; an equal expression of another type has another number."""
        known = self.known.get(id(e))
        if known is None or known[0] is not e:
            known = self.known[id(e)] = (e, self.number(e), tuple(numbers(reads(e))))
        return known[1], known[2]

    def number(self, e: ir.Expr) -> int:
        if isinstance(e, ir.Once):
            return NEVER
        cls: type = e.__class__
        key: list[Any] = [cls]
        for title in compared(cls):
            value = getattr(e, title)
            parts = value if value.__class__ is tuple else (value,)
            if parts and parts[0].__class__ in EXPRESSIONS:
                inner = tuple([self.of(part)[0] for part in parts])
                if NEVER in inner:
                    return NEVER
                key.append(inner)
            else:
                key.append(repr(value))  # which tells 1 from True
        return self.numbers.setdefault(tuple(key), len(self.numbers))


@cache
def compared(cls: type) -> tuple[str, ...]:
    """The fields in which equal expressions agree."""
    return tuple(field.name for field in fields(cls) if field.compare)
