"""What a seat knows of a position, and how that goes on from one position to the next."""

from __future__ import annotations

from typing import Any

from interpreter.position import Position
from interpreter.runtime.faults import Fault
from interpreter.runtime.hidden import Hidden, NotSeen
from interpreter.runtime.newest import Newest
from interpreter.runtime.values import Frame, Journal
from interpreter.setup import Setup, once_for_each
from interpreter.views.frames import Frames
from interpreter.views.glimpse import Glimpse, glimpse
from interpreter.views.provenance import Provenance
from interpreter.views.since import hides
from rulespec import ir

BLOCK = 60  # what a seat knows of frames is followed through so many of its own answers at least, and fewer than twice as many
KEPT = 256  # positions whose imagined slots are kept


def imagined(position: Position, seat: int) -> Glimpse:
    """The slots of a position as far as a seat can know them, to go on from.

    What it knows of the frames is followed from an earlier position on: each answer is given again on what it knew before, with
    `Hidden` in place of what others answered.  Where that does not go on, all is forgotten but what surely waited.
    """
    knowledge = knowledge_of(position.setup)
    way = steps(position, seat)
    start = way[-1].slots
    todo: list[Position] = []
    known: Glimpse | None = None
    for one in way:
        known = knowledge.kept.recall((start, one.slots), seat)
        if known is not None:
            break
        todo.append(one)
    before = way[len(todo)] if known is not None else None
    for one in reversed(todo):
        known = knowledge.after(before, known, one, seat)
        knowledge.kept.keep((start, one.slots), seat, known)
        before = one
    assert known is not None
    return known


def steps(position: Position, seat: int) -> list[Position]:
    """Positions up to this one that are followed, the newest first.

    How far they go back depends on the number of the seat's own answers alone, so that it tells nothing.
    """
    wanted = BLOCK + sum(1 for actor, *_ in position.answers() if actor == seat) % BLOCK
    out = [position]
    while out[-1].past is not None:
        earlier = out[-1].clone()
        earlier.undo()
        if given(earlier, out[-1])[0] == seat:
            if not wanted:
                break
            wanted -= 1
        out.append(earlier)
    return out


def given(before: Position, after: Position) -> tuple[int, Any, bool]:
    """Who gave the answer between two positions, which, and whether chance drew something after it."""
    at = after.history
    drawn = False
    while at[1] is not before.history:
        at, drawn = at[1], True
    (actor, _, _, value), _ = at
    return actor, value, drawn


class Knowledge:
    """What seats know of positions of a game, worked out from one to the next; the newest are kept."""

    def __init__(self, setup: Setup) -> None:
        self.provenance = Provenance(setup.program)
        self.uncovered = uncovered(setup.program)
        self.kept: Newest[Glimpse] = Newest(KEPT)  # by the slots that were followed from and to, and the seat

    def after(self, before: Position | None, known: Glimpse | None, position: Position, seat: int) -> Glimpse:
        """What a seat knows of a position, if it knew so much of the one before (None: nothing)."""
        slots = self.slots(position, seat)
        if before is None or known is None:
            slots[ir.CONTROL] = Frames(self.provenance, position, seat).stack()
            return slots
        actor, value, drawn = given(before, position)
        frame = before.slots[ir.CONTROL]
        question = None if actor < 0 else before.pending().of(actor)
        child = None if question is None else question.child
        if child is not None and actor != seat and still_sealed(frame, position.slots[ir.CONTROL], seat):
            slots[ir.CONTROL] = self.sealed(known, position, seat)
            return slots
        told = actor == seat or (child is None and self.provenance.told_at(frame[0]))
        control = None if drawn else self.followed(known, position, child, value if told else Hidden())
        if control is None or hides(control):
            shown = Frames(self.provenance, position, seat, known[ir.CONTROL], told and child is None).stack()
            control = shown if control is None else both(control, shown)
        slots[ir.CONTROL] = control
        return slots

    def slots(self, position: Position, seat: int) -> Glimpse:
        """What a seat knows of the slots of a position without its frames."""
        S, program = position.slots, self.provenance.program
        slots = glimpse(position, seat)
        for slot in self.uncovered:
            slots[slot] = S[slot]
        for part in places(program):
            if part.scope is not None and not S[part.scope]:
                slots[part.base : part.base + part.size] = S[part.base : part.base + part.size]
        slots[ir.RANDOM] = None
        slots[ir.KNOWN] = S[ir.KNOWN]
        return slots

    def followed(self, known: Glimpse, position: Position, child: int | None, value: Any) -> Frame | None:
        """What a seat knows of the frames of a position by the answer that led there; None if it does not go on for sure."""
        try:
            slots = position.setup.reference.machine.answer(known, Journal(None, None), child, value)
        except (NotSeen, Fault):
            return None
        control: Frame | None = slots[ir.CONTROL]
        return control if points(control) == points(position.slots[ir.CONTROL]) else None

    def sealed(self, known: Glimpse, following: Position, seat: int) -> Frame:
        """The frames after another has sealed a choice: of its own the seat knows what it knew."""
        frame: Frame = known[ir.CONTROL]
        stack = Frames(self.provenance, following, seat).stack()
        assert stack is not None
        children = [mine if mine[0] == seat else theirs for mine, theirs in zip(frame[-1], stack[-1], strict=True)]
        return (*frame[:-1], tuple(children))


def both(one: Any, two: Any) -> Any:
    """What is known of a value of which two things are known."""
    if isinstance(one, Hidden):
        return two
    if isinstance(one, tuple) and isinstance(two, tuple) and len(one) == len(two) and hides(one):
        return tuple(both(a, b) for a, b in zip(one, two, strict=True))
    return one


def still_sealed(before: Frame, after: Frame | None, seat: int) -> bool:
    """Whether two frames are of one sealed choice, in which a seat has done the same so far."""
    if after is None:
        return False
    mine = [[child for child in frame[-1] if child[0] == seat] for frame in (before, after) if frame[:2] == before[:2]]
    return len(mine) == 2 and mine[0] == mine[1]


def points(frame: Frame | None) -> list[int]:
    """Where a frame and those that wait for it wait."""
    out = []
    while frame is not None:
        out.append(frame[0])
        frame = frame[1]
    return out


knowledge_of = once_for_each(Knowledge)  # what is known of the positions of a setup


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
