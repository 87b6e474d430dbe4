"""When a memo pays: how many items an expression looks at, and which slots it may read.

Example: `sum(c.value for c in hand)` with a hand of 40 cards looks at 40 items and reads the slots of one zone.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any, assert_never

from rulespec import ir
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


class MemoCost:
    """The cost of the expressions of a program."""

    def __init__(self, functions: tuple[ir.Function, ...], ahead: Ahead | None = None) -> None:
        self.functions = functions
        self.ahead = ahead
        self.procedure_slots: dict[int, frozenset[int]] = {}
        self.function_slots: dict[int, frozenset[int]] = {}
        self.function_work: dict[int, int] = {}
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
                        self.function_slots[index] = self.slots(self.functions[index].body)
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

    def work(self, e: ir.Expr | None) -> int:
        """How many items an expression looks at, about."""
        match e:
            case None | ir.Const() | ir.Local() | ir.Setting():
                return 0
            case ir.Load(_, inner) | ir.Column(_, inner) | ir.Known(inner) | ir.Once(_, inner):
                return self.work(inner)
            case ir.Op(_, args):
                return sum(map(self.work, args))
            case ir.Cond(test, then, other):
                return self.work(test) + max(self.work(then), self.work(other))
            case ir.Bind(_, value, body):
                return self.work(value) + self.work(body)
            case ir.Comp(_, source, where, value, key):
                each = 1 + self.work(where) + self.work(value) + self.work(key)
                return self.work(source) + length(source) * each
            case ir.Fold(_, start, _, source, body):
                return self.work(start) + self.work(source) + length(source) * (1 + self.work(body))
            case ir.Invoke(index, args):
                if index not in self.function_work:
                    self.function_work[index] = 0
                    self.function_work[index] = min(self.work(self.functions[index].body), 1 << 40)
                return sum(map(self.work, args)) + self.function_work[index]
            case ir.After(_, args, value):
                return AHEAD + sum(map(self.work, args)) + self.work(value)
            case ir.Completable():
                return sum(map(self.work, (e.chosen, e.items, e.low, e.high))) + UNKNOWN * self.work(e.whole)
            case _:
                assert_never(e)

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


def length(source: ir.Expr) -> int:
    """How many items a loop goes through, about."""
    return len(source.value) if isinstance(source, ir.Const) and isinstance(source.value, tuple) else UNKNOWN


def outer_once(e: ir.Expr) -> bool:
    """Whether an expression contains an `Once` whose local outlives it."""
    bound = {node.index for node in within(e) if isinstance(node, ir.Bind)}
    return any(isinstance(node, ir.Once) and node.index not in bound for node in within(e))
