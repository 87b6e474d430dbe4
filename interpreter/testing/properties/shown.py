"""All that a seat is shown, in parts: what the rules show it by what they declare, and what may tell nothing beyond that."""

from __future__ import annotations

import json
from typing import Any

from interpreter.game import State
from interpreter.runtime.faults import IllegalAction
from interpreter.runtime.texts import HIDDEN
from interpreter.runtime.visibility import Sight, Viewer
from interpreter.views.table.view import unstamped
from rulespec import ir
from rulespec.ir.walk import reads_state
from rulespec.system.records import dataclass
from rulespec.text.quoting import ticked

NO_OPTION = "no such option"  # what is typed to see the refusal of a name
NO_ACTION = 1 << 40  # an action that no question has


@dataclass(frozen=True, slots=True)
class Split:
    """An observation in two parts.

    `declared` is what follows from what the author declared: pieces where they are seen, looks, variables that all see, and
    what an ending gives.  `rest` is all else: how many pieces lie somewhere, who is asked what, variables that only some see.
    """

    declared: dict[str, Any]
    rest: dict[str, Any]


def split(observation: dict[str, Any], public: frozenset[str]) -> Split:
    """An observation in its parts; `public` is the names of the variables that all see."""
    zones, state = observation["zones"], observation["state"]
    declared: dict[str, Any] = {name: observation.get(name) for name in ("known", "shown", "returns", "winners")}
    rest: dict[str, Any] = {"who is asked": observation["to_act"], "what is asked": observation.get("asked")}
    for name, content in zones.items():
        if isinstance(content, dict):
            hidden = HIDDEN in content
            (rest if hidden else declared)[f"zone {name}"] = content
        else:
            declared[f"zone {name}"] = [item for item in content if item != HIDDEN]
            rest[f"the number of pieces in {name}"] = len(content)
    for name, value in state.items():
        (declared if name in public else rest)[f"variable {name}"] = value
    return Split(declared, rest)


def difference(one: dict[str, Any], two: dict[str, Any]) -> str:
    """The first entry in which two parts differ, with both values."""
    for name in [*one, *(name for name in two if name not in one)]:
        if one.get(name) != two.get(name):
            return f"{name}: {brief(one.get(name))} or {brief(two.get(name))}"
    return "the order of what is shown"


def brief(value: Any) -> str:
    """A value in a message."""
    text = "nothing" if value is None else value if isinstance(value, str) else str(value)
    return ticked(text if len(text) <= 120 else f"{text[:117]}...")


def public_variables(program: ir.Program, sight: Sight) -> frozenset[str]:
    """The names, as observations have them, of variables for which it is written that all see them, or who does at which position."""
    public = declared_variables(program)
    own = frozenset(name for variable in public for _, _, name in sight.entries(variable))
    return own.union(name for variable in public for (_, _, name), _, _ in sight.by_place(variable))


def declared_variables(program: ir.Program) -> list[ir.Variable]:
    """The variables of which it is written who sees what is put there: all, or whom the position decides."""

    def by_rule(variable: ir.Variable) -> bool:
        return variable.seen.function is not None and reads_state(program, variable.seen.function)

    return [variable for variable in program.variables if variable.public or by_rule(variable)]


def question(state: State, seat: int) -> dict[str, Any]:
    """What a seat is asked, and what it is told of each answer, legal or not; empty where it is not asked."""
    if state.pending().of(seat) is None:
        return {}
    decision = state.decision(seat)
    options = decision.options
    shown: dict[str, Any] = {
        "the prompt": decision.prompt,
        "the names of the options": [option.name for option in options],
        "the numbers of the options": [option.action for option in options],
        "the labels of the options": [option.text for option in options],
        "which options are legal": [option.name for option in options if option.legal],
        "the reasons": [(option.name, option.why) for option in options if not option.legal],
        "the legal actions": state.legal_actions(seat),
        "the numbers of what it may do": state.numbered().legal_actions(seat),
        "the refusal of a name": refusal(state, seat, NO_OPTION),
        "the refusal of an action": refusal(state, seat, NO_ACTION),
    }
    for option in options:
        if not option.legal:
            shown[f"the refusal of {option.name}"] = refusal(state, seat, option.action)
    return shown


def vector(state: State, seat: int) -> dict[str, float]:
    """What learners are given of what a seat sees, by the names of its entries, without those that are 0."""
    values = state.numbered().observation_tensor(seat)
    return {
        entry.name: value for entry, value in zip(state.game.observation_layout.entries, values, strict=True) if value
    }


def refusal(state: State, seat: int, answer: str | int) -> str:
    """What a seat is told of an answer that it cannot give."""
    try:
        if isinstance(answer, str):
            state.string_to_action(answer, seat)
        else:
            state.clone().apply_action(answer, seat)
    except IllegalAction as error:
        return str(error)
    return "accepted"


def by_itself(state: State, seat: int) -> dict[str, bool]:
    """Which questions to others a table answers by itself, since there is one answer: how soon it goes on tells that."""
    return {
        f"whether the question to {state.seat_name(asked.seat)} is answered by itself": not asked.site.secret
        and len(state.legal(asked)) == 1
        for asked in state.pending().questions
        if asked.seat != seat and not state.pending().participants
    }


def map_of(state: State, seat: int) -> dict[str, Any]:
    """The map and the boards as a seat sees them."""
    painted = state.picture(seat)
    told = {} if painted is None else {f"the map's {name}": part for name, part in painted.data().items()}
    return {**told, **{f"the board {board.name}": board.data() for board in state.boards(seat)}}


def table_of(state: State, viewer: Viewer) -> dict[str, Any]:
    """The table as a viewer sees it, in parts; without the score of a game that is over, which the rules show to all."""
    told = unstamped(state, viewer)
    if state.is_terminal():
        told["seats"] = [{name: part for name, part in seat.items() if name != "score"} for seat in told["seats"]]
        told["sheets"] = [sheet for sheet in told["sheets"] if sheet["label"] != "score"]
    return {f"the table's {name}": part for name, part in told.items() if name != "at"}


def table_text(state: State, viewer: Viewer) -> str:
    """The table as a viewer sees it, byte by byte."""
    return json.dumps(table_of(state, viewer), ensure_ascii=False)


def first_difference(one: dict[str, Any], two: dict[str, Any]) -> str:
    """The first entry in which the texts of two parts differ, with both values."""
    texts = [{name: json.dumps(part, ensure_ascii=False) for name, part in parts.items()} for parts in (one, two)]
    return difference(*texts)
