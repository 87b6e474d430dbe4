"""A series of games in several processes: ranges of it are played apart and come together in the order of the games."""

from __future__ import annotations

import hashlib
from collections.abc import Callable
from concurrent.futures import ProcessPoolExecutor
from concurrent.futures.process import BrokenProcessPool
from dataclasses import fields

from rulespec.system.records import dataclass
from rulespec.text.diagnostics import Diagnostic, RulespecError

from .bots import Seating
from .parameters import open_seating
from .playouts import PlayedGames, Series, Totals

RANGES = 8  # of the games, for each process: the last to end keeps the others waiting for an eighth of its work at most
MOST = 2_000  # games of a range


@dataclass(frozen=True)
class Wanted:
    """A series as a command names it: what each process opens for itself."""

    name: str
    players: int | None
    settings: tuple[tuple[str, str], ...]
    variants: tuple[str, ...]
    bots: tuple[str, ...]
    tallies: tuple[str, ...]
    backend: str
    most: int | None
    seed: int
    explicit: bool
    asked: tuple[str, ...]

    def open(self) -> Series:
        """The series, ready to be played.  Raises RulespecError."""
        game, seating = open_seating(
            self.name, self.players, self.settings, self.variants, self.bots, self.tallies, self.backend
        )
        game.most_decisions = self.most or game.most_decisions
        return Series(game, self.seed, self.explicit, seating, self.asked)


@dataclass(frozen=True)
class Played:
    """A range of games: its totals, the tallies by number (numbers, values), and the ends of its games."""

    totals: Totals
    tallies: tuple[tuple[list[int], dict[str, int]], ...]
    ends: bytes


def run(wanted: Wanted, opened: Series, games: int, jobs: int, progress: Callable[[int], None]) -> PlayedGames:
    """The same as `playouts.run` gives, from `jobs` processes; `opened` is what `wanted` opens.

    Raises RulespecError C010 where a process dies.
    """
    size = max(1, min(MOST, -(-games // (jobs * RANGES))))
    ranges = [range(first, min(first + size, games)) for first in range(0, games, size)]
    series, digest = opened.begun(), hashlib.sha256()
    try:
        with ProcessPoolExecutor(jobs, initializer=begin, initargs=(wanted,)) as pool:
            for numbers, played in zip(ranges, pool.map(play, ranges), strict=True):
                series.merge(played.totals)
                add_tallies(series.seating, played)
                digest.update(played.ends)
                progress(numbers.stop)
    except BrokenProcessPool:
        raise RulespecError(
            [
                Diagnostic(
                    "C010", "a process that played games was ended from outside", help=("play with fewer `--jobs`",)
                )
            ]
        ) from None
    series.digest = digest.hexdigest()
    return series


def add_tallies(seating: Seating | None, played: Played) -> None:
    """Add what a range has counted."""
    for count, (numbers, values) in zip([] if seating is None else seating.counts, played.tallies, strict=True):
        count.numbers += numbers
        for text, times in values.items():
            count.values[text] = count.values.get(text, 0) + times


OPENED: list[Series] = []  # of a process that plays for another


def begin(wanted: Wanted) -> None:
    """Make a process ready."""
    OPENED[:] = [wanted.open()]


def play(numbers: range) -> Played:
    """A range of games in such a process."""
    series = OPENED[0]
    counts = [] if series.seating is None else series.seating.counts
    for count in counts:
        count.numbers, count.values = [], {}
    ends: list[bytes] = []
    played = series.play(numbers, ends.append)
    totals = Totals(**{each.name: getattr(played, each.name) for each in fields(Totals)})
    return Played(totals, tuple((count.numbers, count.values) for count in counts), b"".join(ends))
