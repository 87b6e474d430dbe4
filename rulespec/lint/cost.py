"""What an expression costs: how many items are looked at when it is worked out once, in the program that the passes have left.

    any(a in Cell, b in Cell where touches(a, b))     # 64 cells: 64 * (1 + 64) items, unless a pass has made it a table

An estimate as databases make it for their queries (Selinger 1979, Access path selection): how many items a collection has is known
from what is declared, from data and from a zone's share of its pieces; a test that two values are equal lets through one of as many as
there are values, a comparison one of three, any other half of the items.  What stands behind a test is looked at for those alone.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Any

from rulespec import ir
from rulespec.analysis import domain
from rulespec.analysis.cost import MOST, CostModel
from rulespec.analysis.domain import ANY, Fact, below, items, of_value
from rulespec.ir.ahead import Ahead
from rulespec.ir.walk import called, parts
from rulespec.ir.weight import UNIT, work
from rulespec.language import operators
from rulespec.language.facts import Reduction
from rulespec.language.registry import facts
from rulespec.lint.evaluate import Knowledge, RangeWorld
from rulespec.system.records import dataclass
from rulespec.text.source import Span

UNKNOWN = 8  # items of a collection of which nothing is known
EQUAL, LESS, HALF = 0.1, 1 / 3, 0.5  # how often a test holds of which nothing is known


@dataclass(slots=True)
class Sizes(RangeWorld):
    """Ranges in which data that passes have made have their values, too."""

    def held(self, values: ir.Value) -> Fact:
        """What a column or table may hold."""
        if id(values) not in self.columns:
            declared = self.declared.get(values)
            self.columns[id(values)] = of_value(values).item or ANY if declared is None else declared
        return self.columns[id(values)]


class Cost(CostModel[Knowledge]):
    """The costs of the expressions of a program for one setup; `world` has the ranges of its template."""

    def __init__(self, program: ir.Program, world: RangeWorld) -> None:
        super().__init__(program.functions)
        self.program = program
        slots = dict(world.slots)
        for zone in program.zones:
            if not zone.counts:
                count = len(program.kinds[zone.kind].members)
                slots[zone.base] = items(below(count), -(-count // zone.size))
        self.sizes = Sizes(slots, {}, program.functions, world.parameters, declared=world.declared)
        self.ahead = Ahead(program)
        self.procedures: dict[int, float] = {}
        self.holding: dict[int, float] = {}  # how often a function holds
        self.once_for: dict[int, float] = {}  # what is worked out once in what is looked at, by its local

    # --- what is known of loops, and of what is worked out once --------------------------------------------------------
    def item(self, index: int, source: ir.Expr | None, known: Knowledge) -> Knowledge:
        return known.local(index, ANY if source is None else self.items(source, known))

    def entered(self, function: int) -> Knowledge:
        return self.sizes.entered(function)

    def later(self, known: Knowledge) -> Knowledge:
        return known.stirred()

    def operation(self, name: str) -> float:
        return work(name) // UNIT

    def branch(self, e: ir.Cond, known: Knowledge) -> float:
        """Of both branches as often as they are worked out; of the dearer one where that is not known."""
        if not isinstance(e.then, ir.Const) and not isinstance(e.other, ir.Const):
            return super().branch(e, known)
        often = self.often(e.test, known)
        return often * self.of(e.then, known) + (1 - often) * self.of(e.other, known)

    def body(self, e: ir.Bind, known: Knowledge) -> float:
        inside = known.local(e.index, self.sizes.range(e.value, known))
        return self.of(e.body, inside) + self.once_for.pop(e.index, 0)

    def once(self, e: ir.Once, known: Knowledge) -> float:
        """Nothing: it is counted where its local is bound, and in `once_for` as long as the local lasts."""
        self.once_for[e.index] = max(self.once_for.get(e.index, 0), self.of(e.value, known))
        return 0

    def sooner(self, length: float, often: float) -> float:
        return (1 - (1 - often) ** length) / often if often > 0 else length

    def often(self, test: ir.Expr, known: Knowledge) -> float:
        """How often a test holds: from 0, never, to 1, always."""
        match test:
            case ir.Const(value):
                return float(bool(value))
            case ir.Cond(first, then, other):
                holds = self.often(first, known)
                return holds * self.often(then, known) + (1 - holds) * self.often(other, known)
            case ir.Bind(index, value, body):
                return self.often(body, known.local(index, self.sizes.range(value, known)))
            case ir.Once(_, value) | ir.Known(value):
                return self.often(value, known)
            case ir.Invoke(function):
                if function not in self.holding:
                    self.holding[function] = HALF
                    body = self.program.functions[function].body
                    self.holding[function] = self.often(body, self.sizes.entered(function))
                return self.holding[function]
            case ir.Op(operators.NOT, (inner,)):
                return 1 - self.often(inner, known)
            case ir.Op(operators.EQUAL | operators.DIFFERENT as name, (a, b)):
                equal = min(self.alike(a, known), self.alike(b, known))
                return equal if name == operators.EQUAL else 1 - equal
            case ir.Op(operators.LESS | operators.AT_MOST):
                return LESS
            case ir.Op(name, (ir.Comp() as loop,)) if facts(name).reduces in (Reduction.SOME, Reduction.NO_ITEM):
                nowhere = self.nowhere(loop, known)
                return nowhere if facts(name).reduces is Reduction.NO_ITEM else 1 - nowhere
        return HALF

    def nowhere(self, loop: ir.Comp, known: Knowledge) -> float:
        """How often a loop finds no item that passes its test."""
        inside = known.local(loop.index, self.items(loop.source, known))
        often = 1.0 if loop.where is None else self.often(loop.where, inside)
        return float((1 - often) ** self.length(loop.source, known))

    def alike(self, e: ir.Expr, known: Knowledge) -> float:
        """How often a value is a certain one."""
        interval = self.sizes.range(e, known)
        if interval.low is None or interval.high is None or interval.low == interval.high:
            return EQUAL if interval.some else HALF
        return 1 / (interval.high - interval.low + 1 + interval.none)

    def items(self, source: ir.Expr, known: Knowledge) -> Fact:
        """What the items of a collection may be."""
        return self.sizes.range(source, known).item or ANY

    def length(self, source: ir.Expr, known: Knowledge) -> float:
        """How many items a collection has."""
        if isinstance(source, ir.Comp):
            inside = known.local(source.index, self.items(source.source, known))
            often = 1.0 if source.where is None else self.often(source.where, inside)
            return often * self.length(source.source, known)
        most = self.sizes.range(source, known).size
        return UNKNOWN if most is None else most

    def procedure(self, index: int) -> float:
        """The items that a run of a procedure looks at, each instruction being one."""
        if index not in self.procedures:
            self.procedures[index] = 0
            cost = 0.0
            for number in self.ahead.procedures(index):
                procedure = self.program.procedures[number]
                known = self.typed(procedure.locals)
                cost += sum(1 + self.whole(i, known) for i in procedure.code)
            self.procedures[index] = min(MOST, cost)
        return self.procedures[index]

    def whole(self, part: Any, known: Knowledge) -> float:
        """The items that all expressions in a part of a program look at, one after the other."""
        outer, self.once_for = self.once_for, {}
        cost = sum(self.of(e, known) for e in outermost(part))
        cost += sum(self.once_for.values())
        self.once_for = outer
        return min(MOST, cost)

    def dearest_call(self, part: Any) -> tuple[Span, float] | None:
        """Where the function of the author's stands whose calls in a part of a program cost most, and what one costs."""
        costs = [
            (self.call(number), span)
            for number in called(part)
            for span in [self.program.functions[number].where]
            if span is not None
        ]
        if not costs:
            return None
        cost, span = max(costs, key=lambda pair: pair[0])
        return span, cost

    # --- what is known of locals --------------------------------------------------------------------------------------
    def typed(self, types: tuple[ir.Type, ...]) -> Knowledge:
        """What locals of these types may be."""
        return Knowledge({index: self.of_type(t) for index, t in enumerate(types)})

    def of_type(self, t: ir.Type) -> Fact:
        """What a value of a type may be; a collection of members has each once, about."""
        if t.what not in ("set", "list"):
            return domain.of_type(self.program, t)
        (item,) = t.parts
        most = self.program.size(item.kind) if item.what == "entity" and item.kind is not None else None
        return items(self.of_type(item), domain.lowest(most, t.capacity))


