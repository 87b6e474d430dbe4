"""The bounds of a run, the same for every back end."""

from __future__ import annotations

from rulespec.library.errors import BIGGEST, LIMIT, TEXT_LIMIT

__all__ = ["BIGGEST", "FUEL", "LIMIT", "MAX_DEPTH", "MAX_WAITING", "TEXT_LIMIT"]

FUEL = 3_000_000  # items that expressions may look at between two decisions
MAX_DEPTH = 4096  # procedures and rules that run within each other
MAX_WAITING = 512  # of them, where somebody is asked: positions and saves keep what waits, and compare it
