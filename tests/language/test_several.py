"""Choices of several items: each different choice is one way through the questions, on every back end."""

from __future__ import annotations

from collections import Counter
from itertools import combinations
from typing import Any

import pytest

import interpreter
from tests.helpers.games import loaded
from tests.helpers.native import NEEDS_C, native_on, pair  # noqa: F401
from tests.helpers.places import ROOT

PLAY = ROOT / "tests/conformance/play"
GAMES = ("choose_equal", "choose_or_none", "choose_several")


def held(game: interpreter.Game, site: str) -> Counter[str]:
    """How often each way to answer the first question of a name comes, until something else is asked."""
    ways: Counter[str] = Counter()
    waiting = [(game.new_state(seed=0), ())]
    while waiting:
        state, said = waiting.pop()
        decision = state.decision(0)
        if decision is None or decision.site != site or said[-1:] == ("done",):
            ways[" ".join(said)] += 1
            continue
        for option in decision.legal:
            after = state.clone()
            after.apply_action(option.action)
            waiting.append((after, (*said, option.name)))
    return ways


@pytest.mark.parametrize("backend", ["reference", "python"])
def test_each_different_choice_of_equal_items_is_one_way(backend: Any) -> None:
    game = interpreter.Game(loaded(PLAY / "choose_equal.yaml"), players=1, backend=backend)
    ways = Counter(way.removesuffix(" done").removesuffix("done") for way in held(game, "again").elements())
    dice = (3, 3, 3, 5, 6)
    different = {" ".join(map(str, some)) for n in range(6) for some in combinations(dice, n)}
    assert set(ways) == different and set(ways.values()) == {1}


@NEEDS_C
@pytest.mark.parametrize("name", GAMES)
def test_all_games_as_c_are_those_in_python(name: str) -> None:
    players = 1 if name == "choose_equal" else 2
    native, python = pair(PLAY / f"{name}.yaml", players)
    walked = [(native.new_state(seed=1, record=False, undo=False), python.new_state(seed=1))]
    positions = 0
    while walked and positions < 1500:
        one, two = walked.pop()
        positions += 1
        assert one.is_native and one.slots == two.slots
        assert one.legal_actions() == two.legal_actions()
        for action in two.legal_actions():
            after, other = one.clone(), two.clone()
            after.apply_action(action)
            other.apply_action(action)
            walked.append((after, other))
    assert native.handed_over == 0 and positions > 50
