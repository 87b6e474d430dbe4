"""A game set up for so many players with such options: where positions come from."""

from __future__ import annotations

import os
from collections.abc import Callable, Mapping
from functools import cached_property
from typing import Any, Protocol

from interpreter.files import saves, shapes, transcript
from interpreter.python.backend import Generated
from interpreter.reference.machine import Machine
from interpreter.runtime import rng
from interpreter.runtime.backend import Backend
from interpreter.runtime.faults import Fault, IllegalAction
from interpreter.runtime.values import Bodies, Journal
from interpreter.state import State
from rulespec import ir
from rulespec.language.registry import body as registered

Policy = Callable[[State], int]
BACKENDS = ("generated", "reference")


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
    """A program, ready to be played.  Raises RulespecError where the game refuses the setup.

    `variant` is the name of a variant of the game, the path of one, or several.

    `backend` "generated" plays it as generated Python, "reference" by the machine that is the meaning of the rules; either goes
    on from the other's positions.
    """

    def __init__(
        self,
        gamedef: GameDef,
        players: int | None = None,
        options: Mapping[str, Any] | None = None,
        variant: Any = None,
        backend: str = "generated",
    ) -> None:
        self._prepare(gamedef.program(players=players, options=options, variant=variant), backend)

    @classmethod
    def from_program(cls, program: ir.Program, bodies: Bodies = registered, backend: str = "generated") -> Game:
        """A game from a program that is there already; `bodies` as for `Machine`."""
        game = cls.__new__(cls)
        game._prepare(program, backend, bodies)
        return game

    def _prepare(self, program: ir.Program, backend: str, bodies: Bodies = registered) -> None:
        if backend not in BACKENDS:
            raise IllegalAction("P008", f"a back end is {' or '.join(BACKENDS)}, not {backend}")
        self.program = program
        self.bodies = bodies
        self.backend: Backend = (
            self.machine if backend == "reference" else Generated(program, bodies, lambda: self.machine)
        )

    @cached_property
    def machine(self) -> Machine:
        """The reference machine: the meaning of the rules, and the texts.  Made when it is first needed."""
        return Machine(self.program, self.bodies)

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

    @cached_property
    def sites(self) -> tuple[ir.Site | None, ...]:
        """For each point the place in the rules where a player is asked there."""
        return tuple(map(self.program.site_of, range(len(self.program.points))))

    def identity(self) -> tuple[Any, ...]:
        """What makes positions of two games comparable."""
        program = self.program
        return program.id, program.variants, program.digest, program.players, program.settings

    def new_state(
        self,
        seed: int | None = None,
        chance: str = "seeded",
        undo: bool = True,
        main: int | None = None,
        record: bool = True,
    ) -> State:
        """A position at the first decision.

        With chance "seeded", chance answers inline from `seed` (0 to 2**64 - 1; without one, a seed
        of the system's, which `State.seed` tells); with "explicit" chance is a player.  `undo` False
        keeps nothing to take back and works options out when they are asked for, `record` False keeps neither log nor history,
        which is faster.  `main` runs another procedure than the game's own.  Raises IllegalAction P008 for a bad argument, and
        Fault.
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
        state = State(self, slots, procedure, undo, record)
        journal = Journal(None, None)
        try:
            state.slots = self.backend.start(slots, journal, procedure)
            if undo:
                state._pending = state.asks(state.slots)
        except Fault as fault:
            raise state.explained(fault) from fault.__cause__
        if record:
            state.log, state.history = journal.log, journal.history
        return state

    def position(self, slots: list[Any], main: int, undo: bool = True) -> State:
        """A position of slots that have been checked; it has no log and no history yet."""
        return State(self, slots, main, undo)

    @cached_property
    def fingerprint(self) -> str:
        """Of the program, as saves name it."""
        return shapes.fingerprint(self.program)

    def state_from_json(self, text: str) -> State:
        """The position that `State.to_json` wrote; raises RulespecError with T codes."""
        return saves.from_json(self, text)

    def replay(self, text: str) -> State:
        """The position at the end of a transcript; raises RulespecError with T codes."""
        return transcript.replay(self, text)

    def playout(self, seed: int | None = None, policy: Policy | None = None, record: bool = False) -> State:
        """A game played to its end, by default by uniformly random choices; raises Fault.

        With `record` it has its log and history; without, nothing is made that the end does not need.
        """
        if seed is None:
            seed = int.from_bytes(os.urandom(6), "big")
        if policy is None and not record:
            found = self.backend.playout(rng.check_seed(seed))
            if found is not None:
                state = State(self, found[0], self.program.main, False, False)
                state.decisions = found[1]
                return state
        state = self.new_state(seed, undo=False, record=record)
        key = rng.mix(seed ^ rng.GAMMA)
        counter = 0
        while not state.is_terminal():
            if policy is not None:
                state.apply_action(policy(state))
                continue
            legal = state.legal_actions()
            if len(legal) > 1:
                n, counter = rng.below(key, counter, len(legal))
                state.apply_action(legal[n])
            else:
                state.apply_action(legal[0])
        return state
