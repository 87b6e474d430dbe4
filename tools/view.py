"""A position as text, as one seat may see it.

Everything here is made from `State.observation`, the one place that knows what a seat may see; the
program only tells how its parts belong together and what they are called.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import lru_cache
from itertools import groupby
from typing import Any, NamedTuple, assert_never

from interpreter import Game, State
from interpreter.views.boards import BoardView
from interpreter.views.scores import sheet
from rulespec import ir
from rulespec.ir.wording import joined

from . import console
from .report import counted

HIDDEN = "?"
EMPTY = "–"
INDENT = "  "


class Section(NamedTuple):
    """What lies at one place, the table or a player: a title, none where the rows say it, and the lines of each row by its name."""

    place: str
    title: str | None
    rows: dict[str, list[str]]

    @property
    def lines(self) -> list[str]:
        """All of it."""
        return [*([] if self.title is None else [self.title]), *(line for row in self.rows.values() for line in row)]

    def since(self, before: Section | None) -> list[str]:
        """The rows that are otherwise than before, marked, and those of which nothing is left."""
        old = {} if before is None else before.rows
        lines = []
        for name, row in self.rows.items():
            if words_of(row) != words_of(old.get(name, [])):
                lines += [changed(row[0]), *row[1:]]
        lines += [changed(f"{INDENT}{name}  {EMPTY}") for name in old if name not in self.rows]
        return lines if self.title is None or not lines else [self.title, *lines]


def words_of(row: list[str]) -> list[str]:
    """What a row says, however it is folded."""
    return " ".join(row).split()


def describe(game: Game, seen: dict[str, Any], told: frozenset[int] = frozenset()) -> list[str]:
    """What a seat sees, in lines: see `sections`."""
    return [line for section in sections(game, seen, told) for line in section.lines]


def sections(
    game: Game,
    seen: dict[str, Any],
    told: frozenset[int] = frozenset(),
    scores: Sequence[Sequence[tuple[str, str]]] = (),
) -> list[Section]:
    """What a seat sees: the table first, then the others, each in brief, then its own things; of each seat first its `scores`.

    What is empty is left out, and so are the slots that were `told` otherwise, and what the game's `table` does not show.
    """
    places: dict[int | None, list[tuple[str, str]]] = {seat: list(own) for seat, own in enumerate(scores)}
    scored = {(seat, label.casefold(), text) for seat, own in enumerate(scores) for label, text in own}
    hints = {
        what: {spot.name: spot for spot in spots}
        for what, spots in ((ir.Variable, game.program.table.state), (ir.Zone, game.program.table.zones))
    }
    parts: list[ir.Variable | ir.Zone] = [*(v for v in game.program.variables if v.shown)]
    parts += [one.told for one in game.program.shown]
    parts += game.program.zones
    for part in parts:
        hint = hints[type(part)].get(part.name)
        if hint is not None and not hint.shown:
            continue
        title = hint.title if hint is not None and hint.title else plain_name(part.name)
        for player, text in entries(game, part, seen, told):
            if text != EMPTY and (player, title.casefold(), text) not in scored:
                places.setdefault(player, []).append((title, text))
    you = game.seats.index(seen["you"]) if seen["you"] in game.seats else None
    remembered = known(game, seen)
    if remembered and you is not None:
        places.setdefault(you, []).append(("you know", remembered))
    order = [None, *(p for p in range(game.num_players) if p != you)]
    out: list[Section] = []
    for player in order if you is None else [*order, you]:
        rows = places.get(player, [])
        if player is None:
            title = console.paint("Table", "bold", "blue")
        elif player == you:
            name = console.printable(game.seat_labels[player])
            title = console.paint(f"{name} (you)", "bold", "green")
        else:
            name = console.printable(game.seat_labels[player])
            out += [Section(name, None, {name: in_brief(name, rows)})] if rows else []
            continue
        if rows:
            out.append(Section(console.bare(title), title, table(rows)))
    return out


def in_brief(name: str, rows: list[tuple[str, str]]) -> list[str]:
    """Another player's things, one after the other."""
    text = console.printable(f"{name}: " + "; ".join(f"{label} {text}" for label, text in rows))
    first, *more = console.wrapped(text, INDENT * 2)
    first = first[len(INDENT * 2) :]
    return [console.paint(name, "bold", "cyan") + first[len(name) :], *more]


def table(rows: list[tuple[str, str]]) -> dict[str, list[str]]:
    """Names and texts under each other."""
    size = min(max(len(name) for name, _ in rows), 24)
    lines: dict[str, list[str]] = {}
    for name, text in rows:
        hanging = INDENT + " " * (size + 2)
        wrapped = console.wrapped(console.printable(text), hanging) or [hanging]
        title = f"{INDENT}{name}  " if len(name) > size else f"{INDENT}{name.ljust(size)}  "
        first = wrapped[0][len(hanging) :]
        lines.setdefault(name, []).extend([console.paint(title, "dim") + first, *wrapped[1:]])
    return lines


