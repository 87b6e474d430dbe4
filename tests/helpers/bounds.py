"""A command in a process of its own, with what it cost."""

from __future__ import annotations

import os
import subprocess
import sys
from dataclasses import dataclass

from tests.helpers.places import ROOT

SECONDS = 60  # of the processor, after which it is ended: far more than what is allowed, which the test compares
MEMORY = 3 << 30


@dataclass(frozen=True, slots=True)
class Cost:
    """The exit code, what was printed, seconds of the processor and bytes of memory at most."""

    code: int
    out: str
    seconds: float
    memory: int


def limits() -> None:
    """Set in the process before it begins."""
    import resource

    resource.setrlimit(resource.RLIMIT_CPU, (SECONDS, SECONDS))
    resource.setrlimit(resource.RLIMIT_AS, (MEMORY, MEMORY))


def measured(*arguments: str) -> Cost:
    """Run a command of ours.  POSIX only."""
    process = subprocess.Popen(
        [sys.executable, "-m", "tools", *arguments],
        cwd=ROOT,
        env={**os.environ, "RULESPEC_CACHE": "off"},
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        preexec_fn=limits,
    )
    assert process.stdout is not None
    with process.stdout as stream:
        out = stream.read().decode("utf-8", "replace")
    _, status, usage = os.wait4(process.pid, 0)
    process.returncode = os.waitstatus_to_exitcode(status)
    unit = 1 if sys.platform == "darwin" else 1024
    return Cost(process.returncode, out, usage.ru_utime + usage.ru_stime, usage.ru_maxrss * unit)
