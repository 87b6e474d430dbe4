"""Makes the object of one game: `python -m interpreter.native.worker KEY`, with the packed program on standard input.

Code 0 if the object is there afterwards, 1 if not.  Nothing is printed.
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
    """Make it, unless another process has."""
    bound()
    key = sys.argv[1]
    packed = sys.stdin.buffer.read(LARGEST + 1)
    there = tools()
    if len(packed) > LARGEST or not isinstance(there, Tools):
        return 1
    built = there.store.get(key) or build(unpacked_program(packed), key, there)
    return 0 if built.path is not None else 1


def bound() -> None:
    """Take second place, and no more time and memory than a game is worth."""
    with suppress(OSError):
        os.nice(NICE)
    if resource is not None:
        bounds = {resource.RLIMIT_CPU: SECONDS, resource.RLIMIT_AS: KIBIBYTES << 10}
        for what, most in bounds.items():
            with suppress(OSError, ValueError):
                resource.setrlimit(what, (most, most))


if __name__ == "__main__":
    sys.exit(main())
