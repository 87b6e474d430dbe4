"""Builds the extension module of the native back end, where a C compiler and Python's headers are: `python -m tools.dev.extension`.

It is written for Python's limited interface: one build fits every version from 3.11 on.  Everything works without it, in Python.  The
build of a wheel runs this file too, so it imports nothing of ours.
"""

from __future__ import annotations

import os
import shlex
import shutil
import subprocess
import sys
import sysconfig
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
FOLDER = "interpreter/native"
NAME = "_core.abi3.so"
ABSENT = "not_built.txt"  # lies in a wheel instead, and says why
SOURCES = ("module.c", "program.c", "block.c", "actions.c", "core.c", "kept.c", "opening.c", "vectors.c", "games.c")
FLAGS = ("-std=gnu11", "-O3", "-Wall", "-Wextra", "-fPIC", "-fvisibility=hidden")
SANITIZED = ("-g", "-fno-omit-frame-pointer", "-fsanitize=address,undefined", "-fno-sanitize-recover=all")
SHARED = ("-bundle", "-undefined", "dynamic_lookup") if sys.platform == "darwin" else ("-shared",)


def command(output: Path, root: Path = ROOT, sanitized: bool = False) -> list[str] | None:
    """The call of the compiler that builds it; None where there is no compiler, there are no headers, or none are wanted."""
    words = shlex.split(os.environ.get("CC", "")) or next(
        ([name] for name in ("cc", "gcc", "clang") if shutil.which(name)), []
    )
    include = Path(sysconfig.get_path("include"))
    off = os.environ.get("RULESPEC_NATIVE", "").strip().casefold() == "off"
    if off or os.name != "posix" or not words or not shutil.which(words[0]) or not (include / "Python.h").is_file():
        return None
    sources = [str(root / FOLDER / name) for name in SOURCES]
    flags = [*FLAGS, *(SANITIZED if sanitized else ()), *given("CPPFLAGS"), *given("CFLAGS")]
    return [*words, *flags, *SHARED, "-I", str(include), "-o", str(output), *sources, *given("LDFLAGS")]


def given(variable: str) -> list[str]:
    """The flags that the environment has for every build; they come after ours, and so win."""
    return shlex.split(os.environ.get(variable, ""))


def build(output: Path, root: Path = ROOT, sanitized: bool = False) -> str | None:
    """Build it, whole or not at all; None if it is there now, otherwise why not."""
    temporary = output.with_name(f".{output.name}.{os.getpid()}.new")
    try:
        words = command(temporary, root, sanitized)
    except ValueError as error:  # a quote that is not closed
        return f"CC or the flags of the environment: {error}"
    if words is None:
        return "there is no C compiler, or there are no headers of Python"
    try:
        done = subprocess.run(words, capture_output=True, text=True, errors="replace", timeout=120)
        if done.returncode == 0:
            os.replace(temporary, output)
            return None
        return done.stderr.strip()[:2000] or f"the compiler ended with code {done.returncode}"
    except (OSError, subprocess.SubprocessError) as error:
        return str(error)
    finally:
        temporary.unlink(missing_ok=True)


def main() -> int:
    """Build it into this checkout."""
    problem = build(ROOT / FOLDER / NAME)
    if problem is not None:
        print(problem, file=sys.stderr)
    return 0 if problem is None else 1


if __name__ == "__main__":
    sys.exit(main())
