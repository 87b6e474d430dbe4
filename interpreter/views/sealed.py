"""Sealed choices that are open: what others have answered is not there for a seat, and its own answers can be taken back beside theirs."""

from __future__ import annotations

from typing import TypeVar

from interpreter.position import Position
from rulespec import ir

P = TypeVar("P", bound=Position)
Given = tuple[int, int]  # a seat and its action


def alone(position: P, seat: int | None) -> P:
    """The position with no answer of others since the sealed choices began that are open; itself where nothing is sealed.

    Whatever is made of it for a seat (None: a spectator) cannot tell who has answered, or in what order.
    """
    begun, given = opened(position)
    if all(actor == seat for actor, _ in given):
        return position
    return replayed(begun, [answer for answer in given if answer[0] == seat])


def without_last(position: P, seat: int) -> P:
    """The position without the last answer of a seat: it is one of sealed choices that are open, or the last before they were opened.

    What others have sealed goes with an answer that opened the choices, and stays else.
    Raises IllegalAction P007 if nothing is kept that can be taken back.
    """
    begun, given = opened(position)
    last = max((n for n, (actor, _) in enumerate(given) if actor == seat), default=None)
    if last is None:
        before = begun.clone()
        before.undo()
        return before
    return replayed(begun, given[:last] + given[last + 1 :])


def opened(position: P) -> tuple[P, list[Given]]:
    """The position when the sealed choices began that are open, and what was answered since, the oldest first."""
    given: list[Given] = []
    at = position
    if not position.records or not position.is_simultaneous():
        return at, given
    while at.past is not None:
        before = at.clone()
        before.undo()
        actor, _, action, _ = at.history[0]
        if at.history[1] is not before.history or not same_choices(before, at, actor):
            break
        given.append((actor, action))
        at = before
    return at, given[::-1]


def same_choices(before: Position, after: Position, actor: int) -> bool:
    """Whether an answer left sealed choices open, so that nothing has happened but that one of the seats went on."""
    if not before.is_simultaneous() or before.slots[ir.CONTROL + 1 :] != after.slots[ir.CONTROL + 1 :]:
        return False
    one, two = before.slots[ir.CONTROL], after.slots[ir.CONTROL]
    return bool(one[:-1] == two[:-1]) and others(one[-1], actor) == others(two[-1], actor)


def others(children: tuple[tuple[object, ...], ...], actor: int) -> list[tuple[object, ...]]:
    """How far the other seats are."""
    return [child for child in children if child[0] != actor]


def replayed(begun: P, given: list[Given]) -> P:
    """Another position, in which these answers were given."""
    after = begun.clone()
    for actor, action in given:
        after.apply_action(action, actor)
    return after
