"""Memos: results that are reused as long as the slots that they were computed from are equal.

    k3(S, *locals)   the value of an expression, computed again only if a slot that it reads differs from the last time

Slots hold immutable values and expressions are pure, so a result holds for every position whose slots are equal, whatever way led
there.  Comparing slots is one step of Python's for many of them, and a loop over places is many.  What is kept belongs to
the back end and never to a position.  Items that were looked at are counted again each time, as the bounds want it.
"""

from __future__ import annotations

import ast
from collections.abc import Callable
from typing import Any

from interpreter.python.emitter import Emitter
from interpreter.python.memo_cost import MemoCost
from interpreter.python.templates import function, name, tuple_of
from rulespec import ir
from rulespec.analysis.domain import Fact
from rulespec.ir.ahead import Ahead
from rulespec.ir.reads import numbers, reads

RESULTS = 4096  # results for the same slots and different locals, at most
NEVER = object()  # equal to no slot


class Memo(MemoCost):
    """The memos of expressions, as generated functions.

    `writer` makes the writer of a function, `pending` gets how to write each function; `tables` is the size of the table of each.
    """

    def __init__(
        self,
        functions: tuple[ir.Function, ...],
        writer: Callable[[], Emitter],
        pending: dict[str, Callable[[], ast.FunctionDef]],
        ahead: Ahead,
    ) -> None:
        super().__init__(functions, ahead)
        self.writer = writer
        self.pending = pending
        self.tables: dict[str, int] = {}
        self.count = 0

    def write(self, w: Emitter, e: ir.Expr) -> ast.expr:
        """The call of an expression's memo."""
        free = numbers(reads(e))
        values = {k: w.local(k) for k in free}
        fixed: dict[int, ast.expr] = {k: v for k, v in values.items() if isinstance(v, ast.Constant)}
        given = [k for k in free if k not in fixed]
        facts = {k: w.facts[k] for k in free if k in w.facts}
        call = self.function(e, given, fixed, facts, w.line)
        w.counting += 1
        return w.held(w.make("$f(S, *$args)", f=call, args=[values[k] for k in given]))

    def function(
        self, e: ir.Expr, given: list[int], names: dict[int, ast.expr], facts: dict[int, Fact], line: int
    ) -> ast.Name:
        """The name of a function of the slots and the `given` locals that keeps an expression; `names` are its other locals."""
        title = f"k{self.count}"
        table = f"kept{self.count}"
        self.count += 1
        self.pending[title] = lambda: self.define(title, table, e, given, names, facts, line)
        return name(title, line)

    def define(
        self,
        title: str,
        table: str,
        e: ir.Expr,
        given: list[int],
        names: dict[int, ast.expr],
        facts: dict[int, Fact],
        line: int,
    ) -> ast.FunctionDef:
        """That function.  Its table holds the slots as they were, and then the result with what it cost, or one for each `given`."""
        w = self.writer()
        w.line, w.counts, w.names, w.facts = line, True, dict(names), dict(facts)
        parameters = [f"l{k}" for k in given]
        read = self.slots(e)
        ranges = spans(read)
        w.widest = len(read) // 2  # a memo inside it must depend on fewer slots
        n = len(ranges)
        self.tables[table] = n
        holes = {"K": w.name(table), "n": w.const(n)}
        slices = []
        for k, (low, high) in enumerate(ranges):
            w.add("$x = S[$a]" if high - low == 1 else "$x = S[$a:$b]", x=f"x{k}", a=w.const(low), b=w.const(high))
            slices.append(w.name(f"x{k}"))
        at = {"lineno": line, "col_offset": 0, "end_lineno": line, "end_col_offset": 0}
        if given:
            tests: list[ast.expr] = [w.make("$x != $K[$k]", x=x, k=w.const(k), **holes) for k, x in enumerate(slices)]
            other = tests[0] if n == 1 else ast.BoolOp(ast.Or(), tests, **at)
            w.add("if $t:\n $K[:] = $all", t=other, all=tuple_of([*slices, w.make("{}")], line), **holes)
            key = tuple_of([w.name(p) for p in parameters], line) if len(given) > 1 else w.name(parameters[0])
            w.add("d = $K[$n]\nv = d.get($key)", key=key, **holes)
            w.add("if v is not None:\n F[0] -= v[1]\n if F[0] < 0: raise Stop\n return v[0]")
        else:
            tests = [w.make("$x == $K[$k]", x=x, k=w.const(k), **holes) for k, x in enumerate(slices)]
            same = tests[0] if n == 1 else ast.BoolOp(ast.And(), tests, **at)
            w.add("if $t:\n v = $K[$n]\n F[0] -= v[1]\n if F[0] < 0: raise Stop\n return v[0]", t=same, **holes)
        w.add("n = F[0]")
        value = w.held(w.expr_anew(e))
        result = w.make("($v, n - F[0])", v=value)
        if given:
            w.add("if len(d) >= $most: d.clear()\nd[$key] = $r", most=w.const(RESULTS), key=key, r=result)
        else:
            w.add("$K[:] = $all", all=tuple_of([*slices, result], line), **holes)
        w.add("return $v", v=value)
        return function(title, ["S", *parameters], w.block, line)


def fresh_table(size: int) -> list[Any]:
    """An empty table of a memo that compares `spans` ranges of slots; it is equal to no slots."""
    return [NEVER] * size + [None]


def spans(slots: frozenset[int]) -> list[tuple[int, int]]:
    """Slots as half-open ranges; ranges of one slot first, since they are compared the fastest."""
    runs: list[tuple[int, int]] = []
    for slot in sorted(slots):
        if runs and runs[-1][1] == slot:
            runs[-1] = (runs[-1][0], slot + 1)
        else:
            runs.append((slot, slot + 1))
    return sorted(runs, key=lambda span: span[1] - span[0])
