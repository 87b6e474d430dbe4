"""A position as far as a viewer sees it, for expressions that nobody checked for what they tell.

What the viewer does not see is not there: whoever looks at it gets `NotSeen`.  So whatever an expression makes of the
slots of a glimpse follows from the viewer's observation.
"""

from __future__ import annotations

from typing import Any

from interpreter.position import Position
from interpreter.runtime.hidden import Hidden, NotSeen, Share
from interpreter.runtime.newest import Newest
from interpreter.runtime.visibility import Mask, Viewer, sees
from rulespec import ir

ALL = -1  # among the slots that were read: each of them may have been
KEPT = 8  # glimpses of each thread, of its newest positions


class Glimpse(list[Any]):
    """The slots of a position as a viewer sees them; `looked` is the slots that were read since it was emptied."""

    def __init__(self, slots: list[Any]) -> None:
        super().__init__(slots)
        self.looked: list[int] = []

    def copy(self) -> Glimpse:
        """Another one of the same slots, all of which count as read here."""
        self.looked.append(ALL)
        return Glimpse(self)

    def __getitem__(self, slot: Any) -> Any:
        value = super().__getitem__(slot)
        if value.__class__ is Hidden:
            raise NotSeen
        self.looked.append(slot)
        return value

    def peek(self, slot: int) -> Any:
        """What a slot has, which does not count as read."""
        return super().__getitem__(slot)

    def held(self) -> tuple[tuple[int, Any], ...] | None:
        """The slots that were read and what each has, the last one last; None where all may have been."""
        if ALL in self.looked:
            return None
        last_first = dict.fromkeys(reversed(self.looked))
        return tuple((slot, self.peek(slot)) for slot in reversed(last_first))


def glimpse(position: Position, viewer: Viewer) -> Glimpse:
    """A position as a viewer sees it; the caller may change it."""
    kept: Newest[list[Any]] = position.setup.workshop.kept.setdefault("glimpses", Newest(KEPT))
    return Glimpse(kept.once((position.slots,), viewer, lambda: seen_of(position, viewer)))


def seen_of(position: Position, viewer: Viewer) -> list[Any]:
    """The slots of a position as a viewer sees them."""
    S = position.slots
    program, sight = position.setup.program, position.setup.machine.sight
    bits = sight.bits(viewer)
    seen: list[Any] = [Hidden()] * len(S)
    for slot in (ir.WINNERS, ir.RETURNS, ir.BATCH):
        seen[slot] = S[slot]
    seen[ir.LASTING] = lasting(position, bits)
    for slot in sight.open_slots:
        seen[slot] = S[slot]
    for kind in program.kinds:
        if kind.location is not None:
            for piece, at in enumerate(S[kind.location : kind.location + len(kind.members)]):
                if (
                    at < 0
                    or at in sight.open_places
                    or (sees(sight.piece(S, kind.index, piece), bits) and sees(sight.known(S, at), bits))
                ):
                    seen[kind.location + piece] = at
    for zone in program.zones:
        if zone.base not in sight.open and (zone.scope is None or S[zone.scope]):
            open_to_all = zone.base in sight.seen_by_all
            for slot, indices, _ in sight.entries(zone):
                seen[slot] = S[slot] if open_to_all else content(position, zone, slot, indices, bits)
    for variable in program.variables:
        if variable.base not in sight.open and (variable.scope is None or S[variable.scope]):
            open_to_all = variable.base in sight.seen_by_all
            for slot, indices, _ in sight.entries(variable):
                if open_to_all:
                    seen[slot] = S[slot]
                elif sees(sight.of(S, variable, indices), bits):
                    mask = sight.masks(S, variable.type, S[slot])
                    seen[slot] = dimmed(program, variable.type, S[slot], mask, bits)
    for scope in {zone.scope for zone in program.zones} | {variable.scope for variable in program.variables}:
        if scope is not None:
            seen[scope] = S[scope]
    return seen


def lasting(position: Position, bits: int) -> tuple[Any, ...]:
    """The lasting effects, which all know of; not which hidden pieces they are about."""
    S, sight, program = position.slots, position.setup.machine.sight, position.setup.program
    effects = []
    for number, args, end in S[ir.LASTING]:
        shown = [
            dimmed(program, printer, arg, sight.masks(S, printer, arg), bits)
            for printer, arg in zip(program.lastings[number], args, strict=True)
        ]
        effects.append((number, tuple(shown), end))
    return tuple(effects)


def content(position: Position, zone: ir.Zone, slot: int, indices: tuple[int, ...], bits: int) -> Any:
    """What is seen of what lies in a zone."""
    S, sight = position.slots, position.setup.machine.sight
    held = S[slot]
    if not sees(sight.known(S, slot), bits):
        return Hidden()
    if sees(sight.mask(S, zone.seen, indices), bits):
        return held
    if not sees(sight.mask(S, zone.counted, indices), bits):
        return Hidden()
    if zone.counts:
        return tuple(Share(frozenset({i}), len(held), sum(held)) for i in range(len(held)))
    pieces = [piece if sees(sight.piece(S, zone.kind, piece), bits) else Hidden() for piece in held]
    return tuple(pieces if zone.order == "pile" else hidden_last(pieces))


def dimmed(program: ir.Program, printer: ir.Type, value: Any, mask: Mask, bits: int) -> Any:
    """A value without the pieces in it that a viewer does not see."""
    if value is None or mask is None:
        return value
    match printer.what:
        case "entity":
            return value if sees(mask, bits) else Hidden()
        case "set" | "list":
            items = [
                dimmed(program, printer.parts[0], item, part_mask, bits)
                for item, part_mask in zip(value, mask, strict=True)
            ]
            return tuple(items if printer.what == "list" else hidden_last(items))
        case "option":
            return dimmed(program, printer.parts[0], value, mask, bits)
        case "record":
            parts = zip(printer.parts, value, mask, strict=True)
            return tuple(dimmed(program, part, item, part_mask, bits) for part, item, part_mask in parts)
        case "text":
            return tuple(
                part
                if part.__class__ is str
                else (part[0], dimmed(program, program.printers[part[0]], part[1], part_mask, bits))
                for part, part_mask in zip(value, mask, strict=True)
            )
    return value


def hidden_last(items: list[Any]) -> list[Any]:
    """The items with those that are not seen at the end: where they stand among the others would tell something."""
    return sorted(items, key=lambda item: isinstance(item, Hidden))


def mask_of_hidden(program: ir.Program, printer: ir.Type, value: Any) -> Mask:
    """Which parts of a value made of a glimpse nobody sees; NotSeen for one that has no text without being seen."""
    if isinstance(value, Hidden):
        if printer.what == "entity":
            return 0
        if printer.what != "option":
            raise NotSeen
    match printer.what:
        case "set" | "list":
            parts = tuple(mask_of_hidden(program, printer.parts[0], item) for item in value)
        case "option":
            return None if value is None else mask_of_hidden(program, printer.parts[0], value)
        case "record":
            parts = tuple(mask_of_hidden(program, part, item) for part, item in zip(printer.parts, value, strict=True))
        case "text" if value.__class__ is tuple:
            parts = tuple(
                None if part.__class__ is str else mask_of_hidden(program, program.printers[part[0]], part[1])
                for part in value
            )
        case "bag":
            if any(isinstance(item, Hidden) for item in value):
                raise NotSeen
            return None
        case _:
            return None
    return None if all(part is None for part in parts) else parts
