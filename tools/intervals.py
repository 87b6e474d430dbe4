"""Between what a share lies that was counted."""

from __future__ import annotations

from math import sqrt
from statistics import NormalDist


def interval(hits: int, count: int, confidence: float = 95.0) -> tuple[float, float]:
    """The Wilson interval of a share that gave `hits` of `count`: between which shares it lies, with a confidence in per cent."""
    if not count:
        return 0.0, 1.0
    z = NormalDist().inv_cdf((1 + confidence / 100) / 2)
    share, spread = hits / count, z * z / count
    middle = (share + spread / 2) / (1 + spread)
    half = z / (1 + spread) * sqrt(share * (1 - share) / count + spread / (4 * count))
    return max(0.0, middle - half), min(1.0, middle + half)
