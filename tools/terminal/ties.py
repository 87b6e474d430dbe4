"""Lines between cells of a board: each cell draws the part of them that lies in it, from its middle to its edge."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from rich.style import Style

from rulespec.system.records import dataclass

from .scene import Scene
from .sheet import Sheet

Data = dict[str, Any]
SIGNS = {(0, 1): "│", (1, 0): "─", (1, 1): "╲", (1, -1): "╱"}  # by the way to the right and down
LOW = 2  # lines of a cell from which a line can lead down


@dataclass(frozen=True)
class Part:
    """The part of a line in one cell: where it leads to, its colour, and letters that tell it where there are no colours."""

    right: int
    down: int
    colour: str | None
    letters: str


def parts(scene: Scene, data: Data, high: int) -> dict[str, list[Part]]:
    """By cell what is drawn in it; nothing where cells are too low, and lines are told in words."""
    out: dict[str, list[Part]] = {}
    if high < LOW:
        return out
    places = {cell["thing"]: (cell["x"], cell["y"]) for cell in data["cells"]}
    for start, end, line in lines(data):
        face = scene.things[line["things"][0]] if line.get("things") else {}
        letters = scene.paint.letters(face.get("colour"))[:1]
        if not face.get("colour") and line["text"] != "yes":
            letters = face.get("sign") or line["text"][:2]
        (x, y), (column, row) = places[start], places[end]
        right, down = sign(column - x), sign(row - y)
        out.setdefault(start, []).append(Part(right, down, face.get("colour"), letters))
        out.setdefault(end, []).append(Part(-right, -down, face.get("colour"), ""))
    return out


def lines(data: Data) -> Iterator[tuple[str, str, Data]]:
    """The lines of a board: from which cell, to which, and what is told of them."""
    for cell in data["cells"]:
        for one in cell.get("holds", ()):
            if isinstance(one, dict) and "to" in one:
                yield cell["thing"], one["to"], one


def sign(number: float) -> int:
    """Whether a number is above nothing, below it, or neither."""
    return (number > 0) - (number < 0)


def draw(sheet: Sheet, part: Part, at: tuple[int, int], size: tuple[int, int], style: Style) -> None:
    """One part in its cell: from the middle, where a piece may stand, to the edge."""
    (x, y), (wide, high) = at, size
    across, along = x + (wide - 1) // 2, y + (high - 1) // 2
    columns = range(across + 1, x + wide) if part.right > 0 else range(across - 1, x - 1, -1)
    rows = range(along + 1, y + high) if part.down > 0 else range(along - 1, y - 1, -1)
    text = SIGNS[(part.right, part.down)] if (part.right, part.down) in SIGNS else SIGNS[(-part.right, -part.down)]
    if not part.down:
        spots = [(column, along) for column in columns]
    elif not part.right:
        spots = [(across, row) for row in rows]
    else:
        spots = [(columns[(n + 1) * len(columns) // (len(rows) + 1)], row) for n, row in enumerate(rows)]
    for column, row in spots:
        sheet.put(column, row, text, style)
    if part.letters and spots:
        column, row = spots[-1]
        sheet.put(column - (part.right > 0) * (len(part.letters) - 1), row, part.letters, style)
