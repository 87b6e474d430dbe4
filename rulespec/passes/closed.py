"""Loops over constants that read nothing else are worked out before play; functions of a constant map become tables."""

from __future__ import annotations

from dataclasses import replace

from rulespec import ir
from rulespec.ir.reads import reads
from rulespec.ir.walk import within
from rulespec.library.errors import LIMIT, DomainError
from rulespec.library.maps import distance, reach
from rulespec.registry import body

MOST_ITEMS = 5_000  # looked at in one expression, all loops together
OPEN = (ir.Load, ir.Setting, ir.Invoke, ir.Completable, ir.Once, ir.Known)
BIGGEST = (1 << 63) - 1


class Unknown(Exception):
    """The expression has no value that can be worked out here."""


NO_VALUE = (Unknown, DomainError, ArithmeticError, LookupError, ValueError, TypeError)


def worked_out(expr: ir.Comp | ir.Fold) -> ir.Expr:
    """The value of a loop that reads neither slots nor locals, if it has one and is short."""
    if not isinstance(expr.source, ir.Const) or reads(expr) or any(isinstance(e, OPEN) for e in within(expr)):
        return expr
    try:
        value = Evaluation().value(expr, {})
    except NO_VALUE:
        return expr
    return ir.Const(value)


class Evaluation:
    """One expression being worked out: how many items it may still look at."""

    def __init__(self) -> None:
        self.left = MOST_ITEMS

    def value(self, e: ir.Expr, known: dict[int, ir.Value]) -> ir.Value:
        """The value of an expression; Unknown, or the error of a function, if it has none."""
        match e:
            case ir.Const(value):
                return value
            case ir.Local(index) if index in known:
                return known[index]
            case ir.Column(values, index):
                at = self.value(index, known)
                if not 0 <= at < len(values):
                    raise Unknown
                return values[at]
            case ir.Op(name, args):
                return limited(body(name)(*(self.value(a, known) for a in args)))
            case ir.Cond(test, then, other):
                return self.value(then if self.value(test, known) else other, known)
            case ir.Bind(index, value, inner):
                return self.value(inner, {**known, index: self.value(value, known)})
            case ir.Comp(index, source, where, value, key):
                out = []
                for x in self.items(source, known):
                    inside = {**known, index: x}
                    if where is None or self.value(where, inside):
                        item = x if value is None else self.value(value, inside)
                        out.append(item if key is None else (item, self.value(key, inside)))
                return tuple(out)
            case ir.Fold(acc, start, index, source, inner):
                found = self.value(start, known)
                for x in self.items(source, known):
                    found = self.value(inner, {**known, acc: found, index: x})
                return found
        raise Unknown

    def items(self, source: ir.Expr, known: dict[int, ir.Value]) -> tuple[ir.Value, ...]:
        """What a loop goes through; Unknown if that is too much."""
        found = self.value(source, known)
        self.left -= len(found) + 1
        if self.left < 0:
            raise Unknown
        return tuple(found)


def limited(value: ir.Value) -> ir.Value:
    """The value; Unknown if play would refuse it as too large."""
    if (isinstance(value, int) and abs(value) > BIGGEST) or (isinstance(value, tuple) and len(value) > LIMIT):
        raise Unknown
    return value


def chosen(expr: ir.Comp) -> ir.Comp:
    """A loop over constants without the items that a first test, which reads nothing but the item, does not let pass."""
    first = expr.where.test if isinstance(expr.where, ir.Cond) and expr.where.other == ir.Const(False) else None
    if first is None or not isinstance(expr.source, ir.Const) or reads(first) & ~(1 << expr.index):
        return expr
    if any(isinstance(e, OPEN) for e in within(first)) or not isinstance(expr.where, ir.Cond):
        return expr
    one = Evaluation()
    try:
        kept = tuple(x for x in one.items(expr.source, {}) if one.value(first, {expr.index: x}))
    except NO_VALUE:
        return expr
    return replace(expr, source=ir.Const(kept), where=expr.where.then)


def of_map(expr: ir.Op) -> ir.Expr:
    """A function of a map whose links do not change: a look-up in a table, with the place as its index."""
    match expr:
        case ir.Op("neighbours", (place, ir.Const(value=rows))):
            return ir.Column(rows, place)
        case ir.Op("adjacent", (a, b, ir.Const(value=rows))):
            return ir.Op("contains", (ir.Column(rows, a), b))
        case ir.Op("reach", (place, ir.Const(value=int() as steps), ir.Const(value=rows))):
            return ir.Column(tuple(reach(p, steps, rows) for p in range(len(rows))), place)
        case ir.Op("connected", (a, b, ir.Const(value=rows))):
            places = range(len(rows))
            return ir.Op("contains", (ir.Column(tuple(reach(p, len(rows), rows) for p in places), a), b))
        case ir.Op("distance", (a, b, ir.Const(value=rows))) if len(rows) <= 64:
            places = range(len(rows))
            return ir.Op("get", (ir.Column(tuple(tuple(distance(p, q, rows) for q in places) for p in places), a), b))
    return expr
