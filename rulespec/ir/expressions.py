"""Values, the slots of the system, and expressions: pure trees that read locals and slots and never write."""

from __future__ import annotations

from dataclasses import field
from typing import Any

from rulespec.ir.roles import scope
from rulespec.system.records import dataclass
from rulespec.text.source import Span

Value = Any  # bool | int | None | tuple[Value, ...]; a recursive alias buys nothing under --strict

CONTROL = 0  # the control stack: a frame, or None when the game is over

RANDOM = 1  # (seed, draws so far) when chance answers inline, None when chance is a decision

WINNERS = 2  # None, or the players that `win` named

RETURNS = 3  # None while the game runs, then one number a player

KNOWN = 4  # sorted ((location slot of a piece, seat), ...): who has seen a hidden piece where it lies; all at once: seat `players`

LASTING = 5  # ((lasting rule, arguments, end tag), ...) in order of their beginning

BATCH = 6  # how deep `at once` is nested: rules that are always true wait while it is above 0

SYSTEM_SLOTS = 7


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
    """`then` if `test` else `other`; `and` and `or` are made of it.  `where` is a test that the author wrote as one."""

    test: Expr
    then: Expr
    other: Expr
    where: Span | None = field(default=None, compare=False)


@scope("index", inside=("body",))
@dataclass(frozen=True, slots=True)
class Bind:
    """`body`, with local `index` being `value`."""

    index: int
    value: Expr
    body: Expr


@scope("index", inside=("where", "value", "key"))
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


@scope("acc", "index", inside=("body",))
@dataclass(frozen=True, slots=True)
class Fold:
    """Local `acc` starts as `start` and becomes `body` for each item (local `index`) of `source`; its last value.

    Where `reads.until` knows a test that keeps it as it is, the items behind the first for which that holds are not looked at.
    """

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


@scope("index", inside=("whole",))
@dataclass(frozen=True, slots=True)
class Completable:
    """Whether `chosen` (a sorted tuple) can be completed to `low..high` of `items`, in order, such that `whole` holds: a bounded search.

    Of equal items so many are chosen as there are.  `whole` reads the candidate set in local `index`; None means that any set will do.
    """

    chosen: Expr
    items: Expr
    low: Expr
    high: Expr
    index: int
    whole: Expr | None


@scope("index")
@dataclass(frozen=True, slots=True)
class Once:
    """`value`, worked out when it is first wanted: local `index` if that is not None, otherwise `value`, which the local then is.

    It is the same whenever it is worked out while the local lasts: in the body of a `Bind` of the local to None or, in a site,
    as long as one question is looked at.
    """

    index: int
    value: Expr


@dataclass(frozen=True, slots=True)
class After:
    """`value` in the position that `procedure`, run with `args`, would leave; nothing of that position stays.

    The procedure asks nobody and chance nothing.  Where it leaves more than itself, because the game, a phase or a scope around
    it is over, the position is that in which it did.  A fault in it is a fault of the expression.
    """

    procedure: int
    args: tuple[Expr, ...]
    value: Expr
    where: Span | None = field(default=None, compare=False)


Expr = (
    Const
    | Local
    | Load
    | Column
    | Op
    | Cond
    | Bind
    | Comp
    | Fold
    | Invoke
    | Setting
    | Known
    | Completable
    | Once
    | After
)
