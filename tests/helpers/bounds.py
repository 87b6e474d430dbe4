"""A command in a process of its own, with what it cost."""

from __future__ import annotations

import json
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


# What runs the command. A process that is begun by a large one counts that one's memory as its own until it is replaced, so that
# the peak of the test's process would be measured; this one is small. It writes how the command ended behind what was printed.
RUNNER = """
import json, os, resource, subprocess, sys
def limits():
    resource.setrlimit(resource.RLIMIT_CPU, (int(sys.argv[1]),) * 2)
    resource.setrlimit(resource.RLIMIT_AS, (int(sys.argv[2]),) * 2)
done = subprocess.Popen(sys.argv[3:], stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, preexec_fn=limits)
out = done.stdout.read()
_, status, usage = os.wait4(done.pid, 0)
text = out.decode("utf-8", "replace")
print(json.dumps([os.waitstatus_to_exitcode(status), text, usage.ru_utime + usage.ru_stime, usage.ru_maxrss]))
"""


def measured(*arguments: str) -> Cost:
    """Run a command of ours.  POSIX only."""
    done = subprocess.run(
        [sys.executable, "-c", RUNNER, str(SECONDS), str(MEMORY), sys.executable, "-m", "tools", *arguments],
        cwd=ROOT,
        env={**os.environ, "RULESPEC_CACHE": "off"},
        capture_output=True,
        text=True,
        check=True,
    )
    code, out, seconds, memory = json.loads(done.stdout)
    return Cost(code, out, seconds, memory * (1 if sys.platform == "darwin" else 1024))
