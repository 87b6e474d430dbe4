"""Where the zones and variables of a game go: worked out once of its declarations and of what its `table` says."""

from __future__ import annotations

import re
from dataclasses import field, replace
from typing import Literal

from interpreter.setup import Setup
from interpreter.views.layout import Point, spread
from interpreter.views.table import words
from interpreter.views.table.faces import Faces
from interpreter.views.table.ties import Place, by_member, leads_to
from rulespec import ir
from rulespec.ir.printed import COLUMN, ROW
from rulespec.ir.walk import reachable_from, within
from rulespec.system.records import dataclass

LEAST = 6  # members of a type that is guessed to be a board
ON_A_BOARD = re.compile(r"([a-z])(\d{1,2})\Z")
PLAIN = ir.Spot("")
BY_PLACE = -1 << 30  # no slot of a position, nor of what is shown beside the variables
Region = Literal["map", "board", "piece", "seat", "centre", "table"]


@dataclass(frozen=True, slots=True)
class Entry:
    """A slot of a zone or variable: its name in observations, and where it goes.

    `at` is a seat, a thing, `centre` or `table`; `index` is the things that it is counted by, without the seat whose it is.  What is told
    of a hidden piece by its place has none, and `BY_PLACE` for a slot.
    """

    slot: int
    name: str
    region: Region
    at: str
    owner: str | None
    index: tuple[str, ...]
    words: str  # the index for people
    things: tuple[tuple[str, str], ...]  # the kinds and members of the index
    to: str | None = None  # the cell to which it is drawn as a line


@dataclass(frozen=True, slots=True)
class Board:
    """A kind that lies on a board: of each member that is on it its column from the left and its row from above, from 0.

    On a board of hexagons each row is moved by half a column to the one below.
    """

    kind: ir.Kind
    shape: str
    places: tuple[tuple[int, float, int], ...]  # member, column, row
    columns: int
    rows: int
    look: str
    number: int | None  # among the boards of the program
    answers: tuple[tuple[str, tuple[object, ...]], ...]  # sites whose answers stand for members: a value for each
    edges: tuple[tuple[str, int], ...] = ()  # whose they are


@dataclass(slots=True)
class Part:
    """A zone or variable with what is said of it, and its entries."""

    spot: ir.Spot
    label: str
    entries: tuple[Entry, ...]


@dataclass(slots=True)
class Plan:
    """What of the table does not depend on a position."""

    setup: Setup
    faces: Faces
    zones: list[tuple[ir.Zone, Part]] = field(default_factory=list)
    variables: list[tuple[ir.Variable, Part]] = field(default_factory=list)
    boards: dict[int, Board] = field(default_factory=dict)  # by kind
    parts: frozenset[int] = frozenset()  # the kinds of edges and corners of boards
    picture: ir.Picture | None = None  # without the lines that only tell what lies there
    positions: list[Point] = field(default_factory=list)  # of places, where the game does not say it

    @property
    def program(self) -> ir.Program:
        """The program."""
        return self.setup.program


def made(setup: Setup) -> Plan:
    """The plan of a game."""
    plan = Plan(setup, Faces(setup))
    program, table = setup.program, setup.program.table
    said = {
        name: {spot.name: spot for spot in spots} for name, spots in (("zones", table.zones), ("state", table.state))
    }
    plan.boards = boards(plan)
    plan.parts = frozenset(part.kind for board in program.boards for part in board.parts)
    plan.faces.ground.update(plan.boards)
    node = None if program.picture is None else program.picture.nodes
    for zone in program.zones:
        spot = said["zones"].get(zone.name, PLAIN)
        if spot.shown:
            plan.zones.append((zone, Part(spot, spot.title or words.plain(zone.name), entries(plan, zone, spot, node))))
    for variable in (*program.variables, *(one.told for one in program.shown)):
        spot = said["state"].get(variable.name, PLAIN)
        if variable.shown and spot.shown:
            part = Part(spot, spot.title or words.plain(variable.name), entries(plan, variable, spot, node))
            plan.variables.append((variable, part))
    if program.picture is not None:
        plan.picture, plan.positions = picture(plan, program.picture)
    return plan


