"""How much work an expression is, so that a bound on items that are looked at bounds time as well.

An item of a loop and a call of a function count one, however little is done for them.  Where more is done than a few operations,
they count more: one for each `UNIT` nodes of the tree.  It follows from the program alone, so that all back ends count alike.
"""

from __future__ import annotations

from functools import cache
from typing import Any

from rulespec.ir.expressions import Comp, Completable, Const, Expr, Fold, Invoke, Local, Op
from rulespec.ir.program import Function
from rulespec.ir.questions import Text
from rulespec.ir.types import Type
from rulespec.ir.walk import parts
from rulespec.language.facts import Form, Result
from rulespec.language.registry import builds, facts, scanned

UNIT = 6  # nodes of a tree that count as one item
HEAVY = 256  # nodes, those of the functions that it calls included, from which a function counts its calls
SCAN = 12  # nodes that going through a few items counts for
FEW = 128  # items that a function may go through or make without counting them
TOLL = 3  # of more, it counts one for each 2 ** TOLL
SHORT = 64  # items among which there may be values of several types
MOST = 1 << 40


class Weights:
    """The weights of a program's expressions; kept for functions."""

    def __init__(self, functions: tuple[Function, ...]) -> None:
        self.functions = functions
        self.known: dict[int, int] = {}

    def of(self, e: Expr | None) -> int:
        """The nodes that are worked out once, those of light functions included; what a loop does for each item is not."""
        match e:
            case None | Const() | Local():
                return 0
            case Comp(source=source):
                return 1 + self.of(source)
            case Fold(start=start, source=source):
                return 1 + self.of(start) + self.of(source)
            case Completable(chosen=chosen, items=items, low=low, high=high):
                return 1 + self.of(chosen) + self.of(items) + self.of(low) + self.of(high)
            case Invoke(function=function, args=args):
                inside = self.function(function)
                return 1 + sum(map(self.of, args)) + (0 if inside >= HEAVY else inside)
            case Op(name=name, args=args):
                return min(MOST, work(name) + sum(map(self.of, args)))
        total = 1
        cls: type = e.__class__
        for name in parts(cls):
            inside = getattr(e, name)
            total += sum(self.of(one) for one in inside) if isinstance(inside, tuple) else self.of(inside)
        return min(MOST, total)

    def function(self, index: int) -> int:
        """The weight of a function's body."""
        if index not in self.known:
            self.known[index] = HEAVY  # a function that would call itself counts its calls
            self.known[index] = self.of(self.functions[index].body)
        return self.known[index]

    def call(self, index: int) -> int:
        """What a call of a function counts: nothing if it is light, since it counts as a part of what calls it."""
        weight = self.function(index)
        return weight // UNIT if weight >= HEAVY else 0

    def item(self, *each: Expr | None) -> int:
        """What an item of a loop counts that works these out for it."""
        return 1 + sum(map(self.of, each)) // UNIT


@cache
def work(name: str) -> int:
    """The nodes that a function counts for."""
    known = facts(name)
    compares = known.result in (Result.EQUAL, Result.DIFFERENT)
    return known.work + (SCAN if not compares and (scanned(name) or builds(name)) else 0)


def toll(value: Any) -> int:
    """What a function counts that goes through a value or makes it: nothing for few items."""
    if value.__class__ is not tuple:
        return 0
    items = extent(value)
    return items >> TOLL if items > FEW else 0


def extent(value: tuple[Any, ...]) -> int:
    """The items of a collection, those within its items included: those of a long one are of one type."""
    n = len(value)
    if n > SHORT:
        first = value[0]
        if first is None:
            first = next((x for x in value if x is not None), None)
        if first.__class__ is not tuple:
            return n
    for x in value:
        if x.__class__ is tuple:
            n += extent(x)
    return n


def tolled(name: str, args: tuple[Expr, ...]) -> tuple[int, ...]:
    """The arguments of a call that count where they have many items, by position: loops have counted theirs, and tables have an index."""
    if facts(name).python.form is Form.TABLE and isinstance(args[0], Const):
        return (1,)
    return tuple(n for n in scanned(name) if n < len(args) and not isinstance(args[n], Comp))


def long_values(text: Text) -> tuple[int, ...]:
    """The holes of a line of the log, by number, whose items count when it is told: collections that no kind of piece bounds."""
    holes = [part for part in text.parts if not isinstance(part, str)]
    return tuple(number for number, (_, printer) in enumerate(holes) if unbounded(printer))


def unbounded(printer: Type) -> bool:
    """Whether a value may have as many items as a collection has at most."""
    return printer.what in ("set", "list") and printer.parts[0].what not in ("entity", "bool")


def items_of(value: Any) -> int:
    """The items of a value that is shown, those within its items included."""
    return (
        sum(1 + items_of(item) for item in value)
        if isinstance(value, tuple) and value and isinstance(value[0], tuple)
        else size(value)
    )


def size(value: Any) -> int:
    """The items of a flat value; 1 for a single one."""
    return len(value) if isinstance(value, tuple) else 1
