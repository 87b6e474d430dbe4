"""Ranges of expressions: what is known of locals, slots and settings where an expression stands, and what it may be there.

An abstract interpretation over ranges.  A condition that holds refines what is known (`assume`), a write discards it:

    if: x > 3        x is in 0..9, as declared
    then:
      - set: y       x is in 4..9 here, so `x + 1` is in 5..10 and `x == 2` is never true
        to: x + 1
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import field, replace
from typing import assert_never

from rulespec import ir
from rulespec.analysis import domain, transfer
from rulespec.analysis.domain import ANY, BOOL, EMPTY, NOTHING, Fact, between, join, meet, of_value, sized
from rulespec.ir.roles import binds
from rulespec.ir.walk import held, within
from rulespec.language import operators
from rulespec.language.bounds import difference_of, sum_of
from rulespec.language.facts import Reduction, Result
from rulespec.language.registry import facts
from rulespec.system.records import dataclass

MAX_FACTS = 64
MAX_LOOKS = 400_000  # expressions looked at in a game; the largest shipped one needs a sixth of that
MANY = 5_000  # results that are kept
TESTS = {operators.LESS: 0, operators.AT_MOST: 1}
ANYTHING = -1  # among what is read: whatever there is
Noted = Callable[[ir.Expr, bool | None, "Knowledge"], None]


class TooMuch(Exception):
    """A game is too large to be looked through in a bearable time."""


@dataclass(frozen=True, slots=True)
class KnownRange:
    """What an expression may be here, and which locals and slots it reads (bits, bases)."""

    range: Fact
    locals: int
    slots: frozenset[int]


@dataclass(frozen=True, slots=True)
class Knowledge:
    """What is known at a place; immutable."""

    locals: Mapping[int, Fact] = field(default_factory=dict)
    facts: Mapping[ir.Expr, KnownRange] = field(default_factory=dict)

    def local(self, index: int, value: Fact) -> Knowledge:
        """With a new value in a local: facts about the old value are dropped."""
        facts = self.facts
        if any(f.locals >> index & 1 for f in facts.values()):
            facts = {e: f for e, f in facts.items() if not f.locals >> index & 1}
        return Knowledge({**self.locals, index: value}, facts)

    def written(self, base: int) -> Knowledge:
        """After the slots from a base were written."""
        if any(base in f.slots for f in self.facts.values()):
            return Knowledge(self.locals, {e: f for e, f in self.facts.items() if base not in f.slots})
        return self

    def stirred(self) -> Knowledge:
        """After steps that may write any slot: only facts that read no slot remain."""
        if any(f.slots for f in self.facts.values()):
            return Knowledge(self.locals, {e: f for e, f in self.facts.items() if not f.slots})
        return self


def joined(a: Knowledge, b: Knowledge) -> Knowledge:
    """The join: what is known where two paths meet, which is what holds on both."""
    locals_ = {i: join(interval, b.locals[i]) for i, interval in a.locals.items() if i in b.locals}
    facts = {e: replace(f, range=join(f.range, b.facts[e].range)) for e, f in a.facts.items() if e in b.facts}
    return Knowledge(locals_, facts)


def widened(old: Knowledge, new: Knowledge) -> Knowledge:
    """The widening at the head of a loop: bounds that still move are dropped, so that the iteration ends."""
    both = joined(old, new)
    locals_ = {i: domain.widened(old.locals[i], interval) for i, interval in both.locals.items()}
    facts = {e: replace(f, range=domain.widened(old.facts[e].range, f.range)) for e, f in both.facts.items()}
    return Knowledge(locals_, facts)


class Spoken:
    """The conditions of a game that are spoken of, by identity, and where they are."""

    def __init__(self, conditions: Iterable[ir.Expr]) -> None:
        self.conditions = {id(e): e for e in conditions}
        self.known: dict[int, tuple[object, bool]] = {}  # of parts of the program, which live as long

    def within(self, part: object) -> bool:
        """Whether any of them is in a part of a program."""
        if part.__class__ is tuple:
            return any(map(self.within, part))
        if id(part) in self.conditions:
            return True
        if part.__class__ is ir.Local or part.__class__ is ir.Const:
            return False
        found = self.known.get(id(part))
        if found is None:
            found = self.known[id(part)] = part, any(map(self.within, held(part)))
        return found[1]


@dataclass(slots=True)
class RangeWorld:
    """What holds everywhere in a game: ranges of slots and settings, and of what functions give."""

    slots: Mapping[int, Fact]  # by the base of a variable or zone
    settings: Mapping[str, Fact]
    functions: tuple[ir.Function, ...]
    parameters: Mapping[tuple[str, int], tuple[Fact, ...]]  # of functions and procedures
    results: dict[int, Fact] = field(default_factory=dict)
    reads: dict[int, frozenset[int]] = field(default_factory=dict)
    named: dict[int, frozenset[str]] = field(default_factory=dict)  # settings that functions read
    declared: Mapping[ir.Value, Fact] = field(default_factory=dict)  # what columns and tables hold, by all their values
    columns: dict[int, Fact] = field(default_factory=dict)  # the same by identity
    constants: dict[int, Fact] = field(default_factory=dict)  # of the program, which outlives this, by identity
    reading: dict[int, tuple[ir.Expr, int, frozenset[int]]] = field(default_factory=dict)  # of expressions, by identity
    looks: int = 0
    noted: Noted | None = None  # is told how each condition turns out
    spoken: Spoken | None = None  # of which expressions it is told; None: of all
    # What was worked out of an expression at a place, by identity of both (both are kept, so that they live as long): a test is
    # asked for more than once, by itself and for what it teaches.
    worked_out: dict[tuple[int, int, bool], tuple[ir.Expr, Knowledge, Fact]] = field(default_factory=dict)

    def settled(self, settings: Mapping[str, Fact]) -> RangeWorld:
        """The same world with less room for its settings: what does not depend on them is not worked out again."""
        others = {name for name, fact in settings.items() if self.settings.get(name) != fact}
        results = {n: fact for n, fact in self.results.items() if others.isdisjoint(self.function_settings(n))}
        return replace(self, settings=settings, results=results, looks=0, noted=None, worked_out={})

    def possible(self, known: Knowledge) -> bool:
        """Whether what is known at a place can be so in this world."""
        return not any(
            meet(self.natural(e, Knowledge(known.locals)), fact.range).empty for e, fact in known.facts.items()
        )

    # --- the range of an expression -----------------------------------------------------------------------------------
    def range(self, e: ir.Expr, known: Knowledge) -> Fact:
        """What an expression may be."""
        if e.__class__ is ir.Const or e.__class__ is ir.Local:
            return self.looked_at(e, known)
        if self.noted is not None and self.spoken is not None and not self.spoken.within(e):
            outer, self.noted = self.noted, None
            result = self.range(e, known)
            self.noted = outer
            return result
        key = id(e), id(known), self.noted is None
        kept = self.worked_out.get(key)
        if kept is None:
            if len(self.worked_out) > MANY:
                self.worked_out.clear()
            kept = self.worked_out[key] = e, known, self.looked_at(e, known)
        return kept[2]

    def looked_at(self, e: ir.Expr, known: Knowledge) -> Fact:
        """What an expression may be, worked out."""
        self.looks += 1
        if self.looks > MAX_LOOKS:
            raise TooMuch
        result = self.natural(e, known)
        cause = isinstance(e, ir.Invoke) and result.truth is not None  # whatever it is given: told inside the function
        if known.facts and e.__class__ is not ir.Const:
            fact = known.facts.get(e)
            if fact is not None:
                result = meet(result, fact.range)
        if self.noted is not None and not result.empty:
            self.noted(e, None if cause else result.truth, known)
        return result

    def natural(self, e: ir.Expr, known: Knowledge) -> Fact:
        match e:
            case ir.Const(value):
                return self.constant(e) if isinstance(value, tuple) else of_value(value)
            case ir.Local(index):
                return known.locals.get(index, ANY)
            case ir.Load(base, index):
                if index is not None:
                    self.range(index, known)
                return self.slots.get(base, ANY)
            case ir.Setting(name):
                return self.settings.get(name, ANY)
            case ir.Column(values, index):
                self.range(index, known)
                return self.held(values)
            case ir.Op():
                return self.operation(e, known)
            case ir.Cond(test, then, other):
                return self.condition(test, then, other, known)
            case ir.Bind(index, value, body):
                return self.range(body, known.local(index, self.range(value, known)))
            case ir.Comp():
                return self.comprehension(e, known)
            case ir.Fold(acc, start, index, source, body):
                self.range(start, known)
                items = self.range(source, known)
                if items.size != 0:
                    self.range(body, known.local(acc, ANY).local(index, items.item or ANY))
                return ANY
            case ir.Invoke(function, args):
                self.arguments(args, known)
                return self.result(function)
            case ir.Known(value):
                operand = self.range(value, known)
                return replace(operand, none=False) if operand.none else operand
            case ir.Once(_, value):
                return self.range(value, known)
            case ir.After(args=args, value=value):
                self.arguments(args, known)
                return self.range(value, known.stirred())
            case ir.Completable():
                for part in (e.chosen, e.items, e.low, e.high):
                    self.range(part, known)
                return BOOL
            case _:
                assert_never(e)

    def operation(self, e: ir.Op, known: Knowledge) -> Fact:
        result = facts(e.name).result
        if result in (Result.ROW, Result.ROW_OR_NONE) and isinstance(e.args[0], ir.Const):
            self.range(e.args[1], known)
            return self.held(e.args[0].value) if result is Result.ROW else ANY
        args = [self.range(a, known) for a in e.args]
        found = transfer.result(e.name, args)
        # A length without a known bound has one for the writer of C, which says nothing to an author.
        return replace(found, high=None) if found.high is not None and found.high >= transfer.LONGEST else found

    def constant(self, e: ir.Const) -> Fact:
        """The range of a longer constant, worked out once."""
        if id(e) not in self.constants:
            self.constants[id(e)] = of_value(e.value)
        return self.constants[id(e)]

    def held(self, values: ir.Value) -> Fact:
        """What a column or table may hold: what is declared, so that other data would not make other findings."""
        if id(values) not in self.columns:
            self.columns[id(values)] = self.declared.get(values, ANY)
        return self.columns[id(values)]

    def condition(self, test: ir.Expr, then: ir.Expr, other: ir.Expr, known: Knowledge) -> Fact:
        holds = self.test(test, known)
        result = NOTHING
        if holds is not False and (inside := self.assume(test, True, known)) is not None:
            result = self.range(then, inside)
        if holds is not True and (inside := self.assume(test, False, known)) is not None:
            result = join(result, self.range(other, inside))
        return result

    def comprehension(self, e: ir.Comp, known: Knowledge) -> Fact:
        items = self.range(e.source, known)
        if items.size == 0:
            return EMPTY
        inner = known.local(e.index, items.item or ANY)
        least, most = items.least, items.size
        if e.where is not None:
            holds = self.test(e.where, inner)
            least = least if holds is True else 0
            assumed = self.assume(e.where, True, inner)
            if holds is False or assumed is None:
                return EMPTY
            inner = assumed
        element = inner.locals.get(e.index, ANY) if e.value is None else self.range(e.value, inner)
        if e.key is not None:
            element = transfer.record(element, self.range(e.key, inner))
        ordered = items.ordered and e.value is None and e.key is None
        return domain.items(element, most, ordered, least)

    def result(self, function: int) -> Fact:
        """What a function may give."""
        if function not in self.results:
            self.results[function] = ANY  # while it is being worked out, and where it cannot be
            outer, self.noted = self.noted, None
            self.results[function] = self.range(self.functions[function].body, self.entered(function))
            self.noted = outer
        return self.results[function]

    def entered(self, function: int) -> Knowledge:
        """What is known at the beginning of a function."""
        return Knowledge(dict(enumerate(self.parameters.get(("function", function), ()))))

    def arguments(self, args: tuple[ir.Expr, ...], known: Knowledge) -> None:
        """Look at the arguments of a call, for the conditions in them."""
        for arg in args:
            self.range(arg, known)

    # --- conditions ---------------------------------------------------------------------------------------------------
    def test(self, e: ir.Expr, known: Knowledge) -> bool | None:
        """Whether a condition surely holds, surely does not, or None."""
        return self.range(e, known).truth

    def assume(self, e: ir.Expr, holds: bool, known: Knowledge) -> Knowledge | None:
        """What is known where a condition holds, or does not; None where that cannot be."""
        outer, self.noted = self.noted, None
        try:
            return self.learn(e, holds, known)
        finally:
            self.noted = outer

    def learn(self, e: ir.Expr, holds: bool, known: Knowledge) -> Knowledge | None:
        match e:
            case ir.Const(value):
                return known if bool(value) == holds else None
            case ir.Op(name=operators.NOT, args=(inner,)):
                return self.learn(inner, not holds, known)
            case ir.Cond(test, then, ir.Const(value=False)) if holds:
                inside = self.learn(test, True, known)
                return None if inside is None else self.learn(then, True, inside)
            case ir.Cond(test, ir.Const(value=True), other) if not holds:
                inside = self.learn(test, False, known)
                return None if inside is None else self.learn(other, False, inside)
            case ir.Cond():
                return self.learn_either(e, holds, known)
            case ir.Bind(index, value, body):
                inside = self.learn(body, holds, known.local(index, self.range(value, known)))
                if inside is None:
                    return None
                return self.narrow(value, inside.locals.get(index, ANY), known)
            case ir.Op(name=operators.LESS | operators.AT_MOST as name, args=(a, b)):
                return self.learn_order(a, b, TESTS[name], holds, known)
            case ir.Op(name=operators.EQUAL | operators.DIFFERENT as name, args=(a, b)):
                return self.learn_equal(a, b, (name == operators.EQUAL) == holds, known)
            case ir.Op(name=operators.IS_NONE, args=(a,)):
                wanted = domain.NONE if holds else replace(self.range(a, known), none=False)
                return self.narrow(a, wanted, known)
            case ir.Op(name=operators.CONTAINS, args=(items, item)) if holds:
                interval = self.range(items, known)
                inside = known if interval.item is None else self.narrow(item, interval.item, known)
                return None if inside is None else self.narrow(items, sized(1), inside)
            case ir.Op(name=name, args=(items,)) if facts(name).reduces in (Reduction.SOME, Reduction.NO_ITEM):
                some = holds == (facts(name).reduces is Reduction.SOME)
                return self.narrow(items, sized(1) if some else sized(0, 0), known)
        return self.narrow(e, domain.truth(holds), known)

    def learn_either(self, e: ir.Cond, holds: bool, known: Knowledge) -> Knowledge | None:
        """What is known after `a or b`: the join of both cases."""
        ways = []
        for test, branch in ((True, e.then), (False, e.other)):
            inside = self.learn(e.test, test, known)
            inside = None if inside is None else self.learn(branch, holds, inside)
            if inside is not None:
                ways.append(inside)
        return None if not ways else ways[0] if len(ways) == 1 else joined(*ways)

    def learn_order(self, a: ir.Expr, b: ir.Expr, equal: int, holds: bool, known: Knowledge) -> Knowledge | None:
        """a < b, or a <= b if `equal`, or the opposite."""
        if not holds:
            a, b, equal = b, a, 1 - equal
        x, y = self.range(a, known), self.range(b, known)
        inside = self.narrow(a, between(None, difference_of(y.high, 1 - equal)), known)
        inside = None if inside is None else self.narrow(b, between(sum_of(x.low, 1 - equal), None), inside)
        if inside is None or isinstance(a, ir.Const) or isinstance(b, ir.Const):
            return inside
        return self.narrow(ir.Op(operators.SUBTRACT, (b, a)), between(1 - equal, None), inside)  # the two together

    def learn_equal(self, a: ir.Expr, b: ir.Expr, holds: bool, known: Knowledge) -> Knowledge | None:
        """a == b, or a != b."""
        x, y = self.range(a, known), self.range(b, known)
        if holds:
            inside = self.narrow(a, y, known)
            return None if inside is None else self.narrow(b, x, inside)
        for side, other, interval in ((a, y, x), (b, x, y)):
            if other.low is not None and other.low == other.high and other.some and not other.none:
                low, high = interval.low, interval.high
                low = low + 1 if low is not None and low == other.low else low
                high = high - 1 if high is not None and high == other.low else high
                inside = self.narrow(side, replace(interval, low=low, high=high), known)
                if inside is None:
                    return None
                known = inside
            elif not other.some:
                inside = self.narrow(side, replace(interval, none=False), known)
                if inside is None:
                    return None
                known = inside
        return known

    def narrow(self, e: ir.Expr, wanted: Fact, known: Knowledge) -> Knowledge | None:
        """What is known where an expression is in a range; None where it cannot be."""
        old = self.range(e, known)
        new = meet(old, wanted)
        if new.empty:
            return None
        if new == old or isinstance(e, ir.Const):
            return known
        match e:
            case ir.Local(index):
                return Knowledge({**known.locals, index: new}, known.facts)
            case ir.Known(value):
                return self.narrow(value, new, known)
            case ir.Op(name=name, args=(items,)) if facts(name).reduces is Reduction.COUNT:
                inside = self.narrow(items, sized(max(0, new.low or 0), new.high, none=True), known)
            case ir.Op(name=name, args=(players,)) if facts(name).result is Result.SEATS:
                inside = self.narrow(players, domain.number(new.least, new.size), known)
            case ir.Op(name=name, args=(items,)) if facts(name).identity:
                inside = self.narrow(items, new, known)
            case ir.Comp(source=items, where=where, key=None):  # one for each, or for some
                inside = self.narrow(items, sized(new.least, new.size if where is None else None, none=True), known)
            case _:
                inside = known
        if inside is None:
            return None
        return self.with_fact(e, new, inside)

    def with_fact(self, e: ir.Expr, range_: Fact, known: Knowledge) -> Knowledge:
        """With what an expression may be, until something that it reads is written."""
        if len(known.facts) >= MAX_FACTS:
            return known
        _, locals_, slots = self.read_by(e)
        if ANYTHING in slots:
            return known
        return Knowledge(known.locals, {**known.facts, e: KnownRange(range_, locals_, slots)})

    # --- what an expression reads -------------------------------------------------------------------------------------
    def read_by(self, e: ir.Expr) -> tuple[ir.Expr, int, frozenset[int]]:
        """An expression with the locals and slots that it reads, worked out once as long as it is kept."""
        known = self.reading.get(id(e))
        if known is None:
            if len(self.reading) > MANY:
                self.reading.clear()
            known = self.reading[id(e)] = e, self.locals_of(e), self.slots_of(e)
        return known

    def locals_of(self, e: ir.Expr) -> int:
        """The locals that an expression speaks of, as bits."""
        bits = 0
        for node in within(e):
            bits |= 1 << node.index if isinstance(node, ir.Local) else binds(node)
        return bits

    def slots_of(self, e: ir.Expr) -> frozenset[int]:
        """The bases of the slots that an expression reads, through functions too; `ANYTHING` where it looks ahead."""
        slots: set[int] = set()
        for node in within(e):
            match node:
                case ir.Load(base):
                    slots.add(base)
                case ir.Invoke(function):
                    slots |= self.function_reads(function)
                case ir.After():  # whatever the procedure reads
                    slots.add(ANYTHING)
        return frozenset(slots)

    def settings_of(self, part: object) -> frozenset[str]:
        """The settings that some part of a program reads, through functions too."""
        names: set[str] = set()
        for node in within(part):
            if isinstance(node, ir.Setting):
                names.add(node.name)
            elif isinstance(node, ir.Invoke):
                names |= self.function_settings(node.function)
        return frozenset(names)

    def function_settings(self, function: int) -> frozenset[str]:
        if function not in self.named:
            self.named[function] = frozenset()  # functions are not recursive
            self.named[function] = self.settings_of(self.functions[function].body)
        return self.named[function]

    def function_reads(self, function: int) -> frozenset[int]:
        if function not in self.reads:
            self.reads[function] = frozenset()  # functions are not recursive
            self.reads[function] = self.slots_of(self.functions[function].body)
        return self.reads[function]
