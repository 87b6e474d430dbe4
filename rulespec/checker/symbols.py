"""What the names of a game stand for: the symbols that declarations make and everything else refers to."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import field
from typing import Any, Literal

from rulespec import ir
from rulespec.language.types import EntityType, IntType, RecordType, Type
from rulespec.system.records import dataclass
from rulespec.text.source import Span
from rulespec.text.yaml_tree import MapNode, Node, ScalarNode


@dataclass(slots=True)
class Field:
    """A fixed column of a kind: one value for each member."""

    name: str
    type: Type
    values: list[ir.Value]
    span: Span
    sparse: bool = False  # see ir.Field


@dataclass(slots=True, eq=False)
class Kind:
    """A finite type and its members."""

    index: int
    name: str
    what: Literal["player", "enum", "rows", "piece", "node", "link", "cell", "part", "pool"]
    span: Span
    members: list[str] = field(default_factory=list)
    labels: list[str] = field(default_factory=list)
    fields: dict[str, Field] = field(default_factory=dict)
    attributes: dict[str, Symbol] = field(default_factory=dict)
    location: int | None = None
    noun: str = ""
    spans: list[Span] = field(default_factory=list)  # of each member's row
    copies: dict[str, list[str]] = field(default_factory=dict)  # of rows with `copies`: the members that they became
    by_rule: tuple[str, ...] = ()  # fields by whose values the rows were made
    graphs: dict[str, Function] = field(default_factory=dict)  # of nodes: which links make the graph, as a set of links
    links: Kind | None = None  # of nodes: the kind of their links
    faces_of: Kind | None = None  # of faces: the kind of piece that has them
    called: str = ""  # of faces: what a piece calls its own
    other_names: dict[str, str] = field(
        default_factory=dict
    )  # of parts of boards: names by other cells, and the one that each has

    @property
    def type(self) -> EntityType:
        return EntityType(self.name)


@dataclass(slots=True, eq=False)
class Board:
    """A board: the type of its cells, its shape, and what its functions are given of it (`rulespec.library.boards.Board`)."""

    kind: Kind
    shape: str
    value: tuple[Any, ...]
    symbol: ir.Scale | None = None
    colour: ir.Scale | None = None
    drawn_by: list[int] = field(default_factory=list)  # the functions that its author gave for how it is drawn
    parts: dict[str, Part] = field(default_factory=dict)  # its edges and corners, if it has them


@dataclass(slots=True, eq=False)
class Part:
    """The edges or the corners of a board: their type, the word by which cells have them, and which of them touch."""

    kind: Kind
    board: Board
    which: Literal["edges", "corners"]
    neighbours: tuple[tuple[int, ...], ...]
    symbol: ir.Scale | None = None
    colour: ir.Scale | None = None


@dataclass(slots=True, eq=False)
class View:
    """A named subset of a kind."""

    name: str
    kind: Kind
    test: Function
    span: Span


@dataclass(frozen=True, slots=True)
class Numbers:
    """An index that is a number: `per: 1..4`."""

    low: int
    high: int


Index = Kind | Numbers
ALL, NOBODY = ir.Viewers("all"), ir.Viewers("none")
TIMES, POSITION_WANTED = "times_before", "a section `repetition: {position: [...]}`"


def index_size(index: Index) -> int:
    """How many values an index has."""
    return len(index.members) if isinstance(index, Kind) else index.high - index.low + 1


def index_type(index: Index) -> Type:
    """The type of an index."""
    return index.type if isinstance(index, Kind) else IntType(index.low, index.high)


@dataclass(slots=True, eq=False)
class Variable:
    """A variable of the state, plain or one for each combination of `per`."""

    name: str
    type: Type
    per: tuple[Index, ...]
    base: int
    size: int
    stops: bool
    span: Span
    scope: Scope | None = None
    initial: ScalarNode | None = None
    seen: ir.Viewers = ALL
    over: int | None = None  # of what is told: the slot that is 1 once the steps with its name have ended
    shown: bool = True
    public: bool = False  # it is written that all see it
    kept: ir.Type | None = None  # its type in the program, where that says more than `type`

    @property
    def told(self) -> bool:
        """Whether it keeps what all were told under a name that steps made."""
        return self.over is not None

    @property
    def remembers(self) -> bool:
        """Whether it keeps the positions that have been."""
        return self.kept is not None


@dataclass(slots=True, eq=False)
class Zone:
    """Where pieces lie."""

    name: str
    index: int
    kind: Kind
    per: tuple[Index, ...]
    base: int
    size: int
    order: Literal["set", "shuffled", "pile"]
    counts: bool
    span: Span
    type: Type
    scope: Scope | None = None
    refill: ScalarNode | None = None
    start: ScalarNode | None = None
    seen: ir.Viewers = ALL
    counted: ir.Viewers = ALL
    top: ir.Viewers = NOBODY
    back: ScalarNode | None = None  # where pieces go that lie there when its scope ends


@dataclass(slots=True, eq=False)
class Scope:
    """A stretch of the game with a memory: its slots and when they are alive."""

    name: str
    index: int
    span: Span
    low: int = 0
    high: int = 0
    alive: int = 0  # slot
    within: str | None = None
    target: int = 0
    names: dict[str, Variable | Zone] = field(default_factory=dict)


@dataclass(slots=True, eq=False)
class Parameter:
    """A parameter of a function, procedure, event or menu; `default` may stand in for it."""

    name: str
    type: Type
    span: Span
    default: ScalarNode | None = None


def signed(parameter: Parameter) -> str:
    """A parameter as `takes:` has it."""
    default = "" if parameter.default is None else f" = {parameter.default.value}"
    return f"{parameter.name}: {parameter.type}{default}"


@dataclass(slots=True, eq=False)
class Function:
    """A pure function, a value of a kind (its first parameter is `this`) or a condition."""

    name: str
    what: Literal["function", "value", "condition", "view", "hidden"]
    parameters: list[Parameter]
    node: Node | None
    span: Span
    result: Type | None = None  # declared or, once checked, inferred
    index: int | None = None
    busy: bool = False
    owner: Kind | None = None
    reads: set[int] = field(default_factory=set)
    reasons: tuple[tuple[Node, ScalarNode | None], ...] = ()  # of a condition
    enough: ScalarNode | None = None
    why_not: ScalarNode | None = None  # of a condition: what is said where it holds and must not
    scopes: set[str] = field(default_factory=set)
    ahead: set[tuple[str, frozenset[str]]] = field(default_factory=set)  # see `checker.env.Frame`
    made: Callable[[Any], tuple[ir.Expr, Type]] | None = (
        None  # of one that no author wrote: its body, in an environment
    )


@dataclass(slots=True, eq=False)
class Repetition:
    """The memory of positions: the list that keeps them, what a position is, and when those before are forgotten."""

    variable: Variable
    position: Function
    forgets: Function | None


@dataclass(slots=True, eq=False)
class Table:
    """Values by key."""

    name: str
    keys: tuple[Index | Literal["players"], ...]
    type: Type
    rows: dict[tuple[int, ...], ir.Value]
    span: Span
    spans: dict[tuple[int, ...], Span] = field(default_factory=dict)  # of each row
    read: list[ir.Const] = field(default_factory=list)  # its rows, as every look-up reads them: the very same object


@dataclass(slots=True, eq=False)
class Option:
    """A variant's setting: a word of a closed list, a number in a range, or yes and no."""

    name: str
    type: Type
    words: tuple[str, ...]
    values: tuple[ir.Value, ...]
    default: str
    about: str
    counts: tuple[int, ...]  # of players, for which it is
    span: Span