def changed(line: str) -> str:
    """A line marked as changed."""
    head, indent, rest = line.partition(INDENT)
    mark = console.paint("*", "yellow")
    return f"{head}{mark} {rest}" if indent and not console.bare(head) else f"{line} {mark}"


def entries(
    game: Game, declared: ir.Zone | ir.Variable, seen: dict[str, Any], told: frozenset[int] = frozenset()
) -> Iterator[tuple[int | None, str]]:
    """(player, text) of a zone or variable, with all that is one player's in one text, without the slots that were told."""
    part = seen["zones"] if isinstance(declared, ir.Zone) else seen["state"]
    program = game.program
    groups: dict[int | None, list[tuple[str, Any]]] = {}
    for slot, indices, name in game.machine.sight.entries(declared):
        if name not in part or slot in told:
            continue
        player: int | None = None
        labels = []
        for kind, index in zip(declared.per, indices, strict=True):
            if kind == program.player_kind and player is None:
                player = index
            else:
                labels.append(program.kinds[kind].labels[index])
        groups.setdefault(player, []).append((" ".join(labels), part[name]))
    for (_, _, name), at, number in game.machine.sight.by_place(declared):
        if name in part:
            zone, of = game.machine.sight.places[at]
            owner = of[0] if zone.per[:1] == (program.player_kind,) else None
            groups.setdefault(owner, []).append((f"{plain_name(zone.name)} {number}", part[name]))
    for player, values in groups.items():
        texts = []
        for label, value in values:
            if isinstance(declared, ir.Zone):
                text = pieces(program.kinds[declared.kind], declared.order == "pile", value)
            else:
                text = shown(program, declared.type, value)
            if not label:
                texts.append(text)
            elif value not in (0, None, False) and text != EMPTY:
                texts.append(whole(f"{label} {text}") if len(label) + len(text) < 40 else f"{label} {text}")
        yield player, "; ".join(texts) or EMPTY


def pieces(kind: ir.Kind, ordered: bool, content: Any) -> str:
    """What lies in a zone: `Red 3, Red 7, 5 hidden`; of a pile the top one last."""
    if isinstance(content, dict):
        return bag(kind, content)
    labels = [None if item == HIDDEN else label(kind, item) for item in content]
    if ordered:
        groups = [(name, len(list(same))) for name, same in groupby(labels)]
    else:
        groups = [(name, labels.count(name)) for name in dict.fromkeys(labels)]
    texts = [whole(f"{count} hidden" if name is None else times(kind, name, count)) for name, count in groups]
    if ordered and len(groups) > 1 and groups[-1][0] is not None:
        texts[-1] += whole(" (top)")
    return joined(texts) or EMPTY


def times(kind: ir.Kind, name: str, count: int) -> str:
    """`Warg`, `3 Wargs`, or without a plural `Warg ×3`."""
    if count == 1:
        return name
    plural = kind.plurals[kind.labels.index(name)] if kind.plurals and name in kind.labels else ""
    return f"{count} {plural}" if plural else f"{name} ×{count}"


def bag(kind: ir.Kind, counts: dict[str, int]) -> str:
    """`2 Orcs, 1 Warg`."""
    return (
        joined(
            [
                whole(f"{number} hidden" if item == HIDDEN else kind.counted(number, kind.members.index(item)))
                for item, number in counts.items()
                if number
            ]
        )
        or EMPTY
    )


def shown(program: ir.Program, printer: ir.Type, value: Any) -> str:
    """A variable's value, as an observation has it."""
    if value is None:
        return EMPTY
    if value == HIDDEN:
        return "hidden"
    match printer.what:
        case "bool":
            return "yes" if value else "no"
        case "entity":
            return label(program.kinds[printer.kind or 0], value)
        case "bag":
            return bag(program.kinds[printer.kind or 0], value)
        case "option":
            return shown(program, printer.parts[0], value)
        case "set" | "list":
            return joined([shown(program, printer.parts[0], item) for item in value]) or EMPTY
        case "record":
            parts = zip(printer.names, printer.parts, strict=True)
            return joined([f"{n} {shown(program, part, value[n])}" for n, part in parts])
    return str(value)


