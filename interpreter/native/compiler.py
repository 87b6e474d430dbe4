"""The C compiler of this machine: which it is, and how it is called."""

from __future__ import annotations

import importlib.util
import os
import shlex
import shutil
import sys
from contextlib import suppress
from functools import cache
from pathlib import Path

from rulespec.system.records import dataclass

CANDIDATES = ("cc", "gcc", "clang")
PACKAGED = "ziglang"  # a package of Python that brings a C compiler: the extra `native`

FLAGS = ("-std=gnu11", "-fPIC", "-fvisibility=hidden", "-fno-strict-aliasing", "-w")
FAST, LARGE = "-O3", "-O1"  # beyond -O1 a large game takes twice as long to compile and plays a tenth faster
LARGE_TEXT = 256 << 10  # bytes of C from which on a game is large
# What the code may use where the processor has it: as /proc/cpuinfo names it, and as compilers do.
FEATURES = {"popcnt": "-mpopcnt", "bmi1": "-mbmi", "bmi2": "-mbmi2"}


@dataclass(frozen=True, slots=True)
class Compiler:
    """A C compiler: the words that call it, and what tells it from any other."""

    command: tuple[str, ...]
    identity: str

    def flags(self, size: int) -> tuple[str, ...]:
        """The flags for a game of so many bytes of C."""
        return (*FLAGS, LARGE if size >= LARGE_TEXT else FAST, *features())


def supported() -> bool:
    """Whether this is a system whose shared objects are loaded in the way that we know."""
    return os.name == "posix" and sys.platform != "cygwin"


def find_compiler() -> Compiler | None:
    """The compiler that CC names, or the first of cc, gcc, clang and the packaged one that is there; None for none."""
    if not supported():
        return None
    chosen = os.environ.get("CC", "").strip()
    try:
        wanted = [tuple(shlex.split(chosen))] if chosen else []
    except ValueError:  # a quote that is not closed
        wanted = []
    for words in (*wanted, *((name,) for name in CANDIDATES), *packaged()):
        path = shutil.which(words[0])
        if path is not None:
            with suppress(OSError):
                return Compiler((path, *words[1:]), identity(path, words[1:]))
    return None


def packaged() -> list[tuple[str, ...]]:
    """The call of the C compiler that is installed as a package of Python; none where there is no such package."""
    spec = importlib.util.find_spec(PACKAGED)
    return [(str(Path(spec.origin).parent / "zig"), "cc")] if spec is not None and spec.origin is not None else []


def identity(path: str, arguments: tuple[str, ...]) -> str:
    """What tells a compiler from others, without running it: its file, and the arguments it is always given.  Raises OSError."""
    real = os.path.realpath(path)
    status = os.stat(real)
    return "\n".join([real, str(status.st_size), str(status.st_mtime_ns), os.uname().machine, *arguments])


@cache
def features() -> tuple[str, ...]:
    """Flags for what this processor can do beyond its family's least; none where the system does not tell."""
    if os.uname().machine not in ("x86_64", "AMD64"):
        return ()
    try:
        with open("/proc/cpuinfo", encoding="ascii", errors="replace") as file:
            words = next((line for line in file if line.startswith("flags")), "").split()
    except OSError:
        return ()
    return tuple(flag for name, flag in FEATURES.items() if name in words)
