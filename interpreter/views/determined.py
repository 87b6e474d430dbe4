"""Whether what a seat sees settles a position: nothing is hidden from it, or what is can lie in one way only."""

from __future__ import annotations

from interpreter.position import Position
from interpreter.runtime.hidden import Hidden
from interpreter.views.glimpse import Glimpse
from interpreter.views.knowledge import imagined
from interpreter.views.since import hides
from rulespec import ir


def determined(position: Position, seat: int) -> bool:
    """Whether all that a position holds follows from what a seat sees, and has followed where it can go back."""
    known = imagined(position, seat)
    settled = {ir.RANDOM, *one_way(position, known)}
    return not any(hides(known.peek(slot)) for slot in range(len(known)) if slot not in settled)


def one_way(position: Position, known: Glimpse) -> set[int]:
    """The slots of pieces and zones of kinds of which one piece is not seen, or all that are not seen lie in one zone without an order."""
    program = position.setup.program
    found: set[int] = set()
    for kind in program.kinds:
        if kind.location is not None:
            slots = range(kind.location, kind.location + len(kind.members))
            unseen = [position.slots[slot] for slot in slots if isinstance(known.peek(slot), Hidden)]
            zones = [zone for zone in program.zones if zone.kind == kind.index]
            piles = {slot for zone in zones if zone.order == "pile" for slot in range(zone.base, zone.base + zone.size)}
            if len(unseen) <= 1 or (len(set(unseen)) == 1 and unseen[0] not in piles):
                found.update(slots)
                for zone in zones:
                    held = range(zone.base, zone.base + zone.size)
                    found.update(slot for slot in held if not isinstance(known.peek(slot), Hidden))
    return found
