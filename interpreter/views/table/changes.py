"""What is otherwise on the table than when a seat chose last."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from typing import Any

from interpreter.position import Position, SlotPosition
from interpreter.runtime.texts import HIDDEN
from interpreter.runtime.values import CHANCE
from interpreter.views import observation
from interpreter.views.alike import alike
from interpreter.views.table import log
from interpreter.views.table.plan import Entry
from interpreter.views.table.table import Data, Tabletop

FARTHEST = 500  # answers that are looked back
NOTHING: tuple[Any, ...] = (None, 0, False, [], {})  # what is not drawn of what is counted by something


def changes(table: Tabletop, position: Position, seat: int) -> Data | None:
    """What came to zones, how many more or fewer lie there, numbers with what they were, places and cells, and how many lines were said.

    None where the seat has not chosen yet, or where nothing is kept of what was before.
    """
    before = last_choice(position, seat)
    if before is None:
        return None
    slots, answered = before
    old = SlotPosition(position.setup, slots, position.main, False, False)
    copies = alike(position.setup)  # a copy's name may be another's by now
    zones, state = observation.zones(old, seat, copies.first), observation.variables(old, seat, copies.first)
    zones_now, state_now = table.seen["zones"], table.seen["state"]
    if copies.first:
        zones_now = observation.zones(position, seat, copies.first)
        state_now = observation.variables(position, seat, copies.first)
    data: Data = {"log": log.count(position, seat, answered + 1)}
    came: dict[str, Any] = {}
    counts: dict[str, int] = {}
    spots: set[str] = set()
    for zone, part in table.plan.zones:
        kind, first = table.program.kinds[zone.kind].name, copies.names.get(zone.kind, {})
        for entry in part.entries:
            was, now = zones.get(entry.name), zones_now.get(entry.name)
            if was == now:
                continue
            size = amount(now) - amount(was)
            if size and entry.name in table.zones:
                counts[entry.name] = size
            new = [] if entry.name not in table.zones else arrived(was, table.seen["zones"].get(entry.name), first)
            if new:
                came[entry.name] = [table.thing(kind, member) for member in new]
            spots.update(spot(entry))
    numbers = {}
    for variable, part in table.plan.variables:
        for entry in part.entries:
            was, now = state.get(entry.name), state_now.get(entry.name)
            if was == now or (entry.index and was in NOTHING and now in NOTHING):
                continue  # neither of them is drawn: a scope began or ended
            texts = [table.value(variable.type, one)["text"] for one in (was, now)]
            if texts[0] != texts[1]:
                numbers[entry.name] = texts
                spots.update(spot(entry))
    parts = {"came": came, "counts": counts, "numbers": numbers, "spots": sorted(spots)}
    return {**data, **{name: part for name, part in parts.items() if part}}


def last_choice(position: Position, seat: int) -> tuple[list[Any], int] | None:
    """The slots before the last answer of a seat, and how many decisions had been answered then."""
    history, at = position.history, position.past
    for _ in range(FARTHEST):
        if at is None:
            return None
        (slots, _, old, decisions), at = at
        entry = history
        while entry is not None and entry[1] is not old:
            entry = entry[1]
        if entry is None:
            return None
        if entry[0][0] == seat != CHANCE:
            return slots, decisions
        history = old
    return None


def spot(entry: Entry) -> list[str]:
    """The place or cell that an entry belongs to."""
    return [entry.at] if entry.region in ("map", "board") else []


def amount(content: Any) -> int:
    """How many pieces lie somewhere."""
    if content is None:
        return 0
    return sum(content.values()) if isinstance(content, dict) else len(content)


def arrived(was: Any, now: Any, first: Mapping[str, str]) -> list[str]:
    """The pieces that lie somewhere now and did not before, as far as they are seen; of those that are counted each kind once.

    `first` is of each copy the first that nobody can tell from it, as which it stands in `was`: only the number of these says what came.
    """
    if now is None:
        return []
    if isinstance(now, dict):
        old = was if isinstance(was, dict) else {}
        return [member for member, n in now.items() if member != HIDDEN and n > old.get(member, 0)]
    before = Counter(was or ())
    came = []
    for member in now:
        name = first.get(member, member)
        before[name] -= 1
        if member != HIDDEN and before[name] < 0:
            came.append(member)
    return came