@dataclass(frozen=True, slots=True)
class Costly:
    """An expression at its place, and how many items it looks at at each decision."""

    items: float
    where: Span
    part: Any


def costs(cost: Cost, procedures: Iterable[int]) -> Iterator[Costly]:
    """What the expressions of procedures cost wherever they are worked out: those of questions for all candidates together."""
    program = cost.program
    for number in procedures:
        procedure = program.procedures[number]
        known = cost.typed(procedure.locals)
        for i in procedure.code:
            if isinstance(i, ir.Ask):
                yield from of_question(cost, program.sites[i.site], known)
            elif i.where is not None and not isinstance(i, ir.Say):
                yield Costly(cost.whole(i, known), i.where, i)


def of_question(cost: Cost, site: ir.Site, known: Knowledge) -> Iterator[Costly]:
    """The candidates, and each reason for all of them."""
    if site.where is not None:
        yield Costly(cost.whole(site.items, known), site.where, site.items)
    inside = known.local(site.item, cost.items(site.items, known))
    every = [(cost.length(site.items, known), reason) for reason in site.reasons]
    every += [(1, reason) for branch in site.branches for reason in branch.reasons]
    every += [(1, reason) for reason in (() if site.none is None else site.none.reasons)]
    for candidates, reason in every:
        where = reason.where or site.where
        if where is not None:
            yield Costly(min(MOST, candidates * cost.whole(reason.test, inside)), where, reason.test)


def outermost(part: Any) -> Iterator[ir.Expr]:
    """The expressions of a part of a program that are in no other one."""
    if isinstance(part, ir.Expr):
        yield part
        return
    for one in part if isinstance(part, tuple) else (getattr(part, name) for name in parts(part.__class__)):
        if one is not None:
            yield from outermost(one)
