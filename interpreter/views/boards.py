"""The boards of a game as a viewer may see them: what stands on each cell, and which cells may be chosen, not how they are drawn."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import field
from typing import Any

from interpreter.position import Position
from interpreter.runtime.texts import HIDDEN
from interpreter.runtime.visibility import EVERYTHING, Viewer
from interpreter.views.pictures import NO_LEGEND, Legend, Onlooker, parts_of
from rulespec import ir
from rulespec.ir.pictures import letters
from rulespec.system.records import dataclass

SIXTHS = 6  # of columns and rows, in which parts of boards are placed


@dataclass(frozen=True, slots=True)
class CellView:
    """A cell: where it lies, counted from 1; its sign, "" where nothing stands, "?" where it is not known; whose colour it has."""

    name: str
    column: int
    row: int
    sign: str = ""
    label: str = ""
    colour: str | None = None
    target: bool = False  # the viewer may choose it now
    stands: str | None = None  # the member of a type that stands there, "?" where it is not known


@dataclass(frozen=True, slots=True)
class PartView:
    """An edge of a board with its two ends, or a corner with its place, in columns from the left and rows from above; else as a cell."""

    kind: str
    name: str
    points: tuple[tuple[float, float], ...]
    sign: str = ""
    label: str = ""
    colour: str | None = None
    dye: str | None = None  # how that is drawn
    target: bool = False
    stands: str | None = None


@dataclass(frozen=True, slots=True)
class BoardView:
    """A board as one viewer sees it now."""

    name: str
    shape: str
    columns: int
    rows: int
    viewer: str | None
    cells: tuple[CellView, ...]
    signs: tuple[tuple[str, str], ...] = ()  # each sign that stands somewhere with what it means
    colours: Legend = NO_LEGEND
    told: frozenset[int] = field(default=frozenset(), compare=False)  # the slots whose whole content it tells
    parts: tuple[PartView, ...] = ()

    def data(self) -> dict[str, Any]:
        """All of it as JSON data."""
        names = ("name", "shape", "columns", "rows", "viewer")
        return {
            **{name: getattr(self, name) for name in names},
            "cells": [parts_of(cell) for cell in self.cells],
            "signs": dict(self.signs),
            "colours": [parts_of(member) for member in self.colours.members],
            **({"parts": [parts_of(part) for part in self.parts]} if self.parts else {}),
        }


def boards(position: Position, viewer: Viewer) -> tuple[BoardView, ...]:
    """The boards as a viewer sees them.  Raises Fault."""
    program = position.setup.program
    if not program.boards:
        return ()
    onlooker = Onlooker(position, viewer)
    chosen = targets(position, viewer)
    return tuple(board_view(onlooker, board, chosen) for board in program.boards)


def board_view(onlooker: Onlooker, board: ir.Board, targets: Mapping[int, frozenset[int]]) -> BoardView:
    """One board; `targets` are the numbers of the cells and parts that the viewer may choose, by kind."""
    kind = onlooker.program.kinds[board.kind]
    chosen = targets.get(board.kind, frozenset())
    colours = onlooker.legend(board.colour)
    cells = []
    meanings: dict[str, str] = {}
    for number, (column, row) in enumerate(board.places):
        sign, label, colour, stands = standing(onlooker, board, number)
        if sign:
            meanings.setdefault(sign, label)
        cells.append(CellView(kind.members[number], column, row, sign, label, colour, number in chosen, stands))
    parts = tuple(one for part in board.parts for one in part_views(onlooker, part, targets, meanings))
    signs = tuple(sorted(meanings.items(), key=lambda pair: (pair[0].casefold(), pair[0])))
    return BoardView(
        kind.name,
        board.shape,
        board.columns,
        board.rows,
        onlooker.seat,
        tuple(cells),
        signs,
        colours,
        frozenset(onlooker.told),
        parts,
    )


def part_views(
    onlooker: Onlooker, part: ir.BoardPart, targets: Mapping[int, frozenset[int]], meanings: dict[str, str]
) -> Iterator[PartView]:
    """The edges or corners of a board; what their signs mean is added to `meanings`."""
    kind, chosen = onlooker.program.kinds[part.kind], targets.get(part.kind, frozenset())
    legend = onlooker.legend(part.colour)
    for number, points in enumerate(part.points):
        sign, label, colour, stands = standing(onlooker, part, number)
        if sign and part.symbol is not None and part.symbol.kind == part.kind and sign != HIDDEN:
            label = part.symbol.label
        if sign:
            meanings.setdefault(sign, label)
        dye = legend.member(colour)
        places = tuple((round(x / SIXTHS, 3), round(y / SIXTHS, 3)) for x, y in points)
        shade = None if dye is None else dye.sign
        yield PartView(kind.name, kind.members[number], places, sign, label, colour, shade, number in chosen, stands)


def standing(
    onlooker: Onlooker, board: ir.Board | ir.BoardPart, number: int
) -> tuple[str, str, str | None, str | None]:
    """What stands on a cell or part: its sign, what that means, its colour and which member it is."""
    symbol, colour = onlooker.member(board.symbol, number), onlooker.member(board.colour, number)
    sign, label = "", ""
    if symbol is not None:
        symbols = onlooker.legend(board.symbol)
        member = symbols.member(symbol)
        sign, label = (HIDDEN, "not known") if member is None else (member.sign, member.label)
        if board.symbol is not None and board.symbol.kind != onlooker.program.player_kind:
            shared = sum(one.sign == sign for one in symbols.members) > 1
            sign, label = of_player(onlooker, sign, label, colour, shared)
    return sign, label, colour, symbol


def of_player(onlooker: Onlooker, sign: str, label: str, player: str | None, shared: bool) -> tuple[str, str]:
    """A sign with large letters for the first player and small ones for the second, and its meaning with the player's name.

    A sign without letters that several pieces have (`shared`) gets that of the player before it.
    """
    players = onlooker.program.kinds[onlooker.program.player_kind]
    if player not in players.members:
        return sign, label
    seat = players.members.index(player)
    name = players.labels[seat]
    cased = sign.upper() if seat == 0 else sign.lower() if seat == 1 else sign
    if shared and sign.upper() == sign.lower():
        cased = letters(players.labels, {})[seat] + sign
    return cased, label if name in label else f"{label} of {name}"


def targets(position: Position, viewer: Viewer) -> dict[int, frozenset[int]]:
    """For each kind of cell the numbers of those that the viewer may choose now."""
    if viewer is None or viewer == EVERYTHING or viewer not in position.pending_players():
        return {}
    question = position.asked(viewer)
    printer = question.site.type
    while printer is not None and printer.what == "option":
        printer = printer.parts[0]
    if printer is None or printer.what != "entity" or printer.kind is None:
        return {}
    return {
        printer.kind: frozenset(
            value for action, value in question.candidates() if action in question.legal and value is not None
        )
    }
