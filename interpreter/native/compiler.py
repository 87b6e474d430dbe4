"""The C compiler of this machine: which it is, how it is called, and texts of C made a shared object by it, within bounds."""

from __future__ import annotations

import importlib.util
import os
import platform
import shlex
import shutil
import signal
import subprocess
import sys
import tempfile
from collections.abc import Mapping
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from dataclasses import dataclass
from functools import cache
from pathlib import Path

CANDIDATES = ("cc", "gcc", "clang")
PACKAGED = "ziglang"  # a package of Python that brings a C compiler: the extra `native`
SECONDS = 120  # that one call of the compiler may take
KIBIBYTES = 4 << 20  # of memory that it may use, where the system can bound it
LARGEST = 64 << 20  # bytes of a file that it may write

FLAGS = ("-std=gnu11", "-fPIC", "-fvisibility=hidden", "-fno-strict-aliasing", "-w")
FAST, LARGE = "-O3", "-O1"  # beyond -O1 a large game takes twice as long to compile and plays a tenth faster
LARGE_TEXT = 256 << 10  # bytes of C from which on a game is large
# What the code may use where the processor has it: as /proc/cpuinfo names it, and as compilers do.
FEATURES = {"popcnt": "-mpopcnt", "bmi1": "-mbmi", "bmi2": "-mbmi2"}

# The shell bounds what it becomes: a function that runs between fork and exec would not be safe among threads.
BOUNDED = f'ulimit -t {SECONDS}; ulimit -v {KIBIBYTES} 2>/dev/null; ulimit -f {LARGEST >> 9}; exec "$@"'


class CompileError(Exception):
    """Why there is no shared object; the words are the compiler's, or the system's."""


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
    return "\n".join([real, str(status.st_size), str(status.st_mtime_ns), platform.machine(), *arguments])


@cache
def features() -> tuple[str, ...]:
    """Flags for what this processor can do beyond its family's least; none where the system does not tell."""
    if platform.machine() not in ("x86_64", "AMD64"):
        return ()
    try:
        with open("/proc/cpuinfo", encoding="ascii", errors="replace") as file:
            words = next((line for line in file if line.startswith("flags")), "").split()
    except OSError:
        return ()
    return tuple(flag for name, flag in FEATURES.items() if name in words)


def shared_object(compiler: Compiler, texts: Mapping[str, str]) -> bytes:
    """The shared object of some files of C, by their names: each `.c` is compiled by itself, on all cores, and they are linked.

    Raises CompileError.
    """
    units = [name for name in texts if name.endswith(".c")]
    flags = compiler.flags(sum(map(len, texts.values())))
    try:
        with tempfile.TemporaryDirectory(prefix="rulespec-native-") as folder:
            for name, text in texts.items():
                Path(folder, name).write_text(text, encoding="ascii")
            output = Path(folder, "game.so")
            shared = (*compiler.command, *flags, "-shared", "-o", output.name)
            if len(units) == 1:
                run((*shared, *units), folder)
            else:
                commands = [(*compiler.command, *flags, "-c", "-o", f"{unit}.o", unit) for unit in units]
                with ThreadPoolExecutor(cores()) as pool:
                    list(pool.map(lambda command: run(command, folder), commands))
                run((*shared, *(f"{unit}.o" for unit in units)), folder)
            return output.read_bytes()
    except (OSError, ValueError) as error:
        raise CompileError(str(error)) from None


def cores() -> int:
    """How many processors this process may use."""
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1


def run(command: tuple[str, ...], folder: str) -> None:
    """Run a compiler in a folder, within bounds of time and memory.  Raises CompileError with the first lines of its message."""
    words = ["sh", "-c", BOUNDED, "sh", *command]
    environment = {**os.environ, "LC_ALL": "C", "TMPDIR": folder}
    with subprocess.Popen(
        words,
        cwd=folder,
        env=environment,
        stdin=subprocess.DEVNULL,
        stdout=subprocess.DEVNULL,
        stderr=subprocess.PIPE,
        start_new_session=True,  # so that what it started ends with it
    ) as process:
        try:
            _, said = process.communicate(timeout=SECONDS)
        except subprocess.TimeoutExpired:
            raise CompileError(f"the compiler took more than {SECONDS} s") from None
        finally:
            if process.poll() is None:
                with suppress(OSError):
                    os.killpg(process.pid, signal.SIGKILL)
    if process.returncode:
        first = said.decode("utf-8", "replace").strip()[:2000]
        raise CompileError(first or f"the compiler ended with code {process.returncode}")
