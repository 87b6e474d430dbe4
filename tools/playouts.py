"""Series of games of bots, and their statistics."""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Iterable
from dataclasses import field
from fractions import Fraction
from functools import cached_property
from operator import add
from typing import Any

from interpreter import Fault, Game, Lottery, State
from interpreter.bots import Crew, RandomBot
from interpreter.runtime import rng
from interpreter.runtime.values import Number, exact
from rulespec import ir
from rulespec.ir.walk import within
from rulespec.system.records import dataclass

from .bots import RANDOM, Count, Seating


@dataclass(frozen=True, slots=True)
class FaultyGame:
    """A game that ended with a fault of its rules."""

    number: int
    seed: int
    fault: Fault


@dataclass
class Totals:
    """What some games of a series come to; those of several ranges of it add up to those of the series."""

    played: int = 0  # to their end
    sums: list[Number] = field(default_factory=list)
    wins: list[int] = field(default_factory=list)  # highest return, alone
    shared: list[int] = field(default_factory=list)  # highest return, with others
    everybody: int = 0  # games that all won together
    nobody: int = 0  # games that nobody won
    defeats: int = 0  # of these, games that all lost
    lengths: list[int] = field(default_factory=list)
    faults: list[FaultyGame] = field(default_factory=list)
    asked: dict[str, list[int]] = field(default_factory=dict)  # how often a question was put, game by game

    def merge(self, later: Totals) -> None:
        """Add the games that follow on these."""
        self.played += later.played
        self.sums = list(map(add, self.sums, later.sums))
        self.wins = list(map(add, self.wins, later.wins))
        self.shared = list(map(add, self.shared, later.shared))
        self.everybody += later.everybody
        self.nobody += later.nobody
        self.defeats += later.defeats
        self.lengths += later.lengths
        self.faults += later.faults
        for name, numbers in later.asked.items():
            self.asked[name] += numbers


@dataclass
class PlayedGames(Totals):
    """The statistics of a series; the same for the same game, seed and number of games."""

    game: Game = field(kw_only=True)
    seed: int = field(kw_only=True)
    explicit: bool = field(kw_only=True)
    digest: str = ""
    seating: Seating | None = None

    @cached_property
    def ranked(self) -> bool:
        """Whether the end of the game puts the players in groups."""
        return ends_by_rank(self.game.program)

    def add(self, state: State) -> None:
        """Add a game that is over."""
        returns = state.returns()
        kind, first = winners_of(state, self.ranked)
        self.played += 1
        for seat, number in enumerate(returns):
            self.sums[seat] += number
        if kind == "all":
            self.everybody += 1
        elif len(first) == 1:
            self.wins[first[0]] += 1
        elif not first:
            self.nobody += 1
            self.defeats += kind == "lost"
        for seat in first if len(first) > 1 and kind != "all" else ():
            self.shared[seat] += 1
        self.lengths.append(state.decisions)
        if self.seating is not None:
            slots = list(state.slots)
            slots[ir.WINNERS] = first  # who has won, by whatever section of the game says so
            self.seating.count(slots)

    @property
    def bots(self) -> tuple[str, ...]:
        """Who played the seats."""
        return (RANDOM,) * self.game.num_players if self.seating is None else self.seating.names

    def mean(self, numbers: Iterable[Number]) -> list[Fraction]:
        """Each number by game played."""
        return [Fraction(number) / (self.played or 1) for number in numbers]

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
            "bots": list(self.bots),
            "returns": {"sum": exact(self.sums), "mean": [rounded(n) for n in self.mean(self.sums)]},
            "wins": self.wins,
            "shared_wins": self.shared,
            "everybody_won": self.everybody,
            "nobody_won": self.nobody,
            "everybody_lost": self.defeats,
            "length": {
                "min": min(lengths, default=0),
                "mean": rounded(self.mean([sum(lengths)])[0]),
                "max": max(lengths, default=0),
            },
            "asked": {name: spread(numbers) for name, numbers in self.asked.items()},
            "tallies": [] if self.seating is None else [tally_json(count) for count in self.seating.counts],
            "faults": [fault_json(fault) for fault in self.faults],
            "end_states": self.digest,
        }


def winners_of(state: State, ranked: bool) -> tuple[str, tuple[int, ...]]:
    """How a game ended (`some`, `all`, `lost` or `draw`) and who was first: of one that ranks, all where all are equal."""
    outcome = state.outcome()
    tied = ranked and outcome.kind == "draw"  # all in one group share the first place
    return outcome.kind, tuple(range(state.setup.num_players)) if tied else tuple(outcome.winners)


def ends_by_rank(program: ir.Program) -> bool:
    """Whether a game ends with a ranking, of which a tie of all is a group too."""
    ends = [i.returns for i in program.procedures[program.main].code if isinstance(i, ir.Finish)]
    return any(isinstance(e, ir.Op) and e.name == "by_rank" for end in ends for e in within(end))


