"""Values as text: names for machines and files, labels for people, and data for JSON."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

from interpreter.runtime.renaming import NO_OTHERS, Renaming, renamed
from interpreter.runtime.values import Slots
from interpreter.runtime.visibility import Mask, Sight, Viewer, sees
from rulespec import ir
from rulespec.ir.wording import joined, listing

HIDDEN = "?"
Thing = tuple[str, str]  # a member of a type, which may lie on the table: the names of both
MOST_LISTED = 500  # items of a collection that a text lists; of the others it says how many


class Printing:
    """Shows values of a program's types."""

    def __init__(self, program: ir.Program, sight: Sight) -> None:
        self.program = program
        self.kinds = program.kinds
        self.sight = sight

    def name(self, printer: ir.Type, value: Any) -> str:
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
            case "text" if value.__class__ is not str:
                return "".join(
                    part if part.__class__ is str else self.name(self.program.printers[part[0]], part[1])
                    for part in value
                )
        return str(value)

    def inner(self, printer: ir.Type, value: Any) -> str:
        name = self.name(printer, value)
        nested = printer.what in ("set", "list", "bag", "record")
        return f"({name})" if nested and name != "nothing" else name

    def label(self, printer: ir.Type, value: Any, mask: Mask, bits: int) -> str:
        """The value for people; pieces that a viewer does not see are called by their noun."""
        match printer.what:
            case "entity":
                kind = self.kinds[printer.kind or 0]
                return kind.labels[value] if sees(mask, bits) else kind.noun or HIDDEN
            case "set" | "list":
                return self.items(printer, value, mask, bits)
            case "bag":
                kind = self.kinds[printer.kind or 0]
                return listing([kind.counted(n, i) for i, n in enumerate(value) if n])
            case "option":
                return "none" if value is None else self.label(printer.parts[0], value, mask, bits)
            case "record":
                return joined(
                    [
                        self.label(part, item, mask and mask[i], bits)
                        for i, (part, item) in enumerate(zip(printer.parts, value, strict=True))
                    ]
                )
            case "text":
                return self.filled(value, mask, bits)
        return self.name(printer, value)

    def filled(self, text: Any, mask: Mask, bits: int) -> str:
        """A text that is a value, as a viewer may read it."""
        if text.__class__ is str:
            return str(text)
        return "".join(
            part
            if part.__class__ is str
            else self.label(self.program.printers[part[0]], part[1], mask and mask[i], bits)
            for i, part in enumerate(text)
        )

    def items(self, printer: ir.Type, value: Any, mask: Mask, bits: int) -> str:
        part = printer.parts[0]
        more = len(value) - MOST_LISTED
        texts = [
            (self.label(part, item, mask and mask[i], bits), mask is None or self.open(mask[i], bits))
            for i, item in enumerate(value[:MOST_LISTED] if more > 0 else value)
        ]
        shown = [text for text, visible in texts if visible]
        hidden = [text for text, visible in texts if not visible]
        kind = self.kinds[part.kind or 0] if part.what == "entity" else None
        for noun in dict.fromkeys(hidden):
            times = hidden.count(noun)
            if kind is not None:
                shown.append(kind.unseen(times))
            else:
                shown.append(noun if times == 1 else f"{noun} ×{times}")
        if more > 0:
            shown.append(f"{more} more")
        return listing(shown)

    def open(self, mask: Mask, bits: int) -> bool:
        """Whether a viewer sees all parts of a value."""
        if isinstance(mask, tuple):
            return all(self.open(part, bits) for part in mask)
        return sees(mask, bits)

    def data(self, printer: ir.Type, value: Any, mask: Mask, bits: int, names: Renaming = NO_OTHERS) -> Any:
        """The value as JSON data, `?` for pieces that a viewer does not see (last in a set); `names`: which stand for others."""
        match printer.what:
            case "int" | "bool":
                return value
            case "entity":
                kind = self.kinds[printer.kind or 0]
                return kind.members[names.get(kind.index, {}).get(value, value)] if sees(mask, bits) else HIDDEN
            case "set" | "list":
                part = printer.parts[0]
                order: Sequence[int] = range(len(value))
                if names and printer.what == "set":
                    order = sorted(order, key=lambda i: renamed(self.program, part, value[i], names))
                items = [self.data(part, value[i], mask and mask[i], bits, names) for i in order]
                if printer.what == "set" and mask is not None:
                    items.sort(key=lambda item: item == HIDDEN)
                return items
            case "bag":
                return self.counts(printer.kind or 0, value)
            case "option":
                return None if value is None else self.data(printer.parts[0], value, mask, bits, names)
            case "record":
                parts = zip(printer.names, printer.parts, value, strict=True)
                return {
                    name: self.data(part, item, mask and mask[i], bits, names)
                    for i, (name, part, item) in enumerate(parts)
                }
            case "text":
                return self.filled(value, mask, bits)
        return value

    def things(self, S: Slots, printer: ir.Type, value: Any, viewer: Viewer) -> tuple[Thing, ...]:
        """The members of types that a value names, as far as a viewer sees them."""
        return tuple(self.named(printer, value, self.sight.masks(S, printer, value), self.sight.bits(viewer)))

    def named(self, printer: ir.Type, value: Any, mask: Mask, bits: int) -> Iterator[Thing]:
        """See `things`; `mask` is who sees which parts of the value."""
        if value is None:
            return
        match printer.what:
            case "entity" if sees(mask, bits):
                kind = self.kinds[printer.kind or 0]
                yield kind.name, kind.members[value]
            case "bag":
                kind = self.kinds[printer.kind or 0]
                yield from ((kind.name, member) for member, n in zip(kind.members, value, strict=True) if n)
            case "option":
                yield from self.named(printer.parts[0], value, mask, bits)
            case "set" | "list":
                for i, item in enumerate(value[:MOST_LISTED]):
                    yield from self.named(printer.parts[0], item, mask and mask[i], bits)
            case "record":
                for i, (part, item) in enumerate(zip(printer.parts, value, strict=True)):
                    yield from self.named(part, item, mask and mask[i], bits)
            case "text" if value.__class__ is not str:
                for i, part in enumerate(value):
                    if part.__class__ is not str:
                        yield from self.named(self.program.printers[part[0]], part[1], mask and mask[i], bits)

    def counts(self, kind: int, bag: tuple[int, ...]) -> dict[str, int]:
        """A bag as JSON data, without the kinds that it has none of."""
        members = self.kinds[kind].members
        return {members[i]: n for i, n in enumerate(bag) if n}
