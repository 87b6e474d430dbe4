"""What an expression may be, by what is known of locals: the facts of its parts, through the transfer functions.

    add(L0, size(S4))     # with L0 in 1..2, and at most 3 items in slot 4: 1..5

Nothing is learned from conditions here, and a way that is surely a fault says nothing: what generated Python and the passes need.
Lint learns (`rulespec.lint.evaluate`), and the writer of C goes over a whole program until nothing changes.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any

from rulespec import ir
from rulespec.analysis import transfer
from rulespec.analysis.domain import ANY, BOOL, Fact, SlotFacts, items, join, meet, of_type, of_value

ROUNDS = 2  # of a fold that are looked at to find what holds of its accumulator
Facts = Mapping[int, Fact]  # of locals; of one that is not there nothing is known


class Evaluator:
    """Facts of the expressions of a program, whatever its slots hold."""

    def __init__(self, program: ir.Program) -> None:
        self.program = program
        self.slots = SlotFacts(program)
        self.constants: dict[
            int, tuple[Any, Fact]
        ] = {}  # by identity; the value is kept, so that nothing else gets its id
        self.results: dict[tuple[int, tuple[Fact, ...]], Fact] = {}  # of functions, by the facts of their arguments
        self.types: dict[ir.Type, Fact] = {}

    def fact(self, e: ir.Expr, known: Facts) -> Fact:
        """What an expression may be where locals are what is known of them; ANY where nothing can be said."""
        match e:
            case ir.Const(value):
                return self.constant(value)
            case ir.Local(index):
                return known.get(index, ANY)
            case ir.Load(base, index, size):
                return self.slots.of(base, 1 if index is None else size)
            case ir.Column(values):
                return self.constant(values).item or ANY
            case ir.Op(name, args):
                return transfer.reliable(name, [self.fact(a, known) for a in args])
            case ir.Cond(_, then, other):
                return join(self.fact(then, known), self.fact(other, known))
            case ir.Bind(index, value, body):
                return self.fact(body, self.bound(known, index, self.fact(value, known)))
            case ir.Once(_, value) | ir.After(value=value):  # what is known of slots holds in every position
                return self.fact(value, known)
            case ir.Known(value):
                there = self.fact(value, known)
                return replace(there, none=False) if there.none else there
            case ir.Comp():
                return self.gathered(e, known)
            case ir.Fold():
                return self.folded(e, known)
            case ir.Completable():
                return BOOL
            case ir.Invoke(function, args):
                return self.call(function, tuple(self.fact(a, known) for a in args))
        return ANY

    def of_type(self, t: ir.Type) -> Fact:
        """The fact that a type is."""
        if t not in self.types:
            self.types[t] = of_type(self.program, t)
        return self.types[t]

    def locals(self, types: Sequence[ir.Type]) -> dict[int, Fact]:
        """What is known of locals of these types."""
        return dict(enumerate(map(self.of_type, types)))

    def bound(self, known: Facts, index: int, fact: Fact) -> Facts:
        """What is known of locals where an expression has set one of them."""
        return {**known, index: fact}

    def constant(self, value: Any) -> Fact:
        """The fact of a constant; a collection is looked at once."""
        if value.__class__ is not tuple:
            return of_value(value)
        if id(value) not in self.constants:
            self.constants[id(value)] = value, of_value(value)
        return self.constants[id(value)][1]

    def gathered(self, e: ir.Comp, known: Facts) -> Fact:
        """What a loop gathers: some of the items, or a value of each."""
        source = self.fact(e.source, known)
        size = source.size if source.what == "items" else None
        if e.value is None and e.key is None:
            return items(source.item, size, source.ordered)
        inner = self.bound(known, e.index, source.item or ANY)
        result = inner[e.index] if e.value is None else self.fact(e.value, inner)
        return items(result if e.key is None else transfer.record(result, self.fact(e.key, inner)), size)

    def folded(self, e: ir.Fold, known: Facts) -> Fact:
        """What a fold comes to; the body alone, if there is surely one item."""
        if (one := only_item(e)) is not None:
            inner = self.bound(known, e.acc, self.fact(e.start, known))
            return self.fact(e.body, self.bound(inner, e.index, of_value(one)))
        return self.accumulated(e, self.fact(e.source, known).item or ANY, known)

    def accumulated(self, e: ir.Fold, item: Fact, known: Facts) -> Fact:
        """What a fold's accumulator may be at any item: what holds of its start and is kept by its body."""
        start = fact = self.fact(e.start, known)
        for _ in range(ROUNDS):
            inner = self.bound(self.bound(known, e.acc, fact), e.index, item)
            after = join(start, self.fact(e.body, inner))
            if after == fact:
                return fact
            fact = join(fact, after)
        return ANY

    def call(self, function: int, args: tuple[Fact, ...]) -> Fact:
        """What a function of the game gives for such arguments."""
        key = function, args
        if key not in self.results:
            self.results[key] = self.fact(self.program.functions[function].body, dict(enumerate(args)))
        return self.results[key]


class Declared(Evaluator):
    """The same with what is declared: each local keeps its type wherever it is set, and so does the result of a function."""

    def bound(self, known: Facts, index: int, fact: Fact) -> Facts:
        return {**known, index: meet(known.get(index, ANY), fact)}

    def folded(self, e: ir.Fold, known: Facts) -> Fact:
        return meet(known.get(e.acc, ANY), super().folded(e, known))

    def call(self, function: int, args: tuple[Fact, ...]) -> Fact:
        declared = self.of_type(self.program.functions[function].result)
        return super().call(function, args) if declared == ANY else declared


def only_item(e: ir.Fold) -> Any:
    """The one item, never None, that a fold goes through, if that is known."""
    members = e.source.value if isinstance(e.source, ir.Const) else None
    return members[0] if members is not None and len(members) == 1 else None
