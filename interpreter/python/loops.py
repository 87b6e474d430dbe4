"""Code of comprehensions and folds: loops in a block; one over few fixed items is written out.

A function of a comprehension that needs no collection (`any`, `count`, `sum`, the highest) becomes one loop with it.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

from interpreter.python import gathering
from interpreter.python.analysis import Analyser
from interpreter.python.facts import fits
from interpreter.python.patterns import either, loaded_again, name_of, settles
from interpreter.python.pool import Pool
from interpreter.python.templates import tuple_of
from rulespec import ir
from rulespec.analysis import transfer
from rulespec.analysis.domain import ANY, Fact, of_value
from rulespec.analysis.evaluate import only_item
from rulespec.ir.reads import until
from rulespec.ir.walk import conjuncts
from rulespec.language import operators
from rulespec.language.facts import Reduction
from rulespec.language.registry import facts

UNROLL = 32  # copies of a loop's body, at most, where it is unrolled
ROLLED = 6  # the same, of loops with tests in them
FREE = 2_000  # items that an expression may look at before it counts them


class LoopWriter(Analyser):
    """Writes loops."""

    def __init__(self, pool: Pool) -> None:
        super().__init__(pool)
        self.copies = 1  # how many copies of the current code are written
        self.span: int | None = 1  # how often it runs in the loops around it
        self.looks = 0  # how many items the loops that do not count look at
        self.again: frozenset[ir.Expr] = frozenset()  # loads that the loop around the code needs more than once
        self.present: frozenset[Any] = frozenset()  # variables that are not None where the code stands

    def fused(self, op: str, comp: ir.Comp) -> ast.expr | None:
        """A function of a comprehension that needs no collection."""
        match facts(op).reduces:
            case Reduction.HIGHEST | Reduction.LOWEST as wanted if comp.key is not None:
                return gathering.extreme(self, wanted, comp)
            case _ if comp.key is not None:
                return None
            case Reduction.SOME | Reduction.NO_ITEM as wanted if comp.where is not None:
                return self.exists(comp, wanted is Reduction.SOME)
            case Reduction.COUNT:
                return self.counted(comp)
            case Reduction.TOTAL if fits(transfer.reliable(op, [self.fact(comp)])):
                return self.summed(comp)
        return None

    def fixed(self, comp: ir.Comp | ir.Fold, most: int = UNROLL) -> tuple[Any, ...] | None:
        """The items of a loop that is unrolled; None for any other loop."""
        source = self.expr(comp.source) if isinstance(comp.source, ir.Const | ir.Local | ir.Column) else None
        if not isinstance(source, ast.Constant) or not isinstance(source.value, tuple):
            return None
        n = len(source.value)
        return source.value if 0 < n <= 12 and n * self.copies <= most else None

    def each_fixed(self, comp: ir.Comp, members: tuple[Any, ...]) -> Iterator[None]:
        """Unrolls a loop: writes its body for each of the fixed items."""
        self.copies *= len(members)
        self.looks += len(members) * self.pool.weights.item(comp.where, comp.value, comp.key) + 1
        for item in members:
            with self.bound(comp.index, self.const(item), of_value(item)):
                yield
        self.copies //= len(members)

    def loop(self, source: ir.Expr, *each: ir.Expr | None) -> tuple[ast.expr, Fact]:
        """The collection of a loop, counted where that is needed, and the fact of an item; `each` is evaluated for each item."""
        cost = self.pool.weights.item(*each)
        fact = self.fact(source)
        value = self.expr(source)
        times = None if fact.size is None or self.span is None else self.span * (fact.size * cost + 1)
        if self.counts or times is None or self.looks + times > FREE:
            self.counting += 1
            if isinstance(value, ast.Constant) and isinstance(value.value, tuple):
                self.add("F[0] -= $n\nif F[0] < 0: raise Stop", n=self.const(len(value.value) * cost + 1))
            else:
                value = self.held(value)
                if cost == 1:
                    self.add("F[0] -= len($v) + 1\nif F[0] < 0: raise Stop", v=value)
                else:
                    self.add("F[0] -= len($v) * $n + 1\nif F[0] < 0: raise Stop", v=value, n=self.const(cost))
        else:
            self.looks += times
        return value, fact.item or ANY

    @contextmanager
    def repeated(self, source: ir.Expr) -> Iterator[None]:
        """The code written within runs once for each item."""
        outer, size = self.span, self.fact(source).size
        self.span = None if outer is None or size is None else outer * size
        yield
        self.span = outer

    def body(self, comp: ir.Comp, then: Any, breaks: bool = False) -> None:
        """A loop in the block; `then` writes the code for each item that passes its tests, given the item's value."""
        members = self.fixed(comp, ROLLED)
        if members is not None and not breaks:
            for _ in self.each_fixed(comp, members):
                self.passing(comp, then)
            return
        source, item = self.loop(comp.source, comp.where, comp.value, comp.key)
        with self.repeated(comp.source), self.bound(comp.index, None, item) as variable:
            with self.aside() as inner:
                self.passing(comp, then)
            self.add("for $x in $s:\n $b", x=variable, s=source, b=inner)

    def passing(self, comp: ir.Comp, then: Any) -> None:
        """The code for one item."""
        outer, self.again = self.again, self.again | loaded_again((comp.where, comp.value, comp.key))
        self.where([] if comp.where is None else conjuncts(comp.where), then)
        self.again = outer

    def where(self, tests: list[ir.Expr], then: Any) -> None:
        """What `then` writes runs where all of some tests hold, which stand one within another."""
        if not tests:
            then(self)
            return
        test, *rest = tests
        condition = self.expr(test)
        if isinstance(condition, ast.Constant):
            if condition.value:
                self.where(rest, then)
            return
        outer = self.present
        match test:
            case ir.Op(operators.NOT, (ir.Op(operators.IS_NONE, (value,)),)) if value in self.again:
                self.present = outer | {name_of(self.expr(value))}
        with self.aside() as inner:
            self.where(rest, then)
        self.present = outer
        self.add("if $t:\n $b", t=condition, b=inner)

    def comp(self, comp: ir.Comp) -> ast.expr:
        """A tuple."""
        members = self.fixed(comp)
        if members is not None and comp.where is None:
            return tuple_of([self.one(comp) for _ in self.each_fixed(comp, members)], self.line)
        if comp.where is None and comp.value is None and comp.key is None:
            return self.loop(comp.source)[0]
        out = self.temp()
        self.add("$o = []", o=out)
        self.body(comp, lambda w: w.add("$o.append($v)", o=w.name(out), v=w.one(comp)))
        return self.make("tuple($o)", o=self.name(out))

    def one(self, comp: ir.Comp) -> ast.expr:
        value = self.local(comp.index) if comp.value is None else self.expr(comp.value)
        return value if comp.key is None else tuple_of([value, self.expr(comp.key)], self.line)

    def exists(self, comp: ir.Comp, wanted: bool) -> ast.expr:
        """Whether an item passes, or none does; stops at the first that passes."""
        assert comp.where is not None
        members = self.fixed(comp)
        if members is not None and comp.value is None:
            tests = self.tests(comp, members)
            if tests is not None:
                return either(tests, wanted, self.line)
        t = self.temp()
        self.add("$t = $v", t=t, v=self.const(not wanted))

        def hit(w: LoopWriter) -> None:
            if comp.value is not None:
                w.effect(w.expr(comp.value))
            w.add("$t = $v\nbreak", t=t, v=w.const(wanted))

        self.body(comp, hit, breaks=True)
        return self.name(t)

    def tests(self, comp: ir.Comp, members: tuple[Any, ...]) -> list[ast.expr] | None:
        """The test of each of the fixed items; None if one of them needs statements."""
        assert comp.where is not None
        tests = []
        with self.aside() as steps:
            for _ in self.each_fixed(comp, members):
                tests.append(self.expr(comp.where))
        return None if steps else tests

    def counted(self, comp: ir.Comp) -> ast.expr | None:
        """How many items pass."""
        if comp.where is None:
            return None
        if comp.value is not None:
            with self.known(comp.index, self.fact(comp.source).item or ANY):
                if not self.safe(comp.value):
                    return None
        t = self.temp()
        self.add("$t = 0", t=t)
        self.body(comp, lambda w: w.add("$t += 1", t=t))
        return self.name(t)

    def summed(self, comp: ir.Comp) -> ast.expr:
        """The sum of a value of the items."""
        members = self.fixed(comp)
        if members is not None and comp.where is None:
            total: ast.expr | None = None
            for _ in self.each_fixed(comp, members):
                term = self.one(comp)
                total = term if total is None else self.make("$a + $b", a=total, b=term)
            return total or self.const(0)
        t = self.temp()
        self.add("$t = 0", t=t)
        self.body(comp, lambda w: w.add("$t += $v", t=t, v=w.one(comp)))
        return self.name(t)

    def fold(self, e: ir.Fold) -> ast.expr:
        """A fold: the last value of an accumulator that each item changes."""
        acc, start, index, source, body = e.acc, e.start, e.index, e.source, e.body
        only = only_item(e)
        if only is not None:
            self.looks += 2
            first = self.fact(start)
            with (
                self.bound(acc, self.held(self.expr(start)), first),
                self.bound(index, self.const(only), of_value(only)),
            ):
                return self.expr(body)
        value, end = self.temp(), until(e)
        self.add("$t = $v", t=value, v=self.expr(start))
        if end is not None:
            return self.fold_until(e, end, value)
        reduced, item = self.loop(source, body)
        fact = self.accumulated(e, item)
        with self.repeated(source), self.bound(acc, self.name(value), fact), self.bound(index, None, item) as variable:
            with self.aside() as inner:
                if settles(e) and self.fact(source).ordered:
                    self.add("if $x > $t: break", x=variable, t=self.name(value))
                self.add("$t = $v", t=value, v=self.expr(body))
            self.add("for $x in $s:\n $b", x=variable, s=reduced, b=inner)
        return self.name(value)

    def fold_until(self, e: ir.Fold, end: ir.Cond, value: str) -> ast.expr:
        """A fold that a test ends; an item is counted when it is come to."""
        cost, source = self.pool.weights.item(e.body), self.expr(e.source)
        item = self.fact(e.source).item or ANY
        fact = self.accumulated(e, item)
        self.counting += 1
        with self.repeated(e.source), self.bound(e.acc, self.name(value), fact), self.bound(e.index, None, item) as x:
            with self.aside() as inner:
                self.add("F[0] -= $n\nif F[0] < 0: raise Stop", n=self.const(cost))
                self.add("if $c: break", c=self.expr(end.test))
                self.add("$t = $v", t=value, v=self.expr(end.other))
            self.add("for $x in $s:\n $b", x=x, s=source, b=inner)
        return self.name(value)
