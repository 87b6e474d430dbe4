"""Tests about one item with the functions that they call, and the values that they bind, written out.

What is then left is one expression in which equal parts are equal, so that a search can be divided by what a part of it may be.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import replace
from itertools import count

from rulespec import ir
from rulespec.ir.reads import numbers, reads
from rulespec.ir.roles import binds
from rulespec.ir.walk import within
from rulespec.ir.weight import Weights
from rulespec.passes.fold import simplify
from rulespec.passes.inline import substitute
from rulespec.passes.rewrite import rewrite
from rulespec.passes.total import total

FRESH = 1000  # locals from here on are of no procedure and no function
MOST_NODES = 2000  # of an expression that is written out
DEEPEST = 12  # functions within functions
Names = Mapping[int, ir.Expr]  # what stands for locals


class NotOpened(Exception):
    """This expression cannot be written out."""


class Opener:
    """Writes out what depends on some locals; all else stays as it is."""

    def __init__(self, functions: tuple[ir.Function, ...], weights: Weights, recursive: set[int]) -> None:
        self.functions = functions
        self.weights = weights
        self.recursive = recursive
        self.locals = count(FRESH)
        self.depth = 0

    def written_out(self, e: ir.Expr, its: frozenset[int]) -> tuple[ir.Expr, dict[int, ir.Expr]]:
        """The expression, in its simplest form, and what some of its locals are, to be worked out before; raises NotOpened."""
        self.dependent = set(its)
        self.loops: set[int] = set()
        self.equal: list[ir.Comp] = []
        self.folds: list[ir.Fold] = []
        self.before: dict[int, ir.Expr] = {}
        opened = self.open(e, {})
        if sum(1 for _ in within(opened)) > MOST_NODES:
            raise NotOpened
        return rewrite(opened, simplify), self.before

    def fresh(self) -> int:
        """A local that nothing else has."""
        return next(self.locals)

    def depends(self, e: ir.Expr, names: Names) -> bool:
        """Whether an expression reads what the item decides."""
        return any(
            (k in self.dependent) if k not in names else bool(self.dependent.intersection(numbers(reads(names[k]))))
            for k in numbers(reads(e))
        )

    def open(self, e: ir.Expr, names: Names) -> ir.Expr:
        """An expression with others in place of some of its locals, written out."""
        if isinstance(e, ir.Local):
            return names.get(e.index, e)
        if not self.depends(e, names):
            return renamed(e, names)
        match e:
            case ir.Op(name, args):
                return ir.Op(name, tuple(self.open(a, names) for a in args))
            case ir.Cond(test, then, other):
                return ir.Cond(self.open(test, names), self.open(then, names), self.open(other, names))
            case ir.Load(index=index) | ir.Column(index=index) if index is not None:
                return replace(e, index=self.open(index, names))
            case ir.Known(value):
                return replace(e, value=self.open(value, names))
            case ir.Once(_, value):
                return self.open(value, names)
            case ir.Bind(index, value, body):
                return self.open(body, {**names, index: self.argument(value, body, index, names)})
            case ir.Invoke(function, args):
                body = self.functions[function].body
                return self.call(function, [self.argument(a, body, k, names) for k, a in enumerate(args)])
            case ir.Comp(index, source, where, value, None):
                return self.loop(index, self.open(source, names), where, value, names)
            case ir.Fold():
                return self.fold(e, names)
        raise NotOpened

    def argument(self, value: ir.Expr, body: ir.Expr, index: int, names: Names) -> ir.Expr:
        """What stands for a local: a value that is no fault, or that what reads it always comes to; another is worked out before."""
        opened = self.open(value, names)
        if value == ir.Const(None) or total(opened) or always_reads(body, index):
            return opened
        if self.dependent.union(self.loops).intersection(numbers(reads(opened))):
            raise NotOpened
        local = self.fresh()
        self.before[local] = opened
        return ir.Local(local)

    def loop(self, index: int, source: ir.Expr, where: ir.Expr | None, value: ir.Expr | None, names: Names) -> ir.Expr:
        """A comprehension, with a local of its own; equal ones are one."""
        item = self.fresh()
        if self.depends(source, {}):
            self.dependent.add(item)
        self.loops.add(item)
        inner = {**names, index: ir.Local(item)}
        test = None if where is None else self.open(where, inner)
        loop = ir.Comp(item, source, test, None if value is None else self.open(value, inner))
        for known in self.equal:
            if known.source == source and replace(substitute(known, {known.index: ir.Local(item)}), index=item) == loop:
                return known
        self.equal.append(loop)
        return loop

    def fold(self, e: ir.Fold, names: Names) -> ir.Expr:
        """A fold, with locals of its own; equal ones are one."""
        start, source = self.open(e.start, names), self.open(e.source, names)
        acc, item = self.fresh(), self.fresh()
        if self.depends(source, {}) or self.depends(start, {}):
            self.dependent |= {acc, item}
        self.loops |= {acc, item}
        body = self.open(e.body, {**names, e.acc: ir.Local(acc), e.index: ir.Local(item)})
        fold = ir.Fold(acc, start, item, source, body)
        for known in self.folds:
            inside = substitute(known.body, {known.acc: ir.Local(acc), known.index: ir.Local(item)})
            if (known.start, known.source, inside) == (start, source, body):
                return known
        self.folds.append(fold)
        return fold

    def call(self, function: int, args: list[ir.Expr]) -> ir.Expr:
        """What a function gives for arguments."""
        if function in self.recursive or self.weights.call(function) or self.depth > DEEPEST:
            raise NotOpened
        self.depth += 1
        try:
            return self.open(self.functions[function].body, dict(enumerate(args)))
        finally:
            self.depth -= 1


def always_reads(e: ir.Expr | None, index: int) -> bool:
    """Whether an expression reads a local whatever happens, unless a fault comes first."""
    match e:
        case ir.Local(k):
            return k == index
        case ir.Op(_, args) | ir.Invoke(_, args):
            return any(always_reads(a, index) for a in args)
        case ir.Cond(test, then, other):
            return always_reads(test, index) or (always_reads(then, index) and always_reads(other, index))
        case ir.Load(index=inner) | ir.Column(index=inner) | ir.Known(inner) | ir.Comp(source=inner):
            return always_reads(inner, index)
        case ir.Bind(k, value, body):
            return always_reads(value, index) or (k != index and always_reads(body, index))
    return False


def renamed(e: ir.Expr, names: Names) -> ir.Expr:
    """An expression with others in place of some of its locals, nothing else changed."""
    values = {k: names[k] for k in numbers(reads(e)) if k in names}
    if not values:
        return e
    bound = 0
    for part in within(e):
        bound |= binds(part)
    taken = 0
    for k, value in values.items():
        taken |= 1 << k | reads(value)
    if bound & taken:
        raise NotOpened
    return substitute(e, values)


def choices(e: ir.Expr) -> Iterator[ir.Expr]:
    """The parts of an expression that are worked out for it once, the outer before the inner: none of what a loop does."""
    yield e
    match e:
        case ir.Comp(source=source):
            yield from choices(source)
        case ir.Op(_, args):
            for arg in args:
                yield from choices(arg)
        case ir.Cond(test, then, other):
            for part in (test, then, other):
                yield from choices(part)
        case ir.Load(index=index) | ir.Column(index=index) if index is not None:
            yield from choices(index)
        case ir.Known(value):
            yield from choices(value)


def inner_choice(e: ir.Expr, inside: bool = False) -> ir.Cond | None:
    """A value with a condition that stands in an operation, one that has no other in its test; None if there is none."""
    match e:
        case ir.Cond(test, then, other):
            first = inner_choice(test) or (e if inside else None)
            return first or inner_choice(then, inside) or inner_choice(other, inside)
        case ir.Op(_, parts):
            pass
        case ir.Load(index=index) | ir.Column(index=index) if index is not None:
            parts = (index,)
        case ir.Known(value):
            parts = (value,)
        case ir.Comp(source=source):
            parts = (source,)
        case _:
            parts = ()
    return next((one for part in parts if (one := inner_choice(part, True)) is not None), None)
