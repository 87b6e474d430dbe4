"""A player that searches: flat Monte Carlo with UCB1 over determinizations (see `interpreter.bots.guess`).

Example: with 20 playouts and 3 actions each action is tried once, and each of the other 17 playouts tries the action with the highest
upper confidence bound.  The action tried most often is chosen.
"""

from __future__ import annotations

import math
from typing import Protocol

from interpreter.bots.basics import Chance
from interpreter.bots.guess import Guesses
from interpreter.bots.judge import Judge
from interpreter.game import Game, State
from interpreter.questions import Question
from interpreter.runtime.faults import Fault
from rulespec.bots.data import Policy

CURIOSITY = 1.0  # weight of exploration in UCB1, for outcomes from 0 to 1


class Guide(Protocol):
    """A policy of playouts: restricts the actions between which they choose at random."""

    def left(self, state: State, question: Question) -> list[int]:
        """The actions between which a playout chooses."""
        ...


class SearchBot:
    """Plays options on to the end, those that do well more often, and chooses the one that was tried most.

    Playouts choose uniformly, or among the actions that a `guide` leaves to each seat.

    Every playout begins from another determinization (see `Guesses`), so it uses nothing that the seat may not know.  The same
    seed plays the same game.  A playout that ends in a fault does not count.
    """

    def __init__(
        self,
        game: Game,
        policy: Policy,
        judge: Judge,
        seed: int,
        guesses: Guesses | None = None,
        guide: Guide | None = None,
    ) -> None:
        self.game = game
        self.judge = judge
        self.chance = Chance(seed)
        self.guesses = guesses or Guesses(game)
        self.playouts = policy.playouts or 1
        self.depth = policy.depth
        self.value = policy.value
        self.guide = guide

    def choose(self, state: State, player: int | None = None) -> int:
        """An action for a player who is asked, or the current one."""
        question = state.asked(player)
        return self.best(state, question.seat, list(state.legal(question)))

    def best(self, state: State, seat: int, actions: list[int]) -> int:
        """The best of these actions."""
        if len(actions) == 1:
            return actions[0]
        actions = self.chance.shuffled(actions)  # ties are broken at random
        tries, sums = dict.fromkeys(actions, 0), dict.fromkeys(actions, 0.0)
        low, high = math.inf, -math.inf
        for number in range(self.playouts):
            action = self.next(actions, tries, sums, number, low, high)
            worth = self.try_out(state, seat, action)
            tries[action] += 1
            if worth is None:
                worth = low if low < math.inf else 0.0
            sums[action] += worth
            low, high = min(low, worth), max(high, worth)
        return max(actions, key=lambda action: (tries[action], sums[action]))

    def next(
        self, actions: list[int], tries: dict[int, int], sums: dict[int, float], number: int, low: float, high: float
    ) -> int:
        """The action to try next: each once, then the one with the highest upper confidence bound."""
        span = (high - low) or 1.0

        def bound(action: int) -> float:
            n = tries[action]
            if n == 0:
                return math.inf
            return (sums[action] / n - low) / span + CURIOSITY * math.sqrt(math.log(number) / n)

        return max(actions, key=bound)

    def try_out(self, state: State, seat: int, action: int) -> float | None:
        """The seat's outcome of one playout after an action; None where the action is not legal at this determinization."""
        guess = self.guesses.position(state, seat, self.chance)
        try:
            question = guess.question(seat)
            if question is None or action not in guess.legal(question):
                return None
            guess.apply_action(action, seat)
            self.play_on(guess)
        except Fault:
            return None
        if self.value is not None:
            return float(self.judge.value(self.value.function, self.value.span, guess.slots, seat))
        return float(guess.returns()[seat])

    def play_on(self, state: State) -> None:
        """Play on for all seats, to the end or to the depth of the search."""
        left = self.depth
        while not state.is_terminal() and left != 0:
            question = state.pending().questions[0]
            legal = state.legal(question)
            open_ = list(legal) if self.guide is None else self.guide.left(state, question)
            state.apply_action(self.chance.one_of(open_), question.seat)
            if left is not None and len(legal) > 1:
                left -= 1
