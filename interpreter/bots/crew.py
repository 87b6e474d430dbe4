"""The bots of a game together: each is asked with what its seat may know of sealed choices."""

from __future__ import annotations

from collections.abc import Mapping

from interpreter.bots.basics import Bot
from interpreter.game import State
from rulespec import ir


class Crew:
    """Asks bots by their seats.

    While choices are sealed, each is asked on the position as it was when they began, with its own answers only: what others have
    sealed before it is not there to be seen.
    """

    def __init__(self, bots: Mapping[int, Bot]) -> None:
        self.bots = bots
        self.views: dict[int, State] = {}

    def watch(self, state: State) -> None:
        """Remember a position with sealed choices before anybody answers it."""
        if not state.is_simultaneous():
            self.views.clear()
            return
        for seat in self.bots:
            question, view = state.question(seat), self.views.get(seat)
            if question is None:
                continue
            if (
                view is None
                or view.slots[ir.CONTROL + 1 :] != state.slots[ir.CONTROL + 1 :]
                or ((pending := view.question(seat)) is None or pending.frame != question.frame)
            ):
                self.views[seat] = state.clone()

    def choose(self, state: State, seat: int) -> int:
        """The answer of a seat's bot."""
        view = self.views.get(seat) if state.is_simultaneous() else None
        if view is None:
            return self.bots[seat].choose(state, seat)
        action = self.bots[seat].choose(view, seat)
        view.apply_action(action, seat)
        return action
