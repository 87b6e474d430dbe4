"""The intermediate representation: what a checked game becomes, and all that a back end has to know.

Floor: below everything that builds or runs it.  Values are immutable and plain: bool, int, None and tuples of them.
An entity (a player, a card, a region, an enum member) is its number within its kind; a set is a sorted tuple without
repeats; a bag is a tuple of counts, one for each member of its kind; a record is a tuple of its fields.

A `Program` is flat: each `Procedure` is a list of instructions that jump by position.  Expressions are pure trees; they
read locals and slots and never write.  Only `Ask`, `Draw`, `NextRule` and `Fork` suspend.  A control stack is linked frames
`(point, parent, *locals)`: `point` indexes `Program.points`, which gives the procedure, the position of the instruction
that waits there (a call, a question, a draw), and how many locals are alive across it.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Any, Literal

from rulespec.source import Span

Value = Any  # bool | int | None | tuple[Value, ...]; a recursive alias buys nothing under --strict

# System slots, at the front of every state.
CONTROL = 0  # the control stack: a frame, or None when the game is over
RANDOM = 1  # (seed, draws so far) when chance answers inline, None when chance is a decision
WINNERS = 2  # None, or the players that `win` named
RETURNS = 3  # None while the game runs, then one number a player
KNOWN = 4  # sorted ((location slot of a piece, seat), ...): who has seen a hidden piece where it lies
LASTING = 5  # ((lasting rule, arguments, end tag), ...) in order of their beginning
BATCH = 6  # how deep `at once` is nested: rules that are always true wait while it is above 0
SYSTEM_SLOTS = 7


# --- expressions ------------------------------------------------------------------------------------------------------
@dataclass(frozen=True, slots=True)
class Const:
    """A value."""

    value: Value


@dataclass(frozen=True, slots=True)
class Local:
    """A local of the running procedure or function."""

    index: int


@dataclass(frozen=True, slots=True)
class Load:
    """The slot `base + index` (`index` None: just `base`); `size` bounds the index, a value outside is a fault."""

    base: int
    index: Expr | None = None
    size: int = 1


@dataclass(frozen=True, slots=True)
class Column:
    """`values[index]`: a fixed field of an entity, or a row of a table."""

    values: tuple[Value, ...]
    index: Expr


@dataclass(frozen=True, slots=True)
class Op:
    """A function of the registry (or of `rulespec.intrinsics`) applied to values."""

    name: str
    args: tuple[Expr, ...]


@dataclass(frozen=True, slots=True)
class Cond:
    """`then` if `test` else `other`; `and` and `or` are made of it."""

    test: Expr
    then: Expr
    other: Expr


@dataclass(frozen=True, slots=True)
class Bind:
    """`body`, with local `index` being `value`."""

    index: int
    value: Expr
    body: Expr


@dataclass(frozen=True, slots=True)
class Comp:
    """The tuple of `value` for each item of `source`, as local `index`, that passes `where`.

    With `key`, pairs (value, key).  `value` None: the item itself.
    """

    index: int
    source: Expr
    where: Expr | None = None
    value: Expr | None = None
    key: Expr | None = None


@dataclass(frozen=True, slots=True)
class Fold:
    """Local `acc` starts as `start` and becomes `body` for each item (local `index`) of `source`; its last value."""

    acc: int
    start: Expr
    index: int
    source: Expr
    body: Expr


@dataclass(frozen=True, slots=True)
class Invoke:
    """A pure function of the game applied to arguments."""

    function: int
    args: tuple[Expr, ...]


@dataclass(frozen=True, slots=True)
class Setting:
    """An option of the game, or `players`; gone once a program is specialised."""

    name: str


@dataclass(frozen=True, slots=True)
class Known:
    """`value`, which must not be None; otherwise a fault that names `what`."""

    value: Expr
    what: str


@dataclass(frozen=True, slots=True)
class Completable:
    """Whether `chosen` (a sorted tuple) can be completed to `low..high` items, in order, from `items`, such that `whole` holds.

    A bounded search.  `whole` reads the candidate set in local `index`; None means that any set will do.
    """

    chosen: Expr
    items: Expr
    low: Expr
    high: Expr
    index: int
    whole: Expr | None


Expr = Const | Local | Load | Column | Op | Cond | Bind | Comp | Fold | Invoke | Setting | Known | Completable


# --- texts ------------------------------------------------------------------------------------------------------------
@dataclass(frozen=True, slots=True)
class Text:
    """A template: literal strings and expressions in turn; `printers` says how each expression's value is shown."""

    parts: tuple[str | tuple[Expr, Printer], ...]


