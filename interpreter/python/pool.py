"""The pool: global names that the functions of a generated program share (tables, bodies of library functions, each other)."""

from __future__ import annotations

import ast
from collections.abc import Callable, Sequence
from functools import lru_cache, partial
from typing import Any

from interpreter.python.callees import Callees
from interpreter.python.emitter import Emitter
from interpreter.python.facts import fits
from interpreter.python.memo import Memo
from interpreter.python.templates import function as make_function
from interpreter.python.templates import name
from interpreter.python.value_numbers import ValueNumbers
from interpreter.runtime.values import Bodies
from rulespec import ir
from rulespec.analysis.domain import Fact, of_value
from rulespec.analysis.evaluate import Evaluator
from rulespec.ir.ahead import Ahead
from rulespec.ir.walk import within
from rulespec.ir.weight import Weights
from rulespec.language.facts import Result
from rulespec.language.registry import facts
from rulespec.library.errors import DomainError

REMEMBERED = 4096  # results in the cache of one function, at most
LOOPS = ir.Comp | ir.Fold | ir.Completable
LOOP = 6  # size of a loop, in expressions

Definition = Callable[[], ast.FunctionDef]


class Pool:
    """The global names of a generated program.

    `values` holds the values by name; `pending` how to write each function that has not been needed yet.
    `writer` makes the writer of a function's expressions.
    """

    def __init__(self, program: ir.Program, bodies: Bodies, writer: Callable[[Pool], Emitter]) -> None:
        self.program = program
        self.bodies = bodies
        self.writer = partial(writer, self)
        self.evaluator = Evaluator(program)
        self.values: dict[str, Any] = {}
        self.pending: dict[str, Definition] = {}
        self.known: dict[Any, str] = {}
        self.sizes: dict[int, int] = {}
        self.weights = Weights(program.functions)
        self.callees = Callees(program)
        self.memo = Memo(program.functions, self.writer, self.pending, Ahead(program))
        self.looks = 0  # expressions that look ahead
        self.value_numbers = ValueNumbers()
        self.function_safety: dict[tuple[int, tuple[Fact, ...]], bool] = {}

    # --- tables ------------------------------------------------------------------------------------
    def table_of(self, key: Any, make: Callable[[], Any]) -> ast.Name:
        """The global name of a shared value."""
        table_name = self.known.get(key)
        if table_name is None:
            table_name = self.known[key] = f"d{len(self.known)}"
            self.values[table_name] = make()
        return name(table_name)

    def places(self, base: int, size: int) -> ast.Name:
        """The slots of an index; an index outside is no key."""
        return self.table_of(("places", base, size), lambda: {i: base + i for i in range(size)})

    def rows(self, values: tuple[Any, ...]) -> ast.Name:
        """The rows of a table by number."""
        return self.table_of(("rows", repr(values)), lambda: dict(enumerate(values)))

    def table(self, pairs: tuple[tuple[Any, Any], ...]) -> ast.Name:
        """The rows of a table by key; the first of equal keys."""

        def make() -> dict[Any, Any]:
            out: dict[Any, Any] = {}
            for key, value in pairs:
                out.setdefault(key, value)
            return out

        return self.table_of(("table", repr(pairs)), make)

    def body(self, op: str, values: Sequence[ast.expr]) -> tuple[ast.Name, list[ast.expr]]:
        """The body of a library function, and the arguments to call it with.

        One whose results are kept has its last arguments already, as far as they are fixed collections, which would take
        long to find again.
        """
        body = self.bodies(op)
        title = f"b_{op}"
        if not facts(op).memo:
            self.values.setdefault(title, body)
            return name(title), list(values)
        n = len(values)
        while n > 1 and (last := values[n - 1]) and isinstance(last, ast.Constant) and isinstance(last.value, tuple):
            n -= 1
        fixed = tuple(v.value for v in values[n:] if isinstance(v, ast.Constant))
        if not fixed:
            if title not in self.values:
                self.values[title] = lru_cache(REMEMBERED)(body)
            return name(title), list(values)
        bound = self.table_of(
            ("bound", op, n, repr(fixed)), lambda: lru_cache(REMEMBERED)(lambda *args: body(*args, *fixed))
        )
        return bound, list(values[:n])

    def nothing(self, bag: ir.Expr) -> tuple[int, ...] | None:
        """The empty bag of a zone of counts; None for any other expression."""
        if not isinstance(bag, ir.Load):
            return None
        for zone in self.program.zones:
            if zone.counts and zone.base <= bag.base < zone.base + zone.size:
                return (0,) * len(self.program.kinds[zone.kind].members)
        return None

    def secret(self, text: ir.Text) -> bool:
        """Whether a line of the log may name something hidden."""
        hiding = any(zone.seen.who != "all" for zone in self.program.zones)
        return hiding and any(self.program.names_pieces(p[1]) for p in text.parts if not isinstance(p, str))

    def printers(self, text: ir.Text) -> ast.Name:
        """The printers of a text's values."""
        printers = tuple(part[1] for part in text.parts if not isinstance(part, str))
        return self.table_of(("printers", printers), lambda: printers)

    def evaluate(self, op: str, values: tuple[Any, ...]) -> tuple[Any] | None:
        """Constant folding: the result of an operation of constants, if it has one; not of one that makes a text (see `passes.closed`)."""
        if facts(op).result is Result.TEXT:
            return None
        try:
            result = self.bodies(op)(*values)
        except (DomainError, ArithmeticError, LookupError, ValueError, TypeError):
            return None
        return (result,) if fits(of_value(result)) else None

    # --- functions ---------------------------------------------------------------------------------
    def function(self, index: int) -> ast.Name:
        """A function of the game as `f(S, *arguments)`."""
        title = f"f{index}"
        if title not in self.pending and title not in self.values:
            function = self.program.functions[index]
            self.pending[title] = lambda: self.define(
                title, function.body, range(function.parameters), self.weights.call(index), function.locals
            )
        return name(title)

    def condition(self, e: ir.Expr, index: int, free: list[int]) -> ast.Name:
        """An expression as a function of the slots, its free locals and local `index`."""
        title = f"w{len(self.pending) + len(self.values)}"
        self.pending[title] = lambda: self.define(title, e, [*free, index])
        return name(title)

    def after(self, e: ir.After, free: dict[int, Fact]) -> ast.Name:
        """An expression that looks ahead, as a function of the slots, the arguments of the procedure, and its free locals."""
        title = f"h{self.looks}"
        self.looks += 1
        self.pending[title] = lambda: self.look_ahead(title, e, free)
        return name(title)

    def look_ahead(self, title: str, e: ir.After, free: dict[int, Fact]) -> ast.FunctionDef:
        """That function: it runs the procedure on a copy of the slots, without a journal, which has no other trace."""
        args = [f"a{n}" for n in range(len(e.args))]
        writer = self.writer()
        writer.counts, writer.facts = True, dict(free)
        writer.add("F[0] -= $n\nif F[0] < 0: raise Stop", n=writer.const(1 + self.callees.length(e.procedure)))
        writer.add(
            "S = S.copy()\n$p(S, None, None, *$args)",
            p=writer.name(f"p{e.procedure}"),
            args=[writer.name(arg) for arg in args],
        )
        writer.add("return $v", v=writer.expr(e.value))
        return make_function(title, ["S", *args, *(f"l{k}" for k in free)], writer.block)

    def define(
        self, title: str, body: ir.Expr, parameters: Any, cost: int = 0, types: tuple[ir.Type, ...] = ()
    ) -> ast.FunctionDef:
        """Define a function with one local for each parameter, of these types; a call counts as `cost` items."""
        writer = self.writer()
        writer.counts, writer.whole = True, body
        writer.facts = {k: self.evaluator.of_type(types[k]) for k in parameters} if types else {}
        if cost:
            writer.add("F[0] -= $n\nif F[0] < 0: raise Stop", n=writer.const(cost))
        value = writer.expr(body)
        writer.add("return $v", v=value)
        return make_function(title, ["S", *(f"l{i}" for i in parameters)], writer.block)

    def function_size(self, index: int) -> int:
        """The number of expressions in a function and its callees; a loop counts as several."""
        if index not in self.sizes:
            self.sizes[index] = sum(
                LOOP
                if isinstance(node, LOOPS)
                else 1 + (self.function_size(node.function) if isinstance(node, ir.Invoke) else 0)
                for node in within(self.program.functions[index].body)
            )
        return self.sizes[index]

    # --- facts -------------------------------------------------------------------------------------
    def function_safe(self, index: int, facts: tuple[Fact, ...]) -> bool:
        """Whether a function never fails for such arguments."""
        key = (index, facts)
        if key not in self.function_safety:
            writer = self.writer()
            writer.facts = dict(enumerate(facts))
            self.function_safety[key] = writer.safe(self.program.functions[index].body)
        return self.function_safety[key]
