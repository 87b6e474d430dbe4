"""The figures of two games beside each other, with intervals for what differs.

Shares have the interval of Newcombe (1998, method 10), means that of Welch with Student's quantile after Cornish and Fisher.  All
intervals of one comparison hold together, after Bonferroni: so that one that leaves out 0 tells of a difference.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from math import sqrt
from statistics import NormalDist, fmean, variance

from rulespec.system.records import dataclass

from ..intervals import interval
from .playing import Level, Option, Record, Side

CONFIDENCE = 95.0
FEW = 6  # games of a side, with which nothing is compared
OFFERED = 20  # times, for what was never chosen to be told
SHARES, MEANS = "share", "mean"
ADVANTAGE, DRAWS, LENGTH, TURN, CHOICE = "advantage", "draws", "length", "turn", "options"


def advantage(game: Record, players: int) -> float:
    """How much more often the first seat won than the others do on average: 1, 0 or -1 with two players."""
    won = [seat in game.winners for seat in range(players)]
    return won[0] - fmean(won[1:]) if players > 1 else float(won[0])


FIGURES: dict[str, tuple[str, Callable[[Record, int], float]]] = {
    ADVANTAGE: (MEANS, advantage),
    DRAWS: (SHARES, lambda game, _: float(not game.decided)),
    LENGTH: (MEANS, lambda game, _: float(game.decisions)),
    TURN: (MEANS, lambda game, _: game.decisions / game.turns),
    CHOICE: (MEANS, lambda game, _: game.options / max(1, game.decisions)),
}


@dataclass(frozen=True, slots=True)
class Figure:
    """A figure at a level in both games, and between what their difference lies."""

    level: str
    name: str
    games: int  # of each
    base: float
    other: float
    low: float
    high: float

    @property
    def differs(self) -> bool:
        """Whether the interval leaves out 0."""
        return self.low > 0 or self.high < 0

    @property
    def within(self) -> float:
        """How large a difference may be."""
        return max(abs(self.low), abs(self.high))


def figures(levels: Sequence[Level], players: tuple[int, int]) -> list[Figure]:
    """All figures of all levels that have games enough."""
    told = [level for level in levels if min(len(level.base.games), len(level.other.games)) >= FEW]
    confidence = 100 - (100 - CONFIDENCE) / max(1, len(told) * len(FIGURES))
    return [one(level, name, players, confidence) for level in told for name in FIGURES]


def one(level: Level, name: str, players: tuple[int, int], confidence: float) -> Figure:
    """A figure at a level."""
    kind, value = FIGURES[name]
    a, b = (
        [value(game, count) for game in side.games]
        for side, count in zip((level.base, level.other), players, strict=True)
    )
    low, high = newcombe(a, b, confidence) if kind == SHARES else welch(a, b, confidence)
    return Figure(level.bot, name, min(len(a), len(b)), fmean(a), fmean(b), low, high)


def newcombe(a: Sequence[float], b: Sequence[float], confidence: float) -> tuple[float, float]:
    """Between what the difference of two shares lies, second less first."""
    p, q = fmean(a), fmean(b)
    low_p, high_p = interval(round(sum(a)), len(a), confidence)
    low_q, high_q = interval(round(sum(b)), len(b), confidence)
    return q - p - sqrt((q - low_q) ** 2 + (high_p - p) ** 2), q - p + sqrt((high_q - q) ** 2 + (p - low_p) ** 2)


def welch(a: Sequence[float], b: Sequence[float], confidence: float) -> tuple[float, float]:
    """Between what the difference of two means lies, second less first.

    That all games of a side came to the same does not mean that all others will: a variance is at least 1 by the number of games,
    as if one of them might have come to 1 more.
    """
    parts = [max(variance(numbers), 1 / len(numbers)) / len(numbers) for numbers in (a, b)]
    difference, error = fmean(b) - fmean(a), sqrt(sum(parts))
    freedom = sum(parts) ** 2 / sum(part**2 / (len(x) - 1) for part, x in zip(parts, (a, b), strict=True))
    half = student(1 - (1 - confidence / 100) / 2, freedom) * error
    return difference - half, difference + half


def student(share: float, freedom: float) -> float:
    """The quantile of Student's distribution (Abramowitz and Stegun 26.7.5), to a thousandth from 5 degrees of freedom on."""
    z, n = NormalDist().inv_cdf(share), freedom
    terms = (
        (z**3 + z) / 4,
        (5 * z**5 + 16 * z**3 + 3 * z) / 96,
        (3 * z**7 + 19 * z**5 + 17 * z**3 - 15 * z) / 384,
        (79 * z**9 + 776 * z**7 + 1482 * z**5 - 1920 * z**3 - 945 * z) / 92160,
    )
    return z + sum(term / n ** (k + 1) for k, term in enumerate(terms))


def never(side: Side) -> list[tuple[Option, int]]:
    """What was open often and never chosen, with how often it was open; the most often first."""
    listed = [(option, times) for option, times in side.offered.items() if times >= OFFERED and not side.taken[option]]
    return sorted(listed, key=lambda pair: (-pair[1], pair[0]))
