"""The table of a position as one viewer sees it, as plain JSON data: the format `rulespec-table/1`."""

from __future__ import annotations

import hashlib
import json

from interpreter.position import Position
from interpreter.runtime.values import exact
from interpreter.runtime.visibility import EVERYTHING, Viewer
from interpreter.views import observation
from interpreter.views.table import log
from interpreter.views.table.changes import changes
from interpreter.views.table.decision import decision
from interpreter.views.table.plan import plan_of
from interpreter.views.table.table import Data, Tabletop

FORMAT = "rulespec-table/1"


def view(position: Position, viewer: Viewer, can_undo: bool = False) -> Data:
    """All that a seat (None: a spectator, EVERYTHING: who may see all) is shown of a position: see `docs/table.md`.

    `can_undo` is whether the seat may take back its last answer.  Raises Fault.
    """
    data = unstamped(position, viewer, can_undo)
    data["at"] = stamp(data)
    return data


def unstamped(position: Position, viewer: Viewer, can_undo: bool = False) -> Data:
    """The same without what tells it from another view, for who compares them otherwise."""
    seat = None if viewer is None or viewer == EVERYTHING else viewer
    plan = plan_of(position.setup)
    seen = observation.observe(position, viewer)
    table = Tabletop(plan, position, viewer, seen)
    data: Data = {
        "format": FORMAT,
        "at": "",
        "game": {"id": plan.setup.id, "title": plan.setup.title},
        "you": seen["you"],
        "to_act": seen["to_act"],
        "seats": table.seats,
        "counters": table.counters,
        "zones": table.zones,
        "groups": table.groups,
        "boards": table.boards,
        "map": table.map,
        "sheets": table.sheets,
        "attached": table.attached,
        "decision": None if seat is None else decision(table, seat, can_undo),
        "known": known(table, seen),
        "log": [],
        "log_lines": 0,
        "changes": None,
        "over": over(position),
    }
    if position.records:
        data["log"] = log.turns(table, position, viewer)
        data["log_lines"] = log.count(position, viewer)
        data["changes"] = None if seat is None else changes(table, position, seat)
    data["things"] = dict(sorted(table.things.items()))
    return data


def stamp(data: Data) -> str:
    """What tells one view from another: the same for views that are the same."""
    text = json.dumps(data, ensure_ascii=False, sort_keys=True, separators=(",", ":"))
    return hashlib.sha256(text.encode()).hexdigest()[:16]


def known(table: Tabletop, seen: Data) -> list[Data]:
    """Pieces that the viewer once saw where they still lie hidden."""
    kinds = {member: kind.name for kind in table.program.kinds if kind.location is not None for member in kind.members}
    out = []
    for member, zone in seen.get("known", {}).items():
        out.append({"thing": table.thing(kinds[member], member), "zone": zone})
    return out


def over(position: Position) -> Data | None:
    """How the game has ended; None while it goes on."""
    if not position.is_terminal():
        return None
    outcome, seats = position.outcome(), position.setup.seats
    return {
        "outcome": outcome.kind,
        "winners": [seats[seat] for seat in outcome.winners],
        "returns": dict(zip(seats, exact(position.returns()), strict=True)),
    }