@dataclass(frozen=True, slots=True)
class Printer:
    """How a value of a type is shown: `what` with the kind, or the printers of the parts."""

    what: Literal["bool", "int", "entity", "set", "list", "bag", "option", "record", "text"]
    kind: int | None = None  # entity, bag: index into Program.kinds
    parts: tuple[Printer, ...] = ()
    names: tuple[str, ...] = ()  # record: the fields' names


# --- questions --------------------------------------------------------------------------------------------------------
@dataclass(frozen=True, slots=True)
class Reason:
    """What an item must satisfy to be legal, and what is said where it does not."""

    test: Expr
    why: Text


@dataclass(frozen=True, slots=True)
class NoneOption:
    """The willing "no" of a choice: its name and text, and what must hold for it to be legal."""

    name: str
    text: Text
    reasons: tuple[Reason, ...] = ()


@dataclass(frozen=True, slots=True)
class Branch:
    """One named option of an offer or a menu."""

    name: str
    text: Text
    reasons: tuple[Reason, ...] = ()


@dataclass(frozen=True, slots=True)
class Site:
    """A place in the rules where somebody is asked.

    `items` gives the candidates; with `item` bound to a candidate, `reasons` say whether it is legal.  An answer is the
    candidate itself, or None for the `none` option.  With `branches`, a candidate is the number of a branch, or for a menu
    a pair (rule, piece or None) of a rule that adds to it; the rule's `option` then has its text and reasons.  As actions
    are integers: `code` "value" makes an entity or number v the action v - `low`; "index" makes the candidate its position
    among the items.  The none option is the action `size` ("value") or the number of items ("index").
    """

    index: int
    name: str
    player: Expr
    items: Expr
    item: int  # the local that a candidate is bound to while reasons and texts are evaluated
    printer: Printer
    prompt: Text
    reasons: tuple[Reason, ...] = ()
    none: NoneOption | None = None
    branches: tuple[Branch, ...] = ()
    shown: Text | None = None  # how a candidate is shown, where its printer is not enough
    code: Literal["value", "index"] = "value"
    low: int = 0
    size: int = 0
    secret: bool = False  # asked even with one legal answer, since being asked tells something
    move: int | None = None  # a stage of a move of several stages: which, so that it can be taken back as one
    arguments: tuple[Expr, ...] = ()  # of a menu: what the options that rules add get after their instance's arguments
    where: Span | None = field(default=None, compare=False)


# --- instructions -----------------------------------------------------------------------------------------------------
@dataclass(frozen=True, slots=True)
class Let:
    """Local := value."""

    index: int
    value: Expr
    where: Span | None = field(default=None, compare=False)


@dataclass(frozen=True, slots=True)
class Store:
    """Slot `base + index` := value, within `low..high` (None: no bound).

    Outside: a fault, or with `stops` the nearest end.  `size` bounds the index.
    """

    base: int
    index: Expr | None
    size: int
    value: Expr
    low: int | None
    high: int | None
    stops: bool
    name: str
    where: Span | None = field(default=None, compare=False)


@dataclass(frozen=True, slots=True)
class Jump:
    """Go on at `target`."""

    target: int
    where: Span | None = field(default=None, compare=False)


@dataclass(frozen=True, slots=True)
class Unless:
    """Go on at `target` if `test` is false."""

    test: Expr
    target: int
    where: Span | None = field(default=None, compare=False)


@dataclass(frozen=True, slots=True)
class Next:
    """The head of a loop: locals `index`, `index + 1`, `index + 2` are the items, how many are done, and the item.

    When all are done, go on at `target`.
    """

    index: int
    target: int
    where: Span | None = field(default=None, compare=False)


@dataclass(frozen=True, slots=True)
class Call:
    """Run a procedure with `args` as its first locals; its result becomes local `live` (None where it gives none)."""

    procedure: int
    args: tuple[Expr, ...]
    live: int
    where: Span | None = field(default=None, compare=False)


@dataclass(frozen=True, slots=True)
class Return:
    """Leave the procedure, with a result."""

    value: Expr | None = None
    where: Span | None = field(default=None, compare=False)


@dataclass(frozen=True, slots=True)
class Ask:
    """Suspend until `site` is answered; the answer becomes local `live`."""

    site: int
    live: int
    where: Span | None = field(default=None, compare=False)


