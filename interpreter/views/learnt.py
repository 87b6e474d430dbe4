"""Whether a seat learnt something by its own decision, so that it must not take it back."""

from __future__ import annotations

from typing import Any

from interpreter.position import Position, SlotPosition
from interpreter.runtime.faults import Fault
from interpreter.runtime.hidden import NotSeen
from interpreter.runtime.newest import Newest
from interpreter.runtime.values import Journal
from interpreter.views.knowledge import imagined
from interpreter.views.observation import log_lines, observe
from interpreter.views.scores import sheet

KEPT = 8  # positions of each thread, the newest


def learnt(after: Position, seat: int) -> bool:
    """Whether the last decision, which was this seat's, showed it what it could not know before; worked out once for a position.

    The answer is given again on a glimpse of the position before.  If what the seat does not see is looked at on the way, or in
    what the seat is shown afterwards, then that may have told it something.
    """
    kept: Newest[bool] = after.setup.workshop.kept.setdefault("learnt", Newest(KEPT))
    return kept.once((after.slots, after.past), seat, lambda: found_out(after, seat))


def found_out(after: Position, seat: int) -> bool:
    """See `learnt`."""
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
        return shown(position, seat, None) != shown(after, seat, before.log)
    except (NotSeen, Fault):
        return True


def shown(position: Position, seat: int, before: Any) -> tuple[Any, ...]:
    """All that a seat is shown: what it sees, what it is asked, the lines since the log was `before`, and the score at the end."""
    asked = None if position.pending().of(seat) is None else position.decision(seat)
    score = sheet(position) if position.is_terminal() else ()
    return observe(position, seat, tells_copies=True), asked, log_lines(position, seat, before), score
