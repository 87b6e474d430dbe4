"""Which results are worth keeping: how much an expression looks at, and which slots it may read."""

from __future__ import annotations

from typing import assert_never

from rulespec import ir
from rulespec.ir.reads import numbers, reads
from rulespec.ir.walk import within

LEAST = 24  # items that an expression looks at, about: a result of fewer is not worth keeping
WIDEST = 160  # slots that are compared, at most
GIVEN = 1  # locals that a result may depend on besides
UNKNOWN = 4  # items of a collection of unknown size, about
MANY = frozenset(range(-WIDEST - 1, 0))  # more than are compared
LOOPS = frozenset(
    {ir.Op, ir.Comp, ir.Fold, ir.Bind}
)  # what is kept: a `Cond` has parts that are not wanted, a function keeps its own


class MemoCost:
    """What the expressions of a program look at."""

    def __init__(self, functions: tuple[ir.Function, ...]) -> None:
        self.functions = functions
        self.function_slots: dict[int, frozenset[int]] = {}
        self.function_work: dict[int, int] = {}
        self.known: dict[int, tuple[ir.Expr, int]] = {}

    def slots(self, e: ir.Expr) -> frozenset[int]:
        """The slots that it may read."""
        read: set[int] = set()
        for node in within(e):
            match node:
                case ir.Load(base, None):
                    read.add(base)
                case ir.Load(base, _, size):
                    read.update(range(base, base + size))
                case ir.Invoke(index):
                    if index not in self.function_slots:
                        self.function_slots[index] = MANY  # what calls itself is not kept
                        self.function_slots[index] = self.slots(self.functions[index].body)
                    read |= self.function_slots[index]
        return frozenset(read)

    def work(self, e: ir.Expr | None) -> int:
        """How many items it looks at, about."""
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
            case ir.Completable():
                return sum(map(self.work, (e.chosen, e.items, e.low, e.high))) + UNKNOWN * self.work(e.whole)
            case _:
                assert_never(e)

    def pays(self, e: ir.Expr, widest: int = WIDEST, given: int = 0) -> bool:
        """Whether it is worth keeping, if at most so many slots are compared for it and so many locals given."""
        known = self.known.get(id(e))
        if known is None or known[0] is not e:
            known = self.known[id(e)] = (e, self.width(e))
        return known[1] <= widest and len(numbers(reads(e))) <= given

    def width(self, e: ir.Expr) -> int:
        """The slots that are compared where it is worth that, otherwise more than `WIDEST`."""
        never = WIDEST + 1
        if e.__class__ not in LOOPS or self.work(e) < LEAST or outer_once(e):
            return never
        return len(self.slots(e)) or never


def length(source: ir.Expr) -> int:
    """How many items a loop goes through, about."""
    return len(source.value) if isinstance(source, ir.Const) and isinstance(source.value, tuple) else UNKNOWN


def outer_once(e: ir.Expr) -> bool:
    """Whether it keeps something in a local that lives longer than it."""
    bound = {node.index for node in within(e) if isinstance(node, ir.Bind)}
    return any(isinstance(node, ir.Once) and node.index not in bound for node in within(e))
