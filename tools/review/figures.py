"""What is measured in games: a number for each game, kept as a distribution that is small in a file and compared exactly.

A figure belongs to a *population*, the games in which it can be measured at all: that a question was asked, an option taken.
Where a game of the population gives nothing, it is 0.
"""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Iterable, Mapping
from dataclasses import field

from rulespec.system.records import dataclass

from .significance import fisher, least

MOST_VALUES = 7  # that are kept one by one; of more, so many quantiles
GAME = "game"  # the population of all games
Key = tuple[str, str]  # population, name


@dataclass(frozen=True, slots=True)
class Spread:
    """How a number is spread over games: of `counts[i]` games it is above `cuts[i - 1]` and at most `cuts[i]`."""

    mean: float
    cuts: tuple[float, ...]
    counts: tuple[int, ...]

    @property
    def games(self) -> int:
        """How many games."""
        return sum(self.counts)


def short(value: float) -> float:
    """Three digits: as much as is kept of a number."""
    return float(f"{value:.3g}")


def spread(values: Iterable[float], zeros: int = 0) -> Spread:
    """The spread of some numbers and so many zeros; there is at least one."""
    numbers = sorted([*map(short, values), *[0.0] * zeros])
    cuts = sorted(set(numbers))
    if len(cuts) > MOST_VALUES:
        last = len(numbers) - 1
        cuts = sorted({numbers[last * k // (MOST_VALUES - 1)] for k in range(MOST_VALUES)})
    counts = [0] * len(cuts)
    for number in numbers:
        counts[bisect_left(cuts, number)] += 1
    return Spread(short(sum(numbers) / len(numbers)), tuple(cuts), tuple(counts))


@dataclass(slots=True)
class Sample:
    """The figures of a series of games."""

    games: int = 0
    populations: dict[str, int] = field(default_factory=dict)  # games in each
    values: dict[Key, list[float]] = field(default_factory=dict)  # where they are not 0

    def add(self, populations: Iterable[str], values: Mapping[Key, float]) -> None:
        """Add a game."""
        self.games += 1
        for name in populations:
            self.populations[name] = self.populations.get(name, 0) + 1
        for key, value in values.items():
            if value:
                self.values.setdefault(key, []).append(value)

    def size(self, population: str) -> int:
        """How many games are in a population."""
        return self.games if population == GAME else self.populations.get(population, 0)

    def spread(self, key: Key) -> Spread:
        """One figure."""
        values = self.values.get(key, [])
        return spread(values, self.size(key[0]) - len(values))


def chance_of(before: Spread, values: list[float], zeros: int) -> float:
    """How likely two series of the same game differ as much, at the cut where they differ most; 1.0 where no cut could tell."""
    numbers = sorted([*map(short, values), *[0.0] * zeros])
    n, m = before.games, len(numbers)
    if not n or not m:
        return 1.0
    below, best = 0, 1.0
    tests: list[tuple[int, int]] = [(0, bisect_left(numbers, before.cuts[0]))]  # below all that there was
    at = 0
    for cut, count in zip(before.cuts, before.counts, strict=True):
        below += count
        while at < m and numbers[at] <= cut:
            at += 1
        tests.append((below, at))
    for a, b in tests:
        share, other = a / n, b / m
        pooled = (a + b) / (n + m)
        if (share - other) ** 2 > 4 * pooled * (1 - pooled) * (1 / n + 1 / m):  # two sigmas: else it cannot tell
            best = min(best, fisher(a, n, b, m))
    return min(1.0, best * len(tests))


def floor(before: Spread, games: int) -> float:
    """The least that `chance_of` can give."""
    return min(1.0, least(before.games, games) * (len(before.cuts) + 1)) if games and before.games else 1.0
