"""What a back end offers to those who play with it."""

from __future__ import annotations

from typing import Any, Protocol

from interpreter.runtime.chance import Lottery
from interpreter.runtime.values import Frame, Journal, Slots


class Backend(Protocol):
    """What plays a program; positions are the same for all of them.  Every method may raise Fault."""

    def start(self, slots: Slots, journal: Journal | None, procedure: int) -> Slots:
        """Fresh slots after a procedure has run until it waits or ends."""
        ...

    def answer(self, slots: Slots, journal: Journal | None, child: int | None, value: Any) -> Slots:
        """New slots after the answer to the question on top, or of a child of sealed choices."""
        ...

    def seat(self, S: Slots, frame: Frame) -> int:
        """Who is asked by a frame."""
        ...

    def legal(self, S: Slots, frame: Frame) -> dict[int, Any]:
        """The legal actions, ascending, and what each answers."""
        ...

    def lottery(self, S: Slots, frame: Frame) -> Lottery:
        """What chance is asked by a frame."""
        ...

    def playout(self, seed: int, most: int, /) -> tuple[Slots, int] | None:
        """A game by uniformly random choices: the slots at its end and the number of answers.

        The choices are those of `Game.playout` without a policy.  None where it is to be played decision by decision, as one
        that takes more than `most` decisions is.
        """
        ...
