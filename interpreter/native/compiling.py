"""Texts of C made a shared object by a compiler, within bounds of time, memory and size."""

from __future__ import annotations

import os
import signal
import subprocess
import tempfile
from collections.abc import Mapping
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from pathlib import Path

from interpreter.native.compiler import Compiler
from rulespec.system.folders import Unsafe, own_folder
from rulespec.system.machine import processors
from rulespec.text.quoting import ticked

SECONDS = 120  # that one call of the compiler may take
KIBIBYTES = 4 << 20  # of memory that it may use, where the system can bound it
LARGEST = 64 << 20  # bytes of a file that it may write

# The shell bounds what it becomes: a function that runs between fork and exec would not be safe among threads.
BOUNDED = f'ulimit -t {SECONDS}; ulimit -v {KIBIBYTES} 2>/dev/null; ulimit -f {LARGEST >> 9}; exec "$@"'


class CompileError(Exception):
    """Why there is no shared object; the words are the compiler's, or the system's."""


def shared_object(compiler: Compiler, texts: Mapping[str, str], cache: Path | None = None) -> bytes:
    """The shared object of some files of C, by their names: each `.c` is compiled by itself, on all cores, and they are linked.
    A compiler that keeps what it makes of its own libraries, as Zig does, keeps it in `cache`, or does not keep it.

    Raises CompileError.
    """
    units = [name for name in texts if name.endswith(".c")]
    flags = compiler.flags(sum(map(len, texts.values())))
    try:
        with tempfile.TemporaryDirectory(prefix="rulespec-native-") as folder, own_folder(Path(folder)):
            for name, text in texts.items():
                Path(folder, name).write_text(text, encoding="ascii")
            output = Path(folder, "game.so")
            shared = (*compiler.command, *flags, "-shared", "-o", output.name)
            if len(units) == 1:
                run((*shared, *units), folder, cache)
            else:
                commands = [(*compiler.command, *flags, "-c", "-o", f"{unit}.o", unit) for unit in units]
                with ThreadPoolExecutor(processors()) as pool:
                    list(pool.map(lambda command: run(command, folder, cache), commands))
                run((*shared, *(f"{unit}.o" for unit in units)), folder, cache)
            return output.read_bytes()
    except Unsafe as error:  # what is compiled there could be replaced before it is read
        raise CompileError(f"{error.strerror}: {ticked(error.filename)} (TMPDIR)") from None
    except (OSError, ValueError) as error:
        raise CompileError(str(error)) from None


def run(command: tuple[str, ...], folder: str, cache: Path | None = None) -> None:
    """Run a compiler in a folder, within bounds of time and memory.  Raises CompileError with the first lines of its message."""
    words = ["sh", "-c", BOUNDED, "sh", *command]
    environment = {**os.environ, "LC_ALL": "C", "TMPDIR": folder}
    kept = str(cache or folder)
    environment |= {"ZIG_GLOBAL_CACHE_DIR": kept, "ZIG_LOCAL_CACHE_DIR": folder}
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
