"""Functions of boards.  A board is given as a tuple, so that it can be a constant of a program; `Grid` looks things up in it.

Square boards have eight directions, clockwise from n; n leads to higher rows, e to higher columns.  Hex boards lean: each row
lies half a cell further right than the one below it, so that their six directions are those of the square but n and s.
"""

from __future__ import annotations

from functools import lru_cache

from rulespec.language import bounds
from rulespec.language.facts import C, CForm, Facts, Result
from rulespec.language.registry import function
from rulespec.system.records import dataclass

Cells = tuple[int, ...]
Offset = tuple[int, int]  # columns, rows
# Shape, columns, rows, whether columns and rows go round, of each cell its column and row, of each player his direction.
Board = tuple[str, int, int, bool, bool, tuple[Offset, ...], Cells]

OFFSETS: dict[str, dict[str, Offset]] = {
    "square": {
        "n": (0, 1), "ne": (1, 1), "e": (1, 0), "se": (1, -1), "s": (0, -1), "sw": (-1, -1), "w": (-1, 0), "nw": (-1, 1),
    },
    "hex": {"ne": (0, 1), "e": (1, 0), "se": (1, -1), "sw": (0, -1), "w": (-1, 0), "nw": (-1, 1)},
}  # fmt: skip
SETS = {"orthogonal": ("n", "e", "s", "w"), "diagonal": ("ne", "se", "sw", "nw")}  # of directions, on square boards


