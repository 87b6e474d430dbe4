"""Whether a seat learnt something by its own decision, so that it must not take it back."""

from __future__ import annotations

from typing import Any
from weakref import WeakKeyDictionary

from interpreter.position import Position, SlotPosition
from interpreter.runtime.faults import Fault
from interpreter.runtime.hidden import NotSeen
from interpreter.runtime.values import Journal
from interpreter.setup import Setup
from interpreter.views.glimpse import Glimpse, glimpse
from interpreter.views.observation import log_lines, observe
from interpreter.views.provenance import Provenance, ShownFrames
from rulespec import ir


def learnt(after: Position, seat: int) -> bool:
    """Whether the last decision, which was this seat's, showed it what it could not know before.

    The answer is given again on a glimpse of the position before.  If what the seat does not see is looked at on the way, or in
    what the seat is shown afterwards, then that may have told it something.
    """
    before = after.clone()
    before.undo()
    question = before.pending().of(seat)
    if question is None:
        return True
    setup = after.setup.reference
    journal = Journal(None, None)
    try:
        slots = setup.machine.answer(imagined(before, seat), journal, question.child, after.history[0][3])
        position = SlotPosition(setup, slots, after.main, False, False)
        position.log = journal.log
        return shown(position, seat) != shown(after, seat, before)
    except (NotSeen, Fault):
        return True


def shown(position: Position, seat: int, before: Position | None = None) -> tuple[Any, ...]:
    """All that a seat is shown: what it sees, what it is asked, and the lines of the log since the position before."""
    asked = None if position.pending().of(seat) is None else position.decision(seat)
    told = 0 if before is None else len(log_lines(before, seat))
    return observe(position, seat), asked, log_lines(position, seat)[told:]


def imagined(position: Position, seat: int) -> Glimpse:
    """The slots of a position as far as a seat can know them, to go on from."""
    S, setup = position.slots, position.setup
    slots = glimpse(position, seat)
    for slot in uncovered(setup.program):
        slots[slot] = S[slot]
    for part in places(setup.program):
        if part.scope is not None and not S[part.scope]:
            slots[part.base : part.base + part.size] = S[part.base : part.base + part.size]
    slots[ir.CONTROL] = ShownFrames(provenance(setup), position, seat).stack(S[ir.CONTROL])
    slots[ir.RANDOM] = None
    slots[ir.KNOWN] = S[ir.KNOWN]
    return slots


KNOWN: WeakKeyDictionary[Setup, Provenance] = WeakKeyDictionary()


def provenance(setup: Setup) -> Provenance:
    """Where the locals of a program come from, worked out once."""
    found = KNOWN.get(setup)
    if found is None:
        found = KNOWN[setup] = Provenance(setup.program)
    return found


def uncovered(program: ir.Program) -> frozenset[int]:
    """The slots that are no place, no variable and not the system's: they count what all can follow."""
    covered = set(range(ir.SYSTEM_SLOTS))
    for part in places(program):
        covered.update(range(part.base, part.base + part.size))
    for kind in program.kinds:
        if kind.location is not None:
            covered.update(range(kind.location, kind.location + len(kind.members)))
    return frozenset(range(len(program.initial))) - covered


def places(program: ir.Program) -> list[ir.Zone | ir.Variable]:
    """All that has slots of its own."""
    return [*program.zones, *program.variables]
