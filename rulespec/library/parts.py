"""Parts of boards: the edges between cells and the corners at which they meet, and which of all these touch.

An edge belongs to one cell or two, a corner to at most four squares or three hexagons.  They are told apart by where they lie: the middle
of an edge is half a step from that of its cell, and a corner lies among the steps beside it, so that whole numbers are enough.  On a board
that goes round, so do its parts.
"""

from __future__ import annotations

from functools import lru_cache

from rulespec.language.facts import C, CForm, Facts, Result
from rulespec.language.registry import function
from rulespec.library.boards import OFFSETS, SETS, Board, Offset, grid
from rulespec.system.records import dataclass

Places = tuple[int, ...]
Rows = tuple[Places, ...]
# The directions across the edges of a cell, clockwise, and where its corners lie: of a hexagon before the edge of the same number, of a
# square behind it.
EDGES = {"square": SETS["orthogonal"], "hex": tuple(OFFSETS["hex"])}
CORNERS = {"square": SETS["diagonal"], "hex": ("n", "ne", "se", "s", "sw", "nw")}
SHARES = {"square": 2, "hex": 3}  # by what the two steps next to a corner are divided, to come there from the middle
# Where the corners of a cell lie, in sixths of a column and of a row, from the left and from above.
PLACES = {
    "square": ((6, 0), (6, 6), (0, 6), (0, 0)),
    "hex": ((3, 0), (6, 2), (6, 6), (3, 8), (0, 6), (0, 2)),
}


@dataclass(frozen=True, slots=True)
class Part:
    """The edges or the corners of a board: of each the cell that names it and its number at that cell, and of each cell its own.

    `names` are those of the directions in which they lie.
    """

    names: tuple[str, ...]
    first: tuple[tuple[int, int], ...]
    of_cells: Rows  # of each cell, in the order of `names`
    cells: Rows


@dataclass(frozen=True, slots=True)
class Parts:
    """The edges and the corners of a board, and which of them touch."""

    edges: Part
    corners: Part
    ends: Rows  # of each edge its corners
    meeting: Rows  # of each corner its edges
    between: dict[tuple[int, int], int]  # the edge that two corners have


@lru_cache(maxsize=64)
def parts(board: Board) -> Parts:
    """The parts of a board."""
    shape = board[0]
    ways, offsets = EDGES[shape], OFFSETS[shape]
    steps = [offsets[way] for way in ways]
    share = SHARES[shape]
    # the corner before an edge lies between it and the one before; of a square it is the other way round: n, then ne
    beside = [
        (steps[n], steps[(n + 1) % 4]) if shape == "square" else (steps[n - 1], steps[n]) for n in range(len(ways))
    ]
    at_corner = [(a[0] + b[0], a[1] + b[1]) for a, b in beside]
    edges, corners = gathered(board, ways, steps, 2), gathered(board, CORNERS[shape], at_corner, share)
    count = len(ways)
    ends: list[set[int]] = [set() for _ in edges.first]
    meeting: list[set[int]] = [set() for _ in corners.first]
    between: dict[tuple[int, int], int] = {}
    for cell, own in enumerate(edges.of_cells):
        for n, edge in enumerate(own):
            two = (n - 1, n) if shape == "square" else (n, (n + 1) % count)
            a, b = (corners.of_cells[cell][k] for k in two)
            ends[edge] |= {a, b}
            meeting[a].add(edge)
            meeting[b].add(edge)
            between.setdefault((a, b), edge)
            between.setdefault((b, a), edge)
    return Parts(edges, corners, ascending(ends), ascending(meeting), between)


