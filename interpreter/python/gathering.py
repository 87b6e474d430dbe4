"""Code that gathers items in a list: concatenations, and the items with the highest key.

A concatenation of six or more tests of one collection becomes a single loop through it.

Example: `(if 3 in xs then [3] else []) + (if 5 in xs then [5] else []) + ...` becomes `for x in xs: if x in table: out.append(table[x])`.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator
from itertools import groupby, pairwise
from typing import Any

from interpreter.python.emitter import Emitter
from interpreter.python.facts import fits
from interpreter.python.operations import is_items
from interpreter.runtime.limits import LIMIT
from rulespec import ir
from rulespec.analysis.domain import Fact
from rulespec.language import operators
from rulespec.language.facts import Reduction

ROW = 6  # tests, at least, that become a table


def gathered(w: Emitter, parts: list[ir.Expr], fact: Fact) -> ast.expr:
    """The concatenation of collections."""
    out = w.temp()
    w.add("$o = []", o=out)
    for source, row in rows(w, parts):
        if source is None:
            for part in row:
                gather(w, out, part)
        else:
            items = w.held(w.expr(source))
            table = w.shared(("members", repr(row)), lambda row=row: dict(map(member, row)))  # type: ignore[misc]
            x = w.temp()
            w.add(
                "for $x in $s:\n if $v in $d:\n  $o.append($d[$v])", x=x, s=items, v=w.name(x), d=table, o=w.name(out)
            )
    if not fits(fact):
        w.add("if len($o) > $limit: raise Stop", o=w.name(out), limit=w.const(LIMIT))
    return w.make("tuple($o)", o=w.name(out))


def rows(w: Emitter, parts: list[ir.Expr]) -> Iterator[tuple[ir.Expr | None, list[Any]]]:
    """The parts, in their order: (a collection, those that are there if it contains something), or (None, others)."""
    for source, group in groupby(parts, tested):
        row = list(group)
        if source is not None:
            fact = w.fact(source)
            ascending = all(member(a)[0] < member(b)[0] for a, b in pairwise(row))
            if len(row) < ROW or not (is_items(fact) and fact.ordered and ascending):
                source = None
        yield source, row


def tested(part: ir.Expr) -> ir.Expr | None:
    """The collection C, where the part is `if C contains n then (n,) else ()`; None for any other part."""
    match part:
        case ir.Cond(ir.Op(operators.CONTAINS, (source, ir.Const(value))), ir.Const((_,)), ir.Const(())) if isinstance(
            value, int
        ):
            return source
    return None


def member(part: Any) -> tuple[int, Any]:
    """The number and the item of such a test."""
    return part.test.args[1].value, part.then.value[0]


def gather(w: Emitter, out: str, part: ir.Expr) -> None:
    """Append the items of one collection."""
    match part:
        case ir.Const(value=()):
            return
        case ir.Cond(test, then, ir.Const(value=())):
            condition = w.expr(test)
            with w.aside() as inner:
                gather(w, out, then)
            w.add("if $t:\n $b", t=condition, b=inner)
        case ir.Op(operators.PACK, args):
            for item in args:
                w.add("$o.append($v)", o=w.name(out), v=w.expr(item))
        case ir.Const(value=(only,)):
            w.add("$o.append($v)", o=w.name(out), v=w.const(only))
        case ir.Comp(key=None) if part.where is not None or part.value is not None:
            w.body(part, lambda w: w.add("$o.append($v)", o=w.name(out), v=w.one(part)))
        case _:
            w.add("$o += $v", o=out, v=w.expr(part))


def extreme(w: Emitter, wanted: Reduction, comp: ir.Comp) -> ast.expr:
    """All items with the highest or lowest key."""
    assert comp.key is not None
    best, out = w.temp(), w.temp()
    w.add("$b = None\n$o = ()", b=best, o=out)
    better = "$k > $b" if wanted is Reduction.HIGHEST else "$k < $b"

    def consider(w: Emitter) -> None:
        value = w.held(w.local(comp.index) if comp.value is None else w.expr(comp.value))
        key = w.held(w.expr(comp.key))  # type: ignore[arg-type]
        w.add(
            f"if $b is None or {better}:\n $b2 = $k\n $o2 = [$v]\nelif $k == $b:\n $o.append($v)",
            b=w.name(best),
            b2=best,
            k=key,
            o=w.name(out),
            o2=out,
            v=value,
        )

    w.body(comp, consider)
    return w.make("tuple($o)", o=w.name(out))