def tally_json(count: Count) -> dict[str, Any]:
    """What a tally adds up to."""
    record: dict[str, Any] = {"expression": count.tally.text}
    if count.number:
        record |= spread(count.numbers)
    else:
        record["counts"] = {text: count.values[text] for text in sorted(count.values)}
    return record


def spread(numbers: list[int]) -> dict[str, Any]:
    """The least, the mean and the most of some numbers."""
    mean = rounded(Fraction(sum(numbers), len(numbers))) if numbers else None
    return {"min": min(numbers, default=None), "mean": mean, "max": max(numbers, default=None)}


def rounded(number: Fraction) -> float:
    """Six digits, the same on every machine."""
    return round(float(number), 6)


def fault_json(faulty: FaultyGame) -> dict[str, Any]:
    diagnostic = faulty.fault.diagnostic
    return {
        "game": faulty.number,
        "seed": faulty.seed,
        "code": diagnostic.code,
        "message": diagnostic.message,
        "place": diagnostic.span.label() if diagnostic.span else None,
        "answers": faulty.fault.answers,
    }


def game_seed(seed: int, number: int) -> int:
    """The seed of a game of a series: of the first the series' own, so that each can be repeated.

    The others have 48 bits: every program that reads JSON can hold them.
    """
    return seed if number == 0 else rng.number(seed, number) >> 16


@dataclass
class Series:
    """A game, its players and what is looked at: what plays any range of a series."""

    game: Game
    seed: int
    explicit: bool = False
    seating: Seating | None = None
    asked: tuple[str, ...] = ()

    def begun(self) -> PlayedGames:
        """No game yet."""
        players = self.game.num_players
        series = PlayedGames(
            game=self.game, seed=rng.check_seed(self.seed), explicit=self.explicit, seating=self.seating
        )
        series.sums, series.wins, series.shared = [0] * players, [0] * players, [0] * players
        series.asked = {name: [] for name in self.asked}
        return series

    def play(
        self, numbers: range, told: Callable[[bytes], None], progress: Callable[[int], None] = lambda _: None
    ) -> PlayedGames:
        """The games of these numbers; `told` is told of the end of each.  A fault ends its own game only."""
        series = self.begun()
        plain = set(series.bots) == {RANDOM}
        for number in numbers:
            own_seed = game_seed(self.seed, number)
            try:
                counts = dict.fromkeys(self.asked, 0)
                if plain and not self.explicit and not self.asked:
                    state = self.game.playout(own_seed)
                else:
                    crew = (
                        random_crew(self.game, own_seed)
                        if self.seating is None or plain
                        else self.seating.crew(own_seed)
                    )
                    state = bot_playout(self.game, own_seed, crew, self.explicit, counts)
            except Fault as fault:
                series.faults.append(FaultyGame(number, own_seed, fault))
                told(f"{fault.diagnostic.code}\n".encode())
            else:
                series.add(state)
                for name, times in counts.items():
                    series.asked[name].append(times)
                told(repr(state.slots).encode("utf-8", "surrogatepass"))
            progress(number + 1)
        return series


def run(
    game: Game,
    games: int,
    seed: int,
    explicit: bool = False,
    progress: Callable[[int], None] = lambda _: None,
    seating: Seating | None = None,
    asked: tuple[str, ...] = (),
) -> PlayedGames:
    """Play games at random, or by bots, and count how often some questions are put; a fault ends its own game only."""
    digest = hashlib.sha256()
    series = Series(game, seed, explicit, seating, asked).play(range(games), digest.update, progress)
    series.digest = digest.hexdigest()
    return series


def random_crew(game: Game, seed: int) -> Crew:
    """The players of `Game.playout`: the same games, to look on."""
    return Crew(dict.fromkeys(range(game.num_players), RandomBot(seed)))


def bot_playout(game: Game, seed: int, crew: Crew, explicit: bool, counts: dict[str, int]) -> State:
    """A game of bots; `counts` has the questions that are counted."""
    state = (
        game.new_state(chance="explicit", undo=False) if explicit else game.new_state(seed, undo=False, record=False)
    )
    dice = Dice(seed)
    while not state.is_terminal():
        if state.is_chance_node():
            state.apply_action(dice.throw(state))
            continue
        crew.watch(state)
        seat = state.current_player()
        if counts:
            count(state, counts)
        state.apply_action(crew.choose(state, seat), seat)
    return state


def count(state: State, counts: dict[str, int]) -> None:
    """Count the question that is put, if it is one of those."""
    name = state.asked(None).site.name
    if name in counts:
        counts[name] += 1


class Dice:
    """Plays for chance, with the probabilities of the rules."""

    def __init__(self, seed: int) -> None:
        self.seed = seed
        self.counter = 0

    def throw(self, state: State) -> int:
        """An outcome of what chance is asked."""
        lottery = state.pending().chance
        assert isinstance(lottery, Lottery)
        action, self.counter = lottery.draw(self.seed, self.counter)
        return action
