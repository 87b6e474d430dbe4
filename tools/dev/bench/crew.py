"""The worker processes, one for each contender, as the benchmark uses them."""

from __future__ import annotations

import json
import os
import queue
import subprocess
import sys
import tempfile
import threading
from pathlib import Path
from types import TracebackType
from typing import Any

from . import install
from .plan import Entry

ROOT = Path(__file__).resolve().parents[3]
OBJECTS = ROOT / "build" / "bench"  # where the compiled C of our games is kept, apart from a user's own
PATIENCE = 120  # seconds for an answer


class NotMeasured(Exception):
    """Raised where a contender cannot be measured; the message says why."""


class Process:
    """A worker's process.  To be used in a `with`; raises NotMeasured where it does not answer, or answers with an error."""

    def __init__(self, entry: Entry) -> None:
        self.entry = entry
        self.answers: queue.Queue[str] = queue.Queue()

    def __enter__(self) -> Process:
        self.noise = tempfile.TemporaryFile()
        self.child = subprocess.Popen(
            [sys.executable, "-m", f"{__package__}.worker"],
            cwd=ROOT,
            env=environment(self.entry.peer, cache="off" if self.entry.peer else str(OBJECTS)),
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=self.noise,
            text=True,
            encoding="utf-8",
        )
        threading.Thread(target=self.listen, daemon=True).start()
        return self

    def listen(self) -> None:
        """Put each answer in the queue; an empty text at the end."""
        assert self.child.stdout is not None
        for line in self.child.stdout:
            self.answers.put(line)
        self.answers.put("")

    def ask(self, **request: Any) -> dict[str, Any]:
        """Send a request and wait for the answer."""
        assert self.child.stdin is not None
        try:
            self.child.stdin.write(json.dumps(request) + "\n")
            self.child.stdin.flush()
            line = self.answers.get(timeout=PATIENCE)
        except queue.Empty:
            self.child.kill()
            raise NotMeasured(f"no answer within {PATIENCE} seconds") from None
        except OSError:
            line = ""
        if not line:
            raise NotMeasured(self.last_words())
        answer: dict[str, Any] = json.loads(line)
        if "error" in answer:
            raise NotMeasured(answer["error"])
        return answer

    def last_words(self) -> str:
        """Why a process has ended."""
        code = self.child.wait(PATIENCE)
        self.noise.seek(0)
        lines = self.noise.read().decode("utf-8", "replace").strip().splitlines()
        return f"its process ended with {code}" + (f": {lines[-1][:200]}" if lines else "")

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        try:
            if self.child.stdin is not None:
                self.child.stdin.close()
            self.child.wait(0.1 if kind else 5)
        except (OSError, subprocess.TimeoutExpired):
            self.child.kill()
            self.child.wait()
        self.noise.close()


def environment(peer: str | None, cache: str = "off") -> dict[str, str]:
    """The variables of a process in which a peer (None: ours) is found; `cache` is where compiled games are kept."""
    folders = [str(install.folder(peer))] if peer else []
    path = os.pathsep.join([*folders, *filter(None, [os.environ.get("PYTHONPATH")])])
    variables = {**os.environ, "RULESPEC_CACHE": cache, "PYTHONWARNINGS": "ignore", "PYGAME_HIDE_SUPPORT_PROMPT": "1"}
    return variables | ({"PYTHONPATH": path} if path else {})
