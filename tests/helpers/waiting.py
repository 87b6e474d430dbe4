"""Waiting for another process: never for good, and with words for what did not come."""

from __future__ import annotations

import threading
from subprocess import Popen
from typing import IO, Any

SECONDS = 60.0  # more than anything here takes on a machine with much else to do


def said_until(process: Popen[Any], stream: IO[Any], wanted: str, seconds: float = SECONDS) -> str:
    """What a process says up to the line that holds some words; a failure if it ends or says nothing like it in time."""
    seen: list[str] = []
    ended = threading.Event()

    def read() -> None:
        for line in stream:
            seen.append(line if isinstance(line, str) else line.decode(errors="replace"))
            if wanted in seen[-1]:
                break
        ended.set()

    reader = threading.Thread(target=read, daemon=True)  # a read that nothing ends must not keep the tests
    reader.start()
    if not ended.wait(seconds):
        process.kill()
        raise AssertionError(f"waited {seconds:.0f} s for {wanted!r}; it had said: {''.join(seen)[-2000:]!r}")
    reader.join()
    assert seen and wanted in seen[-1], f"it ended without {wanted!r}; it had said: {''.join(seen)[-2000:]!r}"
    return "".join(seen)
