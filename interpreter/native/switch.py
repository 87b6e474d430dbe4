"""Where the object of a game stands: not asked for, on its way, loaded, or not to be had."""

from __future__ import annotations

import threading
from collections.abc import Callable
from typing import TYPE_CHECKING

from interpreter.native import kit
from interpreter.native.building import Tools, build, core, tools
from interpreter.native.kit import Exchange
from interpreter.native.objects import Built, key_of
from rulespec import ir
from rulespec.ir.codec import Malformed
from rulespec.system.records import dataclass

if TYPE_CHECKING:
    from interpreter.native._core import Program

Packed = Callable[[], tuple[str, bytes]]


@dataclass(frozen=True, slots=True)
class Loaded:
    """An object that was loaded, and the way between its positions and slots."""

    program: Program
    exchange: Exchange
    built: Built


class Switch:
    """The way of one game to its object.  `packed` gives the program's digest and the program as other processes get it.

    `loaded` is None until the object is there; `problem` says why it never will be, in a few words.
    """

    def __init__(self, program: ir.Program, packed: Packed) -> None:
        self.program = program
        self.packed = packed
        self.loaded: Loaded | None = None
        self.problem = ""
        self.asked = False
        self.done = threading.Event()
        self.lock = threading.Lock()

    def ask(self, wait: bool = False, again: bool = False) -> Loaded | None:
        """Load the object if it is there; otherwise have it made: here and now with `wait`, or in a process of its own.

        `again`: try once more what could not be made before.
        """
        with self.lock:
            if self.loaded is not None or (self.asked and not wait):
                return self.loaded
            self.asked = True
            there = tools()
            if not isinstance(there, Tools):
                return self.never(there)
            try:
                digest, packed = self.packed()
            except Malformed as error:
                return self.never(f"the program is not one that can be handed on: {error}")
            key = key_of(digest, there.compiler)
            with there.store.opened(key) as built:
                if built is not None and not (again and built.path is None):
                    return self.load(built)
            if wait:
                made = build(self.program, key, there)
                return self.never(made.problem) if made.path is None else self.take(there, key)
            from interpreter.native import background  # noqa: PLC0415  (slow to import, and rarely needed)

            background.submit(key, packed, lambda: self.made(there, key))
            return None

    def words(self) -> str:
        """What plays the game here and now, in a line."""
        if self.loaded is None and self.kept():
            self.ask()
        if self.loaded is None:
            return f"generated Python: {self.problem}" if self.problem else "generated Python, until it is compiled"
        places = self.loaded.built.handed
        left = f", {places} place{'' if places == 1 else 's'} left to Python" if places else ""
        return f"native{left}"

    def kept(self) -> bool:
        """Whether the object lies there already."""
        there = tools()
        if not isinstance(there, Tools):
            return False
        built = there.store.get(key_of(self.packed()[0], there.compiler))
        return built is not None and built.path is not None

    def made(self, there: Tools, key: str) -> None:
        """Load what a process has left; called in another thread."""
        with self.lock:
            if self.loaded is None:
                self.take(there, key)

    def take(self, there: Tools, key: str) -> Loaded | None:
        """Load what was made."""
        with there.store.opened(key) as built:
            return self.never("whoever was to make the object left none") if built is None else self.load(built)

    def load(self, built: Built) -> Loaded | None:
        """Load an object, whose file is open."""
        if built.path is None or kit.KIT is None or core is None:
            return self.never(built.problem)
        try:
            program = core.Program(built.name)
            self.loaded = Loaded(program, kit.KIT.exchange(self.program, built.layout), built)
        except (ImportError, OSError) as error:
            return self.never(str(error).replace(built.name, str(built.path)))
        self.done.set()
        return self.loaded

    def never(self, problem: str) -> Loaded | None:
        """It is played in Python."""
        self.problem = problem
        self.done.set()
        return None
