"""What exceeds chance: exact tests of counts, and how many of them may be asked at once."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache
from math import exp, lgamma, log, log1p

ALPHA = 0.001  # the chance that a review of an unchanged game tells anything at all


@cache
def log_factorial(n: int) -> float:
    """ln n!"""
    return lgamma(n + 1)


def log_choose(n: int, k: int) -> float:
    """ln of the ways to choose k of n."""
    return log_factorial(n) - log_factorial(k) - log_factorial(n - k)


def fisher(a: int, n: int, b: int, m: int) -> float:
    """Fisher's exact test, two-sided as twice the smaller tail: a of n here, b of m there."""
    total, hits = n + m, a + b
    low, high = max(0, hits - m), min(n, hits)
    whole = log_choose(total, hits)

    def weight(k: int) -> float:
        return exp(log_choose(n, k) + log_choose(m, hits - k) - whole)

    if a * m >= b * n:
        tail = sum(weight(k) for k in range(a, high + 1))
    else:
        tail = sum(weight(k) for k in range(low, a + 1))
    return min(1.0, 2 * tail)


def binomial(hits: int, n: int, p: float) -> float:
    """The exact binomial test, two-sided as twice the smaller tail: `hits` of n where each comes with chance p (0 < p < 1)."""
    return min(1.0, 2 * min(at_most(hits, n, p), at_most(n - hits, n, 1 - p)))


def at_most(hits: int, n: int, p: float) -> float:
    """The chance of `hits` or fewer of n where each comes with chance p (0 < p < 1): the exact binomial test, one-sided."""
    yes, no = log(p), log1p(-p)
    return min(1.0, sum(exp(log_choose(n, k) + k * yes + (n - k) * no) for k in range(hits + 1)))


def least(n: int, m: int) -> float:
    """The smallest p that Fisher's test can give for samples of these sizes."""
    return min(1.0, 2 * exp(-log_choose(n + m, n)))


def level(floors: Sequence[float], alpha: float = ALPHA) -> float:
    """Below which p each of several tests tells something, so that all together err with chance `alpha` at most.

    Tarone's correction: a test that could not pass the level, whatever was seen, does not count as one.  `floors` are the least
    p that each can give.
    """
    ordered = sorted(floors)
    number = 0
    for number, floor in enumerate(ordered, 1):
        if floor > alpha / number:
            return alpha / max(1, number - 1)
    return alpha / max(1, number)
