"""What was worked out of one game and holds in the next: in its variants, and in the game after an edit.

    procedures.end_of_turn      # a variant has another number here: this is looked at again
    procedures.battle           # and this is not, nor what it calls: same steps, same ranges of all that they read

A result is found again by all that it rests on, whole and not as a digest, so that it is never that of something else.  Places in files
are no part of it.
"""

from __future__ import annotations

from collections.abc import Hashable
from dataclasses import field

from rulespec import ir
from rulespec.analysis.domain import Fact
from rulespec.ir.roles import site_of
from rulespec.ir.walk import within
from rulespec.lint.dataflow import Flow
from rulespec.lint.evaluate import Knowledge, RangeWorld
from rulespec.system.records import dataclass

MOST = 4_000  # results that are kept; a game with a hundred variants would fill the memory


@dataclass(slots=True)
class Shared:
    """Results by what they rest on."""

    numbers: dict[Hashable, int] = field(default_factory=dict)  # of functions, by what they rest on
    results: dict[int, Fact] = field(default_factory=dict)  # what functions give, by those numbers
    flows: dict[Hashable, dict[int, Knowledge]] = field(default_factory=dict)  # what is known in procedures

    @property
    def full(self) -> bool:
        """Whether no more is kept."""
        return len(self.numbers) + len(self.flows) >= MOST


class Rests:
    """What the ranges of one program rest on."""

    def __init__(self, world: RangeWorld, shared: Shared) -> None:
        self.world = world
        self.shared = shared
        self.known: dict[int, int | None] = {}  # the numbers of functions, None where they are not kept

    def run(self, flow: Flow) -> None:
        """Work out what is known before each instruction of a procedure, unless it was in a game before."""
        procedure = flow.procedure
        asked = tuple((number, flow.sites[number]) for i in procedure.code if (number := site_of(i)) is not None)
        read = self.read((procedure.code, asked))
        rests = None if read is None else (procedure, tuple(flow.entered.locals.items()), asked, read)
        before = None if rests is None else self.shared.flows.get(rests)
        if before is not None:
            flow.before = before
            return
        flow.run()
        if rests is not None and not self.shared.full:
            self.shared.flows[rests] = flow.before

    def functions(self) -> None:
        """Work out what functions give and read, each after those that it calls, which stand before it."""
        world, results = self.world, self.shared.results
        for number in range(len(world.functions)):
            rests = self.of_function(number)
            if rests in results:
                world.results[number] = results[rests]
            elif rests is not None:
                results[rests] = world.result(number)
            else:
                world.result(number)
            world.function_reads(number)

    def of_function(self, number: int) -> int | None:
        """A number that stands for all that decides what a function gives; None where nothing is kept of it."""
        if number not in self.known:
            self.known[number] = None  # functions are not recursive
            function = self.world.functions[number]
            read = self.read(function.body)
            rests = None if read is None else (function.body, self.world.parameters.get(("function", number)), read)
            if rests is not None and (rests in self.shared.numbers or not self.shared.full):
                self.known[number] = self.shared.numbers.setdefault(rests, len(self.shared.numbers))
        return self.known[number]

    def read(self, part: object) -> Hashable | None:
        """What a part of a program reads, with what that may be."""
        world = self.world
        read: set[Hashable] = set()
        called: set[int] = set()
        for e in within(part):
            match e:
                case ir.Load(base):
                    read.add((base, world.slots.get(base)))
                case ir.Setting(name):
                    read.add((name, world.settings.get(name)))
                case ir.Invoke(function):
                    called.add(function)
                case ir.Column(values) | ir.Op(args=(ir.Const(tuple() as values), *_)):
                    read.add((values, world.declared.get(values)))
        numbers = {(function, self.of_function(function)) for function in called}
        return None if any(number is None for _, number in numbers) else (frozenset(read), frozenset(numbers))
