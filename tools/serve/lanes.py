"""The threads in which games are played, so that a long decision of one game keeps no connection waiting.

Each table has one lane for all its life: its steps come one after the other, and what a game has worked out belongs to that thread.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from itertools import cycle
from typing import TypeVar

T = TypeVar("T")
LANES = 4  # they share Python's lock, and wait for the disk beside each other


class Lane:
    """One thread."""

    def __init__(self, number: int) -> None:
        self.thread = ThreadPoolExecutor(1, f"lane-{number}")

    async def run(self, work: Callable[[], T]) -> T:
        """Do something there, after all that was given to it before; raises what it raises."""
        return await asyncio.get_running_loop().run_in_executor(self.thread, work)

    def close(self) -> None:
        """Do nothing more."""
        self.thread.shutdown(wait=True, cancel_futures=True)


class Lanes:
    """All of them; tables take them in turn."""

    def __init__(self) -> None:
        self.all = [Lane(number) for number in range(LANES)]
        self.turns = cycle(self.all)

    def next(self) -> Lane:
        """The lane of the next table."""
        return next(self.turns)

    def close(self) -> None:
        """Do nothing more."""
        for lane in self.all:
            lane.close()
