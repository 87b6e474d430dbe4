"""A game set up for so many players with such options: where positions come from."""

from __future__ import annotations

import os
from collections.abc import Callable, Mapping
from functools import cached_property
from typing import Any, Protocol

from interpreter import rng, saves, transcript
from interpreter.closures import Bodies
from interpreter.faults import Fault, IllegalAction
from interpreter.machine import Journal, Machine
from interpreter.questions import OVER, pending
from interpreter.state import State
from rulespec import ir
from rulespec.registry import body as registered

Policy = Callable[[State], int]


class GameDef(Protocol):
    """What a game that has been read and checked must offer."""

    def program(
        self,
        *,
        players: int | None = None,
        options: Mapping[str, Any] | None = None,
        variant: Any = None,
    ) -> ir.Program:
        """The program for so many players and such options; raises RulespecError."""
        ...


class Game:
    """A program, ready to be played.  Raises RulespecError where the game refuses the setup."""

    def __init__(
        self,
        gamedef: GameDef,
        players: int | None = None,
        options: Mapping[str, Any] | None = None,
        variant: Any = None,
    ) -> None:
        self._prepare(gamedef.program(players=players, options=options, variant=variant))

    @classmethod
    def from_program(cls, program: ir.Program, bodies: Bodies = registered) -> Game:
        """A game from a program that is there already; `bodies` as for `Machine`."""
        game = cls.__new__(cls)
        game._prepare(program, bodies)
        return game

    def _prepare(self, program: ir.Program, bodies: Bodies = registered) -> None:
        self.program = program
        self.machine = Machine(program, bodies)

    @property
    def id(self) -> str:
        """The game's id."""
        return self.program.id

    @property
    def title(self) -> str:
        """The game's name for people."""
        return self.program.title

    @property
    def num_players(self) -> int:
        """How many seats there are."""
        return self.program.players

    @cached_property
    def seats(self) -> tuple[str, ...]:
        """The ids of the seats."""
        return self.program.kinds[self.program.player_kind].members[: self.num_players]

    @cached_property
    def seat_labels(self) -> tuple[str, ...]:
        """The seats' names for people."""
        return self.program.kinds[self.program.player_kind].labels[: self.num_players]

    def identity(self) -> tuple[Any, ...]:
        """What makes positions of two games comparable."""
        program = self.program
        return program.id, program.digest, program.players, program.settings

    def new_state(
        self,
        seed: int | None = None,
        chance: str = "seeded",
        undo: bool = True,
        main: int | None = None,
    ) -> State:
        """A position at the first decision.

        With chance "seeded", chance answers inline from `seed` (0 to 2**64 - 1; without one, a seed
        of the system's, which `State.seed` tells); with "explicit" chance is a player.  `undo` False
        keeps nothing to take back.  `main` runs another procedure than the game's own.  Raises
        IllegalAction P008 for a bad argument, and Fault.
        """
        slots = list(self.program.initial)
        if chance == "seeded":
            if seed is None:
                seed = int.from_bytes(os.urandom(6), "big")
            try:
                slots[ir.RANDOM] = (rng.check_seed(seed), 0)
            except ValueError as error:
                raise IllegalAction("P008", str(error)) from None
        elif chance == "explicit" and seed is None:
            slots[ir.RANDOM] = None
        else:
            raise IllegalAction("P008", "chance is `seeded`, or `explicit` and then without a seed")
        procedure = self.program.main if main is None else main
        if not 0 <= procedure < len(self.program.procedures):
            raise IllegalAction("P008", f"there is no procedure {procedure}")
        state = State(self, slots, procedure, undo)
        journal = Journal(None, None)
        self.machine.compiler.refuel()
        try:
            self.machine.start(slots, journal, procedure)
            over = slots[ir.CONTROL] is None
            state._pending = OVER if over else pending(self.machine, slots)
        except Fault as fault:
            raise state.explained(fault) from fault.__cause__
        state.log, state.history = journal.log, journal.history
        return state

    def position(self, slots: list[Any], main: int, undo: bool = True) -> State:
        """A position of slots that have been checked; it has no log and no history yet."""
        return State(self, slots, main, undo)

    def state_from_json(self, text: str) -> State:
        """The position that `State.to_json` wrote; raises RulespecError with T codes."""
        return saves.from_json(self, text)

    def replay(self, text: str) -> State:
        """The position at the end of a transcript; raises RulespecError with T codes."""
        return transcript.replay(self, text)

    def playout(self, seed: int | None = None, policy: Policy | None = None) -> State:
        """A game played to its end, by default by uniformly random choices; raises Fault."""
        state = self.new_state(seed, undo=False)
        key = rng.mix(state.slots[ir.RANDOM][0] ^ rng.GAMMA)
        counter = 0
        while True:
            found = state._pending or state.pending()
            if not found.questions:
                return state
            if policy is not None:
                state.apply_action(policy(state))
                continue
            legal = list(found.questions[0].legal)
            if len(legal) > 1:
                n, counter = rng.below(key, counter, len(legal))
                state.apply_action(legal[n])
            else:
                state.apply_action(legal[0])
