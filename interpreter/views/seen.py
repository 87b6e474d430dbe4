"""What a viewer sees as one canonical text: that of `canonical(observe(position, seat))`, of pieces that are kept.

The text of an entry is looked up where nothing has changed that it follows from.
"""

from __future__ import annotations

import json
from collections.abc import Sequence
from typing import Any, NamedTuple

from interpreter.position import Position
from interpreter.runtime.renaming import NO_OTHERS, Renaming
from interpreter.runtime.values import Slots, exact
from interpreter.runtime.visibility import Viewer
from interpreter.setup import Setup
from interpreter.views.alike import alike, names
from interpreter.views.keys import Follows, finder, fixed, follows, key
from interpreter.views.observation import UNSEEN, Entry, known_pieces, shown_values, to_act, variable_entry, zone_entry
from rulespec import ir

MOST_KEPT = 256  # texts of one entry


quoted = json.encoder.encode_basestring  # one text as JSON
encode = json.JSONEncoder(ensure_ascii=False, sort_keys=True, separators=(",", ":")).encode


def canonical(data: Any) -> str:
    """JSON text that is the same for the same data."""
    return encode(data)


def seen(position: Position, seat: Viewer) -> tuple[str, str]:
    """The text of what a viewer sees, and the same without who is asked what.  Raises Fault."""
    kept = position.setup.workshop.kept
    key = f"seen by {seat}"
    eyes: Eyes | None = kept.get(key)
    if eyes is None:
        eyes = kept[key] = Eyes(position.setup, seat)
    return eyes.look(position)


class Part(NamedTuple):
    """One entry of an observation.  `kept` has its text by what it follows from, where that is not more than there are keys for."""

    what: ir.Zone | ir.Variable
    entry: Entry
    name: str  # as JSON, with its colon
    follows: Follows
    kept: dict[Any, str]


class Eyes:
    """The entries of one viewer's observations, with their texts, for one thread."""

    def __init__(self, setup: Setup, seat: Viewer) -> None:
        self.setup, self.seat = setup, seat
        self.sight = setup.machine.sight
        self.bits = self.sight.bits(seat)
        self.you = canonical(None if seat is None or seat < 0 else setup.seats[seat])
        self.both = self.parts(setup.program.variables), self.parts(setup.program.zones)
        self.finders = [[[(finder(part.what, part.follows, part.kept, known), part.entry[0]) for part in parts]
                         for known in (False, True)] for parts in self.both]  # fmt: skip

    def parts(self, declared: Sequence[ir.Zone | ir.Variable]) -> list[Part]:
        """The entries of zones or variables, in the order of their names; those that are never seen are left out."""
        out = []
        for what in declared:
            for entry in self.sight.entries(what):
                if not self.never(what, entry):
                    out.append(
                        Part(what, entry, f"{canonical(entry[2])}:", follows(self.setup, what, entry, self.seat), {})
                    )
        return sorted(out, key=lambda part: part.entry[2])

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
        state = self.texts(S, 0, renaming)
        if setup.program.shown:
            state += [f"{canonical(n)}:{canonical(v)}" for n, v in shown_values(position, seat, renaming).items()]
            state.sort()
        zones = self.texts(S, 1, renaming)
        known = known_pieces(position, seat, renaming) if S[ir.KNOWN] else None
        head = f'"known":{canonical(known)},' if known else ""
        winning = ""
        if position.is_terminal():
            head += f'"returns":{canonical(exact(position.returns()))},'
            winners = position.winners()
            winning = f'"winners":{canonical(None if winners is None else [setup.seats[p] for p in winners])},'
        head += f'"state":{{{",".join(state)}}},'
        tail = f'{winning}"you":{self.you},"zones":{{{",".join(zones)}}}}}'
        pending = position.pending()
        question = None if seat is None or seat < 0 else pending.of(seat)
        asked = ""
        if question is not None:
            asked = f'"asked":{{"at":{quoted(question.site.name)},"prompt":{quoted(question.prompt(seat))}}},'
        acting = ",".join(map(quoted, to_act(position, seat)))
        return f'{{{asked}{head}"to_act":[{acting}],{tail}', f"{{{head}{tail}"

    def texts(self, S: Slots, zones: int, renaming: Renaming) -> list[str]:
        """`name: content` of each entry that is seen, of variables (0) or zones (1)."""
        out: list[Any] = [find(S[slot]) for find, slot in self.finders[zones][bool(S[ir.KNOWN])]]
        if None not in out:
            return out
        for n, text in enumerate(out):
            if text is None:
                out[n] = self.text(S, self.both[zones][n], renaming)
        return [text for text in out if text]

    def text(self, S: Slots, part: Part, renaming: Renaming) -> str:
        """`name: content` of an entry, nothing where it is not seen."""
        what, entry, name, by, kept = part
        if what.scope is not None and not S[what.scope]:
            return ""
        number: Any = None
        if by is not Follows.MORE:
            number = key(S, entry[0], by)
            text = kept.get(number)
            if text is not None:
                return text
        if isinstance(what, ir.Variable):
            content = variable_entry(self.setup, S, what, entry, self.bits, renaming)
        else:
            content = zone_entry(self.setup, S, what, entry, self.bits, renaming)
        if content is UNSEEN:
            return ""
        text = name + (
            f"[{','.join(map(quoted, content))}]"
            if content.__class__ is list and isinstance(what, ir.Zone)
            else canonical(content)
        )
        if by is not Follows.MORE:
            if len(kept) >= MOST_KEPT:
                kept.clear()
            kept[number] = text
        return text
