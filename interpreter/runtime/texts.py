"""Values as text: names for machines and files, labels for people, and data for JSON."""

from __future__ import annotations

from typing import Any

from interpreter.reference.expressions import Compiler, Fn, Locals, Slots
from interpreter.runtime.visibility import Mask, Sight, Viewer, has_pieces, sees
from rulespec import ir

HIDDEN = "?"


class Printing:
    """Shows values of a program's types."""

    def __init__(self, program: ir.Program, sight: Sight) -> None:
        self.program = program
        self.kinds = program.kinds
        self.sight = sight

    def name(self, printer: ir.Printer, value: Any) -> str:
        """The canonical name: stable, readable, the same for every viewer.

        Entities by their id, sets and lists as `red_7+blue_2`, bags as `2 red + 1 blue`.
        """
        match printer.what:
            case "bool":
                return "yes" if value else "no"
            case "entity":
                member: str = self.kinds[printer.kind or 0].members[value]
                return member
            case "set" | "list":
                return "+".join(self.inner(printer.parts[0], item) for item in value) or "nothing"
            case "bag":
                members = self.kinds[printer.kind or 0].members
                counts = (f"{n} {members[i]}" for i, n in enumerate(value) if n)
                return " + ".join(counts) or "nothing"
            case "option":
                return "none" if value is None else self.name(printer.parts[0], value)
            case "record":
                return ", ".join(
                    f"{name}: {self.inner(part, item)}"
                    for name, part, item in zip(printer.names, printer.parts, value, strict=True)
                )
        return str(value)

    def inner(self, printer: ir.Printer, value: Any) -> str:
        name = self.name(printer, value)
        nested = printer.what in ("set", "list", "bag", "record")
        return f"({name})" if nested and name != "nothing" else name

    def label(self, printer: ir.Printer, value: Any, mask: Mask, bits: int) -> str:
        """The value for people; pieces that a viewer does not see are called by their noun."""
        match printer.what:
            case "entity":
                kind = self.kinds[printer.kind or 0]
                return kind.labels[value] if sees(mask, bits) else kind.noun or HIDDEN
            case "set" | "list":
                return self.items(printer, value, mask, bits)
            case "bag":
                labels = self.kinds[printer.kind or 0].labels
                return listing([f"{n} {labels[i]}" for i, n in enumerate(value) if n])
            case "option":
                return "none" if value is None else self.label(printer.parts[0], value, mask, bits)
            case "record":
                return ", ".join(
                    self.label(part, item, mask and mask[i], bits)
                    for i, (part, item) in enumerate(zip(printer.parts, value, strict=True))
                )
        return self.name(printer, value)

    def items(self, printer: ir.Printer, value: Any, mask: Mask, bits: int) -> str:
        part = printer.parts[0]
        texts = [
            (self.label(part, item, mask and mask[i], bits), mask is None or self.open(mask[i], bits))
            for i, item in enumerate(value)
        ]
        shown = [text for text, visible in texts if visible]
        hidden = [text for text, visible in texts if not visible]
        for noun in dict.fromkeys(hidden):
            times = hidden.count(noun)
            shown.append(noun if times == 1 else f"{noun} ×{times}")
        return listing(shown)

    def open(self, mask: Mask, bits: int) -> bool:
        """Whether a viewer sees all parts of a value."""
        if isinstance(mask, tuple):
            return all(self.open(part, bits) for part in mask)
        return sees(mask, bits)

    def data(self, printer: ir.Printer, value: Any, mask: Mask, bits: int) -> Any:
        """The value as JSON data, `?` for pieces that a viewer does not see (last in a set)."""
        match printer.what:
            case "entity":
                kind = self.kinds[printer.kind or 0]
                return kind.members[value] if sees(mask, bits) else HIDDEN
            case "set" | "list":
                part = printer.parts[0]
                items = [self.data(part, item, mask and mask[i], bits) for i, item in enumerate(value)]
                if printer.what == "set" and mask is not None:
                    items.sort(key=lambda item: item == HIDDEN)
                return items
            case "bag":
                return self.counts(printer.kind or 0, value)
            case "option":
                return None if value is None else self.data(printer.parts[0], value, mask, bits)
            case "record":
                parts = zip(printer.names, printer.parts, value, strict=True)
                return {
                    name: self.data(part, item, mask and mask[i], bits) for i, (name, part, item) in enumerate(parts)
                }
        return value

    def counts(self, kind: int, bag: tuple[int, ...]) -> dict[str, int]:
        """A bag as JSON data, without the kinds that it has none of."""
        members = self.kinds[kind].members
        return {members[i]: n for i, n in enumerate(bag) if n}


class Template:
    """A text with holes, compiled."""

    def __init__(self, text: ir.Text, compiler: Compiler, printing: Printing) -> None:
        self.printing = printing
        self.parts: list[str | tuple[Fn, ir.Printer]] = [
            part if isinstance(part, str) else (compiler.expr(part[0]), part[1]) for part in text.parts
        ]
        self.holes = tuple(part for part in self.parts if not isinstance(part, str))
        self.secret = any(has_pieces(printing.program, printer) for _, printer in self.holes)

    def values(self, S: Slots, L: Locals) -> tuple[Any, ...]:
        """What stands in the holes now."""
        return tuple(value(S, L) for value, _ in self.holes)

    def masks(self, S: Slots, values: tuple[Any, ...]) -> tuple[Mask, ...] | None:
        """Who sees which of these values now; None where nothing is hidden."""
        if not self.secret:
            return None
        sight = self.printing.sight
        found = tuple(sight.masks(S, printer, value) for (_, printer), value in zip(self.holes, values, strict=True))
        return None if all(mask is None for mask in found) else found

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


def listing(texts: list[str]) -> str:
    """`a, b and c`."""
    if len(texts) < 2:
        return texts[0] if texts else "nothing"
    return f"{', '.join(texts[:-1])} and {texts[-1]}"
