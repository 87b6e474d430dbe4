"""A player that tries its options out: flat Monte Carlo over guesses of what it does not see."""

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

CURIOSITY = 1.0  # how much an option that was tried seldom is preferred to one that did well, where outcomes are 0 to 1


class Guide(Protocol):
    """Who says what is left of the options of a question."""

    def left(self, state: State, question: Question) -> list[int]:
        """The actions that may be taken at random."""
        ...


class SearchBot:
    """Plays each option on so often, those that do well more often, and takes the one that was tried most.

    Playouts go on at random, or by what a `guide` leaves open of the options of every seat.

    Every playout begins from another guess (see `Guesses`), so that nothing is known that the seat may not know.  The same
    seed plays the same game.  What ends in a fault in a guess counts as not tried.
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
        """The action of these that does best."""
        if len(actions) == 1:
            return actions[0]
        actions = self.chance.shuffled(actions)  # of equal ones, any
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
        """The action to try: each once, then by the upper bound of what it may be worth."""
        span = (high - low) or 1.0

        def bound(action: int) -> float:
            n = tries[action]
            if n == 0:
                return math.inf
            return (sums[action] / n - low) / span + CURIOSITY * math.sqrt(math.log(number) / n)

        return max(actions, key=bound)

    def try_out(self, state: State, seat: int, action: int) -> float | None:
        """What one playout after an action gives; None where it cannot be played on this guess."""
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
        """Choices of all seats, to the end or as deep as it goes."""
        left = self.depth
        while not state.is_terminal() and left != 0:
            question = state.pending().questions[0]
            legal = state.legal(question)
            open_ = list(legal) if self.guide is None else self.guide.left(state, question)
            state.apply_action(self.chance.one_of(open_), question.seat)
            if left is not None and len(legal) > 1:
                left -= 1