def entries(plan: Plan, what: ir.Zone | ir.Variable, spot: ir.Spot, node: int | None) -> tuple[Entry, ...]:
    """Where each slot of a zone or variable goes."""
    setup, program = plan.setup, plan.program
    out = []
    cells: dict[int, dict[int, Place]] = {kind: by_member(board.places) for kind, board in plan.boards.items()}
    for slot, indices, name in setup.machine.sight.entries(what):
        keys = [(program.kinds[k], i) for k, i in zip(what.per, indices, strict=True)]
        owner = next((setup.seats[i] for k, i in keys if k.index == program.player_kind), None)
        rest = [(k, i) for k, i in keys if k.index != program.player_kind]
        region, at = place(plan, rest, owner, spot, node)
        out.append(
            Entry(
                slot,
                name,
                region,
                at,
                owner,
                tuple(f"{k.name}/{k.members[i]}" for k, i in rest),
                " ".join(k.labels[i] for k, i in rest),
                tuple((k.name, k.members[i]) for k, i in rest),
                leads_to(what, rest, cells.get(rest[0][0].index, {})) if region == "board" else None,
            )
        )
    for (_, indices, name), at_slot, number in setup.machine.sight.by_place(what):
        out.append(by_place(plan, what, indices, name, at_slot, number))
    return tuple(out)


def by_place(
    plan: Plan, what: ir.Zone | ir.Variable, indices: tuple[int, ...], name: str, at: int, number: int
) -> Entry:
    """Where that goes which is told of a hidden piece by its place: to whom it lies before, or on the table."""
    setup, program = plan.setup, plan.program
    zone, of = setup.machine.sight.places[at]
    keys = [(program.kinds[k], i) for k, i in zip(zone.per, of, strict=True)]
    keys += [(program.kinds[k], i) for k, i in zip(what.per, indices, strict=True) if k != zone.kind]
    owner = next((setup.seats[i] for k, i in keys if k.index == program.player_kind), None)
    labels = [k.labels[i] for k, i in keys if k.index != program.player_kind]
    text = " ".join((words.plain(zone.name), str(number), *labels))
    return Entry(BY_PLACE, name, "table" if owner is None else "seat", owner or "table", owner, (), text, ())


def place(
    plan: Plan, keys: list[tuple[ir.Kind, int]], owner: str | None, spot: ir.Spot, node: int | None
) -> tuple[Region, str]:
    """The region of the table, and what it lies at."""
    if not spot.at:
        for kind, number in keys:
            thing = f"{kind.name}/{kind.members[number]}"
            if kind.index == node:
                return "map", thing
            if kind.index in plan.boards or kind.index in plan.parts:
                return "board", thing
            if kind.location is not None:
                return "piece", thing
    if spot.at == "centre":
        return "centre", "centre"
    if owner is not None and spot.at != "table":
        return "seat", owner
    return "table", "table"


# --- boards -------------------------------------------------------------------------------------------------------------
def boards(plan: Plan) -> dict[int, Board]:
    """The kinds that lie on boards: those declared so, those said to, and those of which something is counted by column and row."""
    program = plan.program
    grids = {grid.kind: grid for grid in program.table.boards}
    out: dict[int, Board] = {}
    for number, board in enumerate(program.boards):
        kind = program.kinds[board.kind]
        hexagons = board.shape == "hex"
        places: list[tuple[int, float, int]] = [
            (member, column - 1 + (row - 1) / 2 if hexagons else column - 1, board.rows - row)
            for member, (column, row) in enumerate(board.places)
        ]
        out[kind.index] = whole(plan, kind, board.shape, places, grids.get(kind.index), number)
    parts: list[ir.Variable | ir.Zone] = [*program.variables, *program.zones]
    counted = {k for part in parts for k in part.per}
    for kind in program.kinds:
        grid = grids.get(kind.index)
        if kind.index in out:
            continue
        if grid is not None and grid.column is not None and grid.row is not None:
            out[kind.index] = whole(plan, kind, "square", said(plan, kind, grid), grid, None)
        elif kind.what in ("enum", "rows") and kind.index in counted and len(kind.members) >= LEAST:
            places = guessed(kind)
            if places:
                out[kind.index] = whole(plan, kind, "square", places, grid, None)
    return out


