"""What a viewer sees as one canonical text: that of `canonical(observe(position, seat))`, of pieces that are kept.

Most zones and variables are always seen by the same seats, and most do not change from one decision to the next.  The text of such an entry
follows from its value alone, for zones with hidden pieces also from who knows which, and is looked up.
"""

from __future__ import annotations

import json
from typing import Any, NamedTuple

from interpreter.position import Position
from interpreter.runtime.renaming import NO_OTHERS, Renaming
from interpreter.runtime.values import Slots, exact
from interpreter.runtime.visibility import Viewer
from interpreter.setup import Setup
from interpreter.views.alike import alike, names
from interpreter.views.observation import UNSEEN, Entry, known_pieces, shown_values, to_act, variable_entry, zone_entry
from rulespec import ir

MOST_KEPT = 256  # texts of one entry


quoted = json.encoder.encode_basestring  # one text as JSON


def canonical(data: Any) -> str:
    """JSON text that is the same for the same data."""
    return json.dumps(data, ensure_ascii=False, sort_keys=True, separators=(",", ":"))


def seen(position: Position, seat: Viewer) -> tuple[str, str]:
    """The text of what a viewer sees, and the same without who is asked what.  Raises Fault."""
    kept = position.setup.workshop.kept
    key = f"seen by {seat}"
    eyes: Eyes | None = kept.get(key)
    if eyes is None:
        eyes = kept[key] = Eyes(position.setup, seat)
    return eyes.look(position)


class Part(NamedTuple):
    """One entry of an observation.  `kept` has the text for each value; None where it depends on more than that and on who knows what."""

    what: ir.Zone | ir.Variable
    entry: Entry
    name: str  # as JSON, with its colon
    kept: dict[Any, str] | None
    alone: bool  # it follows from the value alone


class Eyes:
    """The entries of one viewer's observations, with their texts, for one thread."""

    def __init__(self, setup: Setup, seat: Viewer) -> None:
        self.setup, self.seat = setup, seat
        self.sight = setup.machine.sight
        self.bits = self.sight.bits(seat)
        self.you = canonical(None if seat is None or seat < 0 else setup.seats[seat])
        program, copies = setup.program, alike(setup).groups
        self.zones = self.parts([(z, fixed(z.seen, z.counted, z.top) and z.kind not in copies) for z in program.zones])
        self.state = self.parts([(v, fixed(v.seen) and not program.names_pieces(v.type)) for v in program.variables])
        self.looks = {id(parts): [(part.kept.get if part.alone and part.kept is not None else nothing, part.entry[0])
                                  for part in parts] for parts in (self.zones, self.state)}  # fmt: skip

    def parts(self, what: list[tuple[Any, bool]]) -> list[Part]:
        """The entries of zones or variables, in the order of their names; those that are never seen are left out."""
        out = []
        for one, stays in what:
            for entry in self.sight.entries(one):
                if not self.never(one, entry):
                    open_ = fixed(one.seen) and self.sight.mask([], one.seen, entry[1]) & self.bits == self.bits
                    alone = stays and one.scope is None and (open_ or not isinstance(one, ir.Zone))
                    out.append(Part(one, entry, f"{canonical(entry[2])}:", {} if stays else None, alone))
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
        state = self.texts(S, self.state, renaming)
        if setup.program.shown:
            state += [f"{canonical(n)}:{canonical(v)}" for n, v in shown_values(position, seat, renaming).items()]
            state.sort()
        zones = self.texts(S, self.zones, renaming)
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

    def texts(self, S: Slots, parts: list[Part], renaming: Renaming) -> list[str]:
        """`name: content` of each entry that is seen."""
        out: list[Any] = [get(S[slot]) for get, slot in self.looks[id(parts)]]
        if None not in out:
            return out
        for n, text in enumerate(out):
            if text is None:
                out[n] = self.text(S, parts[n], renaming)
        return [text for text in out if text]

    def text(self, S: Slots, part: Part, renaming: Renaming) -> str:
        """`name: content` of an entry, nothing where it is not seen."""
        what, entry, name, kept, alone = part
        if what.scope is not None and not S[what.scope]:
            return ""
        key: Any = None
        if kept is not None:
            key = S[entry[0]] if alone else (S[entry[0]], S[ir.KNOWN])
            text = kept.get(key)
            if text is not None:
                return text
        make: Any = zone_entry if isinstance(what, ir.Zone) else variable_entry
        content = make(self.setup, S, what, entry, self.bits, renaming)
        if content is UNSEEN:
            return ""
        text = name + canonical(content)
        if kept is not None:
            if len(kept) >= MOST_KEPT:
                kept.clear()
            kept[key] = text
        return text


def nothing(_: Any) -> None:
    """In place of what looks a text up, where it must be worked out."""


def fixed(*viewers: ir.Viewers) -> bool:
    """Whether who sees something never changes."""
    return all(one.who != "function" for one in viewers)
