"""What was counted in all the games that were played, and how much of it is enough to ask."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from typing import NamedTuple

from rulespec.checker.program import CheckedGame

from .finding import Finding
from .observe import Played
from .series import Series

OFTEN = 20  # times that something must have happened to be odd
RARE = 10  # games: what was seen in fewer, others may not show
NEAR = 0.8  # the share of them that nearly is
FEW_GAMES = 20


class Place(NamedTuple):
    """A game that shows something."""

    setup: str
    seed: int | None


class Counted:
    """The games of all series together."""

    def __init__(self, series: Sequence[Series]) -> None:
        self.series = series
        self.games: list[Played] = [game for one in series for game in one.finished]
        self.totals: Counter[tuple[object, ...]] = Counter()
        self.games_with: Counter[tuple[object, ...]] = Counter()  # in how many games each thing was counted
        self.seeds: dict[tuple[object, ...], Place] = {}  # the first game of each count
        for one in series:
            self.totals.update(one.counts)
            self.games_with.update(one.games_with)
            for key, seed in one.seeds.items():
                self.seeds.setdefault(key, Place(one.setup.name, seed))

    @property
    def first(self) -> Place:
        """The first of all games."""
        return Place(self.series[0].setup.name, self.series[0].games[0].seed) if self.series else Place("", None)


Asker = Callable[[CheckedGame, Counted], Iterator[Finding]]
