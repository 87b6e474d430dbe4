"""What is known of expressions before any code of them is written: the fact of a value, and whether working it out may fail."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import replace
from typing import Any

from interpreter.python import operations
from interpreter.python.emitter import Emitter
from interpreter.python.facts import fits, may_be_long
from interpreter.python.pool import Pool
from rulespec import ir
from rulespec.analysis.domain import ANY, Fact, items, join, of_value
from rulespec.analysis.transfer import record
from rulespec.ir.weight import tolled
from rulespec.language.registry import builds, facts

ROUNDS = 2  # of a fold that are looked at to find what holds of its accumulator


class Analyser(Emitter):
    """Knows facts of expressions, by those of slots, of locals and of functions."""

    def __init__(self, pool: Pool) -> None:
        super().__init__()
        self.program = pool.program
        self.pool = pool
        self.slots = pool.slots

    def fact(self, e: ir.Expr) -> Fact:
        """The fact of an expression's value."""
        match e:
            case ir.Const(value):
                return self.pool.constant_fact(value)
            case ir.Local(index):
                alias = self.names.get(index)
                return (
                    self.pool.constant_fact(alias.value)
                    if isinstance(alias, ast.Constant)
                    else self.facts.get(index, ANY)
                )
            case ir.Load(base, None):
                return self.slots.of(base, 1)
            case ir.Load(base, _, size):
                return self.slots.of(base, size)
            case ir.Column(values):
                return self.pool.column_fact(values)
            case ir.Op(op, args):
                return operations.result(op, [self.fact(a) for a in args])
            case ir.Cond(_, then, other):
                return join(self.fact(then), self.fact(other))
            case ir.Bind(index, value, body):
                with self.known(index, self.fact(value)):
                    return self.fact(body)
            case ir.Once(_, value):
                return self.fact(value)
            case ir.Known(value):
                known = self.fact(value)
                return replace(known, none=False) if known.none else known
            case ir.Comp(index, source, _, value, key):
                return self.comp_fact(index, self.fact(source), value, key)
            case ir.Fold(acc, start, index, _, body) if (only := self.only(e)) is not None:
                with self.known(acc, self.fact(start)), self.known(index, of_value(only)):
                    return self.fact(body)
            case ir.Fold(_, _, _, source):
                return self.accumulated(e, self.fact(source).item or ANY)
            case ir.Completable():
                return Fact("int", 0, 1)
            case ir.After(_, _, value):  # what is known of slots holds in every position
                return self.fact(value)
            case ir.Invoke(function, args):
                return self.pool.function_fact(function, tuple(self.fact(a) for a in args))
        return ANY

    def accumulated(self, e: ir.Fold, item: Fact) -> Fact:
        """The fact of a fold's accumulator: what holds of its start and is kept by its body."""
        start = fact = self.fact(e.start)
        for _ in range(ROUNDS):
            with self.known(e.acc, fact), self.known(e.index, item):
                after = join(start, self.fact(e.body))
            if after == fact:
                return fact
            fact = join(fact, after)
        return ANY

    def comp_fact(self, index: int, source: Fact, value: ir.Expr | None, key: ir.Expr | None) -> Fact:
        size = source.size if source.what == "items" else None
        item = source.item or ANY
        if value is None and key is None:
            return items(source.item, size, source.ordered)
        with self.known(index, item):
            result = item if value is None else self.fact(value)
            if key is not None:
                result = record(result, self.fact(key))
        return items(result, size)

    @contextmanager
    def known(self, index: int, fact: Fact) -> Iterator[None]:
        """Set the fact of a local while an expression is only analysed."""
        with self.bound(index, self.name(f"l{index}"), fact):
            yield

    def safe(self, e: ir.Expr) -> bool:
        """Whether evaluating an expression never fails."""
        match e:
            case ir.Const() | ir.Local():
                return True
            case ir.Load(_, index, size):
                return index is None or (self.safe(index) and self.fact(index).within(0, size - 1))
            case ir.Column(values, index):
                return self.safe(index) and self.fact(index).within(0, len(values) - 1)
            case ir.Op(op, args):
                known = [self.fact(a) for a in args]
                result = operations.result(op, known)
                small = not facts(op).grows or fits(result)
                if any(may_be_long(known[n]) for n in tolled(op, args)) or (builds(op) and may_be_long(result)):
                    return False
                return small and operations.cannot_fail(op, known) and all(map(self.safe, args))
            case ir.Cond(test, then, other):
                return self.safe(test) and self.safe(then) and self.safe(other)
            case ir.Once(_, value):
                return self.safe(value)
            case ir.Bind(index, value, body):
                if not self.safe(value):
                    return False
                with self.known(index, self.fact(value)):
                    return self.safe(body)
            case ir.Comp(index, source, where, value, key):
                items = self.fact(source)
                if not self.safe(source) or not operations.is_items(items) or items.size is None:
                    return False
                with self.known(index, items.item or ANY):
                    return all(part is None or self.safe(part) for part in (where, value, key))
            case ir.Invoke(function, args):
                return all(map(self.safe, args)) and self.pool.function_safe(
                    function, tuple(self.fact(a) for a in args)
                )
        return False

    def only(self, e: ir.Fold) -> Any:
        """The one item, never None, that a loop goes through, if that is known."""
        members = e.source.value if isinstance(e.source, ir.Const) else None
        return members[0] if members is not None and len(members) == 1 else None
