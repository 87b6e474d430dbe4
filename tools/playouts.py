"""Many games at random, and what they add up to."""

from __future__ import annotations

import hashlib
from collections.abc import Callable
from dataclasses import dataclass, field
from fractions import Fraction
from typing import Any

from interpreter import Fault, Game, Lottery, State, rng
from interpreter.bots import RandomBot


@dataclass(frozen=True, slots=True)
class FaultyGame:
    """A game that ended in a fault of its rules."""

    number: int
    seed: int
    fault: Fault


@dataclass(slots=True)
class Series:
    """What a series of games adds up to; the same for the same game, seed and number of games."""

    game: Game
    seed: int
    explicit: bool
    played: int = 0  # to their end
    sums: list[int] = field(default_factory=list)
    wins: list[int] = field(default_factory=list)  # highest return, alone
    shared: list[int] = field(default_factory=list)  # highest return, with others but not all
    lengths: list[int] = field(default_factory=list)
    faults: list[FaultyGame] = field(default_factory=list)
    digest: str = ""

    def add(self, state: State) -> None:
        """Count in a game that is over."""
        returns = state.returns()
        best = max(returns)
        first = [seat for seat, number in enumerate(returns) if number == best]
        self.played += 1
        for seat, number in enumerate(returns):
            self.sums[seat] += number
        if len(first) == 1:
            self.wins[first[0]] += 1
        elif len(first) < len(returns):
            for seat in first:
                self.shared[seat] += 1
        self.lengths.append(state.decisions)

    def mean(self, numbers: list[int]) -> list[Fraction]:
        """Each number by game played."""
        return [Fraction(number, self.played or 1) for number in numbers]

    def to_json(self) -> dict[str, Any]:
        """All of it as JSON data, without anything that differs from run to run."""
        program = self.game.program
        lengths = self.lengths
        return {
            "game": program.id,
            "digest": program.digest,
            "players": program.players,
            "options": dict(program.settings),
            "chance": "explicit" if self.explicit else "seeded",
            "seed": self.seed,
            "games": self.played + len(self.faults),
            "finished": self.played,
            "seats": list(self.game.seats),
            "returns": {"sum": self.sums, "mean": [rounded(n) for n in self.mean(self.sums)]},
            "wins": self.wins,
            "shared_wins": self.shared,
            "length": {
                "min": min(lengths, default=0),
                "mean": rounded(self.mean([sum(lengths)])[0]),
                "max": max(lengths, default=0),
            },
            "faults": [fault_json(one) for one in self.faults],
            "end_states": self.digest,
        }


def rounded(number: Fraction) -> float:
    """Six digits, the same on every machine."""
    return round(float(number), 6)


def fault_json(one: FaultyGame) -> dict[str, Any]:
    found = one.fault.diagnostic
    return {
        "game": one.number,
        "seed": one.seed,
        "code": found.code,
        "message": found.message,
        "place": found.span.label() if found.span else None,
        "answers": one.fault.answers,
    }


def game_seed(seed: int, number: int) -> int:
    """The seed of a game of a series: of the first the series' own, so that each can be repeated.

    The others have 48 bits: every program that reads JSON can hold them.
    """
    return seed if number == 0 else rng.number(seed, number) >> 16


def run(
    game: Game,
    games: int,
    seed: int,
    explicit: bool = False,
    progress: Callable[[int], None] = lambda _: None,
) -> Series:
    """Play games at random; a fault ends its own game only."""
    players = game.num_players
    series = Series(game, rng.check_seed(seed), explicit)
    series.sums, series.wins, series.shared = [0] * players, [0] * players, [0] * players
    digest = hashlib.sha256()
    for number in range(games):
        own = game_seed(seed, number)
        try:
            state = explicit_playout(game, own) if explicit else game.playout(own)
        except Fault as fault:
            series.faults.append(FaultyGame(number, own, fault))
            digest.update(f"{fault.diagnostic.code}\n".encode())
        else:
            series.add(state)
            digest.update(repr(state.slots).encode("utf-8", "surrogatepass"))
        progress(number + 1)
    series.digest = digest.hexdigest()
    return series


def explicit_playout(game: Game, seed: int) -> State:
    """A random game in which chance is a player."""
    state = game.new_state(chance="explicit", undo=False)
    bot, dice = RandomBot(seed), Dice(seed)
    while not state.is_terminal():
        state.apply_action(dice.throw(state) if state.is_chance_node() else bot.choose(state))
    return state


class Dice:
    """Answers for chance, each as likely as the rules say."""

    def __init__(self, seed: int) -> None:
        self.seed = seed
        self.counter = 0

    def throw(self, state: State) -> int:
        """An outcome of what chance is asked."""
        lottery = state.pending().chance
        assert isinstance(lottery, Lottery)
        action, self.counter = lottery.draw(self.seed, self.counter)
        return action
