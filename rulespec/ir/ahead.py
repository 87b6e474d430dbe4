"""Procedures that expressions look ahead at (`ir.After`): what may run there, and which slots that touches by itself.

    after(place(c), size(line) == 3)     # whoever asks what this depends on asks `Ahead` what `place` runs

An expression depends on all that its procedure looks at, and on the slots that its instructions change without naming them in an
expression: the place that a moved piece leaves, the lasting effects that decide which rules are alive.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from rulespec import ir
from rulespec.ir.roles import ROLES, named, run_by, zones_of
from rulespec.ir.walk import reachable_from


class Ahead:
    """What the procedures of a program run; worked out once for each that is asked for."""

    def __init__(self, program: ir.Program) -> None:
        self.program = program
        self.known: dict[int, tuple[int, ...]] = {}

    def procedures(self, procedure: int) -> tuple[int, ...]:
        """The procedures that may run before one is at its end, itself included; not those that these look ahead at."""
        if procedure not in self.known:
            self.known[procedure] = tuple(sorted(reachable_from([procedure], self.called)))
        return self.known[procedure]

    def called(self, procedure: int) -> Iterator[int]:
        """The procedures that one calls, those of rules that it sets off included."""
        for i in self.program.procedures[procedure].code:
            run = run_by(i)
            if run is not None:
                yield run
            elif isinstance(i, ir.Collect):
                yield from (self.program.rules[rule].procedure for rule in i.rules)

    def code(self, procedure: int) -> Iterator[ir.Instruction]:
        """Every instruction that may run."""
        for number in self.procedures(procedure):
            yield from self.program.procedures[number].code

    def parts(self, procedure: int) -> Iterator[Any]:
        """All parts of the program whose expressions may be worked out: instructions, and what decides about rules."""
        for i in self.code(procedure):
            yield i
            if isinstance(i, ir.Collect):
                for rule in (self.program.rules[number] for number in i.rules):
                    deciding = (rule.alive, rule.test, rule.player)
                    yield from (self.program.functions[function].body for function in deciding if function is not None)

    def touched(self, procedure: int) -> frozenset[int]:
        """The slots that instructions read by themselves, or change in part."""
        return frozenset(slot for i in self.code(procedure) for slot in self.touched_by(i))

    def touched_by(self, i: ir.Instruction) -> Iterator[int]:
        """The same of one instruction."""
        roles = ROLES[i.__class__]
        yield from roles.system
        depth = named(i, roles.depth)
        yield from () if depth is None else (depth,)
        for number in zones_of(i):
            zone = self.program.zones[number]
            yield from self.places(zone.kind) if roles.anywhere else range(zone.base, zone.base + zone.size)
        match i:
            case ir.Collect(rules):
                yield ir.LASTING
                for rule in (self.program.rules[number] for number in rules):
                    if rule.counter is not None:
                        yield from range(rule.counter, rule.counter + max(1, len(rule.pieces)))
            case ir.Enter(low, high):
                yield from range(low, high)
                yield from self.places_within(low, high)
            case ir.Leave(low):
                yield from range(low, len(self.program.initial))

    def places(self, kind: int) -> Iterator[int]:
        """The slots in which pieces of a kind lie, and those that say where."""
        for zone in self.program.zones:
            if zone.kind == kind:
                yield from range(zone.base, zone.base + zone.size)
        declared = self.program.kinds[kind]
        if declared.location is not None:
            yield from range(declared.location, declared.location + len(declared.members))

    def places_within(self, low: int, high: int) -> Iterator[int]:
        """The same of all kinds of pieces that may lie in some slots."""
        for kind in {zone.kind for zone in self.program.zones if low <= zone.base < high}:
            yield from self.places(kind)
