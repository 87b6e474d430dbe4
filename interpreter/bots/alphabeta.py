"""Exact play: alpha-beta search with a transposition table, fail-soft (Knuth and Moore 1975; Breuker 1998).

It is for two seats of whom one wins what the other loses, where nothing is hidden and chance has no part left.  A position is known by
all that the rules can read of it (`Position.key`), so whatever they count of the past, as repetitions, is part of it.  The worth of a
position is what the first seat gets more than the second, in parts of the program's unit.

Example: at the start of tic-tac-toe each of the nine cells is worth 0, a draw; so each may be chosen.
"""

from __future__ import annotations

import math
import time
from typing import NamedTuple

from interpreter.bots.basics import Chance
from interpreter.game import Game, State
from interpreter.position import SlotPosition
from interpreter.runtime.faults import Fault
from interpreter.runtime.values import CHANCE
from rulespec import ir
from rulespec.bots.data import Policy
from rulespec.text.diagnostics import Diagnostic, RulespecError

MOST_POSITIONS = 200_000  # that one decision looks at, and that a table keeps, where nobody says another number
MOST_AHEAD = 300  # decisions of one line, each stage of a move
EVEN = 0  # the worth of a position beyond the depth of the search

Worth = float | int  # an infinite one is a bound that says nothing
Key = tuple[int | None, tuple[object, ...]]  # how many moves are looked ahead from there, and the position


class Entry(NamedTuple):
    """What a table says of a position: its worth lies from `low` to `high`; `first` is the answer to begin with."""

    low: Worth = -math.inf
    high: Worth = math.inf
    first: int = -1
    cut: bool = False  # whether a line was not followed to its end


UNKNOWN = Entry()


def refusal(game: Game) -> Diagnostic | None:
    """Why a game cannot be played exactly, as far as that can be told before it begins: B011."""
    if game.num_players != 2:
        why = f"it is played by {game.num_players}"
    elif game.dynamics == "simultaneous":
        why = "its players choose at the same time"
    elif game.information == "imperfect_information":
        why = "it hides something from a player"
    else:
        return None
    return Diagnostic("B011", f"{game.title} cannot be played exactly: {why}", help=(ELSE,))


ELSE = "`search:200` plays any game"
SHALLOWER = (
    "`alphabeta:4` looks four moves ahead, `alphabeta:2s` as far as it can in two seconds, "
    "`alphabeta:1000000p` at a million positions"
)


class TimeIsUp(Exception):
    """The seconds of a decision are over."""


