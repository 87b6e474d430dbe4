"""Other answers than those that were given, tried: whether they lead to the same position, and to the same end of the game."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from typing import Any

from interpreter import Fault, IllegalAction, State
from interpreter.runtime import rng
from rulespec import ir

from ..playouts import random_crew

EVERY = 7  # of the decisions with a choice, in how many another answer is tried
ENDS_IN = 4  # of the games, in how many at least another answer to a question is played to the end
QUESTIONS = 2  # as many as that are tried in each game where there are few
LONGEST = 2_000  # decisions of a game that is played to its end


class Trials:
    """The trials in one game."""

    def __init__(self, seed: int, names: Sequence[str], counts: Counter[tuple[Any, ...]]) -> None:
        self.seed = seed
        self.counts = counts
        self.choices = 0
        share = max(1 / ENDS_IN, QUESTIONS / max(1, len(names)))
        self.untried = {name for n, name in enumerate(names) if rng.number(~seed & rng.MASK, n) < share * rng.MASK}

    def choice(self, state: State, asked: str, legal: dict[int, Any], action: int) -> None:
        """Try another answer where it is the turn of a trial; `action` is the one that is given."""
        self.choices += 1
        if self.choices % EVERY and asked not in self.untried:
            return
        others = [other for other in legal if other != action]
        other = others[rng.number(self.seed, self.choices) % len(others)]
        try:
            one, two = state.child(action), state.child(other)
        except (Fault, IllegalAction):
            return
        self.counts["pairs", asked] += 1
        if apart(one) == apart(two):
            self.counts["alike", asked] += 1
        elif asked in self.untried:
            self.untried.discard(asked)
            first, second = result(one, self.seed), result(two, self.seed)
            if first is not None and second is not None:
                self.counts["ends", asked] += 1
                self.counts["same end", asked] += first == second


def apart(state: State) -> list[Any]:
    """A position without how far chance has come."""
    return state.slots[: ir.RANDOM] + state.slots[ir.RANDOM + 1 :]


def result(state: State, seed: int) -> tuple[Any, ...] | None:
    """Who wins and what everybody gets, where all play at random from here on; None for a game that faults or does not end."""
    crew = random_crew(state.game, seed)
    try:
        for _ in range(LONGEST):
            if state.is_terminal():
                return state.outcome().winners, tuple(state.returns())
            seat = state.current_player()
            state.apply_action(crew.choose(state, seat), seat)
    except (Fault, IllegalAction):
        pass
    return None
