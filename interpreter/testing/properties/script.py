"""Scripts: the answers that lead a game somewhere, by name, so that they can be played again and made shorter."""

from __future__ import annotations

from typing import Any

from interpreter.game import State
from interpreter.runtime.values import CHANCE
from rulespec import ir
from rulespec.system.records import dataclass


@dataclass(frozen=True, slots=True)
class Answer:
    """An answer: who gave it (CHANCE: -1), where he was asked, and its canonical name.

    `instead`, where it is not None, is what is answered in the second of two games that are compared; they are alike before.
    """

    actor: int
    site: str
    name: str
    instead: str | None = None


Script = tuple[Answer, ...]


@dataclass(frozen=True, slots=True)
class Given:
    """An answer as it was given: its action, its value, and how such values are shown."""

    actor: int
    site: str
    action: int
    value: Any
    name: str
    type: ir.Type


def given(state: State, actor: int, action: int) -> Given:
    """An answer to what is asked on a position."""
    pending = state.pending()
    name = state.action_to_string(action, actor)
    if actor == CHANCE:
        assert pending.chance is not None and pending.draw is not None
        return Given(actor, pending.draw.name, action, pending.chance.values[action], name, pending.draw.type)
    question = state.asked(actor)
    return Given(actor, question.site.name, action, question.legal[action], name, question.site.type)


def fitting(state: State, answer: Answer) -> int | None:
    """The legal action that an answer names on a position; None where it does not fit."""
    actor = answer.actor
    pending = state.pending()
    if actor == CHANCE:
        if pending.draw is None or pending.draw.name != answer.site:
            return None
    else:
        question = pending.of(actor)
        if question is None or question.site.name != answer.site:
            return None
    return next((a for a in state.legal_actions(actor) if state.action_to_string(a, actor) == answer.name), None)


def script_of(state: State) -> Script:
    """The answers that led to a position whose chance is explicit; raises Fault if its history cannot be played."""
    replay = state.game.new_state(chance="explicit", undo=False, main=state.main)
    answers = []
    for actor, site, action, _ in list(state.answers())[::-1]:
        answers.append(Answer(actor, site, replay.action_to_string(action, actor)))
        replay.apply_action(action, actor)
    return tuple(answers)