def map_of(
    state: State, seat: int | None, large: bool, before: Sequence[BoardView] = ()
) -> tuple[list[str], frozenset[int], tuple[BoardView, ...]]:
    """The map and the boards as a seat sees them, none where there are none, the slots that they tell, and the boards.

    What has changed on the boards since they were as `before` is marked.
    """
    from .maps import board_text, text

    picture = state.picture(seat)
    lines = [] if picture is None else text.lines_of(picture, console.width(), large)
    told = frozenset[int]() if picture is None else picture.told
    boards = state.boards(seat)
    new = board_text.changes(before, boards) if before else {}
    for board in boards:
        drawn = board_text.lines_of(board, console.width(), new.get(board.name, frozenset()), len(boards) > 1)
        lines += [*([""] if lines and drawn else []), *drawn]
        told |= board.told if drawn else frozenset()
    return lines, told, boards


def known(game: Game, seen: dict[str, Any]) -> str:
    """Pieces that the seat once saw, where their zone does not show them."""
    names = {
        member: kind.labels[i]
        for kind in game.program.kinds
        if kind.location is not None
        for i, member in enumerate(kind.members)
    }
    return joined(
        [
            f"{names.get(piece, piece)} in {place(game, zone)}"
            for piece, zone in seen.get("known", {}).items()
            if piece not in seen["zones"].get(zone, ())
        ]
    )


def place(game: Game, name: str) -> str:
    """A zone's name in an observation, in words: `hand of Ann`."""
    zone, *indices = name.split(".")
    labels = dict(zip(game.seats, game.seat_labels, strict=True))
    owners = " ".join(labels.get(index, plain_name(index)) for index in indices)
    return plain_name(zone) + (f" of {owners}" if owners else "")


def whole(text: str) -> str:
    """A text that no line break parts."""
    return text.replace(" ", console.NO_BREAK)


def label(kind: ir.Kind, member: str) -> str:
    """How a member of a kind is called at the table."""
    return labels_of(kind).get(member, member)


@lru_cache(maxsize=256)
def labels_of(kind: ir.Kind) -> dict[str, str]:
    return dict(zip(kind.members, kind.labels, strict=True))


def plain_name(name: str) -> str:
    """`draw_pile` as words."""
    return name.replace("_", " ")


def about(game: Game, texts: Sequence[str]) -> list[str]:
    """What a game says of itself, and what is counted at its end, as paragraphs."""
    counted_at_end = ", ".join(console.printable(name) for name, _ in game.program.score)
    options = ", ".join(f"{plain_name(name)}: {plain_name(str(value))}" for name, value in game.program.settings)
    return [
        *(console.printable(text) for text in texts),
        *([f"Counted at the end: {counted_at_end}."] if counted_at_end else []),
        *([f"Played with {options}."] if options else []),
        *([] if texts or counted_at_end else ["Nothing is said about this game."]),
    ]


def rulings(game: Game) -> list[tuple[str, str]]:
    """The rulings that a game lists, each with what it is cited by; of texts with lines only the title is known."""
    return [
        (console.printable(source.id), console.printable(source.text))
        for source in game.program.table.sources
        if not source.lines
    ]


def result(game: Game, state: State) -> list[str]:
    """Who won, and the score sheet, of a game that is over: a line for each player, or a column where that is too wide."""
    labels = [console.printable(name) for name in game.seat_labels]
    returns = state.returns()
    outcome = state.outcome()
    names = [labels[seat] for seat in outcome.winners]
    match outcome.kind:
        case "all" if len(names) > 1:
            title = "All have won together."
        case "some" | "all":
            title = f"{'Winner' if len(names) == 1 else 'Winners'}: {' and '.join(names)}"
        case "lost":
            title = "Nobody wins: all have lost."
        case "draw":
            title = "Nobody wins: it is a draw."
        case never:
            assert_never(never)
    columns = [
        (console.printable(label), [EMPTY if cell is None else cell for cell in cells]) for label, cells in sheet(state)
    ]
    rows = [["", "result", *(name for name, _ in columns)]]
    for seat, name in enumerate(labels):
        rows.append([name, str(returns[seat]), *(values[seat] for _, values in columns)])
    lines = aligned(rows)
    if any(len(INDENT + line) > console.width() for line in lines):
        lines = aligned([list(column) for column in zip(*rows, strict=True)])
    answers = sum(1 for actor, *_ in state.answers() if actor >= 0)
    return [
        f"The game is over after {counted(answers, 'decision')}.",
        console.paint(title, "bold", "green"),
        *(INDENT + line for line in lines),
    ]


def replayed(game: Game, state: State) -> list[str]:
    """The last lines of a game that was played before: its result, or that it breaks off."""
    return result(game, state) if state.is_terminal() else ["The transcript ends before the game does."]


def aligned(rows: list[list[str]]) -> list[str]:
    """The lines of a sheet: names on the left, numbers on the right."""
    return console.columns(rows, right=frozenset(range(1, len(rows[0]))))
