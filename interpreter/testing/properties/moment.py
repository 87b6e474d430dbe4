"""Properties of one answer: whatever is done to a position on the way, the same comes of it."""

from __future__ import annotations

from dataclasses import field
from functools import partial
from typing import Any

from interpreter.game import Game, NativeState, SlotState, State
from rulespec.system.records import dataclass

NEWEST = 50  # entries of logs and histories that are compared: those before them were compared before


@dataclass(frozen=True, slots=True)
class Moment:
    """An answer of a game: the positions before and after it, and who gave which; `others` is the game on the other back ends.

    The first of these reads saves: all read them by the same code.
    `natively` is filled with the answers that C gave itself, and did not leave to Python.
    """

    before: State
    after: State
    actor: int
    action: int
    others: tuple[Game, ...]
    natively: list[int] = field(default_factory=list)


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
    """A save is read by another back end, gives the same position, log and history, and is played on alike."""
    text = moment.before.to_json()
    loaded = moment.others[0].state_from_json(text)
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
    """The other back ends, handed the position, ask the same, allow the same, and come to the same."""
    for other in moment.others:
        handed = handed_to(other, moment.before)
        wrong = differs(handed, moment.before) or answered(handed, moment)
        if wrong is not None:
            return f"the {other.played_as} back end {wrong}"
    return None


def handed_to(other: Game, state: State) -> State:
    """A position on another back end; for C without log, history and undo, since its own values are only looked at then."""
    kept = other.played_as != "native"
    handed = SlotState(other, state.slots, state.main, kept, kept)
    handed.decisions = state.decisions
    if kept:
        handed.log, handed.history = state.log, state.history
    return other.in_c(handed)


def differs(handed: State, state: State) -> str | None:
    """What another back end asks, allows and gives otherwise in a position."""
    if handed.is_terminal() != state.is_terminal():
        return "does not see whether the game is over"
    if handed.pending_players() != state.pending_players() or handed.current_player() != state.current_player():
        return "asks somebody else"
    for seat in state.pending_players():
        if handed.legal_actions(seat) != state.legal_actions(seat):
            return f"allows {state.seat_name(seat)} other answers"
    if handed.chance_outcomes() != state.chance_outcomes():
        return "has other chances"
    return "gives other returns" if handed.returns() != state.returns() else None


def answered(handed: State, moment: Moment) -> str | None:
    """What comes otherwise of the answer, given to a position that was handed to another back end."""
    left, in_c = handed.game.handed_over, isinstance(handed, NativeState) and handed.is_native
    handed.apply_action(moment.action, moment.actor)
    if not (same(handed, moment.after) if handed.records else handed == moment.after):
        return "comes to another position by the same answer"
    if in_c and handed.game.handed_over == left:
        moment.natively.append(moment.action)
        return differs(handed, moment.after)
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
