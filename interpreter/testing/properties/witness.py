"""What a seat is rightly shown on the way from one decision to the next, and is hidden again before anybody is asked.

A rule of a piece that runs shows the piece: whoever sees what the rule does knows that it is there.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import cached_property
from typing import Any

from interpreter.game import Game, State
from interpreter.reference.machine import Code, Machine
from interpreter.runtime.visibility import sees
from interpreter.testing.properties.script import Given
from interpreter.testing.properties.shown import declared_variables
from rulespec import ir

SHOWING = (ir.Move, ir.MoveCounts, ir.Learn, ir.Store)
Note = Callable[[list[Any]], None]


class WitnessMachine(Machine):
    """The reference machine, which tells of the slots after each instruction that may show something."""

    note: Note | None = None
    acts: Callable[[list[Any], int, Any], None] | None = (
        None  # told of each rule of a piece that runs, and of the piece
    )

    def compile(self, code: Code) -> None:
        super().compile(code)
        for pc, (instruction, step) in enumerate(zip(code.instructions, code.steps, strict=True)):
            if isinstance(instruction, SHOWING) and step is not None:
                code.steps[pc] = self.telling(step)

    def call(
        self, S: list[Any], i: ir.Call | ir.CallRule, code: Code, pc: int, L: Any, parent: Any
    ) -> tuple[Code, int, Any, Any] | None:
        called = super().call(S, i, code, pc, L, parent)
        if self.acts is not None and called is not None and isinstance(i, ir.CallRule):
            rule, piece = L[i.live - 1]
            if self.program.rules[rule].source == "pieces":
                self.acts(S, rule, piece)
        return called

    def left_by(self, slots: list[Any], procedure: int, args: list[Any]) -> list[Any]:
        """What is looked ahead at is shown to nobody."""
        told, self.note, self.acts = (self.note, self.acts), None, None
        try:
            return super().left_by(slots, procedure, args)
        finally:
            self.note, self.acts = told

    def telling(self, step: Callable[[list[Any], Any], int]) -> Callable[[list[Any], Any], int]:
        """A step that tells of the slots behind it."""

        def run(S: list[Any], L: Any) -> int:
            following = step(S, L)
            if self.note is not None:
                self.note(S)
            return following

        return run


class Witness(Game):
    """A game on such a machine."""

    def make_machine(self) -> WitnessMachine:
        """The watched machine of a thread."""
        return WitnessMachine(self.program, self.bodies)

    def shows(self, state: State, answers: list[Given], seat: int) -> list[Any]:
        """What the seat is shown, one thing after the other, while answers are given on a position."""
        shown: list[Any] = []

        def note(S: list[Any]) -> None:
            seen = self.declared(S, seat)
            if not shown or shown[-1] != seen:
                shown.append(seen)

        def acts(S: list[Any], rule: int, piece: int) -> None:
            kind = self.program.rules[rule].kind
            location = None if kind is None else self.program.kinds[kind].location
            shown.append((rule, piece, None if location is None else S[location + piece]))

        played = self.position(state.slots, state.main, undo=False)
        note(played.slots)
        machine = self.machine
        assert isinstance(machine, WitnessMachine)
        machine.note, machine.acts = note, acts
        try:
            for answer in answers:
                played.apply_action(answer.action, answer.actor)
        finally:
            machine.note = machine.acts = None
        return shown

    @cached_property
    def shown_variables(self) -> list[ir.Variable]:
        """See `declared_variables`; worked out once."""
        return declared_variables(self.program)

    def declared(self, S: list[Any], seat: int) -> tuple[Any, ...]:
        """What the declarations show the seat: where it sees pieces, open counts, variables of which that is written, and what it sees of
        those of which the position decides who sees them."""
        program, sight, bits = self.program, self.machine.sight, 1 << seat
        pieces = tuple(
            (kind.index, piece, S[kind.location + piece])
            for kind in program.kinds
            if kind.location is not None
            for piece in range(len(kind.members))
            if S[kind.location + piece] >= 0 and sees(sight.piece(S, kind.index, piece), bits)
        )
        counts = tuple(
            S[slot]
            for zone in program.zones
            if zone.counts and (zone.scope is None or S[zone.scope])
            for slot, indices, _ in sight.entries(zone)
            if sees(sight.mask(S, zone.seen, indices), bits)
        )
        variables = tuple(
            (name, S[slot])
            for variable in self.shown_variables
            if variable.scope is None or S[variable.scope]
            for slot, indices, name in sight.told(S, variable, bits)
            if sees(sight.mask(S, variable.seen, indices), bits)
        )
        return pieces, counts, variables
