"""How the table of a game is shown: what stands on its components, and where its zones, variables and boards go.

All of it may be left out; then it follows from the declarations (`interpreter.views.table`).
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Literal

from rulespec.ir.pictures import Remark, Scale
from rulespec.system.records import dataclass


@dataclass(frozen=True, slots=True)
class Look:
    """What stands on the members of a kind; None where nothing was said, an empty tuple where it was said that there is nothing.

    `cost` and `sort` are functions of a member; `cost` gives a bag of `coins`.
    """

    kind: int
    colour: tuple[Scale, ...] | None = None
    corner: tuple[Remark, ...] | None = None
    symbol: tuple[Scale, ...] | None = None
    cost: tuple[int, ...] | None = None
    coins: int = 0
    title: tuple[Remark, ...] | None = None
    lines: tuple[Remark, ...] | None = None
    sort: tuple[int, ...] | None = None
    facts: tuple[tuple[str, str], ...] = ()  # fields of which it is said what they are called, empty: nobody reads it
    locals: int = 1  # of the texts

    def functions(self) -> Iterator[int]:
        """The functions that it needs."""
        for scales in (self.colour, self.symbol):
            yield from (scale.function for scale in scales or ())
        for remarks in (self.corner, self.title, self.lines):
            yield from (remark.test for remark in remarks or () if remark.test is not None)
        yield from self.cost or ()
        yield from self.sort or ()


@dataclass(frozen=True, slots=True)
class Spot:
    """Where a zone or variable goes: `at` "centre" or "" (it follows), `form` how it is shown or "", from `low` to `high` of a track."""

    name: str
    shown: bool = True
    at: Literal["", "centre", "seat", "table"] = ""
    form: Literal["", "hand", "row", "pile", "deck", "stack", "closed", "count", "track", "plain"] = ""
    title: str = ""
    low: int = 0
    high: int | None = None


@dataclass(frozen=True, slots=True)
class Grid:
    """How a kind lies on a board: functions of a member; `answers` are sites whose answers stand for the members that give them.

    `edges` are directions with the players whose edge of the board lies there.
    """

    kind: int
    look: Literal["", "plain", "chequered", "disc", "mark"] = ""
    column: int | None = None
    row: int | None = None
    up: bool = False  # whether rows are counted from below
    test: int | None = None
    answers: tuple[tuple[str, int], ...] = ()
    edges: tuple[tuple[str, int], ...] = ()

    def functions(self) -> Iterator[int]:
        """The functions that it needs."""
        yield from (number for number in (self.column, self.row, self.test) if number is not None)
        yield from (number for _, number in self.answers)


@dataclass(frozen=True, slots=True)
class Source:
    """What the rules may cite: a text of so many `lines`, of which the title is known, or a ruling with its text."""

    id: str
    text: str
    lines: int = 0


@dataclass(frozen=True, slots=True)
class Said:
    """What a game says of a kind, and what that rests on."""

    kind: int
    about: str
    cites: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Effect:
    """What a rule that pieces carry does, in words; `{this}` and `{this.field}` in them stand for the piece and what is on it."""

    kind: int
    pieces: tuple[int, ...]
    when: str
    does: tuple[str, ...]
    cites: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Table:
    """All that a game says of how its table is shown, and what can be read about its pieces and questions."""

    looks: tuple[Look, ...] = ()
    zones: tuple[Spot, ...] = ()
    state: tuple[Spot, ...] = ()
    boards: tuple[Grid, ...] = ()
    seats: tuple[tuple[str, str], ...] = ()  # a colour for each seat that has one
    down: tuple[int, ...] = ()  # kinds whose members stand from the last to the first
    sources: tuple[Source, ...] = ()
    kinds: tuple[Said, ...] = ()
    effects: tuple[Effect, ...] = ()
    questions: tuple[
        tuple[str, tuple[str, ...]], ...
    ] = ()  # what those that cite something rest on, by the name of their site

    def functions(self) -> list[int]:
        """The functions that it needs."""
        looks = [number for look in self.looks for number in look.functions()]
        return [*looks, *(number for grid in self.boards for number in grid.functions())]
