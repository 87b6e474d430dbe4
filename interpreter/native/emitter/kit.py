"""What the native back end asks of whoever writes C (`interpreter.native.kit`), done by this package."""

from __future__ import annotations

from array import array
from pathlib import PurePath
from typing import Any

from interpreter.native import kit
from interpreter.native.emitter.exchange import Exchange, Layout, Misfit
from interpreter.runtime.values import Slots
from rulespec import ir
from rulespec.text.source import Span


class Bytes:
    """An exchange whose numbers are bytes of 64-bit integers."""

    def __init__(self, program: ir.Program, layout: Any) -> None:
        self.layout = Layout.of(layout)
        self.exchange = Exchange(program, self.layout)

    def decode(self, numbers: bytes) -> Slots:
        """The slots of numbers that the object wrote."""
        return self.exchange.decode(array("q", numbers).tolist())

    def encode(self, slots: Slots) -> bytes | None:
        """The numbers of slots, which any back end may have made; None where there are none for them."""
        try:
            return array("q", self.exchange.encode(slots)).tobytes()
        except (Misfit, OverflowError):
            return None


class Emitter:
    """Writes C of programs."""

    def write(self, program: ir.Program) -> kit.Written:
        """The C of a program."""
        from interpreter.native.emitter.program import source  # noqa: PLC0415 - who has an object already should not wait for it

        written = source(program)
        left = tuple((place(where, what), why) for where, what, why in written.handed_over)
        return kit.Written(written.files, left, written.layout.data())

    def exchange(self, program: ir.Program, layout: Any) -> kit.Exchange:
        """The exchange for an object that was made with this layout."""
        return Bytes(program, layout)


def place(where: Span | None, what: str) -> str:
    """Where something stands in a game's files, and what it is; without folders, so that an object serves wherever they lie."""
    return what if where is None else f"{PurePath(where.source.name).name}:{where.line} ({what})"


EMITTER = Emitter()
