"""A board with edges and corners as lines of text: cells by their names, and what stands between and on the corners of them."""

from __future__ import annotations

from interpreter.views.boards import BoardView, CellView, PartView

from .. import console, lattice
from .text import PAINT, plain

Canvas = dict[tuple[int, int], str]  # by line and character


def lines_of(board: BoardView, width: int, new: frozenset[str]) -> list[str]:
    """The board in lines; none where it is too wide for them.  `new` are the names of cells and parts that are marked."""
    across, down = lattice.extent(board.shape, [point for part in board.parts for point in part.points])
    if across > width:
        return []
    canvas: Canvas = {}
    for cell in board.cells:
        shift = (cell.row - 1) / 2 if board.shape == "hex" else 0
        here = lattice.of_cell(board.shape, cell.column - 1 + shift, board.rows - cell.row)
        colour = board.colours.member(cell.colour)
        text = painted(plain(cell.sign), None if colour is None else colour.sign) or console.paint(cell.name, "dim")
        put(canvas, here, text, len(plain(cell.sign) or cell.name), mark(cell, cell.name in new))
    bare = console.paint("+" if board.shape == "square" else ".", "dim")
    for x, y in {lattice.at(board.shape, [point]) for part in board.parts for point in part.points}:
        canvas[y, x] = bare
    for part in board.parts:
        if part.sign and len(part.points) > 1:
            for x, y, sign in lattice.line(board.shape, part.points):
                canvas[y, x] = painted(sign, part.dye)
    for part in board.parts:
        sign = plain(part.sign)
        marks = mark(part, named(part) in new)
        if sign or marks:
            put(canvas, lattice.at(board.shape, part.points), painted(sign, part.dye) or "·", len(sign or "·"), marks)
    taken = {key: text for key, text in canvas.items() if text}
    lines = []
    for row in range(down):
        line = "".join(canvas.get((row, x), " ") for x in range(across))
        lines.append(line.rstrip() if any(y == row for y, _ in taken) else "")
    return lines


def named(part: PartView) -> str:
    """What an edge or corner is called among all cells and parts."""
    return f"{part.kind}/{part.name}"


def mark(one: CellView | PartView, new: bool) -> str:
    """The two signs around what may be chosen, or is new; none around anything else."""
    return "()" if one.target else "[]" if new else ""


def painted(sign: str, colour: str | None) -> str:
    """A sign in its colour."""
    styles = [style] if colour and (style := PAINT.get(colour)) else []
    return console.paint(sign, *styles, "bold") if sign else ""


def put(canvas: Canvas, here: tuple[int, int], text: str, size: int, marks: str) -> None:
    """Put a text of so many characters with its middle somewhere, and marks around it."""
    x, y = here[0] - (size - 1) // 2, here[1]
    canvas[y, x] = text
    for n in range(1, size):
        canvas[y, x + n] = ""
    for sign, place in zip(marks, (x - 1, x + size), strict=False):
        canvas[y, place] = console.paint(sign, "green" if marks == "()" else "yellow")
