"""From a program to its shared object: found among those that were made before, or written, compiled and kept."""

from __future__ import annotations

import os
from pathlib import Path
from types import ModuleType
from typing import TYPE_CHECKING, NamedTuple

from interpreter.native import kit
from interpreter.native.emitter.kit import EMITTER
from interpreter.native.objects import Built, ObjectStore, object_store
from rulespec import ir
from rulespec.text.quoting import ticked

if TYPE_CHECKING:
    from interpreter.native.compiler import Compiler

kit.KIT = EMITTER  # who writes C; a test may bring its own
VARIABLE = "RULESPEC_NATIVE"
OFF = "off"
ABSENT = "not_built.txt"  # see tools/dev/wheel_hook.py

try:
    from interpreter.native import _core

    core: ModuleType | None = _core
except ImportError:  # it was not built: see tools/dev/extension.py
    core = None


class Tools(NamedTuple):
    """What it takes to play natively: a compiler, and where objects are kept."""

    compiler: Compiler
    store: ObjectStore


def tools() -> Tools | str:
    """What there is for native play here, or in a few words why there is none."""
    if os.environ.get(VARIABLE, "").strip().casefold() == OFF:
        return f"{VARIABLE} is off"
    if kit.KIT is None:
        return "nothing writes C of programs"
    if core is None:
        return f"the extension module is not there: {absent()}"
    from interpreter.native.compiler import find_compiler  # noqa: PLC0415  (slow to import, for who plays in Python alone)

    compiler = find_compiler()
    if compiler is None:
        return "there is no C compiler (CC, cc, gcc, clang, or the extra `native`)"
    store = object_store()
    if store is None:
        return "there is no folder to keep objects in (RULESPEC_CACHE)"
    if problem := store.problem():
        return f"no objects are kept (RULESPEC_CACHE), as {problem}"
    return Tools(compiler, store)


def absent() -> str:
    """Why the extension module was not built: a wheel without it says so."""
    try:
        said = Path(__file__).with_name(ABSENT).read_text(encoding="utf-8").strip()
    except OSError:
        said = ""
    if not said:
        return "it is built where a C compiler and Python's headers are"
    return f"when this wheel was made, {said.splitlines()[0]}"


def told() -> str:
    """What there is for native play here, in a line."""
    there = tools()
    if isinstance(there, str):
        return f"native play: no, {there}"
    command = " ".join(there.compiler.command)
    return f"native play: yes, with {command}; objects in {there.store.folder}"


def build(program: ir.Program, key: str, tools: Tools) -> Built:
    """The object of a program, made now, and kept; where that fails, why, which is kept as well."""
    from interpreter.native.compiling import CompileError, shared_object  # noqa: PLC0415  (slow to import, and rarely needed)

    start = spent()
    try:
        assert kit.KIT is not None
        written = kit.KIT.write(program)
        emitted = spent()
        content = shared_object(tools.compiler, written.files, tools.store.beside())
    except (CompileError, RecursionError, MemoryError) as error:
        return tools.store.refuse(key, f"{type(error).__name__}: {error}")
    except Exception as error:  # a mistake in what writes C must not end a game that Python can play
        return tools.store.refuse(key, f"the program could not be written as C: {type(error).__name__}: {error}")
    seconds = (emitted - start, spent() - emitted)
    kept = tools.store.put(key, content, seconds, written.left, written.layout)
    return kept or Built(None, problem=f"the folder {ticked(tools.store.folder)} cannot be written to")


def spent() -> float:
    """Seconds of processor time of this process, and of those that it has waited for, so far."""
    times = os.times()
    return times.user + times.system + times.children_user + times.children_system
