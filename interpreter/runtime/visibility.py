"""Who may see what: the one redactor that stands before everything that leaves a position.

What a seat may see is a bit of a mask over the seats.  A *viewer* is a seat, or None for a
spectator, who sees only what is public, or EVERYTHING for tools of the rules' author.

*Public* is what all were shown or told at once, so that all know that all know it: the last bit of a mask, behind those of the seats.  What
each seat was shown for itself is not public, even if all have seen it by now.  So is what an expression shows to all seats, unless
the expression looks at public things alone.

What there is for each piece (a variable `per: Card`, a zone for each card) names that piece.  Who does not see the piece where it lies is
told it of the place instead, the second of a hand, where the place has an order, and not at all where it has none.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Sequence, Set
from functools import cached_property
from itertools import product
from typing import Any

from interpreter.runtime.closed import Closed
from interpreter.runtime.hidden import Hidden
from interpreter.runtime.values import Functions, Slots
from rulespec import ir
from rulespec.ir.program import indices_of

EVERYTHING = -1
Viewer = int | None
Mask = Any  # None: all see it; an int; or a tuple of masks, one for each part of a value
Declared = ir.Zone | ir.Variable
Entry = tuple[int, tuple[int, ...], str]  # a slot with its indices and its name


class Sight:
    """The declared visibility of a program's zones and variables."""

    def __init__(self, program: ir.Program, compiler: Functions) -> None:
        self.program = program
        self.compiler = compiler
        self.seats = (1 << program.players) - 1
        self.public = (
            1 << program.players if program.players > 1 else 1
        )  # what is shown to the only player is shown to all at once
        self.full = self.seats | self.public
        self.sizes = tuple(len(kind.members) for kind in program.kinds)
        self.places: dict[int, tuple[ir.Zone, tuple[int, ...]]] = {
            zone.base + i: (zone, self.indices(zone, i)) for zone in program.zones for i in range(zone.size)
        }
        self.named: dict[tuple[int, int], tuple[Entry, ...]] = {}
        hidden = {zone.kind for zone in program.zones if zone.seen.who != "all" and not zone.counts}
        parts: tuple[Declared, ...] = (*program.zones, *program.variables)
        self.of_pieces = {  # what there is for each of pieces that may lie hidden: which of its indices these are
            what.base: which
            for what in parts
            if (which := tuple(n for n, kind in enumerate(what.per) if kind in hidden))
        }
        self.for_pieces = tuple(what for what in parts if what.base in self.of_pieces)
        self.hiding = any(viewers.who != "all" for zone in program.zones for viewers in (zone.seen,))
        # What everybody sees wherever the game stands: where pieces lie openly, and slots of which nothing is ever hidden.
        self.open_places = frozenset(
            slot
            for slot, (zone, _) in self.places.items()
            if zone.seen.who == "all" and zone.base not in self.of_pieces
        )
        self.seen_by_all = frozenset(what.base for what in parts if self.all_see(what))  # as long as it is there
        shown = [what for what in parts if what.scope is None and what.base in self.seen_by_all]
        self.open = frozenset(what.base for what in shown)
        self.open_slots = tuple(slot for what in shown for slot, *_ in self.entries(what))

    def bits(self, viewer: Viewer) -> int:
        """The bits that a mask must have for a viewer to see what it covers."""
        if viewer is None:
            return self.public
        return 0 if viewer == EVERYTHING else 1 << viewer

    def all_see(self, what: Declared) -> bool:
        """Whether all seats see all that is there, always."""
        if what.seen.who != "all" or what.base in self.of_pieces:
            return False
        return isinstance(what, ir.Zone) or not self.program.names_pieces(what.type)

    def indices(self, what: Declared, offset: int) -> tuple[int, ...]:
        """The indices of the slot `base + offset`; the last one runs fastest."""
        return indices_of([self.sizes[kind] for kind in what.per], offset)

    def entries(self, what: Declared) -> tuple[Entry, ...]:
        """(slot, indices, name) of every slot, without players that are not in the game; worked out once."""
        key = (what.base, what.size)
        if key not in self.named:
            self.named[key] = tuple(self.listed(what))
        return self.named[key]

    def listed(self, what: Declared) -> Iterator[Entry]:
        """What `entries` keeps."""
        program = self.program
        for i in range(what.size):
            indices = self.indices(what, i)
            pairs = list(zip(what.per, indices, strict=True))
            if any(k == program.player_kind and v >= program.players for k, v in pairs):
                continue
            parts = (program.kinds[k].members[v] for k, v in pairs)
            yield what.base + i, indices, ".".join((what.name, *parts))

    # --- of pieces --------------------------------------------------------------------------------------------------
    def told(self, S: Slots, what: Declared, bits: int) -> Sequence[Entry]:
        """The entries of what is there with the names under which a viewer reads them, in an order that tells nothing.

        One of a piece that it does not see is called by the place, `touched.hand.p1.2`, or left out.
        """
        which = self.of_pieces.get(what.base)
        if which is None:
            return self.entries(what)
        out: list[tuple[tuple[Any, ...], Entry]] = []
        for slot, indices, name in self.entries(what):
            hidden = [n for n in which if not sees(self.piece(S, what.per[n], indices[n]), bits)]
            if not hidden:
                out.append(((0, slot), (slot, indices, name)))
            elif len(hidden) == 1 and (at := self.place(S, what.per[hidden[0]], indices[hidden[0]], bits)) is not None:
                rest = tuple(i for n, i in enumerate(indices) if n != hidden[0])
                out.append(((1, *at, rest), (slot, indices, self.placed(what, hidden[0], at, indices))))
        return [entry for _, entry in sorted(out)]

    def place(self, S: Slots, kind: int, piece: int, bits: int) -> tuple[int, int] | None:
        """Where a piece that a viewer does not see lies, and as which from the first, 1; None where that says nothing to it."""
        location = self.program.kinds[kind].location
        assert location is not None
        at = S[location + piece]
        zone, indices = self.places[at]
        if zone.order != "pile" or zone.base in self.of_pieces or not sees(self.mask(S, zone.counted, indices), bits):
            return None
        return at, S[at].index(piece) + 1

    def placed(self, what: Declared, n: int, at: tuple[int, int], indices: tuple[int, ...]) -> str:
        """The name of an entry of which index `n` is a piece that lies at a place."""
        zone, of = self.places[at[0]]
        members = [self.program.kinds[k].members[i] for k, i in zip(what.per, indices, strict=True)]
        where = (zone.name, *(self.program.kinds[k].members[i] for k, i in zip(zone.per, of, strict=True)), str(at[1]))
        return ".".join((what.name, *members[:n], *where, *members[n + 1 :]))

    def by_place(self, what: Declared) -> Iterator[tuple[Entry, int, int]]:
        """All entries that could be called by a place: as of the first piece, with the slot of the place and as which it lies there."""
        for n in self.of_pieces.get(what.base, ()):
            first = [entry for entry in self.entries(what) if entry[1][n] == 0]
            for zone in self.program.zones:
                if (
                    zone.kind != what.per[n]
                    or zone.order != "pile"
                    or zone.seen.who == "all"
                    or zone.base in self.of_pieces
                ):
                    continue
                for (at, *_), k in product(self.entries(zone), range(1, self.sizes[zone.kind] + 1)):
                    for slot, indices, _ in first:
                        yield (slot, indices, self.placed(what, n, (at, k), indices)), at, k

    def known(self, S: Slots, at: int) -> int:
        """Which seats can tell a place: one for each of pieces is told by its piece."""
        zone, indices = self.places[at]
        mask = self.full
        for n in self.of_pieces.get(zone.base, ()):
            mask &= self.piece(S, zone.per[n], indices[n])
        return mask

    def of(self, S: Slots, what: Declared, indices: tuple[int, ...]) -> int:
        """Which seats see what there is for these indices, and for which pieces it is."""
        mask = self.mask(S, what.seen, indices)
        for n in self.of_pieces.get(what.base, ()):
            mask &= self.piece(S, what.per[n], indices[n])
        return mask

    def mask(self, S: Slots, viewers: ir.Viewers, indices: tuple[int, ...]) -> int:
        """Which seats the viewers of something are."""
        match viewers.who:
            case "all":
                return self.full
            case "none":
                return 0
            case "owner":
                return (1 << indices[0]) & self.seats
        assert viewers.function is not None
        seats = mask_of(self.compiler.function(viewers.function)(S, *indices)) & self.seats
        return seats if seats != self.seats or self.closed.function(viewers.function) else self.full

    @cached_property
    def closed(self) -> Closed:
        """Which functions look at more than what is public."""
        return Closed(self.program)

    def piece(self, S: Slots, kind: int, piece: int | Hidden) -> int:
        """Which seats see a piece where it lies; pieces out of the game are no secret."""
        location = self.program.kinds[kind].location
        if location is None or not self.hiding:
            return self.full
        if isinstance(piece, Hidden):
            return 0
        at = S[location + piece]
        if at < 0:
            return self.full
        zone, indices = self.places[at]
        mask = self.mask(S, zone.seen, indices)
        return mask if mask == self.full else self.more(S, at, location, mask, (piece,)).get(piece, mask)

    def unseen(self, S: Slots, at: int, bits: int) -> Set[int]:
        """The pieces that lie in a place and that a viewer with these bits does not see there, but for those that S does not tell."""
        zone, indices = self.places[at]
        location, mask = self.program.kinds[zone.kind].location, self.mask(S, zone.seen, indices)
        if location is None or not S[at] or sees(mask, bits):
            return frozenset()
        pieces = frozenset(piece for piece in S[at] if piece.__class__ is not Hidden)
        more = self.more(S, at, location, mask, pieces)
        return pieces.difference(piece for piece, its in more.items() if sees(its, bits))

    def more(self, S: Slots, at: int, location: int, mask: int, pieces: Collection[int]) -> dict[int, int]:
        """Of pieces that lie in a place those that more seats see than all that lies there, whom `mask` says: each with all who see it."""
        zone, indices = self.places[at]
        more: dict[int, int] = {}
        if zone.order == "pile" and S[at] and S[at][-1].__class__ is not Hidden and S[at][-1] in pieces:
            more[S[at][-1]] = mask | self.mask(S, zone.top, indices)
        for known, seat in S[ir.KNOWN]:
            if (piece := known - location) in pieces:
                more[piece] = more.get(piece, mask) | 1 << seat
        return more

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


def told_to(seats: tuple[int, ...] | None, viewer: Viewer) -> bool:
    """Whether a viewer reads a line of the log that was written for these seats; None: for all at once, and for who only watches."""
    return seats is None or viewer == EVERYTHING or (viewer is not None and viewer in seats)


def sees(mask: Mask, bits: int) -> bool:
    """Whether a viewer sees something that has a plain mask."""
    return mask is None or mask & bits == bits
