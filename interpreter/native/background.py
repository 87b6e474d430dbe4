"""Objects of games made in processes of their own, one at a time, while the games are played in Python: the one asked for last first.

A process gets programs as a file on its standard input and leaves the objects in the user's folder.  It goes on when the program
that started it ends, and what waits then is left to one more, so that the next run finds the objects, however short the runs are.
It is bounded in time and memory as the compiler is (`compiler`).
"""

from __future__ import annotations

import atexit
import os
import queue
import subprocess
import sys
import tempfile
import threading
from collections.abc import Callable, Sequence
from contextlib import suppress
from pathlib import Path

SECONDS = 300  # that one object may take, all in all
NICE = 10
MOST_LEFT = 16  # objects that are made after the end of the program

Job = tuple[str, bytes, Callable[[], None]]  # the key, the packed program, and who is told that it is done
WAITING: queue.LifoQueue[Job] = queue.LifoQueue()
LOCK = threading.Lock()
WORKERS: list[threading.Thread] = []


def submit(key: str, packed: bytes, done: Callable[[], None]) -> None:
    """Have an object made before those that wait; `done` is called in another thread, whatever came of it."""
    WAITING.put((key, packed, done))
    with LOCK:
        if not WORKERS:
            WORKERS.append(threading.Thread(target=work, name="rulespec-native", daemon=True))
            WORKERS[0].start()
            atexit.register(leave)


def work() -> None:
    """Make one object after the other."""
    while True:
        key, packed, done = WAITING.get()
        try:
            make(key, packed)
        except (OSError, subprocess.SubprocessError):
            continue  # no more processes, or not enough time: it is played in Python
        done()


def leave() -> None:
    """Have what still waits made by a process that goes on alone."""
    jobs: list[tuple[str, bytes]] = []
    with suppress(queue.Empty):
        while len(jobs) < MOST_LEFT:
            key, packed, _ = WAITING.get_nowait()
            jobs.append((key, packed))
    if jobs:
        with suppress(OSError):
            start(jobs)


def make(key: str, packed: bytes) -> None:
    """Make an object in a process of its own.  Raises OSError and SubprocessError."""
    process = start([(key, packed)])
    try:
        process.wait(SECONDS)
    except subprocess.TimeoutExpired:
        process.kill()
        raise


def start(jobs: Sequence[tuple[str, bytes]]) -> subprocess.Popen[bytes]:
    """A process that makes one object after the other.  Raises OSError."""
    package = Path(__file__).resolve().parent
    name = f"{__package__}.worker"
    root = package.parents[name.count(".") - 1]
    paths = [str(root), *filter(None, [os.environ.get("PYTHONPATH")])]
    with tempfile.TemporaryFile() as programs:  # all of it is there, also if this program ends at once
        programs.writelines(packed for _, packed in jobs)
        programs.seek(0)
        return subprocess.Popen(
            [sys.executable, "-m", name, *(f"{key}:{len(packed)}" for key, packed in jobs)],
            env={**os.environ, "PYTHONPATH": os.pathsep.join(paths)},
            stdin=programs,
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
            start_new_session=True,  # a key that interrupts the game does not interrupt it
        )
