"""What a viewer sees as one canonical text: that of `canonical(observe(position, seat))`, of pieces that are kept.

The text of an entry is looked up where nothing has changed that it follows from.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Sequence
from typing import Any

from interpreter.position import Position
from interpreter.runtime.renaming import NO_OTHERS
from interpreter.runtime.values import exact
from interpreter.runtime.visibility import Entry, Viewer
from interpreter.setup import Setup
from interpreter.views.alike import alike, names
from interpreter.views.looks import Look, Looks, fixed
from interpreter.views.observation import known_pieces, of_pieces, shown_pieces, shown_values, to_act
from rulespec import ir

quoted = json.encoder.encode_basestring  # one text as JSON
ENCODER = json.JSONEncoder(ensure_ascii=False, sort_keys=True, separators=(",", ":"))


def canonical(data: Any) -> str:
    """JSON text that is the same for the same data."""
    return ENCODER.encode(data)


def seen(position: Position, seat: Viewer) -> tuple[str, str]:
    """The text of what a viewer sees, and the same without who is asked what.  Raises Fault."""
    kept = position.setup.workshop.kept
    key = f"seen by {seat}"
    eyes: Eyes | None = kept.get(key)
    if eyes is None:
        eyes = kept[key] = Eyes(position.setup, seat)
    return eyes.look(position)


class Eyes:
    """The entries of one viewer's observations, with their texts, for one thread."""

    def __init__(self, setup: Setup, seat: Viewer) -> None:
        self.setup, self.seat = setup, seat
        self.sight = setup.machine.sight
        self.bits = self.sight.bits(seat)
        self.you = canonical(None if seat is None or seat < 0 else setup.seats[seat])
        self.zones, self.state = self.looks(setup.program.zones), self.looks(setup.program.variables)
        self.placed = bool(self.sight.of_pieces)

    def looks(self, declared: Sequence[ir.Zone | ir.Variable]) -> Looks[str]:
        """`name: content` of zones or variables, in the order of their names; those that are never seen are left out."""
        pairs = [
            (what, entry)
            for what in declared
            if what.base not in self.sight.of_pieces
            for entry in self.sight.entries(what)
            if not self.never(what, entry)
        ]
        pairs.sort(key=lambda pair: pair[1][2])
        return Looks([Look(self.setup, what, entry, self.seat, text_of(what, entry[2]), "") for what, entry in pairs])

    def never(self, what: ir.Zone | ir.Variable, entry: Entry) -> bool:
        """Whether this viewer sees nothing of an entry, whatever happens."""
        viewers = (what.seen, what.counted) if isinstance(what, ir.Zone) else (what.seen,)
        if not fixed(*viewers):
            return False
        masks = [self.sight.mask([], one, entry[1]) for one in viewers]
        return not any(mask & self.bits == self.bits for mask in masks)

    def look(self, position: Position) -> tuple[str, str]:
        """See `seen`."""
        seat, S, setup = self.seat, position.slots, self.setup
        renaming = names(position, seat) if alike(setup).groups else NO_OTHERS
        setup.machine.compiler.refuel()
        state = [text for text in self.state.at(S, renaming) if text]
        zones = [text for text in self.zones.at(S, renaming) if text]
        if setup.program.shown:
            add(state, shown_values(position, seat, renaming))
        if self.placed:
            lying, told = of_pieces(position, seat, renaming)
            add(zones, lying)
            add(state, told)
        known = known_pieces(position, seat, renaming) if S[ir.KNOWN] else None
        shown = shown_pieces(position, seat, renaming) if S[ir.KNOWN] else None
        head = f'"known":{canonical(known)},' if known else ""
        winning = ""
        if position.is_terminal():
            head += f'"returns":{canonical(exact(position.returns()))},'
            winners = position.winners()
            winning = f'"winners":{canonical(None if winners is None else [setup.seats[p] for p in winners])},'
        head += f'"shown":{canonical(shown)},' if shown else ""
        head += f'"state":{{{",".join(state)}}},'
        tail = f'{winning}"you":{self.you},"zones":{{{",".join(zones)}}}}}'
        pending = position.pending()
        question = None if seat is None or seat < 0 else pending.of(seat)
        asked = ""
        if question is not None:
            asked = f'"asked":{{"at":{quoted(question.site.name)},"prompt":{quoted(question.prompt(seat))}}},'
        acting = ",".join(map(quoted, to_act(position, seat)))
        return f'{{{asked}{head}"to_act":[{acting}],{tail}', f"{{{head}{tail}"


def add(texts: list[str], data: dict[str, Any]) -> None:
    """More entries, in the order of their names."""
    texts += [f"{canonical(name)}:{canonical(value)}" for name, value in data.items()]
    texts.sort()


def text_of(what: ir.Zone | ir.Variable, name: str) -> Callable[[Any], str]:
    """What makes `name: content` of content."""
    start = f"{canonical(name)}:"
    if isinstance(what, ir.Zone) and not what.counts:  # names alone
        return lambda content: f"{start}[{','.join(map(quoted, content))}]"
    return lambda content: start + canonical(content)
