"""Games made ready while people sit down, a little at a time in a thread of its own, so that their first answers need not wait for it.

The code of a game is generated function by function where it is first called.  Here each game is played once by random choices, and
slowly: what most games need is then there, for all threads, before somebody plays so far.
"""

from __future__ import annotations

import gc
import threading
from collections import deque
from collections.abc import Iterator
from time import thread_time

from interpreter import Fault, Game
from interpreter.bots.basics import Chance
from interpreter.views.knowledge import knowledge_of

from . import journal

SHARE = 0.8  # of the time, at most, in which the thread runs: it is done in a second or two, as opening a game is
SECONDS = 10.0  # of processor time for one game
ANSWERS = 1000


class Warming:
    """The games that are still to be made ready, and the thread that does it while there are some."""

    def __init__(self) -> None:
        self.waiting: deque[Game] = deque()
        self.thread: threading.Thread | None = None
        self.lock = threading.Lock()
        self.stopped = threading.Event()

    def opened(self, game: Game) -> None:
        """A game that stays open: make it ready soon."""
        knowledge_of(game)
        at_rest()
        with self.lock:
            self.waiting.append(game)
            if self.thread is None:
                self.thread = threading.Thread(target=self.work, name="warming", daemon=True)
                self.thread.start()

    def close(self) -> None:
        """Do nothing more."""
        self.stopped.set()
        thread = self.thread
        if thread is not None:
            thread.join()

    def work(self) -> None:
        """Make one game ready after the other; what this thread has of its own is gone with it."""
        while True:
            with self.lock:
                if not self.waiting or self.stopped.is_set():
                    self.thread = None
                    return
                game = self.waiting.popleft()
            used, begun = 0.0, thread_time()
            for _ in played(game):
                step = thread_time() - begun
                used += step
                if used > SECONDS or self.stopped.wait(step / SHARE - step):
                    break
                begun = thread_time()
            at_rest()


def at_rest() -> None:
    """What is there now stays: it is no more looked through for garbage, which would keep everybody waiting in the middle of a game."""
    gc.collect()
    gc.freeze()


def played(game: Game, seed: int = 0) -> Iterator[None]:
    """Play a game in Python by random choices, answer by answer, until it ends or goes wrong."""
    dice = Chance(seed)
    try:
        position = game.new_state(seed=seed).stand_in().clone()
        for _ in range(ANSWERS):
            yield
            if position.is_terminal():
                return
            position.apply_action(dice.one_of(position.legal_actions()))
    except Fault as fault:
        journal.LOG.warning("game %s: a game by random choices ends in %s", game.id, journal.told(fault))
    except Exception as problem:
        journal.fault(f"game {game.id}", problem)