@dataclass(frozen=True, slots=True)
class Draw:
    """Chance: one of `items`, each as likely as its entry of `weights` (None: all alike); it becomes local `live`.

    With one possible item there is nothing to draw and nothing suspends; with none, a fault.
    """

    items: Expr
    weights: Expr | None
    live: int
    printer: Printer
    name: str
    where: Span | None = field(default=None, compare=False)


@dataclass(frozen=True, slots=True)
class Move:
    """Put the pieces (a tuple of a kind's numbers) into zone `zone` at `index`, on top or beneath, one after another.

    Each leaves the zone that its location slot names.  What players knew of it is forgotten.
    """

    pieces: Expr
    zone: int
    index: Expr | None
    bottom: bool = False
    where: Span | None = field(default=None, compare=False)


@dataclass(frozen=True, slots=True)
class MoveCounts:
    """Take a bag from one zone of counts and add it to another; None as a zone is the unlimited outside.

    Taking more than there is: a fault.
    """

    bag: Expr
    source: int | None
    source_index: Expr | None
    zone: int | None
    index: Expr | None
    where: Span | None = field(default=None, compare=False)


@dataclass(frozen=True, slots=True)
class Learn:
    """Players (a tuple of seats) now know the pieces of a kind where they lie; with `forget`, nobody does any more."""

    pieces: Expr
    kind: int
    seats: Expr
    forget: bool = False
    where: Span | None = field(default=None, compare=False)


@dataclass(frozen=True, slots=True)
class Say:
    """A line of the log, to `seats` (None: to all)."""

    text: Text
    seats: Expr | None
    where: Span | None = field(default=None, compare=False)


@dataclass(frozen=True, slots=True)
class Claim:
    """A fault with `why` unless `test` holds."""

    test: Expr
    why: Text
    where: Span | None = field(default=None, compare=False)


@dataclass(frozen=True, slots=True)
class Fork:
    """Sealed choices: `procedure` runs once for each seat of `seats`, as local 0, then `args`, all on the same state.

    The state waits until each has returned a tuple; local `live` is then a tuple over all players: the returned tuple, or
    None for a player that took no part.  With no seat, nothing suspends.  While it waits the frame is
    `(point, parent, *locals, children)`, each child `(seat, frame, None)` or, when done, `(seat, None, result)`.
    """

    seats: Expr
    procedure: int
    args: tuple[Expr, ...]
    live: int
    where: Span | None = field(default=None, compare=False)


@dataclass(frozen=True, slots=True)
class Collect:
    """Open a window: local `live` := the queue of (rule, instance arguments) that are alive for this event.

    A rule's instances: one with no arguments; or one for each of its `pieces`, with the piece; or one for each lasting effect
    that runs it, with its arguments.  Kept are those whose `alive` holds.  Sorted by the place of the rule's player in
    `order` (players not in it, and rules of nobody, first), then rank, then the order of the file, then the instance.
    """

    rules: tuple[int, ...]
    args: tuple[Expr, ...]
    order: Expr | None
    live: int
    where: Span | None = field(default=None, compare=False)


@dataclass(frozen=True, slots=True)
class NextRule:
    """Take the next entry of the queue in local `live` into local `live + 1`; when the queue is empty go on at `target`.

    With `arrange`, where two or more entries of the same player and rank at the head of the queue pass their tests, that
    player is asked which comes first: the site's items are the entries' positions in the queue, and the frame keeps
    `live + 1` locals.  Where one passes, it is taken; where none does, the head.
    """

    live: int
    args: tuple[Expr, ...]
    target: int
    arrange: int | None
    where: Span | None = field(default=None, compare=False)


@dataclass(frozen=True, slots=True)
class CallRule:
    """Run the rule of the entry in local `live - 1` if its test holds and its limit is not used up; local `live` := its result.

    The procedure gets the instance's arguments, then `args`; it gives whether the rule was applied (a rule may be declined).
    Not run: False.
    """

    args: tuple[Expr, ...]
    live: int
    where: Span | None = field(default=None, compare=False)


@dataclass(frozen=True, slots=True)
class Enter:
    """Begin a scope: keep the slots `low..high-1` in local `live` and set them to `values`; pieces there lie nowhere meanwhile."""

    low: int
    high: int
    values: tuple[Value, ...]
    live: int
    where: Span | None = field(default=None, compare=False)


