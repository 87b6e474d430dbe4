"""How many items an expression counts at most where C works it out for each candidate of a question, in the functions that it calls too.

size([L1 in row(L0) if f3(L1)])     # of rows of at most 6 cells: 6 * (1 + what f3 counts) + 1
"""

from __future__ import annotations

from collections.abc import Collection

from interpreter.native.emitter.masks import NoMask
from rulespec import ir
from rulespec.analysis.cost import CostModel
from rulespec.ir.walk import within
from rulespec.ir.weight import Weights
from rulespec.language.facts import CForm
from rulespec.language.registry import facts as facts_of


class Counted(CostModel[None]):
    """What is counted on boards of so many cells; raises NoMask for what may go on longer than can be said."""

    def __init__(
        self, functions: tuple[ir.Function, ...], weights: Weights, recursive: Collection[int], size: int
    ) -> None:
        super().__init__(functions)
        self.weights = weights
        self.recursive = recursive
        self.size = size

    def work(self, *expressions: ir.Expr | None) -> int:
        """The items of all of these."""
        return int(sum(self.of(e, None) for e in expressions))

    def loop(self, e: ir.Comp, known: None, stops: bool) -> float:
        each = self.weights.item(e.where, e.value, e.key) + self.work(e.where, e.value, e.key)
        return self.length(e.source, None) * each + 1 + self.of(e.source, None)

    def length(self, source: ir.Expr, known: None) -> float:
        match source:
            case ir.Const(tuple() as items):
                return len(items)
            case ir.Column(values):
                return max(map(len, values), default=0)
        return self.size

    def call(self, index: int) -> float:
        if index in self.recursive:
            raise NoMask
        return self.weights.call(index) + super().call(index)

    def operation(self, name: str) -> float:
        return self.size if facts_of(name).c.form is CForm.GROUP else 0

    def branch(self, e: ir.Cond, known: None) -> float:
        return self.work(e.then, e.other)

    def body(self, e: ir.Bind, known: None) -> float:
        once = (x.value for x in within(e.body) if isinstance(x, ir.Once) and x.index == e.index)
        return self.work(e.body, next(once, None) if e.value == ir.Const(None) else None)

    def once(self, e: ir.Once, known: None) -> float:
        return 0

    def item(self, index: int, source: ir.Expr | None, known: None) -> None:
        raise NoMask

    def procedure(self, index: int) -> float:
        raise NoMask

    def entered(self, function: int) -> None:
        return None
