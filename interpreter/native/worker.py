"""Makes objects of games: `python -m interpreter.native.worker KEY:SIZE ...`, with the packed programs on
standard input, so many bytes each.

Code 0 if all objects are there afterwards, 1 if not.  Nothing is printed.
"""

from __future__ import annotations

import os
import sys
from contextlib import suppress
from types import ModuleType

from interpreter.files.transfer import unpacked_program
from interpreter.native.background import NICE, SECONDS
from interpreter.native.building import Tools, build, tools

try:
    import resource as _resource

    resource: ModuleType | None = _resource
except ImportError:  # Windows, where nothing is compiled
    resource = None

KIBIBYTES = 4 << 20  # of memory
LARGEST = 64 << 20  # bytes of a packed program


def main() -> int:
    """Make them, unless another process has."""
    jobs = [(key, int(size)) for key, _, size in (one.partition(":") for one in sys.argv[1:])]
    bound(len(jobs))
    there, made = tools(), []
    for key, size in jobs:
        if size > LARGEST or not isinstance(there, Tools):
            return 1
        packed = sys.stdin.buffer.read(size)
        built = there.store.get(key) or build(unpacked_program(packed), key, there)
        made.append(built.path is not None)
    return 0 if all(made) else 1


def bound(games: int) -> None:
    """Take second place, and no more time and memory than so many games are worth."""
    with suppress(OSError):
        os.nice(NICE)
    if resource is not None:
        bounds = {resource.RLIMIT_CPU: SECONDS * games, resource.RLIMIT_AS: KIBIBYTES << 10}
        for what, most in bounds.items():
            with suppress(OSError, ValueError):
                resource.setrlimit(what, (most, most))


if __name__ == "__main__":
    sys.exit(main())
