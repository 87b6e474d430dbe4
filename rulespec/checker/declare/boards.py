"""Boards: their cells as members of a type, and the type of their directions."""

from __future__ import annotations

import re
from itertools import product

from rulespec.checker import symbols
from rulespec.checker.boards import DIRECTION
from rulespec.checker.context import CheckContext
from rulespec.checker.declare import parts
from rulespec.checker.kinds import add_member, check_name, new_kind, room
from rulespec.language.types import IntType
from rulespec.library.boards import OFFSETS, Offset, column_name
from rulespec.system.records import dataclass
from rulespec.text.numbers import spelling, whole
from rulespec.text.quoting import ticked
from rulespec.text.yaml_tree import MapNode, Node, ScalarNode

SIZE = re.compile(r"([0-9]+)\s*x\s*([0-9]+)\Z|(\w+)\s+x\s+(\w+)\Z")
SIGNS = re.compile(r"\s*(\w+)\s*[*×,/X]\s*(\w+)\s*")  # two numbers with another sign between them
SIDE = re.compile(r"\w+\Z")
LONGEST = 40  # cells in a row or column
SHADES = {"dark": 0, "light": 1}  # of a cell: the remainder of column and row by two
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


@dataclass(frozen=True, slots=True)
class Size:
    """Columns and rows of a board, and the side of a hexagon."""

    columns: int
    rows: int
    side: int | None = None

    def cells(self) -> dict[str, Offset]:
        """The cells by name."""
        every = product(range(1, self.columns + 1), range(1, self.rows + 1))
        side = self.side
        return {
            f"{column_name(column)}{row}": (column, row)
            for column, row in every
            if side is None or side < column + row < 3 * side
        }


STAND_IN = Size(8, 8)  # of a board whose size is reported: rules that speak of its cells are not wrong for that


def sizes_of(context: CheckContext, shape: str, size: Node | None) -> tuple[Size, Size]:
    """The size of a board, and the largest that options allow."""
    if not isinstance(size, ScalarNode):
        context.unsized = True
        return STAND_IN, STAND_IN
    both, one = SIZE.match(size.value.strip()), SIDE.match(size.value.strip()) if shape == "hex" else None
    words = [word for word in both.groups() if word] if both is not None else [one[0]] if one is not None else []
    most = (LONGEST + 1) // 2 if one is not None else LONGEST
    numbers = [number_of(context, word, size, most) for word in words]
    if not words:
        context.error(
            "E607",
            f"{ticked(size.value)} is no size of a board: columns and rows are numbers from 1 to {LONGEST}, or options",
            size.span,
            expected="8 x 8" if shape == "square" else "11 x 11, or 5 for a hexagon with sides of 5 cells",
            help=[f"did you mean {ticked(' x '.join(two.groups()))}?"] if (two := SIGNS.fullmatch(size.value)) else [],
        )
    if not words or None in numbers:
        context.unsized = True
        return STAND_IN, STAND_IN
    chosen, largest = zip(*(pair for pair in numbers if pair is not None), strict=True)
    if both is not None:
        return Size(*chosen), Size(*largest)
    return Size(2 * chosen[0] - 1, 2 * chosen[0] - 1, chosen[0]), Size(
        2 * largest[0] - 1, 2 * largest[0] - 1, largest[0]
    )


def number_of(context: CheckContext, word: str, size: ScalarNode, most: int) -> tuple[int, int] | None:
    """A number of a board's size, twice, or that to which an option is set and its largest; reports one that is out of range."""
    option = context.options.get(word)
    number = whole(word)
    if number is None and option is None:
        context.unknown("E104", "option", word, size.span, context.options, hint="".join(spelling(word)))
        return None
    words = (word,) if option is None else option.words
    wrong = next((one for one in words if not 1 <= (whole(one) or 0) <= most), None)
    if wrong is not None:
        said = wrong if option is None else f"{word} = {wrong}"
        message = f"{ticked(said)} is no size of a board: it is a number from 1 to {most}"
        context.error("E607", message, size.span, related=() if option is None else [(option.span, "the option")])
        return None
    if option is None:
        return None if number is None else (number, number)
    context.used.add(word)
    context.sizing[word] = None
    return int(context.chosen.get(word, option.default)), max(map(int, words))


def board(context: CheckContext, key: ScalarNode, node: MapNode, shape: str, size: Node | None) -> None:
    """One board: its type with a member for each cell, their columns and rows, and which way is forward."""
    sizes, largest = sizes_of(context, shape, size)
    columns, rows, names, known = sizes.columns, sizes.rows, sizes.cells(), largest.cells()
    left_out, shades = set[str](), SHADES if shape == "square" else {}
    for word in context.words(node.get("without")):
        if word.value in known:
            left_out.add(word.value)
        elif word.value in shades:
            left_out.update(name for name, place in known.items() if sum(place) % 2 == shades[word.value])
        else:
            context.unknown("E104", f"cell of {key.value}", word.value, word.span, [*known, *shades])
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
    if sizes.side is not None and round_:
        context.error("E607", "a board that goes round has columns and rows", wraps.span if wraps else None)
    across, up = round_ in ("columns", "both"), round_ in ("rows", "both")
    made = symbols.Board(
        kind, shape, (shape, columns, rows, across, up, tuple(places), forward(context, node.get("forward")))
    )
    context.boards[key.value] = made
    parts.declare(context, node, made)


def forward(context: CheckContext, node: Node | None) -> tuple[int, ...]:
    """The direction of each player; nothing where the board does not say it."""
    players, kind = context.kinds["Player"], context.kinds[DIRECTION]
    ways: dict[str, int] = {}
    for key, way in node.entries if isinstance(node, MapNode) else ():
        if key.value not in players.members:
            if any(finding.code == "S010" for finding in context.diagnostics):
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
