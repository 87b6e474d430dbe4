"""What the verbs of a question ask next, so that people may point at a thing first: this card - buy it, or reserve it?

It is asked for by itself, since every verb is tried.  Only what could be taken back is told, so that nothing is learnt by it.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from interpreter.position import Position
from interpreter.runtime.faults import Fault, IllegalAction
from interpreter.runtime.values import CHANCE
from interpreter.views import observation
from interpreter.views.table.decision import options
from interpreter.views.table.plan import plan_of
from interpreter.views.table.table import Data, Tabletop

MOST = 16  # options that are tried; a question with more is no list of verbs


def ahead(position: Position, seat: int, can_take_back: Callable[[Any, int], bool], action: int | None = None) -> Data:
    """By thing: the verbs that can be meant by it, each with the `actions` that lead there and its `text`, or with `why` not.

    A verb is an answer that no thing stands for, after which the same seat is asked for something that lies on the table;
    or the answer `action`, whatever stands for it.  Empty where there is none.  Raises Fault.
    """
    out: Data = {}
    question = position.pending().of(seat)
    if question is None or not position.keeps:
        return out
    first = options(tabletop(position, seat), question, position.decision(seat))
    if action is None:
        verbs = [option for option in first if option.get("button") and option.get("legal", True)]
        if len(first) > MOST or len(verbs) == len(first) == 1:
            return out
    else:
        verbs = [option for option in first if option["action"] == action and option.get("legal", True)]
    for verb in verbs:
        child = position.clone()
        try:
            child.apply_action(verb["action"], seat)
            following = child.pending().of(seat)
        except (Fault, IllegalAction):
            continue  # it shows when it is chosen
        if following is None or child.current_player() == CHANCE or not can_take_back(child, seat):
            continue
        text = verb.get("text", verb["name"])
        for option in options(tabletop(child, seat), following, child.decision(seat)):
            if not option.get("button") and option.get("things"):
                meant: Data = {"text": text, "actions": [verb["action"], option["action"]]}
                if "why" in option:
                    meant = {"text": text, "why": option["why"]}
                if "spots" in option:
                    meant["spots"] = option["spots"]
                out.setdefault(option["things"][0], []).append(meant)
    return out


def tabletop(position: Position, seat: int) -> Tabletop:
    """The table as the seat sees it."""
    return Tabletop(plan_of(position.setup), position, seat, observation.observe(position, seat))
