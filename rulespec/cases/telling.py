"""Which parts of a fact explain why it does not hold: the sides of its comparisons, what its calls look at."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from typing import assert_never

from rulespec.expr import syntax


def telling(text: str, tree: syntax.Expr | None) -> Iterator[tuple[str, syntax.Expr]]:
    """The subexpressions whose values explain why a fact does not hold, each with its text."""
    match tree:
        case syntax.Binary(op="and" | "or", left=left, right=right):
            for part in (left, right):
                over = isinstance(part, syntax.Call) and any(isinstance(arg, syntax.Comp) for arg in part.args)
                if isinstance(part, syntax.Name | syntax.Attr | syntax.Call) and not over:
                    yield text[part.start : part.end], part
                yield from telling(text, part)
        case syntax.Unary(op="not", x=x):
            yield from telling(text, x)
        case syntax.Compare(left=left, right=right):
            yield from operands(text, left, right)
        case syntax.In(item=operand, coll=many) | syntax.Includes(item=operand, coll=many):
            yield from operands(text, operand, many)
        case syntax.Is(x=x):
            yield from operands(text, x)
        case syntax.Call(
            func=syntax.Name(id="all") as func, args=(syntax.Comp(key=syntax.Node() as key, where=where) as comp,)
        ):
            fails = syntax.Unary("not", key, start=key.start, end=key.end)
            condition = fails if where is None else syntax.Binary("and", where, fails, start=where.start, end=key.end)
            failing = replace(comp, where=condition, key=None, word=None)
            yield f"where it fails, {comp.var}", replace(tree, func=replace(func, id="those"), args=(failing,))
        case syntax.Call(args=args):
            yield from (operand for arg in args for operand in operands(text, arg))
        case (
            syntax.Name()
            | syntax.Num()
            | syntax.Text()
            | syntax.Attr()
            | syntax.Unary()
            | syntax.Binary()
            | syntax.Interval()
            | syntax.If()
            | syntax.Tuple()
            | syntax.Comp()
            | None
        ):
            pass  # the whole fact is quoted in the message already
        case _:
            assert_never(tree)


def operands(text: str, *parts: syntax.Expr | None) -> Iterator[tuple[str, syntax.Expr]]:
    """These subexpressions and their own, without constants."""
    for part in parts:
        match part:
            case None | syntax.Num() | syntax.Text():
                continue
            case syntax.Interval(low=low, high=high):
                yield from operands(text, low, high)
            case syntax.Comp(coll=coll):
                yield from operands(text, coll)
            case syntax.Call(args=args):
                yield text[part.start : part.end], part
                yield from operands(text, *args)
            case syntax.Binary(left=left, right=right):
                yield text[part.start : part.end], part
                yield from operands(text, left, right)
            case (
                syntax.Name()
                | syntax.Attr()
                | syntax.Unary()
                | syntax.Compare()
                | syntax.In()
                | syntax.Includes()
                | syntax.Is()
                | syntax.If()
                | syntax.Tuple()
            ):
                yield text[part.start : part.end], part
            case _:
                assert_never(part)
