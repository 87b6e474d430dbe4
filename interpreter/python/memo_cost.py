"""When a memo pays: how many items an expression looks at, and which slots it may read.

Example: `sum(c.value for c in hand)` with a hand of 40 cards looks at 40 items and reads the slots of one zone.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from rulespec import ir
from rulespec.analysis.cost import CostModel
from rulespec.ir.ahead import Ahead
from rulespec.ir.reads import numbers, reads
from rulespec.ir.walk import within

LEAST = 24  # items looked at, about: with fewer, a memo does not pay
WIDEST = 160  # slots that a memo compares, at most
GIVEN = 1  # locals that a result may depend on as well, at most
AHEAD = 24  # items that running a procedure counts for, about
UNKNOWN = 4  # assumed items of a collection of unknown size
MANY = frozenset(range(-WIDEST - 1, 0))  # more than are compared
LOOPS = frozenset(
    {ir.Op, ir.Comp, ir.Fold, ir.Bind}
)  # expressions that may have a memo: of a `Cond` only one part is evaluated, and a function has a memo in its body


class MemoCost(CostModel[None]):
    """The cost of the expressions of a program, where nothing is known of sizes but those of constants."""

    def __init__(self, functions: tuple[ir.Function, ...], ahead: Ahead | None = None) -> None:
        super().__init__(functions)
        self.ahead = ahead
        self.procedure_slots: dict[int, frozenset[int]] = {}
        self.function_slots: dict[int, frozenset[int]] = {}
        self.known: dict[int, tuple[ir.Expr, int]] = {}

    def slots(self, e: Any) -> frozenset[int]:
        """The slots that an expression may read."""
        read: set[int] = set()
        for node in within(e):
            match node:
                case ir.Load(base, None):
                    read.add(base)
                case ir.Load(base, _, size):
                    read.update(range(base, base + size))
                case ir.Invoke(index):
                    if index not in self.function_slots:
                        self.function_slots[index] = MANY  # a recursive function has no memo
                        self.function_slots[index] = self.slots(self.sources[index].body)
                    read |= self.function_slots[index]
                case ir.After(procedure):
                    read |= self.looked_at(procedure)
        return frozenset(read)

    def looked_at(self, procedure: int) -> frozenset[int]:
        """The slots that decide what a procedure leaves where it writes, for an expression that looks ahead at it."""
        if self.ahead is None:
            return MANY
        if procedure not in self.procedure_slots:
            self.procedure_slots[procedure] = MANY
            read = self.slots_of_parts(self.ahead.parts(procedure)) | self.ahead.touched(procedure)
            self.procedure_slots[procedure] = read
        return self.procedure_slots[procedure]

    def slots_of_parts(self, parts: Iterable[Any]) -> frozenset[int]:
        """The slots that the expressions in parts of a program may read."""
        return frozenset().union(*(self.slots(part) for part in parts))

    def work(self, e: ir.Expr) -> float:
        """How many items an expression looks at, about."""
        return self.of(e, None)

    def length(self, source: ir.Expr, known: None) -> float:
        return len(source.value) if isinstance(source, ir.Const) and isinstance(source.value, tuple) else UNKNOWN

    def procedure(self, index: int) -> float:
        return AHEAD

    def entered(self, function: int) -> None:
        return None

    def pays(self, e: ir.Expr, widest: int = WIDEST, given: int = 0) -> bool:
        """Whether a memo of an expression pays, within a limit of slots to compare and of locals."""
        known = self.known.get(id(e))
        if known is None or known[0] is not e:
            known = self.known[id(e)] = (e, self.width(e))
        return known[1] <= widest and len(numbers(reads(e))) <= given

    def width(self, e: ir.Expr) -> int:
        """The number of slots to compare if a memo pays, otherwise more than `WIDEST`."""
        never = WIDEST + 1
        if e.__class__ not in LOOPS or self.work(e) < LEAST or outer_once(e):
            return never
        return len(self.slots(e)) or never


def outer_once(e: ir.Expr) -> bool:
    """Whether an expression contains an `Once` whose local outlives it."""
    bound = {node.index for node in within(e) if isinstance(node, ir.Bind)}
    return any(isinstance(node, ir.Once) and node.index not in bound for node in within(e))
