"""Expressions and types back as text, with no more parentheses than they need."""

from __future__ import annotations

from typing import assert_never

from rulespec.expr.syntax import (
    Attr,
    Binary,
    Call,
    Comp,
    Compare,
    Expr,
    If,
    In,
    Includes,
    Interval,
    Is,
    Name,
    Num,
    Text,
    Tuple,
    TypeExpr,
    TypeName,
    TypeOf,
    TypeOption,
    TypePer,
    TypeRange,
    Unary,
)

WHOLE, CHOICE, OTHERWISE, OR, AND, NOT, RELATION = range(7)
INTERVAL, SUM, OF, PRODUCT, SIGN, POSTFIX = range(7, 13)
LEVEL = {"otherwise": OTHERWISE, "or": OR, "and": AND, "+": SUM, "-": SUM, "of": OF, "*": PRODUCT, "/": PRODUCT}


def to_text(expr: Expr) -> str:
    """The text of an expression; parsing it gives the same expression."""
    return _text(expr, WHOLE)


def _text(expr: Expr, least: int) -> str:
    level, text = _form(expr)
    return text if level >= least else f"({text})"


def _list(exprs: tuple[Expr, ...], least: int) -> str:
    return ", ".join(_text(expr, least) for expr in exprs)


def _form(expr: Expr) -> tuple[int, str]:
    """How tightly an expression binds, and its text."""
    match expr:
        case Name(id):
            return POSTFIX, id
        case Num(value):
            return POSTFIX, str(value)
        case Text(value):
            return POSTFIX, f'"{value}"'
        case Attr(obj, name):
            return POSTFIX, f"{_text(obj, POSTFIX)}.{name}"
        case Call(func, args):
            return POSTFIX, f"{_text(func, POSTFIX)}({_list(args, WHOLE)})"
        case Tuple(items):
            return POSTFIX, f"({_list(items, CHOICE)})"
        case Unary("neg", x):
            return SIGN, f"-{_text(x, POSTFIX)}"
        case Unary(_, x):
            return NOT, f"not {_text(x, NOT)}"
        case Binary(op, left, right):
            level = LEVEL[op]
            first, second = (level + 1, level) if op == "of" else (level, level + 1)
            return level, f"{_text(left, first)} {op} {_text(right, second)}"
        case Compare(op, left, right):
            return RELATION, f"{_text(left, INTERVAL)} {op} {_text(right, INTERVAL)}"
        case In(item, coll, negated):
            word = "not in" if negated else "in"
            return RELATION, f"{_text(item, INTERVAL)} {word} {_text(coll, INTERVAL)}"
        case Includes(coll, item):
            return RELATION, f"{_text(coll, INTERVAL)} includes {_text(item, INTERVAL)}"
        case Is(x, what, negated):
            return RELATION, f"{_text(x, INTERVAL)} is {'not ' if negated else ''}{what}"
        case Interval(low, high):
            ends = ("" if end is None else _text(end, SUM) for end in (low, high))
            return INTERVAL, "..".join(ends)
        case If(cond, then, other):
            parts = (_text(part, CHOICE) for part in (cond, then, other))
            return CHOICE, "if {} then {} else {}".format(*parts)
        case Comp():
            return WHOLE, _comp(expr)
        case _:
            assert_never(expr)


def _comp(comp: Comp) -> str:
    text = f"{comp.var} in {_text(comp.coll, INTERVAL)}"
    if comp.value is not None:
        text = f"{_text(comp.value, CHOICE)} for {text}"
    if comp.where is not None:
        text += f" where {_text(comp.where, CHOICE)}"
    if comp.key is not None:
        text += f" {comp.word} {_text(comp.key, CHOICE)}"
    return text


def type_to_text(type_: TypeExpr) -> str:
    """The text of a type."""
    match type_:
        case TypeName(id):
            return id
        case TypeOf(ctor, item):
            return f"{ctor} of {type_to_text(item)}"
        case TypeOption(item):
            return f"{type_to_text(item)} or none"
        case TypeRange(low, high):
            return "..".join("" if end is None else str(end) for end in (low, high))
        case TypePer(key, item):
            return f"by {key} of {type_to_text(item)}"
        case _:
            assert_never(type_)
