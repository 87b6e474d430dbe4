"""The slots of a game as people speak of them: each variable and each zone is a group, whose slots may belong to seats."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from rulespec import ir

NUMBER, PIECES, WORD = "number", "pieces", "word"  # what is measured: sums, how many lie there, what it is


@dataclass(frozen=True, slots=True)
class Group:
    """A variable or a zone.  `owned`: its first index is the seat, and `stride` slots belong to each.

    `seats`: its values are seats, which are measured from the seat that acts.  `low` and `high` are the bounds of a number.
    """

    name: str
    what: str
    base: int
    size: int
    owned: bool
    stride: int
    seats: bool = False
    low: int | None = None
    high: int | None = None
    kind: int | None = None  # of its first index
    lane: int = 1  # slots that belong to each member of that kind

    def owner(self, slot: int) -> int | None:
        """The seat that a slot belongs to."""
        return (slot - self.base) // self.stride if self.owned else None

    def number(self, value: Any) -> float:
        """A value as a number: of pieces how many, of words which one."""
        if value is None:
            return 0
        if isinstance(value, tuple):
            return len(value)
        return value if isinstance(value, int) else 0

    def total(self, slots: list[Any], seat: int | None = None) -> float:
        """The sum over its slots, or over those of a seat."""
        start = self.base if seat is None else self.base + seat * self.stride
        return sum(map(self.number, slots[start : start + (self.size if seat is None else self.stride)]))


@dataclass(frozen=True, slots=True)
class Bag(Group):
    """A zone of counts: a slot holds how many there are of each kind."""

    def number(self, value: Any) -> float:
        """How many in all."""
        return float(sum(value))


def groups(program: ir.Program) -> list[Group]:
    """The variables that hold a value of their own, and the zones."""
    found: list[Group] = []
    for variable in program.variables:
        t = variable.type
        inner = t.parts[0] if t.what == "option" else t
        owned, stride = owning(program, variable.per, variable.size)
        numeric = inner.what in ("int", "bool") or inner.what in ("set", "list")
        found.append(
            Group(
                variable.name,
                NUMBER if numeric else WORD,
                variable.base,
                variable.size,
                owned,
                stride,
                inner.what == "entity" and inner.kind == program.player_kind,
                inner.low if inner.what == "int" else None,
                inner.high if inner.what == "int" else None,
                *indexed(program, variable.per, variable.size),
            )
        )
    for zone in program.zones:
        owned, stride = owning(program, zone.per, zone.size)
        make = Bag if zone.counts else Group
        found.append(
            make(
                zone.name,
                PIECES,
                zone.base,
                zone.size,
                owned,
                stride,
                False,
                None,
                None,
                *indexed(program, zone.per, zone.size),
            )
        )
    return found


def owning(program: ir.Program, per: tuple[int, ...], size: int) -> tuple[bool, int]:
    """Whether the first index is the seat, and how many slots each seat has."""
    owned = bool(per) and per[0] == program.player_kind and size > 0
    return owned, size // program.players if owned else size


def indexed(program: ir.Program, per: tuple[int, ...], size: int) -> tuple[int | None, int]:
    """The kind of the first index, and how many slots belong to each of its members."""
    return (per[0], max(1, size // max(1, len(program.kinds[per[0]].members)))) if per else (None, 1)
