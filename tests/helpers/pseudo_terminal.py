"""A command line at a pseudo-terminal, which POSIX alone has."""

from __future__ import annotations

import os
import select
import signal
import sys
import time

import pytest

from tests.helpers.places import ROOT

posix = pytest.mark.skipif(os.name != "posix", reason="needs a pseudo-terminal")


class Terminal:
    """A command line at a pseudo-terminal."""

    def __init__(self, *arguments: str, **environment: str) -> None:
        import pty  # noqa: PLC0415 - POSIX alone has it

        self.pid, self.end = pty.fork()
        if self.pid == 0:
            os.chdir(ROOT)
            signal.signal(signal.SIGINT, signal.SIG_DFL)  # a background job may ignore it
            signal.signal(signal.SIGHUP, signal.SIG_DFL)  # and what `nohup` runs this one
            os.environ.update({"TERM": "xterm", **environment})
            os.execv(sys.executable, [sys.executable, "-m", "tools", *arguments])
        self.text = ""

    def until(self, mark: str, seconds: float = 20) -> str:
        """What is shown up to a mark."""
        deadline = time.monotonic() + seconds
        while mark not in self.text:
            left = deadline - time.monotonic()
            assert left > 0, f"{mark!r} never came; there was: {self.text}"
            if select.select([self.end], [], [], left)[0]:
                try:
                    self.text += os.read(self.end, 65536).decode(errors="replace")
                except OSError:
                    assert mark in self.text, f"it ended without {mark!r}: {self.text}"
        found, _, self.text = self.text.partition(mark)
        return found

    def type(self, line: str) -> None:
        """A line, or a control character alone."""
        os.write(self.end, (line if line in ("\x03", "\x04") else line + "\n").encode())

    def leave(self, seconds: float = 20) -> int:
        """Read to the end; the exit code."""
        deadline = time.monotonic() + seconds
        try:
            while select.select([self.end], [], [], max(0, deadline - time.monotonic()))[0]:
                more = os.read(self.end, 65536)
                self.text += more.decode(errors="replace")
                if not more:
                    break
            else:
                os.kill(self.pid, signal.SIGKILL)
        except OSError:
            pass  # how Linux tells that the other end was closed
        os.close(self.end)
        return os.waitstatus_to_exitcode(os.waitpid(self.pid, 0)[1])
