"""What a procedure consists of.

A new instruction is declared here, with the roles of its fields; then the checker emits it, `show` prints it, the reference machine
and both back ends run it, and `lint/flow` says what it tells whom.
"""

from __future__ import annotations

from dataclasses import field
from typing import Literal

from rulespec.ir.expressions import KNOWN, LASTING, Expr, Value
from rulespec.ir.questions import Text
from rulespec.ir.roles import roles
from rulespec.ir.types import Type
from rulespec.system.records import dataclass
from rulespec.text.source import Span


@roles(gives=[("index", 0)])
@dataclass(frozen=True, slots=True)
class Let:
    """Local := value."""

    index: int
    value: Expr
    where: Span | None = field(default=None, compare=False)


@roles()
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


@roles(target="target", falls=False)
@dataclass(frozen=True, slots=True)
class Jump:
    """Go on at `target`."""

    target: int
    where: Span | None = field(default=None, compare=False)


@roles(target="target")
@dataclass(frozen=True, slots=True)
class Unless:
    """Go on at `target` if `test` is false.  `what` says which test of the author's it is, "" for one of the checker's own."""

    test: Expr
    target: int
    where: Span | None = field(default=None, compare=False)
    what: Literal["", "if", "loop", "arm", "option"] = field(default="", compare=False)


@roles(gives=[("index", 1), ("index", 2)], takes=[("index", 0), ("index", 1)], target="target")
@dataclass(frozen=True, slots=True)
class Next:
    """The head of a loop: locals `index`, `index + 1`, `index + 2` are the items, how many are done, and the item.

    When all are done, go on at `target`.
    """

    index: int
    target: int
    where: Span | None = field(default=None, compare=False)


@roles(gives=[("live", 0)], runs="procedure")
@dataclass(frozen=True, slots=True)
class Call:
    """Run a procedure with `args` as its first locals; its result becomes local `live` (None where it gives none)."""

    procedure: int
    args: tuple[Expr, ...]
    live: int
    where: Span | None = field(default=None, compare=False)


@roles(falls=False)
@dataclass(frozen=True, slots=True)
class Return:
    """Leave the procedure, with a result."""

    value: Expr | None = None
    where: Span | None = field(default=None, compare=False)


@roles(gives=[("live", 0)], site="site")
@dataclass(frozen=True, slots=True)
class Ask:
    """Suspend until `site` is answered; the answer becomes local `live`."""

    site: int
    live: int
    where: Span | None = field(default=None, compare=False)


@roles(gives=[("live", 0)], waiting=["items", "weights"])
@dataclass(frozen=True, slots=True)
class Draw:
    """Chance: one of `items`, each as likely as its entry of `weights` (None: all alike); it becomes local `live`.

    With one possible item there is nothing to draw and nothing suspends; with none, a fault.  Where a step draws several, local `left`
    counts how many are still to be drawn, this one included: they are one event to who watches.
    """

    items: Expr
    weights: Expr | None
    live: int
    type: Type
    name: str
    where: Span | None = field(default=None, compare=False)
    left: int | None = None


@roles(goal="zone", anywhere=True, system=[KNOWN])
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


@roles(source="source", goal="zone")
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


@roles(system=[KNOWN])
@dataclass(frozen=True, slots=True)
class Learn:
    """Players (a tuple of seats; None: all at once, so that all know that all do) now know the pieces of a kind where they lie; with
    `forget`, nobody does any more.
    """

    pieces: Expr
    kind: int
    seats: Expr | None
    forget: bool = False
    where: Span | None = field(default=None, compare=False)


@roles()
@dataclass(frozen=True, slots=True)
class Say:
    """A line of the log, to `seats` (None: to all)."""

    text: Text
    seats: Expr | None
    where: Span | None = field(default=None, compare=False)


@roles()
@dataclass(frozen=True, slots=True)
class Claim:
    """The fault `code` with `why` unless `test` holds."""

    test: Expr
    why: Text
    where: Span | None = field(default=None, compare=False)
    code: str = "R011"


@roles(gives=[("live", 0)], runs="procedure")
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


@roles(gives=[("live", 0)])
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


@roles(gives=[("live", 0), ("live", 1)], takes=[("live", 0)], waiting=["live", "args"], site="arrange", target="target")
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


@roles(gives=[("live", 0)], takes=[("live", -1)], waiting=["live"])
@dataclass(frozen=True, slots=True)
class CallRule:
    """Run the rule of the entry in local `live - 1` if its test holds and its limit is not used up; local `live` := its result.

    The procedure gets the instance's arguments, then `args`; it gives whether the rule was applied (a rule may be declined).
    Not run: False.
    """

    args: tuple[Expr, ...]
    live: int
    where: Span | None = field(default=None, compare=False)


@roles(gives=[("live", 0)])
@dataclass(frozen=True, slots=True)
class Enter:
    """Begin a scope: keep the slots `low..high-1` in local `live` and set them to `values`; pieces there lie nowhere meanwhile."""

    low: int
    high: int
    values: tuple[Value, ...]
    live: int
    where: Span | None = field(default=None, compare=False)


@roles(takes=[("live", 0)])
@dataclass(frozen=True, slots=True)
class Leave:
    """End a scope: the slots from `low` on are again what local `live` kept.

    Pieces in zones among these slots lie nowhere now; those that were kept lie there again, unless they were moved since.
    """

    low: int
    live: int
    where: Span | None = field(default=None, compare=False)


@roles(falls=False)
@dataclass(frozen=True, slots=True)
class Unwind:
    """Leave everything up to `target`: see `Region`."""

    target: int
    where: Span | None = field(default=None, compare=False)


@roles(takes=[("index", 0)])
@dataclass(frozen=True, slots=True)
class Resume:
    """The end of a region's handler: if local `index` holds a target, go on leaving towards it; otherwise go on."""

    index: int
    where: Span | None = field(default=None, compare=False)


@roles(system=[LASTING], depth="depth")
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


@roles(gives=[("live", 0)], system=[LASTING], depth="depth")
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


@roles()
@dataclass(frozen=True, slots=True)
class Reset:
    """Slots `low..high-1` := 0: the counters of rules limited per phase, scope or event."""

    low: int
    high: int
    where: Span | None = field(default=None, compare=False)


@roles(falls=False)
@dataclass(frozen=True, slots=True)
class Finish:
    """The game is over: RETURNS := the value (a tuple, one number a player), and the control stack is dropped."""

    returns: Expr
    where: Span | None = field(default=None, compare=False)


Instruction = (
    Let | Store | Jump | Unless | Next | Call | Return | Ask | Draw | Move | MoveCounts | Learn | Say | Claim | Fork
    | Collect | NextRule | CallRule | Enter | Leave | Unwind | Resume | Begin | Cease | Reset | Finish
)  # fmt: skip
