"""Games that do not end: how it is seen that a position comes back, and what such a game keeps asking.

Both are worked out from a position alone, by playing on from a copy of it: nothing is added to positions or saves, and every way
to come to a position tells the same.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, NamedTuple

from interpreter.runtime import rng
from interpreter.runtime.backend import Backend
from interpreter.runtime.faults import Fault
from interpreter.runtime.values import Slots
from rulespec import ir

EVERY = 64  # decisions: so often, after an answer that was the only one, it is looked whether the position comes back
AHEAD = 200  # answers that are tried to see what an endless game keeps asking
Pick = Callable[[int], int]  # one of so many answers


class Asked(NamedTuple):
    """A question that was answered on the way: whose, its name, and what else could have been said."""

    seat: int
    name: str
    free: bool


def cycle(program: ir.Program, backend: Backend, slots: Slots, decisions: int) -> tuple[Asked, ...]:
    """The questions between two equal positions, from here on, where each has one answer and chance says nothing.

    Empty if somebody has a choice before.  How far is looked depends on how often `decisions` can be halved, so that all looks
    together cost no more than a few times the game.  Brent's algorithm.
    """
    anchor, power = slots, 1
    passed: list[Asked] = []
    for _ in range(4 * (decisions & -decisions)):
        try:
            following, asked = step(program, backend, slots, lambda _: 0)
        except Fault:
            return ()
        if asked is None or asked.free or following[ir.RANDOM] != slots[ir.RANDOM]:
            return ()
        slots = following
        passed.append(asked)
        if slots == anchor:
            return tuple(passed)
        if len(passed) == power:
            anchor, power = slots, 2 * power
            passed = []
    return ()


def asked_ahead(program: ir.Program, backend: Backend, slots: Slots) -> tuple[Asked, ...]:
    """What is asked if the game goes on at random, always the same from one position; less where it ends or faults."""
    slots = slots.copy()
    slots[ir.RANDOM] = (0, 0)
    counter = 0

    def pick(answers: int) -> int:
        nonlocal counter
        number, counter = rng.below(0, counter, answers)
        return number

    passed: list[Asked] = []
    try:
        for _ in range(AHEAD):
            slots, asked = step(program, backend, slots, pick)
            if asked is None:
                break
            passed.append(asked)
    except Fault:
        pass
    return tuple(passed)


def step(program: ir.Program, backend: Backend, slots: Slots, pick: Pick) -> tuple[Slots, Asked | None]:
    """The slots after an answer of the first who is asked, and what was asked; None where no player is.  Raises Fault."""
    frame = slots[ir.CONTROL]
    if frame is None:
        return slots, None
    child = seat = None
    if isinstance(program.instruction(frame[0]), ir.Fork):
        child, (seat, frame, _) = next((k, one) for k, one in enumerate(frame[-1]) if one[1] is not None)
    site = program.site_of(frame[0])
    if site is None:
        return slots, None
    if seat is None:
        seat = backend.seat(slots, frame)
    values: list[Any] = list(backend.legal(slots, frame).values())
    value = values[pick(len(values))]
    return backend.answer(slots, None, child, value), Asked(seat, site.name, len(values) > 1)
