"""The memory of positions counts what a dictionary beside the game counts, in every back end, after undo, copies and saves."""

import json
import random
from collections import Counter
from typing import Any

import pytest

import interpreter
from tests.helpers.games import loaded
from tests.helpers.native import NEEDS_C, native_on, pair  # noqa: F401
from tests.helpers.places import ROOT

BACKENDS = ["reference", "python", pytest.param("native", marks=NEEDS_C)]
SPEC = ROOT / "tests/conformance/play/repetition.yaml"
GAMES, ANSWERS = 5, 50


def key(state: Any) -> str:
    """The position as its author means it, out of what a spectator sees: two pebbles are alike, and a pile has an order."""
    seen = state.observation(None)
    zones = {
        name: [stone.partition("_")[0] for stone in stones]
        for name, stones in seen["zones"].items()
        if isinstance(stones, list)
    }
    zones["bank"].sort()
    told = {name: value for name, value in seen["state"].items() if name.startswith(("purse", "active"))}
    return json.dumps([zones, told], sort_keys=True)


def stones_of(state: Any) -> list[int]:
    """The answers that bring a stone."""
    return [action for action in state.legal_actions() if state.action_to_string(action) != "none"]


@pytest.mark.parametrize("backend", BACKENDS)
def test_it_counts_as_a_dictionary_does(backend: Any) -> None:
    """A game ends just when its position has been remembered twice before; a new day forgets what was before it, and from the third on
    nothing that is offered brings a position back."""
    game = interpreter.Game(loaded(SPEC), backend=backend)
    ends = mistakes = 0
    for seed in range(GAMES):
        chance, state, been = random.Random(seed), game.new_state(seed=seed), Counter[str]()
        for _ in range(ANSWERS):
            if state.is_terminal():
                break
            now, seen = key(state), state.observation(None)["state"]
            been = Counter[str]() if seen["new_day"] else been
            been[now] += 1
            if seen["days"] == 2:
                mistakes += sum(been[key(child)] for child in map(state.child, stones_of(state)))
            likely = state.legal_actions() if chance.random() < 0.08 else stones_of(state)
            state.apply_action(chance.choice(likely or state.legal_actions()))
            if chance.random() < 0.2 and not state.is_terminal():
                other = chance.choice(state.legal_actions())
                state.apply_action(other)
                state.undo()
            state = state.clone()
            assert state.is_terminal() == (been[key(state)] >= 2), seed
        ends += state.is_terminal()
        if not state.is_terminal():
            assert game.state_from_json(state.to_json()) == state
    assert ends and not mistakes
    assert game.handed_over == 0


@NEEDS_C
@pytest.mark.parametrize("answers", [0, 5, 11])
def test_what_was_remembered_elsewhere_is_found_in_c(answers: int) -> None:
    """A position comes from Python after some answers; from there on both count alike, whatever room C has for each part."""
    native, python = pair(ROOT / "tests/native/remembered.yaml", 2)
    state, chance = python.new_state(seed=1, undo=False, record=False), random.Random(answers)
    for _ in range(answers):
        state.apply_action(chance.choice(state.legal_actions()))
    copied = native.in_c(state.clone())
    while not state.is_terminal():
        action = chance.choice(state.legal_actions())
        for one in (state, copied):
            one.apply_action(action)
        assert copied.slots == state.slots
    assert copied.is_terminal() and native.handed_over == 0
    assert native.playout(3).slots == python.playout(3).slots
