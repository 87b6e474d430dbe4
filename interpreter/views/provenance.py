"""What each local of a procedure may depend on: answers of players, and slots that somebody does not see.

A frame's locals are part of a position and of no observation.  This says, before play and for a whole program, where
the value of each may come from; `shown_frames` then leaves in the frames of a position only what a seat can know.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable
from typing import TYPE_CHECKING, Any, NamedTuple, assert_never

from interpreter.position import Position
from interpreter.python.memo_cost import MemoCost
from interpreter.runtime.hidden import Hidden
from interpreter.runtime.values import Frame
from rulespec import ir
from rulespec.ir.ahead import Ahead
from rulespec.ir.reads import numbers, read_by_all, reads

if TYPE_CHECKING:
    import networkx as nx

SECRET = -1  # a source: what some seats do not see, or chance drew; every other source is the number of a site


class Local(NamedTuple):
    """A local of a procedure."""

    procedure: int
    number: int


class Result(NamedTuple):
    """What a procedure returns."""

    procedure: int


class Arguments(NamedTuple):
    """What a lasting effect is about."""

    lasting: int


Key = Local | Result | Arguments


class Provenance:
    """The sources of all locals of a program, worked out once: a flow of values that forgets their order."""

    def __init__(self, program: ir.Program) -> None:
        import networkx as nx  # noqa: PLC0415 - who never takes back should not wait for it

        self.program = program
        self.memo_cost = MemoCost(program.functions, Ahead(program))
        self.open = open_slots(program)
        self.sources: dict[Key, set[int]] = defaultdict(set)
        self.flows: dict[Key, set[Key]] = defaultdict(set)
        self.calls: nx.DiGraph[int] = nx.DiGraph()
        self.aside: dict[Local, int] = {}  # a local that keeps the slots of a scope: the first of them
        for number, procedure in enumerate(program.procedures):
            queues: dict[int, set[int]] = defaultdict(set)
            for i in procedure.code:
                if isinstance(i, ir.Collect):
                    queues[i.live].update(i.rules)
            for at, i in enumerate(procedure.code):
                self.instruction(number, at, i, queues)
        self.spread()
        rounds = nx.strongly_connected_components(self.calls)
        # The procedures that may come to run within themselves.
        self.nested = {p for group in rounds for p in group if len(group) > 1 or self.calls.has_edge(p, p)}
        # The procedure that asks at each site.
        self.asking = {i.site: n for n, p in enumerate(program.procedures) for i in p.code if isinstance(i, ir.Ask)}

    def spread(self) -> None:
        """Let sources flow until nothing changes."""
        todo = list(self.sources)
        while todo:
            key = todo.pop()
            for target in self.flows.get(key, ()):
                new = self.sources[key] - self.sources[target]
                if new:
                    self.sources[target] |= new
                    todo.append(target)

    def flow(self, procedure: int, exprs: Iterable[ir.Expr | None], target: Key) -> None:
        """What expressions give flows to somewhere."""
        for e in exprs:
            if e is None:
                continue
            for k in numbers(reads(e)):
                self.flows[Local(procedure, k)].add(target)
            if not self.memo_cost.slots(e) <= self.open:
                self.sources[target].add(SECRET)

    def told(self, procedure: int, at: int, local: int) -> bool:
        """Whether all are told at once what an instruction puts into a local."""
        code = self.program.procedures[procedure].code
        following = code[at + 1] if at + 1 < len(code) else None
        return (
            isinstance(following, ir.Store)
            and following.value == ir.Local(local)
            and self.open.issuperset(range(following.base, following.base + following.size))
        )

    def instruction(self, procedure: int, at: int, i: ir.Instruction, queues: dict[int, set[int]]) -> None:
        """The flows of one instruction."""
        match i:
            case ir.Let(index, value):
                self.flow(procedure, [value], Local(procedure, index))
            case ir.Next(index):
                self.flows[Local(procedure, index)].add(Local(procedure, index + 2))
            case ir.Ask(site, live):
                if not self.told(procedure, at, live):
                    self.sources[Local(procedure, live)].add(site)
            case ir.Draw(_, _, live):
                if not self.told(procedure, at, live):
                    self.sources[Local(procedure, live)].add(SECRET)
            case ir.Call(called, args, live):
                self.call(procedure, called, args, 0, live)
            case ir.Fork(_, called, args, live):
                self.call(procedure, called, args, 1, live)
            case ir.CallRule(args, live):
                for rule in sorted(queues[live - 2]):
                    called = self.program.rules[rule].procedure
                    self.calls.add_edge(procedure, called)
                    for k in range(self.program.procedures[called].parameters):
                        self.flows[Local(procedure, live - 1)].add(Local(called, k))
                        self.flow(procedure, args, Local(called, k))
                    self.flows[Result(called)].add(Local(procedure, live))
            case ir.Return(value):
                self.flow(procedure, [value], Result(procedure))
            case ir.Collect(rules, _, _, live):
                self.collect(rules, Local(procedure, live))
            case ir.NextRule(live):
                self.flows[Local(procedure, live)].add(Local(procedure, live + 1))
            case ir.Enter(low, _, _, live):
                self.aside[Local(procedure, live)] = low
            case ir.Begin(lasting, args):
                self.flow(procedure, args, Arguments(lasting))
            case ir.Cease():
                for lasting in {rule.lasting for rule in self.program.rules if rule.lasting is not None}:
                    self.flows[Arguments(lasting)].add(Local(procedure, i.live))
            case (
                ir.Store() | ir.Jump() | ir.Unless() | ir.Move() | ir.MoveCounts() | ir.Learn() | ir.Say() | ir.Claim()
            ):
                pass
            case ir.Leave() | ir.Unwind() | ir.Resume() | ir.Reset() | ir.Finish():
                pass
            case _:
                assert_never(i)

    def call(self, procedure: int, called: int, args: tuple[ir.Expr, ...], first: int, live: int) -> None:
        """Arguments flow into a procedure, its result out of it."""
        self.calls.add_edge(procedure, called)
        for k, arg in enumerate(args):
            self.flow(procedure, [arg], Local(called, first + k))
        self.flows[Result(called)].add(Local(procedure, live))

    def collect(self, rules: tuple[int, ...], queue: Local) -> None:
        """Which rules are alive, and for lasting ones what they are about, flows into the queue of a window."""
        for number in rules:
            rule = self.program.rules[number]
            if rule.lasting is not None:
                self.flows[Arguments(rule.lasting)].add(queue)
            if (
                rule.alive is not None
                and not self.memo_cost.slots(self.program.functions[rule.alive].body) <= self.open
            ):
                self.sources[queue].add(SECRET)


def open_slots(program: ir.Program) -> frozenset[int]:
    """The slots that all see whatever they hold, and those that only count what all see."""
    out = set(range(len(program.initial))) - {ir.CONTROL, ir.RANDOM, ir.KNOWN}
    hiding = {zone.kind for zone in program.zones if zone.seen.who != "all"}
    for zone in program.zones:
        if zone.seen.who != "all":
            out.difference_update(range(zone.base, zone.base + zone.size))
    for kind in program.kinds:
        if kind.location is not None and kind.index in hiding:
            out.difference_update(range(kind.location, kind.location + len(kind.members)))
    for variable in program.variables:
        if variable.seen.who != "all" or (hiding and program.names_pieces(variable.printer)):
            out.difference_update(range(variable.base, variable.base + variable.size))
    return frozenset(out)


class ShownFrames:
    """The frames of a position with those locals only that a seat can know; `Hidden` stands for the others."""

    def __init__(self, provenance: Provenance, position: Position, seat: int) -> None:
        self.provenance = provenance
        self.program = provenance.program
        self.seat = seat
        self.answers = [(actor, site, value) for actor, site, _, value in position.answers()]  # the newest first

    def stack(self, frame: Frame | None, top: bool = True) -> Frame | None:
        """A frame and those that wait for it."""
        if frame is None:
            return None
        number, parent, *values = frame
        point = self.program.points[number]
        told = self.told(number) if top else 0
        shown = [
            value if told >> k & 1 else self.value(Local(point.procedure, k), value)
            for k, value in zip(point.kept, values, strict=False)
        ]
        if isinstance(self.program.instruction(number), ir.Fork):
            shown.append(tuple(self.child(*child) for child in values[-1]))
        return (number, self.stack(parent, False), *shown)

    def told(self, point: int) -> int:
        """The locals, as a mask, that a question itself tells: who is asked, out of what, and what the prompt says."""
        site = self.program.site_of(point)
        if site is None:
            return 0
        holes = [part[0] for part in site.prompt.parts if not isinstance(part, str)]
        return read_by_all([site.player, site.items, *holes])

    def child(self, seat: int, frame: Frame | None, result: Any) -> tuple[Any, ...]:
        """The sealed choice of a player: another's answer is not seen."""
        if seat == self.seat:
            return seat, self.stack(frame), result
        return seat, frame, result if frame is not None else Hidden()

    def value(self, local: Local, value: Any) -> Any:
        """A local's value, if the seat can know it."""
        if local in self.provenance.aside:
            low = self.provenance.aside[local]
            open_ = self.provenance.open
            return tuple(v if low + k in open_ else Hidden() for k, v in enumerate(value))
        sources = self.provenance.sources.get(local)
        return value if not sources or self.knows(sources, value) else Hidden()

    def knows(self, sources: set[int], value: Any) -> bool:
        """Whether a value comes of answers of the seat alone.

        It may be such an answer, and then the last that is equal counts, unless questions may be asked within one another;
        or it may be made of any of them.
        """
        if SECRET in sources:
            return False
        names = {self.program.sites[source].name for source in sources}
        given = [(actor, answer) for actor, site, answer in self.answers if site in names]
        same = [actor for actor, answer in given if answer == value]
        if same and self.provenance.nested.isdisjoint(self.provenance.asking[source] for source in sources):
            return same[0] == self.seat
        return all(actor == self.seat for actor in same or (actor for actor, _ in given))
