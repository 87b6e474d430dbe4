"""Procedures, functions and rules, what the state is made of, and the whole program."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import field
from typing import Literal

from rulespec.ir.expressions import (
    Const,
    Expr,
    Value,
)
from rulespec.ir.instructions import Ask, Instruction, NextRule
from rulespec.ir.pictures import Picture, Scale
from rulespec.ir.questions import Branch, Site
from rulespec.ir.table import Table
from rulespec.ir.types import ANY, Type
from rulespec.system.records import dataclass
from rulespec.text.source import Span

NOTHING_SAID = Table()  # of how the table is shown
MOST_DECISIONS = 100_000  # of a game whose rules do not say how many


@dataclass(frozen=True, slots=True)
class Region:
    """A stretch of a procedure (`start <= position < end`) that must not be left without its handler.

    `Unwind(target)` looks for the innermost region (the last in the list) around the position where each frame waits, from
    the top frame down.  It drops the frames above, puts into local `index` None if `name == target`, else `target`, and goes
    on at `handler`; only locals below `index` are alive there.  `name` None: nobody's target, only passed through.
    """

    start: int
    end: int
    handler: int
    index: int
    name: int | None


@dataclass(frozen=True, slots=True)
class Procedure:
    """Flat code; `locals` are the types of its locals, of which its parameters are the first."""

    name: str
    parameters: int
    locals: tuple[Type, ...]
    code: tuple[Instruction, ...]
    regions: tuple[Region, ...] = ()
    where: Span | None = field(default=None, compare=False)
    result: Type = ANY


@dataclass(frozen=True, slots=True)
class Function:
    """A pure function: an expression over its parameters, its first locals."""

    name: str
    parameters: int
    locals: tuple[Type, ...]
    body: Expr
    where: Span | None = field(default=None, compare=False)
    result: Type = ANY


@dataclass(frozen=True, slots=True)
class Rule:
    """Who reacts to an event: `alive`, `test`, `player` are functions of the instance's arguments, the last two also of the event's."""

    index: int
    name: str
    source: Literal["plain", "pieces", "lasting"]
    pieces: tuple[int, ...]  # source "pieces"
    lasting: int | None  # source "lasting"
    alive: int | None  # Function
    test: int | None  # Function
    player: int | None  # Function: whose rule it is, or None
    procedure: int
    rank: int  # -1 first, 0, 1 last
    limit: int | None = None  # how often until its counters are reset
    counter: int | None = None  # slot of its first counter: one, or one for each piece
    kind: int | None = None  # source "pieces": of which kind they are
    option: Branch | None = (
        None  # adds to a menu: its parameters are the instance's arguments, then the site's `arguments`
    )
    where: Span | None = field(default=None, compare=False)
    arguments: tuple[Type, ...] = ()  # source "lasting": the types of its arguments
    locals: tuple[Type, ...] = ()  # of its option


@dataclass(frozen=True, slots=True)
class Point:
    """Where a frame waits: a procedure, the position of the waiting instruction, the local that becomes what it waits for, and
    the locals that its frame keeps, ascending: all below `live` that may still be read, while it waits or afterwards.
    """

    procedure: int
    position: int
    live: int
    kept: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class Field:
    """What is printed on the members of a kind: a value for each."""

    name: str
    type: Type
    values: tuple[Value, ...]
    sparse: bool = False  # a row that says nothing of it has 0, so that 0 says nothing


@dataclass(frozen=True, slots=True)
class Kind:
    """A finite type: players, an enum, kinds of interchangeable pieces, pieces, places, links, a pool."""

    index: int
    name: str
    what: Literal["player", "enum", "rows", "piece", "node", "link", "cell", "part", "pool"]
    members: tuple[str, ...]  # ids, as written in answers and transcripts
    labels: tuple[str, ...]  # as shown
    location: int | None = None  # pieces: slot of the first member's location (a zone's slot, or -1: out of the game)
    noun: str = ""  # what a hidden one is called: "a card"
    fields: tuple[Field, ...] = field(
        default=(), compare=False
    )  # for whoever shows its members; rules have them as columns

    named: tuple[int, ...] = field(default=(), compare=False)  # pieces that the rules speak of by their own names
    plurals: tuple[str, ...] = ()  # of the labels, empty where none is declared; nothing where none has one
    nouns: str = ""  # what several hidden ones are called, "cards"; empty where it is not declared

    def counted(self, number: int, member: int) -> str:
        """So many of a member, as people read it: `1 ruby`, `2 rubies`."""
        plural = self.plurals[member] if self.plurals and number != 1 else ""
        return f"{number} {plural or self.labels[member]}"

    def unseen(self, number: int) -> str:
        """So many hidden ones: `a card`, `2 cards`."""
        if number == 1:
            return self.noun or "?"
        return f"{number} {self.nouns}" if self.nouns else f"{self.noun or '?'} ×{number}"

    def field(self, name: str) -> Field | None:
        """One of its fields by name."""
        return next((one for one in self.fields if one.name == name), None)


@dataclass(frozen=True, slots=True)
class BoardPart:
    """The edges or the corners of a board as they are drawn, and what is shown of what stands there.

    `points`: of each edge its two ends, of each corner where it lies, in sixths of a column from the left and of a row from above.
    """

    kind: int
    which: Literal["edges", "corners"]
    points: tuple[tuple[tuple[int, int], ...], ...]
    symbol: Scale | None = None
    colour: Scale | None = None


@dataclass(frozen=True, slots=True)
class Board:
    """A board as it is drawn: the kind of its cells, of each its column and row, from 1, and what is shown of what stands there."""

    kind: int
    shape: Literal["square", "hex"]
    columns: int
    rows: int
    places: tuple[tuple[int, int], ...]
    symbol: Scale | None = None
    colour: Scale | None = None
    parts: tuple[BoardPart, ...] = ()


@dataclass(frozen=True, slots=True)
class Viewers:
    """Who may see something: all, nobody, the owner (the seat that is its first index), or those a function of its indices gives."""

    who: Literal["all", "none", "owner", "function"]
    function: int | None = None


@dataclass(frozen=True, slots=True)
class Zone:
    """Where pieces lie: `size` slots from `base`, one for each combination of `per`.

    `counts`: a slot holds a bag.  Otherwise a tuple of pieces: sorted (`order` "set" and "shuffled"), or as laid, the top last
    ("pile").  `seen` is who sees which pieces, `top` who sees the top one of a pile, `counted` who sees how many.
    """

    index: int
    name: str
    kind: int
    base: int
    size: int
    per: tuple[int, ...]  # kinds
    order: Literal["set", "shuffled", "pile"]
    counts: bool
    seen: Viewers
    counted: Viewers
    top: Viewers
    scope: int | None = None  # the slot that is above 0 while its scope is alive


def indices_of(sizes: Sequence[int], offset: int) -> tuple[int, ...]:
    """The indices of the slot so far behind the first, by how many there are of each; the last one runs fastest."""
    found: list[int] = []
    for size in reversed(sizes):
        offset, index = divmod(offset, size)
        found.append(index)
    return tuple(reversed(found))


@dataclass(frozen=True, slots=True)
class Variable:
    """A variable of the state: `size` slots from `base`, one for each combination of `per`.

    `shown`: people see it on the table.  They do not see a helper of the rules, nor what keeps what all were last told under a
    name that steps made: the log has said it.  `public`: it is written that all see it, so that whatever is put into it is made
    known, and is no secret from there on.  `begins`: the rules say what it is at the beginning; where they do not, and always give it
    before they read it, it is `open`: None until then.
    """

    index: int
    name: str
    base: int
    size: int
    per: tuple[int, ...]
    type: Type
    seen: Viewers
    scope: int | None = None
    shown: bool = True
    public: bool = False
    begins: bool = True
    open: bool = False


@dataclass(frozen=True, slots=True)
class ShownValue:
    """What follows from the position and is shown beside the variables: a function of nothing or of one member, and how it is told.

    `told` is as a variable would be; its slots, numbers below 0, are none of the position's.
    """

    function: int
    told: Variable


@dataclass(frozen=True, slots=True)
class Utility:
    """What the rules state of the returns, and each end of a game is held to; None where nothing is said.

    Expressions of settings alone, constants once these are chosen.  `together`: of all seats; `least`, `most`: of each seat;
    `identical`: all seats get the same.
    """

    together: Expr | None = None
    least: Expr | None = None
    most: Expr | None = None
    identical: bool = False

    def number(self, name: Literal["together", "least", "most"]) -> int | None:
        """What is stated, in parts of 1 of which the program counts returns with `unit`."""
        match getattr(self, name):
            case Const(int() as number):
                return number
        return None


@dataclass(frozen=True, slots=True)
class Program:
    """A game, specialised to a number of players and to options: all that a back end reads."""

    id: str
    title: str
    digest: str  # of the resolved spec: sha256, hex
    players: int
    settings: tuple[tuple[str, str], ...]  # options as chosen, in order, as written
    kinds: tuple[Kind, ...]
    player_kind: int
    zones: tuple[Zone, ...]
    variables: tuple[Variable, ...]
    initial: tuple[Value, ...]  # the slots before `main` runs
    slot_names: tuple[str, ...]
    functions: tuple[Function, ...]
    procedures: tuple[Procedure, ...]
    main: int
    sites: tuple[Site, ...]
    rules: tuple[Rule, ...]
    points: tuple[Point, ...]
    targets: tuple[str, ...]  # names of what Unwind leaves
    score: tuple[tuple[str, int], ...] = ()  # label, function of a player: shown on a score sheet
    views: tuple[tuple[str, int], ...] = ()  # names of functions without parameters, for programs that ask for facts
    step_limit: int = 100_000  # instructions between two decisions
    most_decisions: int = MOST_DECISIONS  # of a game; those of chance do not count
    point_of: dict[tuple[int, int], int] = field(default_factory=dict, compare=False)  # (procedure, position) -> point
    variants: tuple[str, ...] = ()  # ids of those that were laid over the game
    picture: Picture | None = None  # of its map, if it has one
    boards: tuple[Board, ...] = ()
    table: Table = NOTHING_SAID
    lastings: tuple[tuple[Type, ...], ...] = ()  # of what lasts, by number: the types of its arguments
    shown: tuple[ShownValue, ...] = ()
    unit: int = 1  # returns are counted in parts of which so many make 1
    utility: Utility | None = None
    printers: tuple[Type, ...] = ()  # of what is filled into texts that are values, by the numbers that these have

    def instruction(self, point: int) -> Instruction:
        """The instruction that waits at a point."""
        place = self.points[point]
        return self.procedures[place.procedure].code[place.position]

    def size(self, kind: int) -> int:
        """How many members a kind has in this setup: of players those who play."""
        return self.players if kind == self.player_kind else len(self.kinds[kind].members)

    def site_of(self, point: int) -> Site | None:
        """Where in the rules a player is asked at a point; None where none is."""
        i = self.instruction(point)
        site = i.site if isinstance(i, Ask) else i.arrange if isinstance(i, NextRule) else None
        return None if site is None else self.sites[site]

    @property
    def hides(self) -> bool:
        """Whether anything that is kept is ever hidden from anybody; sealed choices and lines told to some are not kept."""
        viewers = [seen for zone in self.zones for seen in (zone.seen, zone.counted)]
        return any(seen.who != "all" for seen in (*viewers, *(variable.seen for variable in self.variables)))

    def names_pieces(self, printer: Type, within_text: bool = False) -> bool:
        """Whether a value that is shown so may name pieces that lie somewhere, which not everybody may see."""
        if printer.what == "text" and not within_text:
            return any(self.names_pieces(part, True) for part in self.printers)
        if printer.what == "entity" and printer.kind is not None:
            return self.kinds[printer.kind].location is not None
        return any(self.names_pieces(part, within_text) for part in printer.parts)

    def drawn(self) -> list[int]:
        """The functions that only its pictures need."""
        scales = [scale for board in self.boards for scale in (board.symbol, board.colour)]
        numbers = [] if self.picture is None else self.picture.functions()
        numbers = [*numbers, *self.table.functions()]
        return [*numbers, *(scale.function for scale in scales if scale is not None)]

    def slots(self) -> Iterator[tuple[int, str]]:
        """Every slot with its name."""
        return enumerate(self.slot_names)
