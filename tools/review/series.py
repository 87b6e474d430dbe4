"""Which games are played: setups, seeds and bots, in one process or several, until there are enough or time is up.

How many games make a series follows from their number and their decisions alone, so that the same seed gives the same figures
on every machine; only where time is up there are fewer.
"""

from __future__ import annotations

import time
from collections import Counter
from collections.abc import Callable, Generator, Iterator
from concurrent.futures import Future, ProcessPoolExecutor
from dataclasses import field
from functools import cached_property
from itertools import islice
from typing import Any

from interpreter import Game
from rulespec.checker.program import CheckedGame
from rulespec.system.records import dataclass
from rulespec.text.diagnostics import RulespecError

from ..bots import seating
from ..playouts import game_seed
from .figures import Sample
from .observe import Observer, Played
from .setups import RANDOM, Setup

DECISIONS = 40_000  # of all the games of a series together: then it has enough
LONGEST = 20_000  # decisions of a game: one that takes more is broken off
HOPELESS = 5  # games: where as many in a row are faulty from the first on, so are the others
CHUNK = 4  # games that a process is given at once
Clock = Callable[[], float]  # in seconds


@dataclass(slots=True)
class Series:
    """The games of a setup."""

    setup: Setup
    wanted: int
    games: list[Played] = field(default_factory=list)
    sample: Sample = field(default_factory=Sample)
    counts: Counter[tuple[Any, ...]] = field(default_factory=Counter)
    games_with: Counter[tuple[Any, ...]] = field(default_factory=Counter)  # in how many games each was counted
    seeds: dict[tuple[Any, ...], int] = field(default_factory=dict)  # of what is counted: of the first game with it
    problem: str = ""  # why it was not played
    complete: bool = False

    def add(self, played: Played) -> None:
        """Add a game."""
        self.games.append(played)
        for key, number in played.counts.items():
            self.counts[key] += number
            self.games_with[key] += 1
            self.seeds.setdefault(key, played.seed)
        if played.outcome not in ("fault", "cut"):
            self.sample.add(played.populations, played.values)
        played.values, played.counts, played.populations = {}, Counter(), ()

    @property
    def finished(self) -> list[Played]:
        """The games that came to an end."""
        return [game for game in self.games if game.outcome not in ("fault", "cut")]


@dataclass(frozen=True, slots=True)
class Processes:
    """Those that play."""

    executor: ProcessPoolExecutor
    jobs: int


class Table:
    """A checked game, and the observers of its setups as they are needed."""

    def __init__(self, path: str, checked: CheckedGame) -> None:
        self.path = path
        self.checked = checked

    @cached_property
    def observers(self) -> dict[Setup, tuple[Observer, Any]]:
        """Those that were needed so far, each with its bots."""
        return {}

    def play(self, setup: Setup, seed: int, most: int = LONGEST) -> Played:
        """One game; raises RulespecError where the game refuses the setup."""
        if setup not in self.observers:
            program = self.checked.program(players=setup.players, options=dict(setup.options))
            game = Game.from_program(program, backend="python")
            bots = None if setup.bot == RANDOM else seating(game, self.checked, self.path, (setup.bot,) * setup.players)
            self.observers[setup] = Observer(game), bots
        observer, bots = self.observers[setup]
        return observer.play(seed, None if bots is None else bots.crew(seed), most)


def play_series(
    table: Table,
    series: Series,
    seed: int,
    until: float,
    pool: Processes | None,
    progress: Callable[[], None] = lambda: None,
    clock: Clock = time.monotonic,
) -> None:
    """Play the games of a series until there are enough of them, or decisions, or it is late; one is always played."""
    seeds = (game_seed(seed, number) for number in range(series.wanted))
    games = one_by_one(table, series.setup, seeds) if pool is None else in_processes(pool, series.setup, seeds, until)
    decisions = 0
    try:
        for played in games:
            series.add(played)
            progress()
            decisions += played.decisions
            hopeless = len(series.games) == HOPELESS and all(game.outcome == "fault" for game in series.games)
            if decisions >= DECISIONS or len(series.games) >= series.wanted or hopeless:
                series.complete = True
                break
            if clock() >= until:
                break
    except RulespecError as error:
        series.problem = error.diagnostics[0].message
    finally:
        games.close()


def one_by_one(table: Table, setup: Setup, seeds: Iterator[int]) -> Generator[Played, None, None]:
    """In this process."""
    for seed in seeds:
        yield table.play(setup, seed)


def in_processes(pool: Processes, setup: Setup, seeds: Iterator[int], until: float) -> Generator[Played, None, None]:
    """In several, in the order of the seeds; what is begun in vain is thrown away."""
    started: list[Future[list[Played]]] = []
    try:
        while True:
            while len(started) <= pool.jobs and (chunk := list(islice(seeds, CHUNK))):
                started.append(pool.executor.submit(some_games, setup, chunk, until))
            if not started:
                return
            yield from started.pop(0).result()
    finally:
        for future in started:
            future.cancel()


TABLES: list[Table] = []  # of a process that plays games for another


def begin(path: str, variants: tuple[str, ...]) -> None:
    """Make a process ready."""
    import rulespec

    checked = rulespec.load(path, variant=list(variants) or None)
    TABLES[:] = [Table(path, checked)]  # type: ignore[arg-type]


def some_games(setup: Setup, seeds: list[int], until: float) -> list[Played]:
    """Games in such a process; the clock is the same for all processes of a machine."""
    games: list[Played] = []
    for seed in seeds:
        if games and time.monotonic() >= until:
            break
        games.append(TABLES[0].play(setup, seed))
    return games
