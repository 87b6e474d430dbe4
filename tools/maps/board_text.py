"""A board as lines of text: a grid of signs with the names of columns and rows; rows of hexagons are shifted by half a cell.

What is new since the reader last looked stands in [ ], a cell that he may choose in ( ).
"""

from __future__ import annotations

import textwrap
from collections.abc import Sequence

from interpreter.views.boards import BoardView, CellView
from rulespec.ir.wording import joined
from rulespec.library.boards import column_name

from .. import console
from . import parts_text
from .text import PAINT, plain

BARE = "·"


def lines_of(board: BoardView, width: int, new: frozenset[str] = frozenset(), title: bool = False) -> list[str]:
    """The board in lines; none where it is too wide for them.  `new` are the names of cells that are marked."""
    if board.parts:
        drawn = parts_text.lines_of(board, width, new)
        heading = [console.paint(plain(board.name), "bold", "blue")] if title else []
        return [*heading, *drawn, *legend(board, width, new)] if drawn else []
    hexagonal = board.shape == "hex"
    sign = max(1, *(len(cell.sign) for cell in board.cells))
    pitch = sign + 2 + (sign % 2 if hexagonal else 0)  # a hexagon is shifted by half of it
    shift = pitch // 2 if hexagonal else 0
    margin = len(str(board.rows)) + 1
    across = margin + pitch * board.columns + shift * (board.rows - 1)
    if across + margin > width:
        return []
    cells = {(cell.column, cell.row): cell for cell in board.cells}
    lines = [console.paint(plain(board.name), "bold", "blue")] if title else []
    for row in range(board.rows, 0, -1):
        label = console.paint(f"{row:>{margin - 1}} ", "dim")
        line = [drawn_cell(board, cells.get((c, row)), pitch, new) for c in range(1, board.columns + 1)]
        lines.append((" " * (shift * (row - 1)) + label + "".join(line)).rstrip())
    names = "".join(f" {column_name(c)}".ljust(pitch) for c in range(1, board.columns + 1))
    lines.append(console.paint(f"{' ' * margin}{names}".rstrip(), "dim"))
    return [*lines, *legend(board, width, new)]


def drawn_cell(board: BoardView, cell: CellView | None, pitch: int, new: frozenset[str]) -> str:
    """The sign of a cell between its marks."""
    if cell is None:
        return " " * pitch
    text = plain(cell.sign) or BARE
    before = "[" if cell.name in new else "(" if cell.target else " "
    after = ")" if cell.target else "]" if cell.name in new else " "
    colour = board.colours.member(cell.colour)
    styles = [style] if colour and (style := PAINT.get(colour.sign)) else []
    inner = console.paint(text, *styles, "bold") if cell.sign else console.paint(text, "dim")
    style = "yellow" if cell.name in new else "green"
    return console.paint(before, style) + inner + console.paint(after, style) + " " * (pitch - 2 - len(text))


def legend(board: BoardView, width: int, new: frozenset[str]) -> list[str]:
    """What the signs and marks mean, as far as there are any."""
    said = [f"{plain(sign)} {plain(label)}" for sign, label in board.signs if sign != label]
    said += ["[ ] new"] if new else []
    targets = [one.target for one in board.cells] + [one.target for one in board.parts]
    said += ["( ) to choose"] if any(targets) else []
    return [console.paint(line, "dim") for line in textwrap.wrap(joined(said), width)]


def changes(before: Sequence[BoardView], after: Sequence[BoardView]) -> dict[str, frozenset[str]]:
    """For each board the names of the cells on which something else stands now."""
    changed = {}
    for old, now in zip(before, after, strict=True):
        differ = (
            cell.name
            for was, cell in zip(old.cells, now.cells, strict=True)
            if (was.sign, was.colour) != (cell.sign, cell.colour)
        )
        parts = (
            parts_text.named(part)
            for was_there, part in zip(old.parts, now.parts, strict=True)
            if (was_there.sign, was_there.colour) != (part.sign, part.colour)
        )
        changed[now.name] = frozenset((*differ, *parts))
    return changed
