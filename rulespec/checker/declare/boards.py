"""Boards: their cells as members of a type, and the type of their directions."""

from __future__ import annotations

import re

from rulespec.checker import symbols
from rulespec.checker.boards import DIRECTION
from rulespec.checker.context import CheckContext
from rulespec.checker.kinds import add_member, check_name, new_kind, room
from rulespec.language.types import IntType
from rulespec.library.boards import OFFSETS, Offset
from rulespec.text.yaml_tree import MapNode, Node, ScalarNode

SIZE = re.compile(r"\s*(\d+)\s*x\s*(\d+)\s*\Z")
SIDE = re.compile(r"\s*(\d+)\s*\Z")
LONGEST = 40  # cells in a row or column
LABELS = {"n": "north", "e": "east", "s": "south", "w": "west"}


def declare(context: CheckContext) -> None:
    """The types of all boards, and that of their directions."""
    first: ScalarNode | None = None
    for key, node in context.section("boards"):
        if not check_name(context, key, "a board") or not isinstance(node, MapNode):
            continue
        shape, size = shape_of(context, key, node)
        if first is None:
            first = key
            directions(context, shape)
        elif shape != next(iter(context.boards.values())).shape:
            context.error(
                "E607",
                "the boards of a game are all square or all hex",
                key.span,
                related=[(first.span, "the first")],
            )
            continue
        board(context, key, node, shape, size)


def shape_of(context: CheckContext, key: ScalarNode, node: MapNode) -> tuple[str, Node | None]:
    """Whether a board is square or hex, and what is said of its size."""
    said = [shape for shape in OFFSETS if shape in node]
    if len(said) != 1:
        context.error(
            "E607", f"the board {key.value} is either square or hex", key.span, expected="square: 8 x 8 or hex: 11 x 11"
        )
    shape = said[0] if said else "square"
    return shape, node.get(shape)


def directions(context: CheckContext, shape: str) -> None:
    """The type of the directions."""
    kind = new_kind(context, DIRECTION, "enum", context.root.span)
    for name in OFFSETS[shape]:
        label = "-".join(LABELS[letter] for letter in name) if len(name) == 1 else LABELS[name[0]] + LABELS[name[1]]
        add_member(context, kind, name, label, context.root.span)


def size_of(context: CheckContext, shape: str, size: Node | None) -> tuple[int, int, int | None]:
    """Columns and rows of a board, and the side of a hexagon."""
    columns, rows, side = 1, 1, None
    if isinstance(size, ScalarNode):
        both, one = SIZE.match(size.value), SIDE.match(size.value) if shape == "hex" else None
        if both is not None:
            columns, rows = int(both[1]), int(both[2])
        elif one is not None:
            side = int(one[1])
            columns = rows = 2 * side - 1
        if (both or one) is None or not (1 <= columns <= LONGEST and 1 <= rows <= LONGEST):
            context.error(
                "E607",
                f"`{size.value}` is no size of a board: columns and rows are numbers from 1 to {LONGEST}",
                size.span,
                expected="8 x 8" if shape == "square" else "11 x 11, or 5 for a hexagon with sides of 5 cells",
            )
            return 1, 1, None
    return columns, rows, side


def column_name(number: int) -> str:
    """The letters of a column: a, b, ... z, aa, ab, ..."""
    return chr(96 + number) if number <= 26 else column_name((number - 1) // 26) + chr(97 + (number - 1) % 26)


def board(context: CheckContext, key: ScalarNode, node: MapNode, shape: str, size: Node | None) -> None:
    """One board: its type with a member for each cell, their columns and rows, and which way is forward."""
    columns, rows, side = size_of(context, shape, size)
    every = [(column, row) for column in range(1, columns + 1) for row in range(1, rows + 1)]
    if side is not None:
        every = [(column, row) for column, row in every if side < column + row < 3 * side]
    names = {f"{column_name(column)}{row}": (column, row) for column, row in every}
    left_out = set[str]()
    for word in context.words(node.get("without")):
        if word.value in names:
            left_out.add(word.value)
        else:
            context.unknown("E104", f"cell of {key.value}", word.value, word.span, names)
    kind = new_kind(context, key.value, "cell", key.span)
    kind.noun = "cell"
    places: list[Offset] = []
    for name, place in names.items():
        if name in left_out:
            continue
        full = room(context, kind) <= 0
        add_member(context, kind, name, name, key.span)  # one too many is reported, the rest need not be made
        if full:
            break
        places.append(place)
    if not places:
        context.error("E607", f"no cell of the board {key.value} is left", key.span)
    for number, (name, most) in enumerate((("column", columns), ("row", rows))):
        field = symbols.Field(name, IntType(1, most), [place[number] for place in places], key.span)
        kind.fields[name] = kind.attributes[name] = field
    wraps = node.get("wraps")
    round_ = wraps.value if isinstance(wraps, ScalarNode) else ""
    if side is not None and round_:
        context.error("E607", "a board that goes round has columns and rows", wraps.span if wraps else None)
    across, up = round_ in ("columns", "both"), round_ in ("rows", "both")
    context.boards[key.value] = symbols.Board(
        kind, shape, (shape, columns, rows, across, up, tuple(places), forward(context, node.get("forward")))
    )


def forward(context: CheckContext, node: Node | None) -> tuple[int, ...]:
    """The direction of each player; nothing where the board does not say it."""
    players, kind = context.kinds["Player"], context.kinds[DIRECTION]
    ways: dict[str, int] = {}
    for key, way in node.entries if isinstance(node, MapNode) else ():
        if key.value not in players.members:
            if any(found.code == "S010" for found in context.diagnostics):
                return ()  # the players are not known
            context.unknown("E104", "player", key.value, key.span, players.members)
        elif isinstance(way, ScalarNode) and way.value in kind.members:
            ways[key.value] = kind.members.index(way.value)
        else:
            said = way.value if isinstance(way, ScalarNode) else ""
            context.unknown("E104", "direction", said, way.span, kind.members, owner=DIRECTION)
            return ()
    missing = [name for name in players.members if name not in ways]
    if isinstance(node, MapNode) and missing and set(node.keys()) <= set(players.members):
        context.error("E608", f"the board does not say which way is forward for {missing[0]}", node.span)
    return () if missing else tuple(ways[name] for name in players.members)