@dataclass(frozen=True, slots=True)
class Grid:
    """A board with its cells by place; hashed by itself, as there is one for each board."""

    columns: int
    rows: int
    goes_round: tuple[bool, bool]
    places: tuple[Offset, ...]
    offsets: tuple[Offset, ...]
    cells: dict[Offset, int]
    hexagonal: bool

    def at(self, cell: int, offset: Offset) -> int | None:
        """The cell so far away from another; None where there is none."""
        column, row = self.places[cell]
        column, row = column + offset[0], row + offset[1]
        if self.goes_round[0]:
            column = (column - 1) % self.columns + 1
        if self.goes_round[1]:
            row = (row - 1) % self.rows + 1
        return self.cells.get((column, row))

    def ray(self, cell: int, direction: int) -> Cells:
        """The cells one after another in a direction, up to the edge or round to the first."""
        cells: list[int] = []
        here = self.at(cell, self.offsets[direction])
        while here is not None and here != cell:
            cells.append(here)
            here = self.at(here, self.offsets[direction])
        return tuple(cells)

    def direction(self, a: int, b: int) -> int | None:
        """The direction in which one cell is seen from another; None where no straight line of cells leads there."""
        if any(self.goes_round):
            return next((d for d in range(len(self.offsets)) if b in self.ray(a, d)), None)
        (x, y), (column, row) = self.places[a], self.places[b]
        steps = max(abs(column - x), abs(row - y))
        if steps == 0 or (column - x) % steps or (row - y) % steps:
            return None
        offset = ((column - x) // steps, (row - y) // steps)
        if offset not in self.offsets:
            return None
        way = ((x + offset[0] * n, y + offset[1] * n) for n in range(1, steps))
        return self.offsets.index(offset) if all(place in self.cells for place in way) else None

    def around(self, cell: int, directions: Cells) -> Cells:
        """The cells one step away in some directions, ascending."""
        near = {self.at(cell, self.offsets[d]) for d in directions}
        return tuple(sorted(c for c in near if c is not None and c != cell))


def column_name(number: int) -> str:
    """The letters of a column: a, b, ... z, aa, ab, ..."""
    return chr(96 + number) if number <= 26 else column_name((number - 1) // 26) + chr(97 + (number - 1) % 26)


@lru_cache(maxsize=64)
def grid(board: Board) -> Grid:
    """The board with what is looked up in it."""
    shape, columns, rows, wide, high, places, _ = board
    cells = {place: cell for cell, place in enumerate(places)}
    return Grid(columns, rows, (wide, high), places, tuple(OFFSETS[shape].values()), cells, shape == "hex")


def every(board: Board) -> Cells:
    """All directions of a board."""
    return tuple(range(len(OFFSETS[board[0]])))


@function(
    "step(cell: Cell, direction: Direction) -> Cell or none",
    hidden=("board",),
    examples={"step(b2, n)": "b3", "step(b2, se)": "c1", "step(b2, s)": "b1", "step(a1, w)": "none"},
    facts=Facts(total=True, memo=True),
)
def step(cell: int, direction: int, board: Board) -> int | None:
    """The next cell in a direction; none beyond the edge."""
    layout = grid(board)
    return layout.at(cell, layout.offsets[direction])


@function(
    "ray(cell: Cell, direction: Direction) -> list of Cell",
    hidden=("board",),
    examples={"ray(b2, ne)": "list(c3, d4)", "size(ray(a1, w))": "0"},
    facts=Facts(result=Result.COLLECTION, total=True, others=True, heavy=True, memo=True),
)
def ray(cell: int, direction: int, board: Board) -> Cells:
    """The cells in a direction, one after another, up to the edge; on a board that goes round, up to the cell itself."""
    return grid(board).ray(cell, direction)


@function(
    "direction(a: Cell, b: Cell) -> Direction or none",
    hidden=("board",),
    examples={"direction(a1, d4)": "ne", "direction(b4, b1)": "s", "direction(a1, b3)": "none"},
    facts=Facts(total=True, heavy=True, memo=True),
)
def direction(a: int, b: int, board: Board) -> int | None:
    """The direction in which one cell is seen from another; none where no straight line leads there."""
    return grid(board).direction(a, b)


@function(
    "between(a: Cell, b: Cell) -> list of Cell",
    hidden=("board",),
    examples={"between(a1, a4)": "list(a2, a3)", "size(between(a1, b3))": "0"},
    facts=Facts(result=Result.LINE, total=True, heavy=True, memo=True, c=C(form=CForm.BETWEEN)),
)
def between(a: int, b: int, board: Board) -> Cells:
    """The cells on the straight line from one cell to another, without both ends; none where there is no such line."""
    way = direction(a, b, board)
    if way is None:
        return ()
    cells = grid(board).ray(a, way)
    return cells[: cells.index(b)]


@function(
    "same_line(a: Cell, b: Cell) -> Yes or no",
    hidden=("board",),
    examples={"same_line(a1, c3)": "yes", "same_line(a1, b3)": "no"},
    facts=Facts(result=bounds.yes_or_no, total=True, heavy=True, memo=True),
)
def same_line(a: int, b: int, board: Board) -> bool:
    """Whether a straight line, in any direction of the board, leads from one cell to another."""
    return direction(a, b, board) is not None


@function(
    "neighbours(cell: Cell) -> set of Cell",
    hidden=("board",),
    examples={"neighbours(a1)": "set(a2, b1, b2)"},
    facts=Facts(result=Result.COLLECTION, total=True, others=True, memo=True),
)
def neighbouring(cell: int, board: Board) -> Cells:
    """The cells next to a cell, in all directions of the board."""
    return grid(board).around(cell, every(board))


@function(
    "neighbours(cell: Cell, directions: set of Direction) -> set of Cell",
    hidden=("board",),
    examples={"neighbours(a1, orthogonal)": "set(a2, b1)", "neighbours(b1, set(nw, ne))": "set(a2, c2)"},
    facts=Facts(result=Result.CELLS, total=True, others=True, memo=True, c=C(form=CForm.NEIGHBOURS_IN)),
)
def neighbouring_in(cell: int, directions: Cells, board: Board) -> Cells:
    """The cells next to a cell, in some directions."""
    return grid(board).around(cell, directions)


@function(
    "distance(a: Cell, b: Cell) -> 0..",
    hidden=("board",),
    examples={"distance(a1, c4)": "3", "distance(b2, b2)": "0"},
    facts=Facts(total=True, memo=True),
)
def steps_between(a: int, b: int, board: Board) -> int:
    """How many steps lead from one cell to another on the empty board, as if no cell were left out of it."""
    layout = grid(board)
    (x, y), (column, row) = layout.places[a], layout.places[b]
    across = (
        (column - x, column - x - layout.columns, column - x + layout.columns)
        if layout.goes_round[0]
        else (column - x,)
    )
    up = (row - y, row - y - layout.rows, row - y + layout.rows) if layout.goes_round[1] else (row - y,)
    return min(max(abs(i), abs(j), abs(i + j) if layout.hexagonal else 0) for i in across for j in up)


@function(
    "opposite(direction: Direction) -> Direction",
    hidden=("board",),
    examples={"opposite(ne)": "sw"},
    facts=Facts(instant=True, total=True),
)
def opposite(direction: int, board: Board) -> int:
    """The direction that leads back."""
    size = len(every(board))
    return (direction + size // 2) % size


@function(
    "turn(direction: Direction, steps: Number) -> Direction",
    hidden=("board",),
    examples={"turn(n, 1)": "ne", "turn(n, -2)": "w"},
    facts=Facts(instant=True, total=True),
)
def turn(direction: int, steps: int, board: Board) -> int:
    """The direction so many steps further clockwise, an eighth of a turn each on square boards and a sixth on hex boards."""
    return (direction + steps) % len(every(board))


@function(
    "leap(cell: Cell, columns: Number, rows: Number) -> Cell or none",
    hidden=("board",),
    examples={"leap(b2, 1, 2)": "c4", "leap(b2, 0, -2)": "none"},
    facts=Facts(total=True, memo=True),
)
def leap(cell: int, columns: int, rows: int, board: Board) -> int | None:
    """The cell so many columns to the right and rows further up; none where there is none."""
    return grid(board).at(cell, (columns, rows))


@function(
    "leaps(cell: Cell, columns: Number, rows: Number) -> set of Cell",
    hidden=("board",),
    examples={"leaps(a1, 1, 2)": "set(b3, c2)"},
    facts=Facts(result=Result.COLLECTION, total=True, others=True, memo=True),
)
def leaps(cell: int, columns: int, rows: int, board: Board) -> Cells:
    """The cells that a leap of this size reaches in any direction, turned and mirrored: a knight's are `leaps(cell, 1, 2)`."""
    layout = grid(board)
    reached: set[int | None] = set()
    for x, y in ((columns, rows), (rows, columns)):
        for _ in range(6 if layout.hexagonal else 4):
            reached.add(layout.at(cell, (x, y)))
            x, y = (-y, x + y) if layout.hexagonal else (-y, x)
    return tuple(sorted(c for c in reached if c is not None and c != cell))


@function(
    "lines(size: 1..) -> list of list of Cell",
    hidden=("board",),
    examples={"size(lines(4))": "10", "size(lines(3))": "24"},
    facts=Facts(result=Result.COLLECTION, total=True, heavy=True, memo=True),
)
def lines(size: int, board: Board) -> tuple[Cells, ...]:
    """All straight lines of so many cells, each once, from its first cell on."""
    return all_lines(max(size, 1), board)


@lru_cache(maxsize=64)
def all_lines(size: int, board: Board) -> tuple[Cells, ...]:
    """The same, kept: every cell asks for them again when a table is made of them."""
    layout = grid(board)
    by_cells: dict[Cells, Cells] = {}
    for cell in range(len(layout.places)):
        for way in every(board):
            line = (cell, *layout.ray(cell, way)[: size - 1])
            if len(line) == size:
                by_cells.setdefault(tuple(sorted(line)), line)
    return tuple(sorted(by_cells.values()))


@function(
    "lines(cell: Cell, size: 1..) -> list of list of Cell",
    hidden=("board",),
    examples={"size(lines(b2, 4))": "3"},
    facts=Facts(result=Result.COLLECTION, total=True, heavy=True, memo=True),
)
def lines_through(cell: int, size: int, board: Board) -> tuple[Cells, ...]:
    """The straight lines of so many cells that a cell is in."""
    return tuple(line for line in lines(size, board) if cell in line)


@function(
    "edge(direction: Direction) -> set of Cell",
    hidden=("board",),
    examples={"edge(n)": "set(a4, b4, c4, d4)"},
    facts=Facts(result=Result.COLLECTION, total=True, memo=True),
)
def edge(direction: int, board: Board) -> Cells:
    """The cells from which no step leads in a direction."""
    layout = grid(board)
    return tuple(c for c in range(len(layout.places)) if layout.at(c, layout.offsets[direction]) is None)


@function(
    "corners() -> set of Cell",
    hidden=("board",),
    examples={"corners()": "set(a1, a4, d1, d4)"},
    facts=Facts(result=Result.COLLECTION, total=True, memo=True),
)
def corners(board: Board) -> Cells:
    """The cells where two sides of the board meet."""
    layout = grid(board)
    ways = every(board)
    apart, wanted = (1, 3) if layout.hexagonal else (2, 2)
    cells = []
    for cell in range(len(layout.places)):
        off = [layout.at(cell, layout.offsets[d]) is None for d in ways]
        runs = [
            all(off[(d + i * apart) % len(ways)] for i in range(wanted)) for d in ways[:: 1 if layout.hexagonal else 2]
        ]
        if any(runs):
            cells.append(cell)
    return tuple(cells)


@function(
    "forward(p: Player) -> Direction",
    hidden=("board",),
    examples={"forward(p2)": "s"},
    facts=Facts(instant=True, total=True),
)
def forward(player: int, board: Board) -> int:
    """The direction that is forward for a player, as the board says under `forward`."""
    return board[6][player]


@function(
    "group(cell: Cell, cells: set of Cell) -> set of Cell",
    hidden=("board",),
    examples={"group(a1, set(a1, a2, b3, d4))": "set(a1, a2, b3)", "size(group(b2, c in Square where c.row < 3))": "8"},
    facts=Facts(result=Result.CELLS, total=True, heavy=True, c=C(form=CForm.GROUP)),
)
def group(cell: int, cells: Cells, board: Board) -> Cells:
    """The cells of a set that hang together with a cell of it, in all directions of the board; none if it is not in the set.

    Places of a map hang together by its links, edges of a board by the corners that they share, and corners by edges.
    """
    return group_in(cell, cells, every(board), board)


@function(
    "group(cell: Cell, cells: set of Cell, directions: set of Direction) -> set of Cell",
    hidden=("board",),
    examples={"group(a1, set(a1, a2, b3, d4), orthogonal)": "set(a1, a2)"},
    facts=Facts(result=Result.CELLS, total=True, heavy=True, c=C(form=CForm.GROUP)),
)
def group_in(cell: int, cells: Cells, directions: Cells, board: Board) -> Cells:
    """The cells of a set that hang together with a cell of it, in some directions."""
    left, layout = set(cells), grid(board)
    if cell not in left:
        return ()
    left.discard(cell)
    joined, todo = [cell], [cell]
    while todo:
        for near in layout.around(todo.pop(), directions):
            if near in left:
                left.discard(near)
                joined.append(near)
                todo.append(near)
    return tuple(sorted(joined))
