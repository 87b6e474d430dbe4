"""Properties of a position: what may be answered, where the pieces are, and what an end gives."""

from __future__ import annotations

from fractions import Fraction
from itertools import pairwise

from interpreter.game import State
from interpreter.runtime.faults import IllegalAction
from interpreter.runtime.limits import BIGGEST
from rulespec.text.quoting import ticked


def somebody_is_asked(state: State) -> str | None:
    """Until the end there is chance or a seat to answer; after it there is nobody, and every answer is refused."""
    asked = state.pending_players()
    if state.is_terminal():
        if asked or state.is_chance_node() or any(state.legal_actions(seat) for seat in range(state.game.num_players)):
            return "the game is over, and somebody is asked"
        return None
    if not asked and not state.is_chance_node():
        return "the game is not over, and nobody is asked"
    if list(asked) != sorted(set(asked)):
        return "the seats that are asked are not in order"
    return None


def actions_are_in_order(state: State) -> str | None:
    """Legal actions are ascending, each there once and named by itself; there is always one for who is asked."""
    for seat in state.pending_players():
        legal, name = state.legal_actions(seat), state.seat_name(seat)
        if not legal:
            return f"{name} is asked and has no legal action"
        if any(a >= b for a, b in pairwise(legal)):
            return f"the legal actions of {name} are not ascending, or one is there twice"
        names = [state.action_to_string(action, seat) for action in legal]
        if len(set(names)) != len(names):
            twice = next(text for text in names if names.count(text) > 1)
            return f"two legal actions of {name} are named {ticked(twice)}"
        if [state.string_to_action(text, seat) for text in names] != legal:
            return f"the name of a legal action of {name} means another"
    return None


def options_agree(state: State) -> str | None:
    """A decision marks those options as legal that are legal actions, and gives every other one a reason."""
    for seat in state.pending_players():
        decision, name = state.decision(seat), state.seat_name(seat)
        if sorted(option.action for option in decision.legal) != state.legal_actions(seat):
            return f"the options of {name} are not the legal actions"
        for option in decision.options:
            if option.legal:
                continue
            if not option.why:
                return f"`{option.name}` is refused to {name} without a reason"
            tried = state.clone()
            try:
                tried.apply_action(option.action, seat)
            except IllegalAction as refusal:
                if option.why not in str(refusal):
                    return f"`{option.name}` is refused to {name} for another reason than is shown"
            else:
                return f"`{option.name}` is not legal for {name} and is taken"
            if tried != state:
                return f"the refusal of `{option.name}` changes the position"
    return None


def chances_add_up(state: State) -> str | None:
    """What chance may give has probabilities above 0 that add up to exactly 1."""
    outcomes = state.chance_outcomes()
    if outcomes and (sum(p for _, p in outcomes) != 1 or any(p <= 0 for _, p in outcomes)):
        return "the probabilities of chance do not add up to 1"
    if [action for action, _ in outcomes] != list(range(len(outcomes))):
        return "the outcomes of chance are not in order"
    return None


def pieces_are_conserved(state: State) -> str | None:
    """Every piece lies in exactly the zone that its place names; no zone holds fewer than none of anything."""
    program, S = state.game.program, state.slots
    for kind in program.kinds:
        if kind.location is None:
            continue
        lying: dict[int, list[int]] = {}
        for piece in range(len(kind.members)):
            lying.setdefault(S[kind.location + piece], []).append(piece)
        for zone in program.zones:
            if zone.kind != kind.index or zone.counts or (zone.scope is not None and not S[zone.scope]):
                continue
            for slot in range(zone.base, zone.base + zone.size):
                if sorted(S[slot]) != lying.pop(slot, []):
                    return f"{program.slot_names[slot]} does not hold what lies there"
                if zone.order != "pile" and list(S[slot]) != sorted(S[slot]):
                    return f"{program.slot_names[slot]} is not in order"
    for zone in program.zones:
        if zone.counts and any(min(S[slot], default=0) < 0 for slot in range(zone.base, zone.base + zone.size)):
            return f"{zone.name} holds fewer than none of something"
    return None


def returns_fit(state: State) -> str | None:
    """Returns are one number of 64 bits a seat, 0 before the end; the winners are seats, each once."""
    returns, seats = state.returns(), range(state.game.num_players)
    if len(returns) != len(seats) or not all(type(n) in (int, Fraction) and -BIGGEST <= n <= BIGGEST for n in returns):
        return "the returns are not one number of 64 bits for each seat"
    if not state.is_terminal():
        return "there are returns before the end" if any(returns) else None
    winners = state.winners()
    if winners is not None and (len(set(winners)) != len(winners) or not set(winners) <= set(seats)):
        return "the winners are not seats, each once"
    return None


OF_A_POSITION = (
    somebody_is_asked,
    actions_are_in_order,
    options_agree,
    chances_add_up,
    pieces_are_conserved,
    returns_fit,
)
