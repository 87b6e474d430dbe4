"""What is known of expressions before any code of them is written: the fact of a value, and whether working it out may fail."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager

from interpreter.python import operations
from interpreter.python.emitter import Emitter
from interpreter.python.facts import fits, may_be_long
from interpreter.python.pool import Pool
from rulespec import ir
from rulespec.analysis import transfer
from rulespec.analysis.domain import ANY, Fact
from rulespec.ir.weight import tolled
from rulespec.language.registry import builds, facts


class Analyser(Emitter):
    """Knows facts of expressions, by those of slots, of locals and of functions."""

    def __init__(self, pool: Pool) -> None:
        super().__init__()
        self.program = pool.program
        self.pool = pool

    def fact(self, e: ir.Expr) -> Fact:
        """The fact of an expression's value."""
        return self.pool.evaluator.fact(e, self.facts)

    def accumulated(self, e: ir.Fold, item: Fact) -> Fact:
        """The fact of a fold's accumulator, where its items are what is known of `item`."""
        return self.pool.evaluator.accumulated(e, item, self.facts)

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
                result = transfer.reliable(op, known)
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
