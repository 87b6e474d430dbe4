"""Properties of one answer: whatever is done to a position on the way, the same comes of it."""

from __future__ import annotations

from dataclasses import dataclass
from functools import partial
from typing import Any

from interpreter.game import Game, State

NEWEST = 50  # entries of logs and histories that are compared: those before them were compared before


@dataclass(frozen=True, slots=True)
class Moment:
    """An answer of a game: the positions before and after it, and who gave which; `other` is the game on the other back end."""

    before: State
    after: State
    actor: int
    action: int
    other: Game


def copies_agree(moment: Moment) -> str | None:
    """A copy is equal, comes to the same by the same answer, and leaves the original as it was."""
    copy = moment.before.clone()
    if copy != moment.before or copy.key() != moment.before.key():
        return "a copy of the position differs from it"
    slots = list(copy.slots)
    after = moment.before.child(moment.action, moment.actor)
    if not same(after, moment.after):
        return "the same answer to a copy of the position leads elsewhere"
    if copy.slots != slots or copy != moment.before:
        return "an answer to a copy changes the position that it was made of"
    return None


def saves_agree(moment: Moment) -> str | None:
    """A save is read by the other back end, gives the same position, log and history, and is played on alike."""
    text = moment.before.to_json()
    loaded = moment.other.state_from_json(text)
    if not same(loaded, moment.before):
        return "a position that was saved and read again differs"
    if loaded.to_json() != text:
        return "the save of a position that was read differs from the save that was read"
    loaded.apply_action(moment.action, moment.actor)
    if not same(loaded, moment.after):
        return "the same answer to a position that was saved and read again leads elsewhere"
    return None


def undo_agrees(moment: Moment) -> str | None:
    """An answer that is taken back leads back, and leads to the same place when it is given again."""
    state = moment.after.clone()
    state.undo()
    if not same(state, moment.before) or state.decisions != moment.before.decisions:
        return "taking the answer back does not lead back"
    state.apply_action(moment.action, moment.actor)
    if not same(state, moment.after):
        return "the answer that was taken back and is given again leads elsewhere"
    return None


def back_ends_agree(moment: Moment) -> str | None:
    """The other back end, handed the position, asks the same, allows the same, and comes to the same."""
    handed = moment.other.position(moment.before.slots, moment.before.main)
    before = moment.before
    if handed.pending_players() != before.pending_players() or handed.current_player() != before.current_player():
        return "the other back end asks somebody else"
    for seat in before.pending_players():
        if handed.legal_actions(seat) != before.legal_actions(seat):
            return f"the other back end allows {before.seat_name(seat)} other answers"
    if handed.chance_outcomes() != before.chance_outcomes():
        return "the other back end has other chances"
    handed.log, handed.history = before.log, before.history
    handed.decisions = before.decisions  # type: ignore[misc]  # each kind of state has a slot for it
    handed.apply_action(moment.action, moment.actor)
    if not same(handed, moment.after):
        return "the same answer leads elsewhere on the other back end"
    return None


def same(one: State, two: State) -> bool:
    """Whether positions are equal, and the end of their logs and histories."""
    recent = partial(newest, count=NEWEST)
    return one == two and recent(one.log) == recent(two.log) and recent(one.history) == recent(two.history)


def newest(linked: Any, count: int) -> list[Any]:
    """The newest entries of a linked list."""
    out: list[Any] = []
    while linked is not None and len(out) < count:
        entry, linked = linked
        out.append(entry)
    return out


OF_A_MOMENT = (copies_agree, saves_agree, undo_agrees, back_ends_agree)