@dataclass(frozen=True, slots=True)
class Leave:
    """End a scope: the slots from `low` on are again what local `live` kept.

    Pieces in zones among these slots lie nowhere now; those that were kept lie there again, unless they were moved since.
    """

    low: int
    live: int
    where: Span | None = field(default=None, compare=False)


@dataclass(frozen=True, slots=True)
class Unwind:
    """Leave everything up to `target`: see `Region`."""

    target: int
    where: Span | None = field(default=None, compare=False)


@dataclass(frozen=True, slots=True)
class Resume:
    """The end of a region's handler: if local `index` holds a target, go on leaving towards it; otherwise go on."""

    index: int
    where: Span | None = field(default=None, compare=False)


@dataclass(frozen=True, slots=True)
class Begin:
    """A lasting rule begins, with arguments; `end` tags when it ends (a tag that `Cease` names), None: never by itself.

    `depth` is a slot that says how deep within itself what ends the effect stands now: only the end at this depth counts.
    """

    lasting: int
    args: tuple[Expr, ...]
    end: int | None
    where: Span | None = field(default=None, compare=False)
    depth: int | None = None


@dataclass(frozen=True, slots=True)
class Cease:
    """Take out the first lasting effect of rule `lasting` (None: of any), with tag `end` (None: of any; at the depth that the
    slot `depth` holds), and arguments `args` where given; local `live` := its arguments, or None if there is none."""

    lasting: int | None
    end: int | None
    args: tuple[Expr, ...] | None
    live: int
    where: Span | None = field(default=None, compare=False)
    depth: int | None = None


@dataclass(frozen=True, slots=True)
class Reset:
    """Slots `low..high-1` := 0: the counters of rules limited per phase, scope or event."""

    low: int
    high: int
    where: Span | None = field(default=None, compare=False)


@dataclass(frozen=True, slots=True)
class Finish:
    """The game is over: RETURNS := the value (a tuple, one number a player), and the control stack is dropped."""

    returns: Expr
    where: Span | None = field(default=None, compare=False)


Instruction = (
    Let | Store | Jump | Unless | Next | Call | Return | Ask | Draw | Move | MoveCounts | Learn | Say | Claim | Fork
    | Collect | NextRule | CallRule | Enter | Leave | Unwind | Resume | Begin | Cease | Reset | Finish
)  # fmt: skip


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
    """Flat code; its parameters are its first locals."""

    name: str
    parameters: int
    locals: int  # how many there are at most
    code: tuple[Instruction, ...]
    regions: tuple[Region, ...] = ()
    where: Span | None = field(default=None, compare=False)


@dataclass(frozen=True, slots=True)
class Function:
    """A pure function: an expression over its parameters, its first locals."""

    name: str
    parameters: int
    locals: int
    body: Expr
    where: Span | None = field(default=None, compare=False)


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
    option: Branch | None = None  # adds to a menu: its parameters are the instance's arguments, then the site's `arguments`
    where: Span | None = field(default=None, compare=False)
    printers: tuple[Printer, ...] = ()  # source "lasting": of its arguments


@dataclass(frozen=True, slots=True)
class Point:
    """Where a frame waits: a procedure, the position of the waiting instruction, how many locals its frame keeps."""

    procedure: int
    position: int
    live: int


# --- what the state is made of ----------------------------------------------------------------------------------------
@dataclass(frozen=True, slots=True)
class Kind:
    """A finite type: players, an enum, kinds of interchangeable pieces, pieces, places, links, a pool."""

    index: int
    name: str
    what: Literal["player", "enum", "rows", "piece", "node", "link", "pool"]
    members: tuple[str, ...]  # ids, as written in answers and transcripts
    labels: tuple[str, ...]  # as shown
    location: int | None = None  # pieces: slot of the first member's location (a zone's slot, or -1: out of the game)
    noun: str = ""  # what a hidden one is called: "a card"


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


@dataclass(frozen=True, slots=True)
class Variable:
    """A variable of the state: `size` slots from `base`, one for each combination of `per`."""

    index: int
    name: str
    base: int
    size: int
    per: tuple[int, ...]
    printer: Printer
    seen: Viewers
    scope: int | None = None


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
    point_of: dict[tuple[int, int], int] = field(default_factory=dict, compare=False)  # (procedure, position) -> point

    def slots(self) -> Iterator[tuple[int, str]]:
        """Every slot with its name."""
        return enumerate(self.slot_names)
