"""The syntax tree of expressions and types.

Nodes are immutable and compare by meaning alone: where a node stood in the text (`start`, `end`:
offsets in the scalar's value) takes no part in equality. A node in parentheses spans its
parentheses.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import field, fields, replace
from functools import cache
from typing import Any, Literal, TypeAlias, TypeVar

from rulespec.system.records import dataclass

UnaryOp: TypeAlias = Literal["neg", "not"]
BinaryOp: TypeAlias = Literal["+", "-", "*", "/", "and", "or", "otherwise", "of"]
CompareOp: TypeAlias = Literal["==", "!=", "<", "<=", ">", ">="]
State: TypeAlias = Literal["none", "known", "empty"]
KeyWord: TypeAlias = Literal["by", "have"]
Ctor: TypeAlias = Literal["set", "bag", "list"]


@dataclass(frozen=True, slots=True)
class Node:
    """Anything with a place in the text."""

    start: int = field(default=0, compare=False, repr=False, kw_only=True)
    end: int = field(default=0, compare=False, repr=False, kw_only=True)


@dataclass(frozen=True, slots=True)
class Name(Node):
    """A bare word: `active`, `yes`, `none`, `this`."""

    id: str


@dataclass(frozen=True, slots=True)
class Num(Node):
    """A whole number, never negative: `-3` is a `Unary`."""

    value: int


@dataclass(frozen=True, slots=True)
class Text(Node):
    """A text in double quotes, as it is written between them: a template (see `expr.template`)."""

    value: str
    text_start: int = field(default=0, compare=False, repr=False)


@dataclass(frozen=True, slots=True)
class Attr(Node):
    """`obj.name`"""

    obj: Expr
    name: str
    name_start: int = field(default=0, compare=False, repr=False)


@dataclass(frozen=True, slots=True)
class Call(Node):
    """`f(a, b)` or `x.f(a, b)`"""

    func: Name | Attr
    args: tuple[Expr, ...]


@dataclass(frozen=True, slots=True)
class Unary(Node):
    """`-x` or `not x`"""

    op: UnaryOp
    x: Expr


@dataclass(frozen=True, slots=True)
class Binary(Node):
    """`left op right`"""

    op: BinaryOp
    left: Expr
    right: Expr


@dataclass(frozen=True, slots=True)
class Compare(Node):
    """`left == right` and its kin; never chained."""

    op: CompareOp
    left: Expr
    right: Expr


@dataclass(frozen=True, slots=True)
class In(Node):
    """`item in coll`, `item not in coll`"""

    item: Expr
    coll: Expr
    negated: bool = False


@dataclass(frozen=True, slots=True)
class Includes(Node):
    """`coll includes item`"""

    coll: Expr
    item: Expr


@dataclass(frozen=True, slots=True)
class Is(Node):
    """`x is none`, `x is not empty`"""

    x: Expr
    what: State
    negated: bool = False


@dataclass(frozen=True, slots=True)
class Interval(Node):
    """`low..high`, `low..`, `..high`; one end at least is there."""

    low: Expr | None
    high: Expr | None


@dataclass(frozen=True, slots=True)
class If(Node):
    """`if cond then then else other`"""

    cond: Expr
    then: Expr
    other: Expr


@dataclass(frozen=True, slots=True)
class Tuple(Node):
    """`(a, b)`: two items or more."""

    items: tuple[Expr, ...]


@dataclass(frozen=True, slots=True)
class Comp(Node):
    """`value for var in coll where c by key`, or without a value `var in coll where c by key`.

    `word` tells `by` from `have` and is there just when `key` is.
    """

    value: Expr | None
    var: str
    coll: Expr
    where: Expr | None = None
    key: Expr | None = None
    word: KeyWord | None = None
    var_start: int = field(default=0, compare=False, repr=False, kw_only=True)


@dataclass(frozen=True, slots=True)
class TypeName(Node):
    """`Player`, `Number`, `Text`; also `Yes or no`, spelled just so."""

    id: str


@dataclass(frozen=True, slots=True)
class TypeOf(Node):
    """`set of Place`"""

    ctor: Ctor
    item: TypeExpr


@dataclass(frozen=True, slots=True)
class TypeOption(Node):
    """`Player or none`"""

    item: TypeExpr


@dataclass(frozen=True, slots=True)
class TypeRange(Node):
    """`0..6`, `1..`, `-5..5`; one end at least is there."""

    low: int | None
    high: int | None


@dataclass(frozen=True, slots=True)
class TypePer(Node):
    """`by players of EventKind`: a column for each value of the key, folded at set-up."""

    key: str
    item: TypeExpr


Expr: TypeAlias = (
    Name | Num | Text | Attr | Call | Unary | Binary | Compare | In | Includes | Is | Interval | If | Tuple | Comp
)
TypeExpr: TypeAlias = TypeName | TypeOf | TypeOption | TypeRange | TypePer

N = TypeVar("N", bound=Node)
POSITIONS = frozenset({"start", "end", "name_start", "text_start", "var_start"})
PLAIN = frozenset({"str", "int", "bool"})  # types of fields in which no node stands


@cache
def below(cls: type) -> tuple[str, ...]:
    """The fields of a kind of nodes in which nodes may stand."""
    return tuple(f.name for f in fields(cls) if f.name not in POSITIONS and f.type not in PLAIN)


def children(node: Node) -> list[Node]:
    """The nodes right below a node, in the order of its fields."""
    found: list[Node] = []
    cls: Any = node.__class__
    for name in below(cls):
        value = getattr(node, name)
        if isinstance(value, Node):
            found.append(value)
        elif value.__class__ is tuple:
            found += value
    return found


def walk(node: Node) -> Iterator[Node]:
    """The node and all nodes below it, each before those below it."""
    todo = [node]
    while todo:
        node = todo.pop()
        yield node
        todo += children(node)[::-1]


def shift(node: N, by: int) -> N:
    """The same tree with all its offsets moved."""
    moved: dict[str, Any] = {}
    for f in fields(node):
        value = getattr(node, f.name)
        if f.name in POSITIONS:
            moved[f.name] = value + by
        elif isinstance(value, Node):
            moved[f.name] = shift(value, by)
        elif isinstance(value, tuple):
            moved[f.name] = tuple(shift(item, by) for item in value)
    return replace(node, **moved)
