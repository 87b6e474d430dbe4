"""The slots of a game as people speak of them: each variable and each zone is a group, whose slots may belong to seats."""

from __future__ import annotations

from collections.abc import Iterator
from functools import partial
from math import prod
from typing import Any

from rulespec import ir
from rulespec.system.records import dataclass

NUMBER, PIECES, WORD = "number", "pieces", "word"  # what is measured: sums, how many lie there, what it is


@dataclass(frozen=True, slots=True)
class Group:
    """A variable or a zone: `size` slots from `base`.

    `seats`: its values are seats, which are measured from the seat that acts.  `low` and `high` are the bounds of a number.
    `private`: only its owner sees what it holds.
    """

    name: str
    what: str
    base: int
    size: int
    players: int = 0  # seats that it is divided among, 0 where it is the table's
    lane: int = 1  # neighbouring slots that belong to one seat
    seats: bool = False
    low: int | None = None
    high: int | None = None
    kind: int | None = None  # of its first index
    stride: int = 1  # slots that belong to each member of that kind
    private: bool = False
    worth: tuple[
        tuple[str, tuple[int, ...]], ...
    ] = ()  # numbers on the pieces of a zone: a name, and one for each piece

    @property
    def owned(self) -> bool:
        """Whether each slot belongs to a seat."""
        return self.players > 0

    def owner(self, slot: int) -> int | None:
        """The seat that a slot belongs to."""
        return (slot - self.base) // self.lane % self.players if self.owned else None

    def slots_of(self, slots: list[Any], seat: int | None) -> list[Any]:
        """What its slots hold, or those of a seat."""
        if seat is None or not self.owned:
            return slots[self.base : self.base + self.size]
        starts = range(self.base + seat * self.lane, self.base + self.size, self.lane * self.players)
        return [value for start in starts for value in slots[start : start + self.lane]]

    def number(self, value: Any) -> float:
        """A value as a number: of pieces how many, of words which one."""
        if value is None:
            return 0
        if isinstance(value, tuple):
            return len(value)
        return value if isinstance(value, int) else 0

    def total(self, slots: list[Any], seat: int | None = None) -> float:
        """The sum over its slots, or over those of a seat."""
        return sum(map(self.number, self.slots_of(slots, seat)))

    def holds(self, slots: list[Any], seat: int) -> bool:
        """Whether a seat has anything in it."""
        return any(value is not None and value != 0 and value != () for value in self.slots_of(slots, seat))

    def printed(self, slots: list[Any], seat: int) -> Iterator[tuple[str, float]]:
        """The sums of the numbers that are printed on the pieces of a seat."""
        for name, numbers in self.worth:
            pieces = (piece for value in self.slots_of(slots, seat) for piece in value)
            yield f"{name} in {self.name}", sum(numbers[piece] for piece in pieces)


@dataclass(frozen=True, slots=True)
class Bag(Group):
    """A zone of counts: a slot holds how many there are of each kind."""

    def number(self, value: Any) -> float:
        """How many in all."""
        return float(sum(value))


def groups(program: ir.Program) -> list[Group]:
    """The variables that hold a value of their own, and the zones."""
    return [*map(partial(of_variable, program), program.variables), *map(partial(of_zone, program), program.zones)]


def of_variable(program: ir.Program, variable: ir.Variable) -> Group:
    """The group of a variable."""
    t = variable.type
    inner = t.parts[0] if t.what == "option" else t
    number = inner.what == "int"
    return Group(
        variable.name,
        NUMBER if inner.what in ("int", "bool", "set", "list") else WORD,
        variable.base,
        variable.size,
        seats=inner.what == "entity" and inner.kind == program.player_kind,
        low=inner.low if number else None,
        high=inner.high if number else None,
        private=variable.seen.who == "owner",
        **shape(program, variable.per, variable.size),
    )


def of_zone(program: ir.Program, zone: ir.Zone) -> Group:
    """The group of a zone."""
    make = Bag if zone.counts else Group
    fields = () if zone.counts else program.kinds[zone.kind].fields
    worth = tuple((f.name, tuple(map(int, f.values))) for f in fields if f.type.what == "int")
    private = zone.seen.who == "owner"
    per = shape(program, zone.per, zone.size)
    return make(zone.name, PIECES, zone.base, zone.size, private=private, worth=worth, **per)


def shape(program: ir.Program, per: tuple[int, ...], size: int) -> dict[str, Any]:
    """How the slots of something are divided: among the members of its first index, and among the seats."""
    if not per or not size:
        return {}
    sizes = [max(1, len(program.kinds[kind].members)) for kind in per]
    parts: dict[str, Any] = {"kind": per[0], "stride": max(1, size // sizes[0])}
    if program.player_kind in per:
        parts |= {"players": program.players, "lane": prod(sizes[per.index(program.player_kind) + 1 :])}
    return parts
