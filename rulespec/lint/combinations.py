"""Rows that have every combination of some values once, or nearly: all cards of each colour, say."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import combinations, product

from rulespec.checker import symbols
from rulespec.language.types import BoolType, EntityType, IntType
from rulespec.lint.game import LintGame
from rulespec.system.records import dataclass
from rulespec.text.quoting import ticked

SMALLEST = 8  # fewer combinations are too few to see a rule in them
MOST_FIELDS = 8  # of which pairs and triples are looked at


@dataclass(frozen=True, slots=True)
class Grid:
    """Fields of a kind whose combinations its rows are meant to have once each: which are there twice, which are missing."""

    fields: tuple[symbols.Field, ...]
    rows: tuple[int, ...]  # the first member of each row
    twice: tuple[tuple[int, int], ...]  # members with the same combination
    missing: tuple[tuple[object, ...], ...]


def nearly_full(kind: symbols.Kind) -> Iterator[Grid]:
    """The combinations of fields whose values the rows of a kind pair up completely, but for at most one pair."""
    first: dict[tuple[int, int], int] = {}
    for member, span in enumerate(kind.spans[: len(kind.members)]):
        first.setdefault((id(span.source), span.start), member)
    rows = tuple(first.values())
    fields = [field for field in kind.fields.values() if isinstance(field.type, EntityType | BoolType | IntType)]
    many = [field for field in fields if len({field.values[row] for row in rows}) > 1][:MOST_FIELDS]
    for chosen in (*combinations(many, 2), *combinations(many, 3)):
        seen: dict[tuple[object, ...], int] = {}
        twice: list[tuple[int, int]] = []
        for row in rows:
            key = tuple(field.values[row] for field in chosen)
            if key in seen:
                twice.append((seen[key], row))
            seen.setdefault(key, row)
        sides = [sorted({field.values[row] for row in rows}, key=repr) for field in chosen]
        size = 1
        for side in sides:
            size *= len(side)
        if size < SMALLEST or size - len(seen) > 1 or len(twice) > 1:
            continue
        yield Grid(chosen, rows, tuple(twice), tuple(key for key in product(*sides) if key not in seen))


def said(game: LintGame, fields: tuple[symbols.Field, ...], values: tuple[object, ...]) -> str:
    """A combination as it is written."""
    return " and ".join(ticked(word(game, field, value)) for field, value in zip(fields, values, strict=True))


def word(game: LintGame, field: symbols.Field, value: object) -> str:
    if isinstance(field.type, EntityType) and isinstance(value, int):
        return game.context.kinds[field.type.kind].members[value]
    return ("no", "yes")[bool(value)] if isinstance(field.type, BoolType) else str(value)
