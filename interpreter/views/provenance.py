"""What each local of a procedure may depend on: answers of players, and slots that somebody does not see.

A frame's locals are part of a position and of no observation.  This says, before play and for a whole program, where the value
of each may come from, and which branches may have decided what it is; `frames` then leaves in the frames of a position only
what a seat can know.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable
from dataclasses import field
from typing import NamedTuple

from interpreter.runtime.closed import Closed
from interpreter.views.definitions import ARGUMENT, Definitions
from interpreter.views.unasked import Unasked
from rulespec import ir
from rulespec.ir.flow import leaves, leaving_procedures, stopping_procedures
from rulespec.ir.reads import numbers, reads
from rulespec.ir.roles import set_by
from rulespec.language import operators
from rulespec.system.records import dataclass

SECRET = -1  # a source: what some seats do not see, or chance drew; every other source is the number of a site


class Definition(NamedTuple):
    """A local of a procedure as the instruction at a position writes it."""

    procedure: int
    at: int
    local: int


class Branch(NamedTuple):
    """Where control goes on from an instruction of a procedure."""

    procedure: int
    at: int


class Result(NamedTuple):
    """What a procedure returns."""

    procedure: int


class Asking(NamedTuple):
    """Whether a procedure asks somebody."""

    called: int


class Leaving(NamedTuple):
    """Whether a procedure leaves a region around those that called it."""

    called: int


class Arguments(NamedTuple):
    """What a lasting effect is about."""

    lasting: int


@dataclass(slots=True)
class Inputs:
    """What a key depends on: locals before an instruction (procedure, position, local), other keys, and sources."""

    locals: set[tuple[int, int, int]] = field(default_factory=set)
    keys: set[Key] = field(default_factory=set)
    sources: set[int] = field(default_factory=set)


Key = Definition | Branch | Result | Asking | Leaving | Arguments


class Provenance:
    """The sources of all locals of a program, worked out once: a flow of values through the definitions of each procedure."""

    def __init__(self, program: ir.Program) -> None:
        self.program = program
        self.closed = Closed(program)
        leaving = leaving_procedures(program)
        stopping = stopping_procedures(program)
        self.definitions = [Definitions(procedure, leaving, stopping) for procedure in program.procedures]
        self.unasked = Unasked(program, self.definitions)
        self.inputs: dict[Key, Inputs] = defaultdict(Inputs)
        self.known: dict[Definition, bool] = {}  # whether all are told
        self.aside: dict[Definition, int] = {}  # what keeps the slots of a scope: the first of them
        for number, procedure in enumerate(program.procedures):
            queues: dict[int, set[int]] = defaultdict(set)
            for i in procedure.code:
                if isinstance(i, ir.Collect):
                    queues[i.live].update(i.rules)
            for at, i in enumerate(procedure.code):
                if self.definitions[number].before[at] is not None:
                    self.instruction(number, at, i, queues)
                    self.stop(number, at, i, queues, leaves(i, leaving))
        self.sources = self.spread()

    def of(self, procedure: int, at: int, local: int) -> tuple[set[int], set[int]]:
        """The sources of a local before an instruction, and the first slots of the scopes that it may keep aside."""
        sources: set[int] = set()
        aside: set[int] = set()
        for key in self.deciding(procedure, at, local):
            sources |= self.sources.get(key, set())
            if isinstance(key, Definition) and key in self.aside:
                aside.add(self.aside[key])
        return sources, aside

    def told_at(self, point: int) -> bool:
        """Whether all are told at once what is answered to a frame that waits at a point."""
        place = self.program.points[point]
        return self.told(place.procedure, place.position, place.live)

    # --- what flows where --------------------------------------------------------------------------------------------
    def deciding(self, procedure: int, at: int, local: int) -> list[Key]:
        """What decides the value of a local before an instruction: where it may have been written, and which of these it was."""
        one = self.definitions[procedure]
        writers = one.writers(at, local)
        keys: list[Key] = [
            Definition(procedure, writer, local) for writer in writers if not self.told(procedure, writer, local)
        ]
        return [*keys, *(Branch(procedure, branch) for branch in one.merging(at, writers))]

    def spread(self) -> dict[Key, set[int]]:
        """The sources of every key: those of its inputs flow into it until nothing changes."""
        sources: dict[Key, set[int]] = defaultdict(set)
        targets: dict[Key, set[Key]] = defaultdict(set)
        for key, inputs in self.inputs.items():
            sources[key] |= inputs.sources
            into = set(inputs.keys)
            for procedure, at, local in inputs.locals:
                into.update(self.deciding(procedure, at, local))
            for one in into:
                targets[one].add(key)
        todo = list(sources)
        while todo:
            key = todo.pop()
            for target in targets.get(key, ()):
                new = sources[key] - sources[target]
                if new:
                    sources[target] |= new
                    todo.append(target)
        return sources

    def local(self, procedure: int, at: int, local: int, target: Key) -> None:
        """What a local holds before an instruction flows to somewhere."""
        self.inputs[target].locals.add((procedure, at, local))

    def flow(self, procedure: int, at: int, exprs: Iterable[ir.Expr | None], target: Key) -> None:
        """What expressions of an instruction give flows to somewhere."""
        for e in exprs:
            if e is not None:
                for k in numbers(reads(e)):
                    self.local(procedure, at, k, target)
                if self.closed.reads(e):
                    self.inputs[target].sources.add(SECRET)

    def told(self, procedure: int, at: int, local: int) -> bool:
        """Whether all are told at once what an instruction (or ARGUMENT) puts into a local: it goes where all see it, or into the
        log."""
        key = Definition(procedure, at, local)
        if key not in self.known:
            self.known[key] = self.tells(procedure, at, ir.Local(local))
        return self.known[key]

    def tells(self, procedure: int, at: int, value: ir.Local) -> bool:
        """What `told` keeps."""
        for i in self.program.procedures[procedure].code[at + 1 :]:
            match i:
                case ir.Store(base, _, size):
                    if i.value == value and not i.stops and self.closed.open.issuperset(range(base, base + size)):
                        return True
                case ir.Move(pieces, zone):
                    if (
                        pieces in (value, ir.Op(operators.PACK, (value,)))
                        and self.program.zones[zone].seen.who == "all"
                    ):
                        return True
                case ir.MoveCounts(bag, _, _, zone):
                    match bag:
                        case ir.Op(operators.AMOUNT, (ir.Const(1), of, *_)) if of == value and zone is not None:
                            if self.program.zones[zone].seen.who == "all":
                                return True
                case ir.Say(text, None):
                    if any(
                        part[0] == value and not self.program.names_pieces(part[1])
                        for part in text.parts
                        if not isinstance(part, str)
                    ):
                        return True
                case ir.Let(index) if index != value.index:
                    pass
                case ir.Learn() | ir.Claim() | ir.Begin() | ir.Reset():
                    pass
                case _:
                    return False
        return False

    def instruction(self, procedure: int, at: int, i: ir.Instruction, queues: dict[int, set[int]]) -> None:
        """The flows of one instruction."""

        def writes(local: int) -> Definition:
            return Definition(procedure, at, local)

        branch = Branch(procedure, at)
        match i:
            case ir.Let(index, value):
                self.flow(procedure, at, [value], writes(index))
            case ir.Unless(test):
                self.flow(procedure, at, [test], branch)
            case ir.Next(index):
                for key in (branch, writes(index + 2)):
                    self.local(procedure, at, index, key)
                for key in (branch, writes(index + 1), writes(index + 2)):
                    self.local(procedure, at, index + 1, key)
            case ir.Ask(site, live):
                self.inputs[writes(live)].sources.add(site)
            case ir.Draw(_, _, live):
                self.inputs[writes(live)].sources.add(SECRET)
            case ir.Call(called, args, live):
                self.call(procedure, at, called, args, 0, live)
            case ir.Fork(seats, called, args, live):
                self.flow(procedure, at, [seats], branch)
                self.call(procedure, at, called, args, 1, live)
            case ir.CallRule():
                self.call_rule(procedure, at, i, queues[i.live - 2])
            case ir.Return(value):
                self.flow(procedure, at, [value], Result(procedure))
                for decides in self.definitions[procedure].deciding[at]:
                    self.inputs[Result(procedure)].keys.add(Branch(procedure, decides))
            case ir.Collect():
                self.collect(procedure, at, i)
            case ir.NextRule(live, args, _, arrange):
                for key in (branch, writes(live), writes(live + 1)):
                    self.local(procedure, at, live, key)
                    self.flow(procedure, at, args, key)
                    if any(self.hidden_test(rule) for rule in queues[live]):
                        self.inputs[key].sources.add(SECRET)
                    if arrange is not None:
                        self.inputs[key].sources.add(arrange)
            case ir.Enter(low, _, _, live):
                self.aside[writes(live)] = low
            case ir.Begin(lasting, args):
                self.flow(procedure, at, args, Arguments(lasting))
            case ir.Cease(_, _, args, live):
                self.flow(procedure, at, args or (), writes(live))
                for lasting in {rule.lasting for rule in self.program.rules if rule.lasting is not None}:
                    self.inputs[writes(live)].keys.add(Arguments(lasting))
            case ir.Resume(index):
                self.local(procedure, at, index, branch)
            case _:
                assert not set_by(i), i

    def call(self, procedure: int, at: int, called: int, args: tuple[ir.Expr, ...], first: int, live: int) -> None:
        """Arguments flow into a procedure, its result out of it."""
        for k, arg in enumerate(args):
            self.flow(procedure, at, [arg], Definition(called, ARGUMENT, first + k))
        self.inputs[Definition(procedure, at, live)].keys.add(Result(called))

    def stop(self, procedure: int, at: int, i: ir.Instruction, queues: dict[int, set[int]], leaves: bool) -> None:
        """What decides whether control leaves from within an instruction, or somebody is asked there, decides where it goes on."""
        rules = queues[i.live - 2] if isinstance(i, ir.CallRule) else ()
        called = [i.procedure] if isinstance(i, ir.Call) else [self.program.rules[rule].procedure for rule in rules]
        branch = Branch(procedure, at)
        one = self.definitions[procedure]
        if at in one.branches:
            self.inputs[branch].keys.update(Asking(number) for number in called)
            self.inputs[Asking(procedure)].keys.add(branch)
        if leaves:
            self.inputs[branch].keys.update(Leaving(number) for number in called)
            self.inputs[Leaving(procedure)].keys.update([branch, *(Branch(procedure, two) for two in one.deciding[at])])

    def call_rule(self, procedure: int, at: int, i: ir.CallRule, rules: Iterable[int]) -> None:
        """The same for whichever rule the queue names."""
        result, branch = Definition(procedure, at, i.live), Branch(procedure, at)
        for key in (result, branch):
            self.local(procedure, at, i.live - 1, key)
            self.flow(procedure, at, i.args, key)
        for number in sorted(rules):
            called = self.program.rules[number].procedure
            instance = self.program.procedures[called].parameters - len(i.args)
            for k in range(instance):
                self.local(procedure, at, i.live - 1, Definition(called, ARGUMENT, k))
            for k, arg in enumerate(i.args):
                self.flow(procedure, at, [arg], Definition(called, ARGUMENT, instance + k))
            self.inputs[result].keys.add(Result(called))
            if self.hidden_test(number):
                self.inputs[result].sources.add(SECRET)
                self.inputs[branch].sources.add(SECRET)

    def collect(self, procedure: int, at: int, i: ir.Collect) -> None:
        """Which rules are alive, in which order, and for lasting ones what they are about, flows into the queue of a window."""
        queue = Definition(procedure, at, i.live)
        self.flow(procedure, at, [*i.args, i.order], queue)
        for number in i.rules:
            rule = self.program.rules[number]
            if rule.lasting is not None:
                self.inputs[queue].keys.add(Arguments(rule.lasting))
            if self.closed.function(rule.alive) or self.closed.function(rule.player):
                self.inputs[queue].sources.add(SECRET)

    def hidden_test(self, rule: int) -> bool:
        """Whether it depends on what not all see whether a rule runs, or whose it is."""
        one = self.program.rules[rule]
        return self.closed.function(one.test) or self.closed.function(one.player)
