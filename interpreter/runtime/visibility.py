"""Who may see what: the one redactor that stands before everything that leaves a position.

What a seat may see is a bit of a mask over the seats.  A *viewer* is a seat, or None for a
spectator, who sees only what all seats see, or EVERYTHING for tools of the rules' author.
"""

from __future__ import annotations

from collections.abc import Iterator, Set
from typing import Any

from interpreter.runtime.hidden import Hidden
from interpreter.runtime.values import Functions, Slots
from rulespec import ir

EVERYTHING = -1
Viewer = int | None
Mask = Any  # None: all see it; an int; or a tuple of masks, one for each part of a value


class Sight:
    """The declared visibility of a program's zones and variables."""

    def __init__(self, program: ir.Program, compiler: Functions) -> None:
        self.program = program
        self.compiler = compiler
        self.full = (1 << program.players) - 1
        self.sizes = tuple(len(kind.members) for kind in program.kinds)
        self.places: dict[int, tuple[ir.Zone, tuple[int, ...]]] = {
            zone.base + i: (zone, self.indices(zone, i)) for zone in program.zones for i in range(zone.size)
        }
        self.named: dict[tuple[int, int], tuple[tuple[int, tuple[int, ...], str], ...]] = {}
        self.hiding = any(viewers.who != "all" for zone in program.zones for viewers in (zone.seen,))
        # What everybody sees wherever the game stands: where pieces lie openly, and slots of which nothing is ever hidden.
        self.open_places = frozenset(slot for slot, (zone, _) in self.places.items() if zone.seen.who == "all")
        declared: tuple[ir.Zone | ir.Variable, ...] = (*program.zones, *program.variables)
        self.seen_by_all = frozenset(what.base for what in declared if self.all_see(what))  # as long as it is there
        shown = [what for what in declared if what.scope is None and what.base in self.seen_by_all]
        self.open = frozenset(what.base for what in shown)
        self.open_slots = tuple(slot for what in shown for slot, *_ in self.entries(what))

    def bits(self, viewer: Viewer) -> int:
        """The bits that a mask must have for a viewer to see what it covers."""
        if viewer is None:
            return self.full
        return 0 if viewer == EVERYTHING else 1 << viewer

    def all_see(self, what: ir.Zone | ir.Variable) -> bool:
        """Whether all seats see all that is there, always."""
        return what.seen.who == "all" and (isinstance(what, ir.Zone) or not self.program.names_pieces(what.type))

    def indices(self, what: ir.Zone | ir.Variable, offset: int) -> tuple[int, ...]:
        """The indices of the slot `base + offset`; the last one runs fastest."""
        out: list[int] = []
        for kind in reversed(what.per):
            offset, i = divmod(offset, self.sizes[kind])
            out.append(i)
        return tuple(reversed(out))

    def entries(self, what: ir.Zone | ir.Variable) -> tuple[tuple[int, tuple[int, ...], str], ...]:
        """(slot, indices, name) of every slot, without players that are not in the game; worked out once."""
        key = (what.base, what.size)
        if key not in self.named:
            self.named[key] = tuple(self.listed(what))
        return self.named[key]

    def listed(self, what: ir.Zone | ir.Variable) -> Iterator[tuple[int, tuple[int, ...], str]]:
        """What `entries` keeps."""
        program = self.program
        for i in range(what.size):
            indices = self.indices(what, i)
            pairs = list(zip(what.per, indices, strict=True))
            if any(k == program.player_kind and v >= program.players for k, v in pairs):
                continue
            parts = (program.kinds[k].members[v] for k, v in pairs)
            yield what.base + i, indices, ".".join((what.name, *parts))

    def mask(self, S: Slots, viewers: ir.Viewers, indices: tuple[int, ...]) -> int:
        """Which seats the viewers of something are."""
        match viewers.who:
            case "all":
                return self.full
            case "none":
                return 0
            case "owner":
                return (1 << indices[0]) & self.full
        assert viewers.function is not None
        return mask_of(self.compiler.function(viewers.function)(S, *indices)) & self.full

    def piece(self, S: Slots, kind: int, piece: int | Hidden) -> int:
        """Which seats see a piece where it lies; pieces out of the game are no secret."""
        location = self.program.kinds[kind].location
        if location is None or not self.hiding:
            return self.full
        if isinstance(piece, Hidden):
            return 0
        slot = location + piece
        at = S[slot]
        if at < 0:
            return self.full
        zone, indices = self.places[at]
        mask = self.mask(S, zone.seen, indices)
        if mask != self.full:
            if zone.order == "pile" and S[at] and S[at][-1] == piece:
                mask |= self.mask(S, zone.top, indices)
            for known, seat in S[ir.KNOWN]:
                if known == slot:
                    mask |= 1 << seat
        return mask

    def unseen(self, S: Slots, at: int, bits: int) -> Set[int]:
        """The pieces that lie in a place and that a viewer with these bits does not see there, but for those that S does not tell."""
        zone, indices = self.places[at]
        location, mask = self.program.kinds[zone.kind].location, self.mask(S, zone.seen, indices)
        if location is None or not S[at] or sees(mask, bits):
            return frozenset()
        hidden = {piece for piece in S[at] if piece.__class__ is not Hidden}
        top = S[at][-1]
        masks = (
            {top: mask | self.mask(S, zone.top, indices)}
            if zone.order == "pile" and top.__class__ is not Hidden
            else {}
        )
        for known, seat in S[ir.KNOWN]:
            piece = known - location
            if piece in hidden:
                masks[piece] = masks.get(piece, mask) | 1 << seat
        return hidden.difference(piece for piece, more in masks.items() if sees(more, bits))

    def masks(self, S: Slots, printer: ir.Type, value: Any) -> Mask:
        """Who sees which parts of a value; None where nothing of it is hidden from anybody."""
        if value is None:
            return None
        match printer.what:
            case "entity":
                assert printer.kind is not None
                mask = self.piece(S, printer.kind, value)
                return None if mask == self.full else mask
            case "set" | "list":
                parts = tuple(self.masks(S, printer.parts[0], item) for item in value)
            case "option":
                return self.masks(S, printer.parts[0], value)
            case "record":
                parts = tuple(self.masks(S, part, item) for part, item in zip(printer.parts, value, strict=True))
            case "text" if value.__class__ is tuple:
                printers = self.program.printers
                parts = tuple(
                    None if part.__class__ is str else self.masks(S, printers[part[0]], part[1]) for part in value
                )
            case _:
                return None
        return None if all(part is None for part in parts) else parts


def mask_of(seats: tuple[int, ...]) -> int:
    """Seats as bits."""
    mask = 0
    for seat in seats:
        mask |= 1 << seat
    return mask


def sees(mask: Mask, bits: int) -> bool:
    """Whether a viewer sees something that has a plain mask."""
    return mask is None or mask & bits == bits