class Solver:
    """Works out positions of one game, at most so many for a decision; what it has found stays in its table."""

    def __init__(self, game: Game, most: int = MOST_POSITIONS) -> None:
        self.game = game
        self.most = most
        self.table: dict[Key, Entry] = {}
        self.way: set[Key] = set()  # from the root to where it looks
        self.sum: int | None = None  # of the returns of both seats
        self.looked = 0
        self.cut = False  # whether a line was not followed to its end, of what was looked at last
        self.until = math.inf

    # --- decisions ------------------------------------------------------------------------------------------------------
    def best(self, state: State, depth: int | None = None) -> list[int]:
        """The answers that are worth most, by all lines of at most `depth` moves; None: to the end.  Raises RulespecError."""
        return self.within(state, depth)[0]

    def worth(self, state: State) -> int:
        """What the first seat gets more than the second where both play on exactly.  Raises RulespecError."""
        position = self.begin(state)
        return int(self.ended(position) if position.is_terminal() else self.rated(position, None)[1])

    def in_time(self, state: State, seconds: float) -> list[int]:
        """The answers that are worth most by the greatest depth that can be looked at in so many seconds; raises RulespecError."""
        self.until = time.monotonic() + seconds
        best = list(state.legal_actions())
        try:
            for depth in range(1, MOST_AHEAD):
                best = self.within(state, depth)[0]
                if not self.cut:
                    break
        except TimeIsUp:
            pass
        finally:
            self.until = math.inf
        return best

    def within(self, state: State, depth: int | None) -> tuple[list[int], Worth]:
        """The best answers and their worth."""
        return self.rated(self.begin(state), depth)

    def begin(self, state: State) -> SlotPosition:
        """The position, kept as slots and without its history."""
        self.looked, self.cut = 0, False
        self.way.clear()
        if len(self.table) >= self.most:
            self.table.clear()
        return state.explicit()

    def rated(self, position: SlotPosition, depth: int | None) -> tuple[list[int], Worth]:
        """The best answers of a position; all that are worth the same, for a line no worse than the best is looked at exactly."""
        rising = position.current_player() == 0
        best: Worth = -math.inf if rising else math.inf
        answers: list[int] = []
        try:
            for action in position.legal_actions():
                alpha, beta = (best - 1, math.inf) if rising else (-math.inf, best + 1)
                child = position.child(action)
                worth = self.search(child, less(depth, position, child), alpha, beta)
                if worth == best:
                    answers.append(action)
                elif (worth > best) == rising:
                    best, answers = worth, [action]
        except Fault as fault:
            raise self.endless(f"a line meets a fault of the rules, {fault}") from fault
        return answers, best

    # --- the search -----------------------------------------------------------------------------------------------------
    def search(self, position: SlotPosition, depth: int | None, alpha: Worth, beta: Worth) -> Worth:
        """The worth of a position if it lies between alpha and beta, else a bound of it beyond them."""
        if position.is_terminal():
            return self.ended(position)
        if depth == 0:
            self.cut = True
            return EVEN
        key = depth, position.key()
        known = self.table.get(key, UNKNOWN)
        if known.low >= beta or known.low == known.high or known.high <= alpha:
            self.cut |= known.cut
            return known.high if known.high <= alpha else known.low
        alpha, beta = max(alpha, known.low), min(beta, known.high)
        seat = position.current_player()
        self.enter(seat, key)
        outside, self.cut = self.cut, known.cut
        rising, a, b = seat == 0, alpha, beta
        best: Worth = -math.inf if rising else math.inf
        first = known.first
        for action in sorted(position.legal_actions(), key=known.first.__ne__):
            child = position.child(action)
            worth = self.search(child, less(depth, position, child), a, b)
            if worth != best and (worth > best) == rising:
                best, first = worth, action
            a, b = (max(a, best), b) if rising else (a, min(b, best))
            if a >= b:
                break
        self.way.discard(key)
        low, high = known.low if best <= alpha else best, known.high if best >= beta else best
        self.table[key] = Entry(low, high, first, self.cut)
        self.cut |= outside
        return best

    def enter(self, seat: int, key: Key) -> None:
        """Look at one more position; raises RulespecError B012 where that is too much, or cannot have a worth."""
        self.looked += 1
        if seat == CHANCE:
            raise self.endless("chance has a part in what follows")
        if self.looked > self.most:
            raise self.endless(f"there are more than {self.most:,} positions to look at")
        if len(self.way) >= MOST_AHEAD:
            raise self.endless(f"a line has more than {MOST_AHEAD} decisions")
        if key in self.way:
            raise self.endless("a line comes back to a position")
        if time.monotonic() > self.until:
            raise TimeIsUp
        self.way.add(key)

    def ended(self, position: SlotPosition) -> int:
        """The worth of an end; raises RulespecError B011 where both seats together get more or less than at another end."""
        numbers = position.slots[ir.RETURNS] or (0, 0)
        total = sum(numbers)
        if self.sum is None:
            self.sum = total
        if total != self.sum:
            why = "what one player wins is not what the other loses"
            raise RulespecError(
                [Diagnostic("B011", f"{self.game.title} cannot be played exactly: {why}", help=(ELSE,))]
            )
        first, second = numbers
        return int(first - second)

    def endless(self, why: str) -> RulespecError:
        """The error that nothing exact can be said."""
        message = f"{self.game.title} cannot be played exactly from here: {why}"
        return RulespecError([Diagnostic("B012", message, help=(SHALLOWER,))])


def less(depth: int | None, before: SlotPosition, after: SlotPosition) -> int | None:
    """One move less, where an answer has not left the move that it is a stage of."""
    return depth if depth is None or after.goes_on(before) else depth - 1


class AlphaBetaBot:
    """Chooses among the answers that are worth most, each with the same probability.

    It looks at all lines to the end, or `depth` moves ahead, or as far as it can in `seconds`.  Raises RulespecError B011 and B012.
    """

    def __init__(self, policy: Policy, solver: Solver, seed: int) -> None:
        self.solver = solver
        self.depth = policy.depth
        self.seconds = policy.seconds
        self.chance = Chance(seed)

    def choose(self, state: State, player: int | None = None) -> int:
        """An action for a player who is asked, or the current one."""
        question = state.asked(player)
        legal = list(state.legal(question))
        if len(legal) == 1:
            return legal[0]
        solver = self.solver
        best = solver.best(state, self.depth) if self.seconds is None else solver.in_time(state, self.seconds)
        return self.chance.one_of(best)
