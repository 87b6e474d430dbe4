"""The values that each local of a program's procedures can hold, to validate the frames of untrusted saves.

A data flow analysis: facts begin with "any value" and are narrowed in rounds.  Those of a procedure's locals follow from its
code, those of its parameters from its callers.  They are sound after every round, so the number of rounds may be bounded.

Example: in a procedure that is only called with values of `1..3`, the parameter is a number from 1 to 3, and so is a local that
is set to it.
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

ROUNDS = 6  # enough for facts to pass through as many calls


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
        """The fact of a local, besides None where it has not been set yet."""
        return self.locals[procedure].get(local, ANY)

    def round(self) -> None:
        """Analyse every procedure with the facts of the round before."""
        self.called.clear()
        self.given.clear()
        for number in range(len(self.program.procedures)):
            self.procedure(number)
        self.begin()
        self.parameters = {key: join(*facts) for key, facts in self.called.items()}
        self.results = {number: join(*facts) for number, facts in self.given.items()}

    def begin(self) -> None:
        """The facts of parameters before a round; a procedure without callers is begun from outside, with any arguments."""
        for number, procedure in enumerate(self.program.procedures):
            for k in range(procedure.parameters):
                if (number, k) not in self.called:
                    self.called[number, k].append(ANY)

    def instance(self, rule: ir.Rule, k: int) -> Fact:
        """The facts of the arguments of a rule's instances."""
        if rule.source == "pieces" and rule.kind is not None:
            return below(len(self.program.kinds[rule.kind].members))
        return of_printer(self.program, rule.arguments[k]) if k < len(rule.arguments) else ANY

    def procedure(self, number: int) -> None:
        """The facts of one procedure's locals, and of what it passes to others."""
        procedure = self.program.procedures[number]
        writer = ExpressionWriter(self.pool)
        writer.facts = dict(self.locals[number])
        by_local: dict[int, list[Fact]] = defaultdict(list)
        for k in range(procedure.parameters):
            by_local[k].append(self.parameters.get((number, k), ANY))
        for region in procedure.regions:
            by_local[region.index].append(ANY)
        queues = queues_of(procedure)
        for i in procedure.code:
            for index, fact in self.sets(i, writer):
                by_local[index].append(fact)
            self.hands_on(number, i, writer, queues)
        self.locals[number] = {index: join(*facts) for index, facts in by_local.items()}

    def sets(self, i: ir.Instruction, writer: ExpressionWriter) -> list[tuple[int, Fact]]:
        """The locals that an instruction sets, with their facts."""
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
        """The fact of the answers to a question."""
        if site.arguments or site.branches:
            return ANY
        fact = of_printer(self.program, site.type)
        item = writer.fact(site.items).item
        if fact.what == "int" and item is not None and item.what == "int":
            fact = item
        return join(fact, Fact("never", none=True)) if site.none is not None else fact

    def hands_on(
        self, number: int, i: ir.Instruction, writer: ExpressionWriter, queues: Mapping[int, set[int]]
    ) -> None:
        """Record the arguments that an instruction passes to procedures, and the result that it returns."""
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
                instance = self.program.procedures[rule.procedure].parameters - len(i.args)
                if rule.index not in queues[i.live - 2]:
                    continue
                for k in range(instance):
                    self.called[rule.procedure, k].append(self.instance(rule, k))
                for k, arg in enumerate(i.args):
                    self.called[rule.procedure, instance + k].append(writer.fact(arg))


def queues_of(procedure: ir.Procedure) -> dict[int, set[int]]:
    """The rules that may stand in the queue of a window, by the local that holds it."""
    queues: dict[int, set[int]] = defaultdict(set)
    for i in procedure.code:
        if isinstance(i, ir.Collect):
            queues[i.live].update(i.rules)
    return queues
