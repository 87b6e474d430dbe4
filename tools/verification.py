"""`rulespec verify`: games of every setup, in one process or many."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator
from concurrent.futures import FIRST_COMPLETED, Future, ProcessPoolExecutor, wait
from dataclasses import field, replace
from functools import cached_property

from interpreter import Game
from interpreter.runtime.faults import IllegalAction
from interpreter.testing.properties.run import Outcome, Total, play
from interpreter.testing.properties.trial import Bench, Budget
from rulespec.system.records import dataclass

from .parameters import open_game
from .playouts import game_seed


@dataclass(frozen=True)
class Wanted:
    """What is to be verified: a game as it is named, for each number of players, with options and variants.

    `most` is how many decisions a game may take; None: what its rules say.
    """

    name: str
    players: tuple[int, ...]
    settings: tuple[tuple[str, str], ...] = ()
    variants: tuple[str, ...] = ()
    budget: Budget = field(default_factory=Budget)
    most: int | None = None

    @cached_property
    def benches(self) -> dict[int, Bench]:
        """Those that were needed so far."""
        return {}

    @cached_property
    def problems(self) -> dict[int, str]:
        """Why it is not compared with C, for those numbers of players for which it is not; `bench` finds that out."""
        return {}

    def bench(self, players: int) -> Bench:
        """The game ready to be tried, for so many players; raises RulespecError."""
        if players not in self.benches:
            game = open_game(self.name, players, self.settings, self.variants, "python")
            others = [Game.from_program(game.program, backend="reference")]
            try:
                others.append(Game.from_program(game.program, backend="native"))
            except IllegalAction as refusal:
                self.problems[players] = refusal.diagnostic.message
            for one in (game, *others):
                one.most_decisions = self.most or game.most_decisions
            self.benches[players] = Bench.of(game, *others)
        return self.benches[players]

    def play(self, players: int, seed: int) -> Outcome:
        """One game; chance may give as many answers in it as players may."""
        bench = self.bench(players)
        longest = max(self.budget.longest, 2 * bench.game.most_decisions)
        return play(bench, seed, replace(self.budget, longest=longest))


def run(
    wanted: Wanted,
    games: int,
    seed: int,
    seconds: float | None,
    jobs: int,
    progress: Callable[[int], None] = lambda _: None,
) -> dict[int, Total]:
    """Games of each number of players in turn, as many as are wanted or, with `seconds`, as begin within that time."""
    totals = {players: Total() for players in wanted.players}
    until = None if seconds is None else time.monotonic() + seconds
    outcomes = alone(wanted, games, seed, until) if jobs == 1 else together(wanted, games, seed, until, jobs)
    for number, (players, outcome) in enumerate(outcomes, 1):
        totals[players].add(outcome)
        progress(number)
    return totals


def plan(wanted: Wanted, games: int, seed: int) -> Iterator[tuple[int, int]]:
    """(players, seed) of each game: the first of each number of players has the seed of the series."""
    count = len(wanted.players)
    for number in range(games):
        yield wanted.players[number % count], game_seed(seed, number // count)


def alone(wanted: Wanted, games: int, seed: int, until: float | None) -> Iterator[tuple[int, Outcome]]:
    """One game after the other."""
    for number, (players, game_seeds) in enumerate(plan(wanted, games, seed)):
        if until is not None and time.monotonic() >= until and number >= len(wanted.players):
            return
        yield players, wanted.play(players, game_seeds)


def together(wanted: Wanted, games: int, seed: int, until: float | None, jobs: int) -> Iterator[tuple[int, Outcome]]:
    """In several processes, each with its own copy of the game; outcomes in the order of the games."""
    todo = plan(wanted, games, seed)
    started: list[tuple[int, Future[Outcome]]] = []
    with ProcessPoolExecutor(jobs, initializer=begin, initargs=(wanted,)) as pool:
        for number, (players, game_seeds) in enumerate(todo):
            if until is not None and time.monotonic() >= until and number >= len(wanted.players):
                break
            while (
                len(running := [running_future for _, running_future in started if not running_future.done()])
                >= 2 * jobs
            ):
                wait(running, return_when=FIRST_COMPLETED)
            started.append((players, pool.submit(one_game, players, game_seeds)))
            while started and started[0][1].done():
                first, done = started.pop(0)
                yield first, done.result()
        for players, future in started:
            yield players, future.result()


WANTED: list[Wanted] = []  # of a process that plays games for another


def begin(wanted: Wanted) -> None:
    """Make a process ready."""
    WANTED[:] = [wanted]


def one_game(players: int, seed: int) -> Outcome:
    """A game in such a process."""
    return WANTED[0].play(players, seed)
