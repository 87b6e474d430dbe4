"""The type of an expression, from the types of what it reads.

It is for locals that passes make.  Where it cannot be told it is `any`.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import reduce
from typing import assert_never

from rulespec import ir
from rulespec.ir import types
from rulespec.ir.inhabits import Values
from rulespec.ir.types import ANY, BOOL, INT, NATURAL, NONE, Type
from rulespec.language import bounds
from rulespec.language.bounds import Span
from rulespec.language.facts import Result
from rulespec.language.registry import facts

NOTHING = types.set_of(INT, 0)
MOST = 1 << 62
CONDITION = ((0, 0), (0, 1), (1, 1))  # bounds that only conditions have for all arguments


class Typing:
    """Types of expressions of a program."""

    def __init__(self, program: ir.Program) -> None:
        self.program = program
        self.values = Values(program)

    def of(self, e: ir.Expr, given: dict[int, Type]) -> Type:
        """The type of an expression whose locals have the given types."""
        match e:
            case ir.Const(value):
                return of_value(value)
            case ir.Local(index):
                return given.get(index, ANY)
            case ir.Load(base):
                return self.values.slots[base] if base < len(self.values.slots) else ANY
            case ir.Column(values):
                return reduce(join, map(of_value, values)) if values else ANY
            case ir.Op(name, args):
                result = facts(name).result
                parts = [self.of(arg, given) for arg in args]
                if isinstance(result, Result):
                    return of_call(result, parts)
                if result(*[(None, None)] * len(parts)) in CONDITION:
                    return BOOL
                return types.number(*within(result(*map(self.span, parts))))
            case ir.Cond(_, then, other):
                return self.either(then, other, given)
            case ir.Bind(index, value, body):
                return self.inside(body, index, self.of(value, given), given)
            case ir.Comp():
                return self.of_comprehension(e, given)
            case ir.Fold(acc):
                return given.get(acc, ANY)
            case ir.Invoke(function):
                return self.program.functions[function].result
            case ir.Known(value):
                return present(self.of(value, given))
            case ir.Once(_, value) | ir.After(value=value):
                return self.of(value, given)
            case ir.Completable():
                return BOOL
            case ir.Setting():
                return ANY
            case _:
                assert_never(e)

    def either(self, a: ir.Expr, b: ir.Expr, given: dict[int, Type]) -> Type:
        """The type of one of two expressions: a constant is of the type of the other, if it can be."""
        one, two = self.of(a, given), self.of(b, given)
        if isinstance(a, ir.Const) and two != ANY and self.values.has(two, a.value):
            return two
        if isinstance(b, ir.Const) and one != ANY and self.values.has(one, b.value):
            return one
        return join(one, two)

    def of_comprehension(self, e: ir.Comp, given: dict[int, Type]) -> Type:
        """The type of what a loop gathers."""
        source = self.of(e.source, given)
        if e.value is None and e.key is None:
            return source if source.what in ("set", "list") else types.list_of(item_of(source))
        each = item_of(source)
        value = ir.Local(e.index) if e.value is None else e.value
        item = self.inside(value, e.index, each, given)
        if e.key is not None:
            item = types.pack(item, self.inside(e.key, e.index, each, given))
        return types.list_of(item)

    def inside(self, e: ir.Expr, index: int, value: Type, given: dict[int, Type]) -> Type:
        """The type of an expression in which a local holds a value of a type."""
        outer = given.get(index, ANY)
        given[index] = value if outer == ANY else narrowed(outer, value)
        try:
            return self.of(e, given)
        finally:
            given[index] = outer

    def span(self, t: Type) -> Span:
        """The bounds of a number; a condition is 0 or 1."""
        match t.what:
            case "int":
                return t.low, t.high
            case "bool":
                return 0, 1
            case "entity":
                return 0, self.values.size(t) - 1
        return None, None


def within(span: Span) -> Span:
    """Bounds, of which those are not known that need more than 62 bits."""
    low, high = span
    return (None if low is None or low < -MOST else low), (None if high is None or high > MOST else high)


def narrowed(t: Type, other: Type) -> Type:
    """A type with the bounds of numbers that another has in the same places."""
    if t == INT and other.what == "int":
        return other
    if t.what == "option" and other.what != "none":
        return types.option(narrowed(t.parts[0], present(other)))
    if t.what in ("set", "list") and other.what in ("set", "list"):
        inner = t.parts[0] if other == NOTHING else narrowed(t.parts[0], other.parts[0])
        return Type(t.what, parts=(inner,), capacity=t.capacity)
    return t


def of_value(value: ir.Value) -> Type:
    """A type of a constant."""
    if value is None:
        return NONE
    if isinstance(value, bool):
        return BOOL
    if isinstance(value, int):
        return types.number(value, value)
    if isinstance(value, str):
        return types.TEXT
    if not isinstance(value, tuple):
        return ANY
    if not value:
        return NOTHING
    item = reduce(join, map(of_value, value))
    distinct = item.what in ("int", "bool") and tuple(sorted(set(value))) == value
    return types.set_of(item, len(value)) if distinct else types.list_of(item, len(value))


def join(a: Type, b: Type) -> Type:
    """A type that has all values of two."""
    if a == b:
        return a
    if a.what == "none" or b.what == "none":
        return types.option(b if a.what == "none" else a)
    if a.what == "option" or b.what == "option":
        return types.option(join(present(a), present(b)))
    if a.what == b.what == "int":
        low = None if a.low is None or b.low is None else min(a.low, b.low)
        high = None if a.high is None or b.high is None else max(a.high, b.high)
        return types.number(low, high)
    if {a.what, b.what} <= {"int", "entity"}:
        return NATURAL if a.what == "entity" and b.low is not None and b.low >= 0 else INT
    if {a.what, b.what} <= {"set", "list"}:
        if a == NOTHING or b == NOTHING:
            return b if a == NOTHING else a
        most = None if a.capacity is None or b.capacity is None else max(a.capacity, b.capacity)
        item = join(a.parts[0], b.parts[0])
        return types.set_of(item, most) if a.what == b.what == "set" else types.list_of(item, most)
    if {a.what, b.what} <= {"record", "pack"} and len(a.parts) == len(b.parts):
        return types.pack(*map(join, a.parts, b.parts))
    return ANY


def present(t: Type) -> Type:
    """A type without None."""
    return t.parts[0] if t.what == "option" else t


def item_of(t: Type) -> Type:
    """The type of an item of a collection."""
    return t.parts[0] if t.what in ("set", "list") else types.entity(t.kind or 0) if t.what == "bag" else ANY


def of_call(result: Result, args: list[Type]) -> Type:
    """The type of what a function of the library gives."""
    return TRANSFERS[result](*args) if result in TRANSFERS else ANY


def size(a: Type, *_: Type) -> Type:
    """How many items there are."""
    return types.number(0, a.capacity)


def part(a: Type, index: Type) -> Type:
    """A part of a record, or an item of a list."""
    if a.what in ("record", "pack") and index.low is not None and index.low == index.high and index.low < len(a.parts):
        return a.parts[index.low]
    return item_of(a)


def bounded(a: Type, low: Type, high: Type, *_: Type) -> Type:
    """A number between two others, or none."""
    if a.what == "none":
        return a
    inner = present(a)
    number = types.number(*bounds.held_to((inner.low, inner.high), within((low.low, high.high))))
    return types.option(number) if a.what == "option" else number


def row(rows: Type) -> Type:
    """A value of a table."""
    pair = item_of(rows)
    return pair.parts[1] if pair.what == "pack" and len(pair.parts) == 2 else ANY


def first_parts(pairs: Type) -> Type:
    """The first parts of pairs."""
    pair = item_of(pairs)
    return types.list_of(pair.parts[0]) if pair.what == "pack" else ANY


def as_list(a: Type, *_: Type) -> Type:
    """The items, in any order."""
    return types.list_of(item_of(a))


def as_set(a: Type, *_: Type) -> Type:
    """The items, ascending and distinct."""
    return types.set_of(item_of(a), a.capacity)


def bag_of(*args: Type) -> Type:
    """The bag among the arguments."""
    return next((a for a in args if a.what == "bag"), ANY)


CONDITIONS = (
    Result.EQUAL, Result.DIFFERENT, Result.OPPOSITE, Result.ABSENT, Result.AMONG, Result.SOME, Result.NO_ITEM,
)  # fmt: skip
TRANSFERS: dict[Result, Callable[..., Type]] = {
    **dict.fromkeys(CONDITIONS, lambda *_: BOOL),
    Result.SIZE: size,
    Result.OCCURRENCES: size,
    Result.PLACE: size,
    Result.TOTAL: lambda *_: INT,
    Result.ITEM: lambda a, *_: item_of(a),
    Result.NUMBER: lambda a, *_: item_of(a) if item_of(a).what == "int" else INT,
    Result.PART: part,
    Result.LINK: lambda _a, _b, links, *_: item_of(links),
    Result.KIND: lambda a, *_: item_of(a),
    Result.ROW: lambda rows, *_: row(rows),
    Result.ROW_OR_NONE: lambda rows, *_: types.option(row(rows)),
    Result.FIRST: lambda a, *_: a,
    Result.WITHIN: bounded,
    Result.SAME: lambda a, *_: a,
    Result.REMAINDER: lambda a, *_: a,
    Result.LISTED: as_list,
    Result.SORTED: as_list,
    Result.AS_SET: as_set,
    Result.LATER: lambda a, *_: a if a.what == "set" else as_list(a),
    Result.SOME_LISTED: as_list,
    Result.PREFIX: as_list,
    Result.BEST: first_parts,
    Result.BY_KEY: first_parts,
    Result.UNION: lambda a, b: types.set_of(join(item_of(a), item_of(b))),
    Result.JOINED: lambda a, b: types.list_of(join(item_of(a), item_of(b))),
    Result.INTERVAL: lambda a, b: types.set_of(types.number(a.low, b.high) if a.what == b.what == "int" else INT),
    Result.RECORD: types.pack,
    Result.BAG_SUM: bag_of,
    Result.BAG_MULTIPLE: bag_of,
    Result.BAG_PART: bag_of,
    Result.KINDS: lambda a, *_: types.set_of(item_of(a)),
    Result.WEIGHTS: lambda *_: types.list_of(NATURAL),
}