def gathered(board: Board, names: tuple[str, ...], offsets: list[Offset], share: int) -> Part:
    """The parts that lie so far from the middles of cells, each once, in the order of the cells."""
    layout = grid(board)
    round_columns, round_rows = layout.goes_round
    found: dict[Offset, int] = {}
    first: list[tuple[int, int]] = []
    of_cells: list[tuple[int, ...]] = []
    cells: list[set[int]] = []
    for cell, (column, row) in enumerate(layout.places):
        own = []
        for n, (across, up) in enumerate(offsets):
            x, y = column * share + across, row * share + up
            place = (
                x % (layout.columns * share) if round_columns else x,
                y % (layout.rows * share) if round_rows else y,
            )
            if place not in found:
                found[place] = len(first)
                first.append((cell, n))
                cells.append(set())
            own.append(found[place])
            cells[found[place]].add(cell)
        of_cells.append(tuple(own))
    return Part(names, tuple(first), tuple(of_cells), ascending(cells))


def ascending(rows: list[set[int]]) -> Rows:
    """Sets of numbers as values of the language."""
    return tuple(tuple(sorted(row)) for row in rows)


def sharing(rows: Rows, back: Rows) -> Rows:
    """Of each part the others that share something with it: `rows` says what each has, and `back` whose that is."""
    return tuple(tuple(sorted({other for one in row for other in back[one]} - {n})) for n, row in enumerate(rows))


def points(board: Board, which: str) -> tuple[tuple[Offset, ...], ...]:
    """Where each edge begins and ends, or each corner lies: sixths of a column from the left and of a row from above."""
    shape, layout, all_parts = board[0], grid(board), parts(board)
    part = all_parts.edges if which == "edges" else all_parts.corners
    around = PLACES[shape]
    out = []
    for cell, n in part.first:
        column, row = layout.places[cell]
        left, top = 6 * (column - 1) + (3 * (row - 1) if layout.hexagonal else 0), 6 * (layout.rows - row)
        after = n + 1 if layout.hexagonal else n
        ends = (after - 1, after % len(around)) if which == "edges" else (n,)
        out.append(tuple((left + around[k][0], top + around[k][1]) for k in ends))
    return tuple(out)


@function(
    "border(cell: Cell, direction: Direction) -> Edge or none",
    hidden=("board",),
    examples={"border(a1, n)": "a1_a2", "border(a1, w)": "a1_w", "border(a1, ne)": "none"},
    facts=Facts(total=True, memo=True),
)
def border_in(cell: int, direction: int, board: Board) -> int | None:
    """The edge of a cell in a direction; none in a direction that leads across a corner."""
    way = tuple(OFFSETS[board[0]])[direction]
    ways = EDGES[board[0]]
    return parts(board).edges.of_cells[cell][ways.index(way)] if way in ways else None


@function(
    "border(a: Cell, b: Cell) -> Edge or none",
    hidden=("board",),
    examples={"border(a1, b1)": "a1_b1", "border(a1, b2)": "none"},
    facts=Facts(total=True, memo=True),
)
def border_of(a: int, b: int, board: Board) -> int | None:
    """The edge between two cells; none where they have none in common."""
    if a == b:
        return None
    own = parts(board).edges.of_cells
    return next((edge for edge in own[a] if edge in own[b]), None)


@function(
    "border(a: Corner, b: Corner) -> Edge or none",
    hidden=("board",),
    examples={"border(a1_sw, a1_se)": "a1_s"},
    facts=Facts(total=True, memo=True),
)
def edge_between(a: int, b: int, board: Board) -> int | None:
    """The edge that leads from one corner to another; none where there is none."""
    return parts(board).between.get((a, b))


@function(
    "group(place: Place, places: set of Place, graph: Graph) -> set of Place",
    hidden=("graph",),
    examples={"group(shore, set(shore, ford, tower))": "set(shore, ford)"},
    facts=Facts(result=Result.PLACES, total=True, heavy=True, c=C(form=CForm.GROUP)),
)
def group_on(place: int, places: Places, rows: Rows) -> Places:
    """The places of a set that hang together with a place of it; none if it is not in the set."""
    left = set(places)
    if place not in left:
        return ()
    left.discard(place)
    joined, todo = [place], [place]
    while todo:
        for near in rows[todo.pop()]:
            if near in left:
                left.discard(near)
                joined.append(near)
                todo.append(near)
    return tuple(sorted(joined))
