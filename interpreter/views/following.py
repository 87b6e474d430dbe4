"""What a seat has seen and done, followed along its game: worked out from where somebody last asked on, never from the beginning.

A *fold* makes something of it, step by step.  What it has come to is kept with the way of answers, which games that go the same way share,
and a position keeps how far its own was followed.  Copies, and positions that follow, go on from there; chance is followed as decisions,
however it was answered.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, NamedTuple, Protocol

from interpreter.position import Position, SlotPosition
from interpreter.runtime.values import CHANCE
from interpreter.runtime.visibility import Viewer, told_to
from interpreter.views.observation import Line, lines
from rulespec import ir

MOST_VALUES = 1_000_000  # in the slots of nodes that games share; about 40,000 positions of Kuhn poker
NEAR = 8  # answers back within which the last point is looked for first


class Fold(Protocol):
    """What is made of what a seat sees and does; values are never changed in place."""

    name: str

    def begin(self) -> Any:
        """What there is before anything was seen."""

    def told(self, kept: Any, position: Position, seat: Viewer, lines: Sequence[Line]) -> Any:
        """After the seat was told lines of the log on the way to a position."""

    def seen(self, kept: Any, position: Position, seat: Viewer) -> Any:
        """After the seat has seen a position."""

    def did(self, kept: Any, before: Position, seat: int, site: str, action: int) -> Any:
        """After the seat has given an answer to the position before."""


class Node:
    """One way of answers: the position that it leads to, with chance as a player, the lines of the log that its last answer wrote, and
    what folds have come to there by (name, seat).

    Games that go the same way share its nodes, so that solvers and learners, which go the same ways again and again, find them.
    """

    __slots__ = ("after", "kept", "lines", "position")

    def __init__(self, position: SlotPosition, lines: Sequence[Line]) -> None:
        self.position = position
        self.lines = lines
        self.kept: dict[Any, Any] = {}
        self.after: dict[tuple[int, int], Node] = {}  # by who answered and what


class Ways:
    """The nodes of one setup that are kept for other games, for one thread; as soon as they are too many it begins anew."""

    def __init__(self) -> None:
        self.begin: dict[int, Node] = {}  # by the procedure that a game begins with
        self.values = 0

    def first(self, holder: SlotPosition) -> Node:
        """Where a game begins."""
        node = self.begin.get(holder.main)
        if node is None:
            start = SlotPosition.start(holder.setup, chance="explicit", undo=False, main=holder.main)
            node = self.begin[holder.main] = Node(start, taken_from(start))
        return node

    def add(self, before: Node, answer: tuple[int, int], node: Node) -> None:
        """Keep a node."""
        self.values += len(node.position.slots)
        if self.values > MOST_VALUES:
            self.begin.clear()
            self.values = 0
        before.after[answer] = node


class Point(NamedTuple):
    """How far a game has been followed: the history there, and its node."""

    history: Any
    log: Any
    node: Node
    before: Point | None  # where answers can be undone


def followed(position: Position, seat: Viewer, fold: Fold) -> Any:
    """What a fold has come to in a position that records.  Raises Fault."""
    holder = position.stand_in()
    key = (fold.name, seat)
    points: dict[Any, Point] = holder.followed
    point, answers = nearest(points.get(key), holder.history)
    if point is not None and not answers:
        if points[key] is not point:
            holder.followed = {**points, key: point}
        return point.node.kept[key]
    workshop = holder.setup.workshop.kept
    ways: Ways | None = workshop.get("ways")
    if ways is None:
        ways = workshop["ways"] = Ways()
    node = ways.first(holder) if point is None else point.node
    if point is None and key not in node.kept:
        node.kept[key] = step(fold, fold.begin(), None, node.position, node.lines, seat)
    written = None if point is None or len(answers) > 1 else lines_since(holder.log, point.log)
    for left in range(len(answers) - 1, -1, -1):
        actor, site, action, _ = answers[left]
        before, answer = node, (actor, action)
        node_after = before.after.get(answer)
        if node_after is None:
            node_after = after(before, answer) if written is None else Node(beside(holder), written)
            ways.add(before, answer, node_after)
        node = node_after
        if key not in node.kept:
            kept = before.kept[key]
            if actor == seat and actor != CHANCE:
                kept = fold.did(kept, before.position, actor, site, action)
            node.kept[key] = step(fold, kept, before.position, node.position, node.lines, seat)
        before.position.forget_question()
    point = Point(holder.history, holder.log, node, point if holder.keeps else None)
    holder.followed = {**points, key: point}
    return node.kept[key]


def beside(position: SlotPosition) -> SlotPosition:
    """The same position with chance as a player, without history."""
    other = position.clone()
    if other.slots[ir.RANDOM] is not None:
        other.slots = other.slots.copy()
        other.slots[ir.RANDOM] = None
    other.log = other.history = other.past = None
    other.followed = {}
    other.keeps = other.records = False
    return other


def after(before: Node, answer: tuple[int, int]) -> Node:
    """The node that an answer leads to."""
    actor, action = answer
    position = before.position.clone()
    position.records = bool(position.setup.machine.says)
    position.apply_action(action, actor)
    return Node(position, taken_from(position))


def taken_from(position: SlotPosition) -> Sequence[Line]:
    """The log of a position, which keeps no record from here on."""
    told = lines(position.log)
    position.log = position.history = None
    position.records = False
    return told


def lines_since(log: Any, since: Any) -> Sequence[Line] | None:
    """The lines of a log that came when it was `since`; None where it never was."""
    at = log
    while at is not since:
        if at is None:
            return None
        at = at[1]
    return lines(log, since)


def step(
    fold: Fold, kept: Any, before: Position | None, position: Position, written: Sequence[Line], seat: Viewer
) -> Any:
    """What a seat was told on the way from one position to the next, and what it sees there.

    Nothing is seen while chance draws on for the same step: a deal is one event.  Whether others have sealed their choices yet is
    no news to who has.
    """
    told = [line for line in written if told_to(line[2], seat)]
    if told:
        kept = fold.told(kept, position, seat, told)
    elif before is not None and draws_on(before, position):
        return kept
    pending = position.pending()
    if seat in pending.participants and pending.of(seat or 0) is None:
        return kept
    return fold.seen(kept, position, seat)


def draws_on(before: Position, position: Position) -> bool:
    """Whether chance, which has just drawn, is asked for more by the same step."""
    drawn, draw = before.pending().draw, position.pending().draw
    if draw is None or draw is not drawn or draw.left is None:
        return False
    one, two = before.slots[ir.CONTROL], position.slots[ir.CONTROL]
    if one[:2] != two[:2]:
        return False
    kept = position.setup.program.points[two[0]].kept
    if draw.left not in kept:
        return False
    at = 2 + kept.index(draw.left)
    return bool(two[at] < one[at])


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
