"""Intervals of shares, by statsmodels."""

from __future__ import annotations


def interval(wins: int, games: int, confidence: float) -> tuple[float, float]:
    """The Wilson interval of a share."""
    from statsmodels.stats.proportion import proportion_confint

    if not games:
        return 0.0, 1.0
    low, high = proportion_confint(wins, games, alpha=1 - confidence / 100, method="wilson")
    return float(low), float(high)
