"""What a seat has seen and done, followed along its game: worked out from where somebody last asked on, never from the beginning.

A *fold* makes something of it, step by step.  What it has come to is kept with the position, with the slots at that point of the history.
Copies, and positions that follow, go on from there; chance is followed as decisions, however it was answered.
"""

from __future__ import annotations

from typing import Any, NamedTuple, Protocol

from interpreter.position import Position, SlotPosition
from interpreter.runtime.values import CHANCE
from interpreter.runtime.visibility import Viewer
from rulespec import ir

NEAR = 8  # answers back within which the last point is looked for first


class Fold(Protocol):
    """What is made of what a seat sees and does; values are never changed in place."""

    name: str

    def begin(self) -> Any:
        """What there is before anything was seen."""

    def seen(self, kept: Any, position: Position, seat: Viewer) -> Any:
        """After the seat has seen a position."""

    def did(self, kept: Any, before: Position, seat: int, site: str, action: int) -> Any:
        """After the seat has given an answer to the position before."""


class Point(NamedTuple):
    """How far a game has been followed: the history there, the position with chance as a player, what a fold has come to."""

    history: Any
    position: SlotPosition
    kept: Any
    before: Point | None  # where answers can be undone


def followed(position: Position, seat: Viewer, fold: Fold) -> Any:
    """What a fold has come to in a position that records.  Raises Fault."""
    holder = position.stand_in()
    key = (fold.name, seat)
    points: dict[Any, Point] = holder.followed
    point, answers = nearest(points.get(key), holder.history)
    if point is None:
        first = SlotPosition.start(holder.setup, chance="explicit", undo=False, main=holder.main, record=False)
        point = Point(None, first, step(fold, fold.begin(), first, seat), None)
    if answers:
        at, kept = point.position, point.kept
        for left in range(len(answers) - 1, -1, -1):
            actor, site, action, _ = answers[left]
            before, at = at, at.child(action, actor) if left else beside(holder)
            if actor == seat and actor != CHANCE:
                kept = fold.did(kept, before, actor, site, action)
            kept = step(fold, kept, at, seat)
        point = Point(holder.history, at, kept, point if holder.keeps else None)
    if points.get(key) is not point:
        holder.followed = {**points, key: point}
    return point.kept


def beside(position: SlotPosition) -> SlotPosition:
    """The same position with chance as a player, without history."""
    other = position.clone()
    if other.slots[ir.RANDOM] is not None:
        other.slots = other.slots.copy()
        other.slots[ir.RANDOM] = None
    other.log = other.history = other.past = None
    other.keeps = other.records = False
    return other


def step(fold: Fold, kept: Any, position: Position, seat: Viewer) -> Any:
    """What is seen of a position; whether others have sealed their choices yet is no news to who has."""
    pending = position.pending()
    if seat in pending.participants and pending.of(seat or 0) is None:
        return kept
    return fold.seen(kept, position, seat)


def nearest(point: Point | None, history: Any) -> tuple[Point | None, list[Any]]:
    """The last point that lies on the way to a history, and what was answered since, the newest first."""
    answers: list[Any] = []
    at = history
    if point is not None:
        for _ in range(NEAR):
            if at is point.history:
                return point, answers
            if at is None:
                break
            answers.append(at[0])
            at = at[1]
    points: dict[int, Point] = {}
    while point is not None:
        points[id(point.history)] = point
        point = point.before
    answers, at = [], history
    while at is not None and id(at) not in points:
        answers.append(at[0])
        at = at[1]
    return points.get(id(at)), answers
