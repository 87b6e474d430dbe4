"""Measuring in one process: work that can be repeated, timed slices of it, samples of the games played."""

from __future__ import annotations

import gc
from collections.abc import Callable, Sequence
from itertools import repeat
from math import fsum
from time import perf_counter, process_time
from typing import Any

from rulespec.system.records import dataclass

# A whole game as it was played: how many decisions of players it had (None: not known), and the returns.
Played = tuple[int | None, Sequence[float]]


@dataclass(frozen=True, slots=True)
class Work:
    """Something to be repeated: `call` does `units` of it, and `read` tells the game that a result of `call` was."""

    call: Callable[[], Any]
    units: int = 1
    read: Callable[[Any], Played] | None = None


# Each quantity, and how the work for it is made ready.
Works = dict[str, Callable[[], Work]]


def batch_size(work: Work, seconds: float) -> int:
    """How often to call in a row between two looks at the clock: about a tenth of a slice."""
    size = 1
    while size < 1 << 20:
        start = process_time()
        repeated(work.call, size)
        if process_time() - start >= seconds / 10:
            break
        size *= 2
    return size


def timed(work: Work, size: int, seconds: float) -> tuple[int, float]:
    """Units done, and the seconds of processor time that they took: at least so many, at least one batch.

    Processor time of other processes is not counted.  Garbage is collected before each measurement; the collector
    then runs as usual.
    """
    gc.collect()
    calls = 0
    start = process_time()
    while True:
        repeated(work.call, size)
        calls += size
        elapsed = process_time() - start
        if elapsed >= seconds:
            return calls * work.units, elapsed


def repeated(call: Callable[[], Any], times: int) -> None:
    """Call it so often."""
    for _ in repeat(None, times):
        call()


def sample(work: Work, games: int, seconds: float, least: int = 50) -> dict[str, Any]:
    """Means and variances of what random games are like, over so many games or seconds, but at least a few, or four times the seconds.

    The features are the number of decisions (where it is known), the first player's return and its square: contenders that
    play the same game agree in all of them but for chance.
    """
    assert work.read is not None
    lengths: list[float] = []
    returns: list[float] = []
    start = perf_counter()
    for number in range(games):
        elapsed = perf_counter() - start
        if (number >= least and elapsed >= seconds) or (number >= 2 and elapsed >= 4 * seconds > 0):
            break
        length, result = work.read(work.call())
        returns.append(float(result[0]))
        if length is not None:
            lengths.append(float(length))
    features = {"returns": spread(returns), "squares": spread([value * value for value in returns])}
    if lengths:
        features["length"] = spread(lengths)
    return {"games": len(returns), "features": features}


def spread(values: Sequence[float]) -> list[float]:
    """[mean, variance]."""
    mean = fsum(values) / len(values)
    return [mean, fsum((value - mean) ** 2 for value in values) / max(1, len(values) - 1)]
