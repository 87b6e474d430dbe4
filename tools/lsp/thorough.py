"""The thorough look at games, in a process of its own: names and types never wait for it, and it ends where the text changes.

The process is started ahead, and does what every look needs before it is asked.  It hears and answers data alone: the texts of the
editor, and findings as they are kept on the disk.
"""

from __future__ import annotations

import asyncio
import json
import multiprocessing
import os
import signal
import threading
from pathlib import Path
from typing import TYPE_CHECKING

from rulespec.system.records import dataclass
from rulespec.text.disk import unsaved

if TYPE_CHECKING:
    from concurrent.futures import Executor
    from multiprocessing.connection import Connection
    from multiprocessing.context import SpawnProcess

    from rulespec.lint.shared import Shared
    from rulespec.system.code import CodeEntries

    from ..linting import Found
    from .reading import Texts

SPAWN = multiprocessing.get_context("spawn")  # a fork of a process with threads may wait for a lock forever
LATER = 5  # how far behind the server it stands where processes wait for a processor
TRIES = 2  # a process may be ended from outside, for want of memory


@dataclass(frozen=True)
class Child:
    """A process with the pipe to it."""

    process: SpawnProcess
    pipe: Connection


class Looker:
    """Looks through games in a process of its own, one at a time.  Methods may be called from any thread."""

    def __init__(self) -> None:
        self.lock, self.turn = threading.Lock(), threading.Lock()
        self.child: Child | None = None
        self.busy = self.closed = False
        self.age = 0  # how often the texts have changed

    def begin(self) -> None:
        """Start the process, if there is none."""
        with self.lock:
            self.started()

    def started(self) -> Child | None:
        """The process that looks; None when all is over."""
        if self.child is None and not self.closed:
            ours, theirs = SPAWN.Pipe()
            process = SPAWN.Process(target=serve, args=(theirs,), name="lint", daemon=True)
            process.start()
            theirs.close()
            self.child = Child(process, ours)
        return self.child

    def found(self, game: Path, texts: Texts, age: int) -> Found | None:
        """All that lint finds in a game; None where the texts are no longer those of that `age`, or no process comes to an end."""
        request = {"game": str(game), "texts": {str(path): text for path, text in texts.items()}}
        with self.turn:
            for _ in range(TRIES):
                with self.lock:
                    child = self.started() if age == self.age else None
                    self.busy = child is not None
                if child is None:
                    return None
                answer = exchange(child.pipe, json.dumps(request).encode())
                with self.lock:
                    self.busy = False
                    if answer is None and self.child is child:
                        self.child = None
                if answer is not None:
                    return read(answer) if age == self.age else None
                child.process.join()
        return None

    def coming(self, waiting: Executor, game: Path, texts: Texts, age: int) -> asyncio.Future[Found | None]:
        """What `found` will say; `waiting` is where one may wait for it."""
        return asyncio.get_running_loop().run_in_executor(waiting, self.found, game, texts, age)

    def changed(self) -> None:
        """The texts are others: end the look that goes on, and have another process ready."""
        with self.lock:
            self.age += 1
            if self.busy and self.child is not None:
                self.child.process.kill()
                self.child, self.busy = None, False
            self.started()

    def close(self) -> None:
        """End the process for good."""
        with self.lock:
            self.closed = True
            if self.child is not None:
                self.child.process.kill()
                self.child = None


def exchange(pipe: Connection, request: bytes) -> bytes | None:
    """The answer of a process; None if it has ended."""
    try:
        pipe.send_bytes(request)
        return pipe.recv_bytes()
    except (EOFError, OSError):
        pipe.close()
        return None


def written(found: Found) -> bytes:
    """What was found, as data."""
    from rulespec.lint import kept

    return json.dumps({"sound": found.sound, "found": kept.written(found.faults, found.findings)}).encode()


def read(answer: bytes) -> Found:
    """What was found, of such data."""
    from rulespec.lint import kept

    from ..linting import Found

    data = json.loads(answer)
    return Found(*kept.read(data["found"]), data["sound"])


# --- in the process ---------------------------------------------------------------------------------------------------
def serve(pipe: Connection) -> None:
    """Answer until the other end is closed, or the process behind it has ended."""
    from rulespec.lint.shared import Shared
    from rulespec.loading.examples import FILE

    from ..linting import entries

    apart()
    threading.Thread(target=end_with_parent, daemon=True).start()
    try:
        if not pipe.poll():
            looked_at(FILE, {})
        shared = Shared()
        while True:
            request = json.loads(pipe.recv_bytes())
            texts = {Path(path): text for path, text in request["texts"].items()}
            if shared.full:
                shared = Shared()
            pipe.send_bytes(written(looked_at(Path(request["game"]), texts, entries(), shared)))
    except (EOFError, OSError):
        pass


def apart() -> None:
    """Leave to the server what it speaks to its editor through, the keys of a terminal, and the processor where both want it."""
    nothing = os.open(os.devnull, os.O_RDWR)
    for standard in (0, 1):
        os.dup2(nothing, standard)
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    if hasattr(os, "nice"):
        os.nice(LATER)


def end_with_parent() -> None:
    """End at once when the server has ended, however it did."""
    from multiprocessing.connection import wait

    parent = multiprocessing.parent_process()
    if parent is not None:
        wait([parent.sentinel])
        os._exit(0)


def looked_at(game: Path, texts: Texts, entries: CodeEntries | None = None, shared: Shared | None = None) -> Found:
    """All that lint finds in a game as the editor has it; what is kept of the same rules is not looked for again.

    `shared` has what was worked out of the game before an edit.
    """
    from ..linting import Games

    games = Games(False, entries, worked_out=shared)
    with unsaved(texts):
        found = games.found(game).shown(False)
    games.keep()
    return found
