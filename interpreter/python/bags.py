"""Functions of bags (tuples of counts), unrolled for bags of few kinds.

Example: the sum of two bags of two kinds is `(a[0] + b[0], a[1] + b[1])`.
"""

from __future__ import annotations

import ast

from interpreter.python.emitter import Emitter
from interpreter.python.templates import tuple_of
from rulespec import ir
from rulespec.language.facts import Form, Python

WIDEST = 8  # kinds of a bag whose functions are unrolled, at most


def by_kind(w: Emitter, python: Python, args: tuple[ir.Expr, ...], values: list[ast.expr]) -> ast.expr | None:
    """A template for each kind of two bags: a bag of the results, or whether all hold; None for bags of many kinds.

    Both bags are of the same kinds: the type checker ensures it.
    """
    size = next((f.size for f in map(w.fact, args) if f.what == "items" and not f.none and f.size), None)
    if size is None or size > WIDEST:
        return None
    a, b = w.held(values[0]), w.held(values[1])
    parts = [w.make(python.template, a=a, b=b, k=w.const(k)) for k in range(size)]
    if python.form is Form.EACH_KIND:
        return tuple_of(parts, w.line)
    at = {"lineno": w.line, "col_offset": 0, "end_lineno": w.line, "end_col_offset": 0}
    return ast.BoolOp(ast.And(), parts, **at) if len(parts) > 1 else parts[0]


def of_one(w: Emitter, number: ast.expr, kind: ast.expr, members: ast.expr) -> ast.expr | None:
    """A bag with some pieces of one kind."""
    size = members.value if isinstance(members, ast.Constant) else None
    if not isinstance(size, int) or size > WIDEST:
        return None
    if isinstance(number, ast.Constant) and isinstance(number.value, int) and number.value >= 0:
        rows = tuple(tuple(number.value if k == kind_ else 0 for k in range(size)) for kind_ in range(size))
        return w.column(rows, kind)
    if not natural(kind):
        return None
    number = w.held(number)
    w.add("if $n < 0: raise Stop", n=number)
    assert isinstance(kind, ast.Constant)
    return tuple_of([number if k == kind.value else w.const(0) for k in range(size)], w.line)


def natural(value: ast.expr) -> bool:
    """Whether an expression is a constant that may be an index."""
    return isinstance(value, ast.Constant) and isinstance(value.value, int) and value.value >= 0
