"""Boards as SVG: cells as squares or hexagons, what stands there as discs with signs, and a description for who cannot see it.

Everything that a game says is escaped: its author may be anybody.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from math import cos, pi, sin, sqrt
from xml.sax.saxutils import escape

from interpreter.views.boards import BoardView, CellView, PartView
from rulespec.library.boards import column_name

from . import parts_text
from .svg import FILLS, FONT, PLAIN_FILL
from .text import plain

SIZE = 48  # of a cell, from one to the next
EDGE = 34  # for the names of columns and rows
LIGHT, DARK, LINE = "#f3ead7", "#e2d3b4", "#8a7a5c"
NEW, TARGET = "#c77700", "#2f6b34"
STYLE = (
    f"text {{ font-family: {FONT}; text-anchor: middle; dominant-baseline: central }} .name {{ font-size: 13px; fill: #50565e }} "
    ".sign { font-size: 18px; font-weight: 600 } .title { font-size: 17px; font-weight: 600 }"
)


def drawing(title: str, boards: Sequence[BoardView], new: dict[str, frozenset[str]]) -> str:
    """All boards under each other; `new` are the names of the cells of each that are marked."""
    parts: list[str] = []
    widest, top = 0.0, 0.0
    for board in boards:
        width, height = extent(board)
        heading = board.name if len(boards) > 1 else title
        body = "\n".join(board_parts(board, heading, new.get(board.name, frozenset())))
        parts.append(f'<g transform="translate(0 {top:.0f})">\n{body}\n</g>')
        widest, top = max(widest, width), top + height
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {widest:.0f} {top:.0f}" width="{widest:.0f}" height="{top:.0f}" '
        f'role="img" aria-labelledby="title description">\n<title id="title">{escape(plain(title))}</title>\n'
        f'<desc id="description">{escape(" ".join(map(described, boards)))}</desc>\n<style>{STYLE}</style>\n'
        f'<rect width="100%" height="100%" fill="#ffffff"/>\n' + "\n".join(parts) + "\n</svg>\n"
    )


def described(board: BoardView) -> str:
    """What stands where, in words."""
    stand = [f"{cell.name} {cell.label}" for cell in board.cells if cell.sign]
    stand += [f"{part.name} {part.label}" for part in board.parts if part.sign]
    return plain(f"{board.name}: {', '.join(stand) or 'nothing stands there'}.")


def step(board: BoardView) -> tuple[float, float]:
    """How far it is to the next column and to the next row."""
    return (SIZE, SIZE * sqrt(3) / 2) if board.shape == "hex" else (SIZE, SIZE)


def extent(board: BoardView) -> tuple[float, float]:
    """The width and height of a board with its title and names."""
    across, up = step(board)
    lean = SIZE / 2 * (board.rows - 1) if board.shape == "hex" else 0
    return across * board.columns + lean + 2 * EDGE, up * board.rows + 2.6 * EDGE + SIZE / 6


def centre(board: BoardView, column: int, row: int) -> tuple[float, float]:
    """The middle of a cell; rows of hexagons lie half a cell further right than those below."""
    across, up = step(board)
    lean = SIZE / 2 * (row - 1) if board.shape == "hex" else 0
    return EDGE + across * (column - 0.5) + lean, 1.4 * EDGE + up * (board.rows - row + 0.5) + SIZE / 12


def board_parts(board: BoardView, title: str, new: frozenset[str]) -> Iterator[str]:
    """The elements of one board."""
    width, _ = extent(board)
    yield f'<text class="title" x="{width / 2:.1f}" y="{EDGE * 0.6:.1f}">{escape(plain(title))}</text>'
    for row in range(1, board.rows + 1):
        first = min((cell.column for cell in board.cells if cell.row == row), default=1)
        x, y = centre(board, first, row)
        yield f'<text class="name" x="{x - SIZE * 0.8:.1f}" y="{y:.1f}">{row}</text>'
    for column in range(1, board.columns + 1):
        lowest = min((cell.row for cell in board.cells if cell.column == column), default=1)
        x, y = centre(board, column, lowest)
        below = (x - SIZE * 0.4, y + SIZE * 0.7) if board.shape == "hex" else (x, y + SIZE * 0.8)
        yield f'<text class="name" x="{below[0]:.1f}" y="{below[1]:.1f}">{column_name(column)}</text>'
    for cell in board.cells:
        yield from cell_parts(board, cell, cell.name in new)
    for part in board.parts:
        yield from part_of_board(board, part, parts_text.named(part) in new)


def cell_parts(board: BoardView, cell: CellView, new: bool) -> Iterator[str]:
    """A cell with what stands there and its marks."""
    x, y = centre(board, cell.column, cell.row)
    dark = (cell.column + cell.row) % 2 == 0 if board.shape == "square" else False
    fill, line = DARK if dark else LIGHT, f'stroke="{LINE}" stroke-width="1"'
    said = plain(f"{cell.name} {cell.label}".strip())
    yield f'<g><title>{escape(said)}</title><polygon points="{corners(board, x, y, 1)}" fill="{fill}" {line}/>'
    if new:
        yield f'<polygon points="{corners(board, x, y, 0.9)}" fill="none" stroke="{NEW}" stroke-width="3"/>'
    if cell.sign:
        colour = board.colours.member(cell.colour)
        inside, outline = FILLS.get(colour.sign, PLAIN_FILL) if colour else PLAIN_FILL
        yield f'<circle cx="{x:.1f}" cy="{y:.1f}" r="{SIZE * 0.38:.1f}" fill="{inside}" stroke="{outline}" stroke-width="2"/>'
        yield f'<text class="sign" x="{x:.1f}" y="{y:.1f}" fill="{outline}">{escape(plain(cell.sign))}</text>'
    if cell.target:
        radius = SIZE * (0.44 if cell.sign else 0.1)
        look = (
            f'fill="none" stroke="{TARGET}" stroke-width="3" stroke-dasharray="5 3"'
            if cell.sign
            else f'fill="{TARGET}"'
        )
        yield f'<circle cx="{x:.1f}" cy="{y:.1f}" r="{radius:.1f}" {look}/>'
    yield "</g>"


def part_of_board(board: BoardView, part: PartView, new: bool) -> Iterator[str]:
    """An edge as a line and a corner as a disc, where something stands or may be chosen; the marks of cells are around its middle."""
    if not (part.sign or part.target):
        return
    places = [corner_at(board, *point) for point in part.points]
    x, y = (sum(place[k] for place in places) / len(places) for k in (0, 1))
    inside, outline = FILLS.get(part.dye or "", PLAIN_FILL)
    yield f"<g><title>{escape(plain(f'{part.name} {part.label}'.strip()))}</title>"
    if part.sign and len(places) > 1:
        (x1, y1), (x2, y2) = places
        line = f'<line x1="{x1:.1f}" y1="{y1:.1f}" x2="{x2:.1f}" y2="{y2:.1f}"'
        yield f'{line} stroke="{outline}" stroke-width="9"/>{line} stroke="{inside}" stroke-width="6"/>'
    elif part.sign:
        yield f'<circle cx="{x:.1f}" cy="{y:.1f}" r="{SIZE * 0.2:.1f}" fill="{inside}" stroke="{outline}" stroke-width="2"/>'
        yield f'<text class="sign" style="font-size: 11px" x="{x:.1f}" y="{y:.1f}" fill="{outline}">{escape(plain(part.sign))}</text>'
    if part.target or new:
        colour = TARGET if part.target else NEW
        yield f'<circle cx="{x:.1f}" cy="{y:.1f}" r="{SIZE * 0.09:.1f}" fill="{colour}"/>'
    yield "</g>"


def corner_at(board: BoardView, column: float, row: float) -> tuple[float, float]:
    """A point of the grid so many columns from the left and rows from above."""
    left, top = centre(board, 1, board.rows)
    across, up = step(board)
    lean = SIZE / 2 * (board.rows - 1) if board.shape == "hex" else 0
    high = SIZE / sqrt(3) if board.shape == "hex" else SIZE / 2
    return left - lean - SIZE / 2 + across * column, top - high + up * row


def corners(board: BoardView, x: float, y: float, share: float) -> str:
    """The corners of a cell around its middle."""
    if board.shape == "hex":
        radius = SIZE / sqrt(3) * share
        points = [(x + radius * cos(pi / 6 + n * pi / 3), y + radius * sin(pi / 6 + n * pi / 3)) for n in range(6)]
    else:
        half = SIZE / 2 * share
        points = [(x + dx * half, y + dy * half) for dx, dy in ((-1, -1), (1, -1), (1, 1), (-1, 1))]
    return " ".join(f"{px:.1f},{py:.1f}" for px, py in points)
