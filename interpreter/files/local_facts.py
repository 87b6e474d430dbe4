"""What each local of a program's procedures can hold, for the frames of saves that nobody vouches for.

Facts begin with nothing known and become narrower in rounds: those of a procedure's locals follow from its code, those of its
parameters from all that call it.  After every round they hold for whatever the program can do.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Mapping

from interpreter.python.expressions import ExpressionWriter
from interpreter.python.facts import ANY, Fact, below, items, join, of_printer
from interpreter.python.pool import Pool
from interpreter.python.procedures import set_by
from interpreter.setup import Setup
from rulespec import ir

ROUNDS = 6  # one for each call on the way from where something is known


class LocalFacts:
    """The facts of all locals, by procedure and number, and of what each procedure gives."""

    def __init__(self, setup: Setup) -> None:
        self.program = program = setup.program
        self.pool = Pool(program, setup.bodies, ExpressionWriter)
        self.parameters: dict[tuple[int, int], Fact] = {}
        self.results: dict[int, Fact] = {}
        self.locals: list[dict[int, Fact]] = [{} for _ in program.procedures]
        self.called: dict[tuple[int, int], list[Fact]] = defaultdict(list)
        self.given: dict[int, list[Fact]] = defaultdict(list)
        for _ in range(ROUNDS):
            self.round()

    def of(self, procedure: int, local: int) -> Fact:
        """What a local can hold, besides None where it has not been set yet."""
        return self.locals[procedure].get(local, ANY)

    def round(self) -> None:
        """Every procedure once more, with what is known by now."""
        self.called.clear()
        self.given.clear()
        for number in range(len(self.program.procedures)):
            self.procedure(number)
        self.begin()
        self.parameters = {key: join(*facts) for key, facts in self.called.items()}
        self.results = {number: join(*facts) for number, facts in self.given.items()}

    def begin(self) -> None:
        """Procedures that nobody calls are begun from outside, with any arguments."""
        for number, procedure in enumerate(self.program.procedures):
            for k in range(procedure.parameters):
                if (number, k) not in self.called:
                    self.called[number, k].append(ANY)

    def instance(self, rule: ir.Rule, k: int) -> Fact:
        """What an argument of a rule's instance can be."""
        if rule.source == "pieces" and rule.kind is not None:
            return below(len(self.program.kinds[rule.kind].members))
        return of_printer(self.program, rule.printers[k]) if k < len(rule.printers) else ANY

    def procedure(self, number: int) -> None:
        """The locals of one procedure, and what it hands to others."""
        procedure = self.program.procedures[number]
        writer = ExpressionWriter(self.pool)
        writer.facts = dict(self.locals[number])
        found: dict[int, list[Fact]] = defaultdict(list)
        for k in range(procedure.parameters):
            found[k].append(self.parameters.get((number, k), ANY))
        for region in procedure.regions:
            found[region.index].append(ANY)
        queues = queues_of(procedure)
        for i in procedure.code:
            for index, fact in self.sets(i, writer):
                found[index].append(fact)
            self.hands_on(number, i, writer, queues)
        self.locals[number] = {index: join(*facts) for index, facts in found.items()}

    def sets(self, i: ir.Instruction, writer: ExpressionWriter) -> list[tuple[int, Fact]]:
        """The locals that an instruction sets, and to what."""
        if isinstance(i, ir.Call):
            return [(i.live, self.results.get(i.procedure, ANY))]
        if isinstance(i, ir.Fork):
            one = self.results.get(i.procedure, ANY)
            return [(i.live, items(join(one, Fact("never", none=True)), self.program.players))]
        if isinstance(i, ir.Ask):
            return [(i.live, self.answer(self.program.sites[i.site], writer))]
        if isinstance(i, ir.Enter):
            aside = tuple(self.pool.slots.of(slot, 1) for slot in range(i.low, i.high))
            return [(i.live, Fact("items", size=len(aside), parts=aside))]
        return set_by(i, writer)

    def answer(self, site: ir.Site, writer: ExpressionWriter) -> Fact:
        """What a question is answered with."""
        if site.arguments or site.branches:
            return ANY
        fact = of_printer(self.program, site.printer)
        item = writer.fact(site.items).item
        if fact.what == "int" and item is not None and item.what == "int":
            fact = item
        return join(fact, Fact("never", none=True)) if site.none is not None else fact

    def hands_on(
        self, number: int, i: ir.Instruction, writer: ExpressionWriter, queues: Mapping[int, set[int]]
    ) -> None:
        """What an instruction hands to procedures that it calls, and gives to those that call this one."""
        if isinstance(i, ir.Call | ir.Fork):
            first = int(isinstance(i, ir.Fork))
            if first:
                self.called[i.procedure, 0].append(below(self.program.players))
            for k, arg in enumerate(i.args):
                self.called[i.procedure, first + k].append(writer.fact(arg))
        elif isinstance(i, ir.Return):
            self.given[number].append(Fact("never", none=True) if i.value is None else writer.fact(i.value))
        elif isinstance(i, ir.CallRule):
            for rule in self.program.rules:
                own = self.program.procedures[rule.procedure].parameters - len(i.args)
                if rule.index not in queues[i.live - 2]:
                    continue
                for k in range(own):
                    self.called[rule.procedure, k].append(self.instance(rule, k))
                for k, arg in enumerate(i.args):
                    self.called[rule.procedure, own + k].append(writer.fact(arg))


def queues_of(procedure: ir.Procedure) -> dict[int, set[int]]:
    """The rules that may stand in the queue of a window, by the local that holds it."""
    queues: dict[int, set[int]] = defaultdict(set)
    for i in procedure.code:
        if isinstance(i, ir.Collect):
            queues[i.live].update(i.rules)
    return queues