@dataclass(slots=True, eq=False)
class Procedure:
    """A procedure or phase; verbs of the game."""

    name: str
    parameters: list[Parameter]
    gives: Type | None
    node: MapNode
    span: Span
    index: int
    phase: bool
    target: int | None = None
    stages: bool = False


@dataclass(slots=True, eq=False)
class Event:
    """Something rules may react to."""

    name: str
    parameters: list[Parameter]
    span: Span


@dataclass(slots=True, eq=False)
class Rule:
    """A rule that reacts, holds always, modifies a value or adds to a menu."""

    name: str
    node: MapNode
    span: Span
    key: ScalarNode
    kind: Kind | None = None  # carried by pieces of a kind
    pieces: tuple[int, ...] = ()
    lasting: Lasting | None = None
    index: int | None = None  # in the program, for rules of windows and menus
    counter: int | None = None  # the slot that counts how often its limit was used; the first, for pieces


@dataclass(slots=True, eq=False)
class Lasting:
    """A rule with parameters that lives for a while."""

    name: str
    index: int
    parameters: list[Parameter]
    node: MapNode
    span: Span
    rules: list[Rule] = field(default_factory=list)
    at_end: int | None = None  # procedure

    @property
    def arguments(self) -> RecordType:
        """The type of its arguments, as one value."""
        return RecordType("arguments", tuple((p.name, p.type) for p in self.parameters))


@dataclass(frozen=True, slots=True, eq=False)
class Asked:
    """What the checker knows of a place where somebody is asked, which the program need not: for bots.

    `item` is what a candidate is, None where options only have names; for a bag of several it is the kind that is counted.
    `locals` are the names that the steps there may read, each with its local and type.
    """

    name: str
    owner: str  # what asks, as in `CheckContext.needs`
    item: Type | None = None
    menu: Menu | None = None
    locals: Mapping[str, tuple[int, Type]] = field(default_factory=dict)


@dataclass(slots=True, eq=False)
class Menu:
    """A named list of options, open to additions by rules."""

    name: str
    parameters: list[Parameter]
    node: MapNode
    span: Span
    additions: list[Rule] = field(default_factory=list)


Symbol = Variable | Zone | Function | Table | Option | Field | Kind | View
