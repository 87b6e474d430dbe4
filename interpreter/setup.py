"""A game set up for so many players with such options: its program, what plays it, and its seats."""

from __future__ import annotations

import hashlib
import os
import threading
from collections.abc import Callable
from functools import cached_property
from typing import Any, TypeVar
from weakref import WeakKeyDictionary

from interpreter.python.backend import Generated
from interpreter.python.library import Library
from interpreter.reference.machine import Machine
from interpreter.runtime import rng
from interpreter.runtime.backend import Backend
from interpreter.runtime.faults import IllegalAction
from interpreter.runtime.values import Bodies, Slots
from rulespec import ir
from rulespec.language.registry import body as registered

T = TypeVar("T")

BACKENDS = ("auto", "native", "python", "reference")
OTHER_NAMES = {"generated": "python"}  # what was called so before there was a second kind of code


class Workshop(threading.local):
    """What each thread has of its own: whatever counts, or keeps results, while it runs."""

    def __init__(self, setup: Setup) -> None:
        # Once in each thread.  A plain attribute and no property of `Setup`, since each answer asks for it three times.
        self.machine: Machine | None = None
        self.kept: dict[str, Any] = {}  # what views work out once
        self.backend: Backend
        if setup.library is None:
            self.backend = self.machine = setup.make_machine()
        else:
            self.backend = Generated(setup.library, lambda: setup.machine)


class Setup:
    """A program, ready to be played; raises IllegalAction P008 for a back end that there is not.

    `backend` "python" plays it as generated Python, "reference" by the machine that is the meaning of the rules; either goes
    on from the other's positions.  For "auto" and "native" see `Game`.  `bodies` as for `Machine`.  Different positions may be
    played by different threads at once.
    `most_decisions` is how many decisions a game may take: what its rules say, unless it is set to another number.
    """

    def __init__(self, program: ir.Program, backend: str = "python", bodies: Bodies = registered) -> None:
        backend = OTHER_NAMES.get(backend, backend)
        if backend not in BACKENDS:
            raise IllegalAction("P008", f"a back end is {', '.join(BACKENDS[:-1])} or {BACKENDS[-1]}, not {backend}")
        self.played_as = backend
        self.program = program
        self.bodies = bodies
        self.most_decisions = program.most_decisions  # a game that takes more is a fault
        self.library = None if backend == "reference" else Library.of(program, bodies)
        self.workshop = Workshop(self)  # makes a back end: a program that contradicts itself is refused at once

    # --- what plays it -------------------------------------------------------------------------------
    @property
    def backend(self) -> Backend:
        """What plays the program in this thread."""
        return self.workshop.backend

    @property
    def machine(self) -> Machine:
        """The reference machine of this thread: the meaning of the rules, and the texts.  Made when it is first needed."""
        machine = self.workshop.machine
        if machine is None:
            machine = self.workshop.machine = self.make_machine()
        return machine

    @cached_property
    def reference(self) -> Setup:
        """The same program played by the reference machine, which takes any values in slots."""
        return Setup(self.program, "reference", self.bodies)

    def make_machine(self) -> Machine:
        """A reference machine for this thread."""
        return Machine(self.program, self.bodies)

    # --- what it is ----------------------------------------------------------------------------------

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

    @cached_property
    def fingerprint(self) -> str:
        """Of what saved frames rely on: points, slots, and the instructions' kinds."""
        program = self.program
        code = [(p.name, len(p.locals), [type(i).__name__ for i in p.code]) for p in program.procedures]
        points = [(p.procedure, p.position, p.live, p.kept) for p in program.points]
        text = repr((points, program.slot_names, code))
        return hashlib.sha256(text.encode()).hexdigest()[:16]

    def slots(self, seed: int | None, chance: str) -> Slots:
        """The slots before anything has run, with the seed of chance (see `SlotPosition.start`); raises IllegalAction P008."""
        slots = list(self.program.initial)
        if chance == "seeded":
            slots[ir.RANDOM] = (checked_seed(seed), 0)
        elif chance == "explicit" and seed is None:
            slots[ir.RANDOM] = None
        else:
            raise IllegalAction("P008", "chance is `seeded`, or `explicit` and then without a seed")
        return slots


def checked_seed(seed: int | None) -> int:
    """The seed, or one of the system's; raises IllegalAction P008 where it is none."""
    if seed is None:
        return int.from_bytes(os.urandom(6), "big")
    try:
        return rng.check_seed(seed)
    except ValueError as error:
        raise IllegalAction("P008", str(error)) from None


def once_for_each(make: Callable[[Setup], T]) -> Callable[[Setup], T]:
    """What is made of a setup, made when it is first asked for and kept as long as the setup is."""
    memo: WeakKeyDictionary[Setup, tuple[T]] = WeakKeyDictionary()  # in tuples: that there is nothing is kept too

    def of(setup: Setup) -> T:
        kept = memo.get(setup)
        if kept is None:
            kept = memo[setup] = (make(setup),)
        return kept[0]

    return of
