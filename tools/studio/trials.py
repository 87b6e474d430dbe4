"""The cases of a game, run as its text stands, and the trace of one of them: in a process of its own, so that nobody waits for it.

A run ends where the text changes: the process is ended, and another one is made ready.
"""

from __future__ import annotations

import json
import threading
from collections.abc import Callable, Mapping
from concurrent.futures import Future
from contextlib import suppress
from itertools import count
from pathlib import Path
from typing import Any

from ..lsp.thorough import SPAWN, Child
from ..serve.tables import Reply
from .projects import Project
from .trying import serve


class Trials:
    """Runs all cases after each change; `tell` is called from a thread with what comes of it."""

    def __init__(self, project: Project, tell: Callable[[Reply], None]) -> None:
        self.project = project
        self.tell = tell
        self.lock = threading.Lock()
        self.child: Child | None = None
        self.busy = self.closed = False
        self.run = 0
        self.traces: dict[int, Future[Reply]] = {}  # that are waited for
        self.numbers = count(1)

    def begin(self, main: Path, texts: Mapping[Path, str]) -> None:
        """Run the cases of a game with these texts in place of files, and those that run now no more."""
        request = {"main": str(main), "texts": {str(path): text for path, text in texts.items()}}
        with self.lock:
            self.run += 1
            if self.busy:
                self.end()
            self.busy = True
            self.send({**request, "run": self.run})

    def traced(self, name: str) -> Future[Reply]:
        """What a case does, step by step, as the text stood when cases were run last."""
        found: Future[Reply] = Future()
        with self.lock:
            number = next(self.numbers)
            self.traces[number] = found
            if self.closed:
                self.end()
            self.send({"trace": number, "case": name})
        return found

    def send(self, request: dict[str, Any]) -> None:
        """Give the process something to do; start it, if there is none."""
        if self.closed:
            return
        if self.child is None:
            ours, theirs = SPAWN.Pipe()
            process = SPAWN.Process(target=serve, args=(theirs, self.project), name="cases", daemon=True)
            process.start()
            theirs.close()
            self.child = Child(process, ours)
            threading.Thread(target=self.listen, args=(self.child,), daemon=True).start()
        with suppress(OSError):  # it has ended; who listens to it hears so
            self.child.pipe.send_bytes(json.dumps(request).encode())

    def listen(self, child: Child) -> None:
        """Hear what a process says, until it ends."""
        with suppress(EOFError, OSError):
            while True:
                told = json.loads(child.pipe.recv_bytes())
                with self.lock:
                    if child is self.child and told.get("done"):
                        self.busy = False
                    waiting = self.traces.pop(told.pop("trace"), None) if "trace" in told else None
                if waiting is not None:
                    answer(waiting, told)
                else:
                    self.tell(told)
        with self.lock:
            if child is self.child:
                self.end()

    def end(self) -> None:
        """End the process; who waits for a trace is told."""
        if self.child is not None:
            self.child.process.kill()
            self.child = None
        self.busy = False
        waiting, self.traces = self.traces, {}
        for one in waiting.values():
            answer(one, {"type": "illegal", "why": "The text has changed meanwhile: ask again"})

    def close(self) -> None:
        """Run nothing more."""
        with self.lock:
            self.closed = True
            self.end()


def answer(waiting: Future[Reply], told: Reply) -> None:
    """Tell whoever waits, unless he is gone."""
    if waiting.set_running_or_notify_cancel():
        waiting.set_result(told)
