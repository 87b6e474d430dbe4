"""Done in the Python of the playground when it is made: each module is compiled, never to be compared with its text again."""

from __future__ import annotations

import py_compile
from pathlib import Path

NEVER = py_compile.PycInvalidationMode.UNCHECKED_HASH


def compiled(folder: str) -> str:
    """Compile all modules below a folder, each beside itself; the first that cannot be, with what is wrong."""
    for path in Path(folder).rglob("*.py"):
        name = str(path)
        try:
            py_compile.compile(name, f"{name}c", name, doraise=True, invalidation_mode=NEVER)
        except py_compile.PyCompileError as problem:
            return str(problem)
    return ""
