"""Data flow of ranges: what is known at each instruction of a procedure, whatever way led there.

    0  unless lt(S4, 3) jump 2
    1  S5 := S4               # here S4 is below 3
    2  ...                    # here it is what it was: the join of both ways

Conditions are learned from, writes are forgotten by.  Where ways meet, ranges are joined; a bound that keeps moving in a loop is
given up (widening).
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import field

from rulespec import ir
from rulespec.analysis.domain import ANY, NATURAL, NONE, Fact, between, join, meet, number, of_value
from rulespec.ir.flow import left
from rulespec.ir.reads import numbers
from rulespec.ir.roles import set_by, site_of
from rulespec.ir.walk import held
from rulespec.language import bounds, operators
from rulespec.lint.evaluate import Knowledge, RangeWorld, Spoken, joined, widened
from rulespec.system.records import dataclass

PATIENCE = 3  # how often an instruction is looked at before bounds that keep moving are given up
NOWHERE = Knowledge()
LEAVES_SLOTS = (ir.Say, ir.Fork, ir.Collect, ir.Learn, ir.Resume)  # what changes no slot whose range is known


@dataclass(slots=True)
class Flow:
    """The ranges of one procedure."""

    world: RangeWorld
    procedure: ir.Procedure
    sites: tuple[ir.Site, ...]
    entered: Knowledge
    before: dict[int, Knowledge] = field(default_factory=dict)  # by position; none where nothing leads there

    def run(self) -> None:
        """Work out what is known before each instruction."""
        self.before = {0: self.entered}
        visits: dict[int, int] = {}
        todo = [0]
        while todo:
            position = todo.pop()
            visits[position] = visits.get(position, 0) + 1
            for target, known in self.ways(position, self.before[position]):
                old = self.before.get(target)
                if old is None:
                    new = known
                elif visits.get(target, 0) > PATIENCE:
                    new = widened(old, known)
                else:
                    new = joined(old, known)
                if old is None or new != old:
                    self.before[target] = new
                    if target not in todo:
                        todo.append(target)

    def ways(self, position: int, known: Knowledge) -> Iterator[tuple[int, Knowledge]]:
        """Where control goes on from an instruction, and what is known there."""
        if position >= len(self.procedure.code):
            return
        i = self.procedure.code[position]
        after = position + 1
        match i:
            case ir.Jump(target):
                yield target, known
            case ir.Unless(test, target):
                holds = self.world.test(test, known)
                inside = None if holds is False else self.world.assume(test, True, known)
                if inside is not None:
                    yield after, inside
                inside = None if holds is True else self.world.assume(test, False, known)
                if inside is not None:
                    yield target, inside
            case ir.Next(index, target):
                items = known.locals.get(index, ANY)
                if items.size != 0:
                    yield after, known.local(index + 1, NATURAL).local(index + 2, items.item or ANY)
                yield target, known
            case ir.NextRule(live, args, target):
                self.look(args, known)
                yield after, known.stirred().local(live, ANY).local(live + 1, ANY)
                yield target, known.stirred().local(live, ANY)
            case ir.Return(value):
                self.look(value, known)
            case ir.Finish(returns):
                self.look(returns, known)
            case ir.Unwind():
                pass
            case _:
                yield after, self.after(i, known)
        if isinstance(i, ir.Call | ir.CallRule | ir.Unwind | ir.Resume):
            for target, _ in left(self.procedure, position):
                yield target, NOWHERE

    def holds(self, position: int, spoken: Spoken) -> bool:
        """Whether a condition that is spoken of is in an instruction, or in the question that it asks."""
        i = self.procedure.code[position] if position < len(self.procedure.code) else None
        site = None if i is None else site_of(i)
        return spoken.within(i) or (site is not None and spoken.within(self.sites[site]))

    def look(self, e: object, known: Knowledge) -> None:
        """Evaluate an expression, or several, only so that the outcomes of conditions in them are noted."""
        if isinstance(e, ir.Text):
            self.texts(e, known)
        elif isinstance(e, tuple):
            for part in e:
                self.look(part, known)
        elif e is not None:
            self.world.range(e, known)  # type: ignore[arg-type]

    def after(self, i: ir.Instruction, known: Knowledge) -> Knowledge:
        """What is known after an instruction that goes on to the next."""
        world = self.world
        match i:
            case ir.Let(index, value):
                after = known.local(index, world.range(value, known))
                if (
                    isinstance(value, ir.Load) and not world.locals_of(value) >> index & 1
                ):  # it is what it was taken from
                    after = world.with_fact(ir.Op(operators.SUBTRACT, (value, ir.Local(index))), of_value(0), after)
                return after
            case ir.Store():
                return self.stored(i, known)
            case ir.Call(args=args, live=live):
                world.arguments(args, known)
                return known.stirred().local(live, ANY)
            case ir.Ask(site, live):
                return self.answered(self.sites[site], live, known)
            case ir.Draw(items, weights, live):
                items_range = world.range(items, known)
                self.look(weights, known)
                return known.local(live, items_range.item or ANY)
            case ir.Claim(test):
                outer, world.noted = world.noted, None  # a claim is meant to hold always
                inside = world.assume(test, True, known)
                world.noted = outer
                return known if inside is None else inside
            case _:
                for part in held(i):
                    self.look(part, known)
                after = known if isinstance(i, LEAVES_SLOTS) else known.stirred()
                for local in numbers(set_by(i)):
                    after = after.local(local, ANY)
                return after

    def stored(self, i: ir.Store, known: Knowledge) -> Knowledge:
        """A slot is written; where it is surely this one, its value is known now."""
        value = self.value_of(i, known)
        after = known.written(i.base)
        if i.index is None and i.size == 1 and i.base in self.world.slots:
            inside = self.world.narrow(ir.Load(i.base, None, 1), value, after)
            return after if inside is None else inside
        self.look(i.index, known)
        return after

    def value_of(self, i: ir.Store, known: Knowledge) -> Fact:
        """What a store may leave in its slot: within its bounds, or at the nearest end."""
        value = self.world.range(i.value, known)
        if i.stops and i.low is not None:
            value = number(*bounds.greatest((value.low, value.high), (i.low, i.low)))
        if i.stops and i.high is not None:
            value = number(*bounds.least((value.low, value.high), (i.high, i.high)))
        return meet(value, between(i.low, i.high, none=True))

    def asked(self, site: ir.Site, known: Knowledge) -> Fact:
        """The range of the answer to a question; its conditions are evaluated with the candidate in its local."""
        world = self.world
        self.look(site.player, known)
        items = world.range(site.items, known)
        inner: Knowledge | None = known.local(site.item, items.item or ANY)
        if items.size != 0:
            self.texts(site.shown, known.local(site.item, items.item or ANY))
            for reason in site.reasons:
                if inner is None:
                    break
                world.test(reason.test, inner)
                inner = world.assume(reason.test, True, inner)
        for option in (*site.branches, *(() if site.none is None else (site.none,))):
            self.reasons(option.reasons, known)
            self.texts(option.text, known)
        self.texts(site.prompt, known)
        element = items.item or ANY
        if inner is not None and site.item in inner.locals:
            element = inner.locals[site.item]
        return element if site.none is None else join(element, NONE)

    def answered(self, site: ir.Site, live: int, known: Knowledge) -> Knowledge:
        """What is known once a question was answered: the conditions hold of the answer, where that is what they were asked of."""
        after = known.local(live, self.asked(site, known))
        if site.item != live or site.none is not None or site.branches or site.tray is not None:
            return after
        for reason in site.reasons:
            after = self.world.assume(reason.test, True, after) or after
        return after

    def reasons(self, reasons: tuple[ir.Reason, ...], known: Knowledge | None) -> None:
        """Conditions that are tested one after another."""
        for reason in reasons:
            if known is None:
                return
            self.world.test(reason.test, known)
            known = self.world.assume(reason.test, True, known)

    def texts(self, text: ir.Text | None, known: Knowledge) -> None:
        """What stands in the braces of a text."""
        for part in () if text is None else text.parts:
            if not isinstance(part, str):
                self.look(part[0], known)
