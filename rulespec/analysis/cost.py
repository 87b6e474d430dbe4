"""What an expression costs: about how many items are looked at when it is worked out once.

    any(a in Cell, b in Cell where touches(a, b))     # 64 cells: 64 * (1 + 64) items

The formulas stand here once.  Who asks says what is known of loops: generated Python, which keeps results that cost much
(`interpreter.python.memo_cost`), guesses at once; lint works out sizes and how often tests hold (`rulespec.lint.cost`).  What play
counts and bounds is another thing, the same in all back ends: `rulespec.ir.weight`.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Iterable
from typing import Generic, TypeVar, assert_never

from rulespec import ir
from rulespec.ir.reads import until
from rulespec.language.facts import Reduction
from rulespec.language.registry import facts

MOST = 1 << 40
K = TypeVar("K")  # what is known where an expression stands


class CostModel(ABC, Generic[K]):
    """The costs of the expressions of a program; a function costs what its body does, once for all calls."""

    def __init__(self, functions: tuple[ir.Function, ...]) -> None:
        self.sources = functions
        self.calls: dict[int, float] = {}

    @abstractmethod
    def length(self, source: ir.Expr, known: K) -> float:
        """How many items a collection has."""

    @abstractmethod
    def procedure(self, index: int) -> float:
        """What running a procedure costs that is looked ahead at."""

    @abstractmethod
    def entered(self, function: int) -> K:
        """What is known at the beginning of a function."""

    def of(self, e: ir.Expr | None, known: K) -> float:
        """The items that are looked at; 0 for what is missing."""
        match e:
            case None | ir.Const() | ir.Local() | ir.Setting():
                return 0
            case ir.Load(_, inner) | ir.Column(_, inner) | ir.Known(inner):
                return self.of(inner, known)
            case ir.Once():
                return self.once(e, known)
            case ir.Op(name, (ir.Comp() as loop,)) if facts(name).reduces in (Reduction.SOME, Reduction.NO_ITEM):
                return self.loop(loop, known, True)
            case ir.Op(name, args):
                return self.operation(name) + sum(self.of(arg, known) for arg in args)
            case ir.Cond():
                return self.of(e.test, known) + self.branch(e, known)
            case ir.Bind():
                return self.of(e.value, known) + self.body(e, known)
            case ir.Comp():
                return self.loop(e, known, False)
            case ir.Fold():
                return self.fold(e, known)
            case ir.Invoke(function, args):
                return self.all(args, known) + self.call(function)
            case ir.After(procedure, args, value):
                return self.all(args, known) + self.procedure(procedure) + self.of(value, self.later(known))
            case ir.Completable(chosen, items, low, high, index, whole):
                each = 1 + self.of(whole, self.item(index, None, known))
                return min(MOST, self.all((chosen, items, low, high), known) + self.length(items, known) * each)
            case _:
                assert_never(e)

    def all(self, several: Iterable[ir.Expr], known: K) -> float:
        """What several expressions cost together."""
        return sum(self.of(e, known) for e in several)

    def loop(self, e: ir.Comp, known: K, stops: bool) -> float:
        """What a loop costs; `stops`: at the first item that passes its test."""
        inside = self.item(e.index, e.source, known)
        often = 1.0 if e.where is None else self.often(e.where, inside)
        length = self.length(e.source, known)
        length = self.sooner(length, often) if stops else length
        each = 1 + self.of(e.where, inside) + often * (self.of(e.value, inside) + self.of(e.key, inside))
        return min(MOST, self.of(e.source, known) + length * each)

    def fold(self, e: ir.Fold, known: K) -> float:
        """What a fold costs, which may end early."""
        inside = self.item(e.index, e.source, self.item(e.acc, None, known))
        end, length = until(e), self.length(e.source, known)
        if end is not None:
            length = self.sooner(length, self.often(end.test, inside))
        before = self.of(e.start, known) + self.of(e.source, known)
        return min(MOST, before + length * (1 + self.of(e.body, inside)))

    def call(self, index: int) -> float:
        """What a call of a function costs; of one that calls itself one call is counted."""
        if index not in self.calls:
            self.calls[index] = 0
            self.calls[index] = min(MOST, self.whole(self.sources[index].body, self.entered(index)))
        return self.calls[index]

    # --- what those who ask may know better ---------------------------------------------------------------------------
    def whole(self, e: ir.Expr, known: K) -> float:
        """What an expression costs that stands by itself."""
        return self.of(e, known)

    def item(self, index: int, source: ir.Expr | None, known: K) -> K:
        """What is known where a local is one of the items of a collection, or anything."""
        return known

    def later(self, known: K) -> K:
        """What is known after steps that may write any slot."""
        return known

    def operation(self, name: str) -> float:
        """What a function of the library costs besides its arguments."""
        return 0

    def branch(self, e: ir.Cond, known: K) -> float:
        """What the branches of a condition cost, of which one is worked out: the dearer one."""
        return max(self.of(e.then, known), self.of(e.other, known))

    def body(self, e: ir.Bind, known: K) -> float:
        """What the body of a binding costs."""
        return self.of(e.body, known)

    def once(self, e: ir.Once, known: K) -> float:
        """What is worked out once costs where it stands."""
        return self.of(e.value, known)

    def often(self, test: ir.Expr, known: K) -> float:
        """How often a test holds: from 0, never, to 1, always."""
        return 1.0

    def sooner(self, length: float, often: float) -> float:
        """How many items are looked at of which one ends the loop, as often as that is so for each of them."""
        return length
