"""When a server looks for objects that only each other use: after it has answered, and not while somebody waits.

Python looks for them whenever many objects were made, so in the middle of reading a game; with all that a server keeps, that takes
longer than the reading.
"""

from __future__ import annotations

import gc

MOST = 20  # games that are read without a rest in between, some megabytes each


class Cycles:
    """Looks for them when it is called, and makes Python do so at no other time.

    What is there after the first game that is read stays: it is not looked through again.
    """

    def __init__(self) -> None:
        gc.disable()
        self.waiting = 0  # games that were read since it looked
        self.settled = False

    def answered(self, games: int) -> None:
        """So many games were read and answered: look if it must not be put off."""
        self.waiting += games
        if not self.settled and games:
            gc.collect()
            gc.freeze()
            self.settled, self.waiting = True, 0
        elif self.waiting >= MOST:
            self.rested()

    def rested(self) -> None:
        """Nobody waits: look."""
        if self.waiting:
            gc.collect()
            self.waiting = 0

    def over(self) -> None:
        """Leave it to Python again."""
        gc.unfreeze()
        gc.enable()
