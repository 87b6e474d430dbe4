"""Where the cells, edges and corners of a board lie in lines of text, far enough apart that each has room for a sign between marks."""

from __future__ import annotations

from collections.abc import Sequence

Point = Sequence[float]  # columns from the left, rows from above
WIDE = {"square": 6, "hex": 8}  # characters of a column
HIGH = {"square": 2, "hex": 6}  # lines of a row
MIDDLE = {
    "square": (0.5, 0.5),
    "hex": (0.5, 2 / 3),
}  # of a cell, from its upper left corner; the tip of a hexagon is on the line above
LEFT = 2  # characters left of a board: a mark is wider than what it stands at


def at(shape: str, points: Sequence[Point]) -> tuple[int, int]:
    """The character and the line of the middle of some points."""
    x = sum(point[0] for point in points) / len(points)
    y = sum(point[1] for point in points) / len(points)
    return LEFT + round(x * WIDE[shape]), round(y * HIGH[shape])


def of_cell(shape: str, x: float, y: float) -> tuple[int, int]:
    """The same of the middle of a cell that lies so far from the left and from above."""
    across, down = MIDDLE[shape]
    return at(shape, [(x + across, y + down)])


def extent(shape: str, points: Sequence[Point]) -> tuple[int, int]:
    """How many characters and lines a board takes whose parts have these points."""
    right, low = max(point[0] for point in points), max(point[1] for point in points)
    return 2 * LEFT + 1 + round(right * WIDE[shape]), 1 + round(low * HIGH[shape])


def line(shape: str, points: Sequence[Point]) -> list[tuple[int, int, str]]:
    """The characters of an edge between its ends, but the middle one, where its sign stands."""
    (x, y), (column, row) = (at(shape, [point]) for point in points)
    middle = at(shape, points)
    steps = max(abs(column - x), abs(row - y))
    sign = "|" if x == column else "-" if y == row else "\\" if (column - x) * (row - y) > 0 else "/"
    way = [(x + round((column - x) * n / steps), y + round((row - y) * n / steps)) for n in range(1, steps)]
    return [(*place, sign) for place in way if place != middle]
