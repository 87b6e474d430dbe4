"""What the native back end needs of whoever writes C: the texts, and the way between slots and numbers."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Protocol

from interpreter.runtime.values import Slots
from rulespec import ir
from rulespec.system.records import dataclass


@dataclass(frozen=True, slots=True)
class Written:
    """A program as C.

    `files` has the text of each file by its name; each `.c` is compiled by itself.  `left` are the places of the program that have
    no C and are left to the reference machine: where, and why.  `layout` is JSON data that an exchange of positions is made from again.
    """

    files: Mapping[str, str]
    left: tuple[tuple[str, str], ...] = ()
    layout: Any = None


class Exchange(Protocol):
    """The way between the slots of one program and the numbers of `rs_export` and `rs_import`, as bytes of 64-bit integers."""

    layout: Any  # what the numbers mean, as `emitter.exchange.Layout`; None where it is not told

    def decode(self, numbers: bytes) -> Slots:
        """The slots of numbers that the object wrote."""
        ...

    def encode(self, slots: Slots) -> bytes | None:
        """The numbers of slots, which any back end may have made; None where there are none for them."""
        ...


class Kit(Protocol):
    """Who writes C."""

    def write(self, program: ir.Program) -> Written:
        """The C of a program."""
        ...

    def exchange(self, program: ir.Program, layout: Any) -> Exchange:
        """The exchange for an object that was made with this layout."""
        ...


KIT: Kit | None = None