def said(plan: Plan, kind: ir.Kind, grid: ir.Grid) -> list[tuple[int, float, int]]:
    """The columns and rows that the game gives."""
    assert grid.column is not None and grid.row is not None
    value = plan.faces.value
    on = [n for n in range(len(kind.members)) if grid.test is None or value(grid.test, n)]
    return turned([(n, value(grid.column, n), value(grid.row, n)) for n in on], grid.up)


def guessed(kind: ir.Kind) -> list[tuple[int, float, int]]:
    """Columns and rows by fields, or by names such as b3; nothing where there are neither."""
    numbers = {f.name: f for f in kind.fields if f.type.what == "int"}
    column = next((numbers[name] for name in COLUMN if name in numbers), None)
    row = next((numbers[name] for name in ROW if name in numbers), None)
    if column is not None and row is not None:
        pairs = zip(column.values, row.values, strict=True)
        return turned([(n, x, y) for n, (x, y) in enumerate(pairs)], False)
    matches = [ON_A_BOARD.match(member) for member in kind.members]
    if all(matches):
        return turned([(n, ord(m[1]) - 97, int(m[2])) for n, m in enumerate(matches) if m], True)
    return []


def turned(places: list[tuple[int, int, int]], up: bool) -> list[tuple[int, float, int]]:
    """Columns and rows counted from 0, from the left and from above."""
    left = min((x for _, x, _ in places), default=0)
    low, high = min((y for *_, y in places), default=0), max((y for *_, y in places), default=0)
    return [(n, x - left, high - y if up else y - low) for n, x, y in places]


def whole(
    plan: Plan,
    kind: ir.Kind,
    shape: str,
    places: list[tuple[int, float, int]],
    grid: ir.Grid | None,
    number: int | None,
) -> Board:
    """A board with what is said of it."""
    value = plan.faces.value
    answers = tuple(
        (site, tuple(value(function, n) for n in range(len(kind.members))))
        for site, function in (() if grid is None else grid.answers)
    )
    seats = len(plan.setup.seats)
    edges = () if grid is None else tuple((edge, player) for edge, player in grid.edges if player < seats)
    columns = max((int(x) for _, x, _ in places), default=0) + 1
    rows = max((y for *_, y in places), default=0) + 1
    return Board(kind, shape, tuple(places), columns, rows, "" if grid is None else grid.look, number, answers, edges)


# --- the map --------------------------------------------------------------------------------------------------------------
def picture(plan: Plan, drawn: ir.Picture) -> tuple[ir.Picture, list[Point]]:
    """The picture of the map without the lines that only tell what lies at a place, and where places lie if nobody says it."""
    program = plan.program
    bases = {z.base for z, part in plan.zones if any(entry.region == "map" for entry in part.entries)}
    slots = {slot for zone, _ in plan.zones if zone.base in bases for slot in range(zone.base, zone.base + zone.size)}
    lines = tuple(line for line in drawn.lines if not shown_anyway(program, line, slots))
    positions: list[Point] = []
    if drawn.x is None or drawn.y is None:
        positions = spread(len(program.kinds[drawn.nodes].members), [(a, b) for a, b, _ in drawn.ends])
    return replace(drawn, lines=lines), positions


def shown_anyway(program: ir.Program, line: ir.Remark, slots: set[int]) -> bool:
    """Whether a line of a place tells only what zones hold that lie on the map."""
    parts = [part[0] for part in line.text.parts if not isinstance(part, str)]
    first = [call.function for call in within(tuple(parts)) if isinstance(call, ir.Invoke)]
    functions = reachable_from(
        first, lambda n: [e.function for e in within(program.functions[n]) if isinstance(e, ir.Invoke)]
    )
    bodies = [*parts, *(program.functions[n].body for n in functions)]
    read = [load.base for body in bodies for load in within(body) if isinstance(load, ir.Load)]
    return bool(read) and all(base in slots for base in read)


def plan_of(setup: Setup) -> Plan:
    """The plan of a game, made when it is first asked for, in each thread: what works texts out is of a thread."""
    kept = setup.workshop.kept
    if "table" not in kept:
        kept["table"] = made(setup)
    plan: Plan = kept["table"]
    return plan
