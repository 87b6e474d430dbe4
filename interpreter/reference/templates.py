"""Texts with holes, as the reference machine fills them."""

from __future__ import annotations

from typing import Any

from interpreter.reference.expressions import Compiler, Fn
from interpreter.runtime.texts import Printing
from interpreter.runtime.values import Locals, Slots
from interpreter.runtime.visibility import Mask, Viewer
from rulespec import ir
from rulespec.ir.weight import long_values


class Template:
    """A text with holes, compiled."""

    def __init__(self, text: ir.Text, compiler: Compiler, printing: Printing) -> None:
        self.printing = printing
        self.parts: list[str | tuple[Fn, ir.Type]] = [
            part if isinstance(part, str) else (compiler.expr(part[0]), part[1]) for part in text.parts
        ]
        self.holes = tuple(part for part in self.parts if not isinstance(part, str))
        self.long = long_values(text)
        self.secret = any(printing.program.names_pieces(printer) for _, printer in self.holes)

    def values(self, S: Slots, L: Locals) -> tuple[Any, ...]:
        """What stands in the holes now."""
        return tuple(value(S, L) for value, _ in self.holes)

    def masks(self, S: Slots, values: tuple[Any, ...]) -> tuple[Mask, ...] | None:
        """Who sees which of these values now; None where nothing is hidden."""
        if not self.secret:
            return None
        sight = self.printing.sight
        masks = tuple(sight.masks(S, printer, value) for (_, printer), value in zip(self.holes, values, strict=True))
        return None if all(mask is None for mask in masks) else masks

    def fill(self, values: tuple[Any, ...], masks: tuple[Mask, ...] | None, viewer: Viewer) -> str:
        """The text with these values in its holes, as a viewer may read it."""
        bits = self.printing.sight.bits(viewer)
        out: list[str] = []
        hole = 0
        for part in self.parts:
            if isinstance(part, str):
                out.append(part)
            else:
                mask = masks[hole] if masks else None
                out.append(self.printing.label(part[1], values[hole], mask, bits))
                hole += 1
        return "".join(out)

    def render(self, S: Slots, L: Locals, viewer: Viewer) -> str:
        """The text as a viewer may read it now."""
        if not self.holes:
            return "".join(part for part in self.parts if isinstance(part, str))
        values = self.values(S, L)
        return self.fill(values, self.masks(S, values), viewer)
