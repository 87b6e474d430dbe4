"""Objects of games made in processes of their own, one after the other, while the games are played in Python.

A process gets the program on its standard input and leaves the object in the user's folder.  It goes on when the program that started it
ends, so that the next one finds the object; it is bounded in time and memory as the compiler is (`compiler`).
"""

from __future__ import annotations

import os
import queue
import subprocess
import sys
import threading
from collections.abc import Callable
from pathlib import Path

SECONDS = 300  # that one object may take, all in all
NICE = 10

Job = tuple[str, bytes, Callable[[], None]]  # the key, the packed program, and who is told that it is done
WAITING: queue.Queue[Job] = queue.Queue()
LOCK = threading.Lock()
WORKERS: list[threading.Thread] = []


def submit(key: str, packed: bytes, done: Callable[[], None]) -> None:
    """Have an object made when those before it are; `done` is called in another thread, whatever came of it."""
    WAITING.put((key, packed, done))
    with LOCK:
        if not WORKERS:
            WORKERS.append(threading.Thread(target=work, name="rulespec-native", daemon=True))
            WORKERS[0].start()


def work() -> None:
    """Make one object after the other."""
    while True:
        key, packed, done = WAITING.get()
        try:
            make(key, packed)
        except (OSError, subprocess.SubprocessError):
            continue  # no more processes, or not enough time: it is played in Python
        done()


def make(key: str, packed: bytes) -> None:
    """Make an object in a process of its own.  Raises OSError and SubprocessError."""
    package = Path(__file__).resolve().parent
    name = f"{__package__}.worker"
    root = package.parents[name.count(".") - 1]
    paths = [str(root), *filter(None, [os.environ.get("PYTHONPATH")])]
    process = subprocess.Popen(
        [sys.executable, "-m", name, key],
        env={**os.environ, "PYTHONPATH": os.pathsep.join(paths)},
        stdin=subprocess.PIPE,
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
        start_new_session=True,  # a key that interrupts the game does not interrupt it
    )
    try:
        process.communicate(packed, timeout=SECONDS)
    except subprocess.TimeoutExpired:
        process.kill()
        raise
