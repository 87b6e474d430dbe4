"""Vectors of what seats see: a fixed layout with a name for each entry, within its bounds, and no more than the seat is shown."""

from __future__ import annotations

import random

import pytest

import rulespec
from tests.helpers.games import loaded

SHIPPED = tuple(info.id for info in rulespec.list_games())
MOST = 20


@pytest.mark.parametrize("name", SHIPPED)
def test_each_entry_has_a_name_and_bounds(name: str) -> None:
    game, choose = rulespec.Game(loaded(name), backend="python"), random.Random(2)
    layout, recall = game.observation_layout, game.information_layout
    assert len(set(layout.names)) == len(layout) > 0
    assert len({entry.name for entry in recall.entries}) == len(recall)
    play = game.new_state(2, undo=False).numbered()
    for number in range(MOST):
        if play.state.is_terminal():
            break
        for seat in range(game.num_players):
            vector = play.observation_tensor(seat)
            assert vector.typecode == "f" and len(vector) == len(layout)
            for value, entry in zip(vector, layout.entries, strict=True):
                assert entry.low <= value <= entry.high, entry.name
        if number % 6 == 0:
            assert len(play.information_state_tensor(0)) == len(recall)
        play.apply_action(choose.choice(play.legal_actions()))


def test_what_the_entries_are() -> None:
    """The own card has entries, the other's has none; what is staked is a number; who is asked what."""
    game = rulespec.Game(loaded("kuhn_poker"), backend="python")
    play = game.new_state(chance="explicit", undo=False).numbered()
    for word in ("jack", "king"):
        play.apply_action(play.state.string_to_action(word))
    names = game.observation_layout.names

    def seen(seat: int) -> dict[str, float]:
        return {name: value for name, value in zip(names, play.observation_tensor(seat), strict=True) if value}

    assert not [name for name in names if name.startswith(("hand.p1=", "hand.p2="))]
    one, two = seen(0), seen(1)
    assert (one["own hand=jack"], two["own hand=king"], one["staked.p1"]) == (1, 1, 1)
    assert {"you=p1", "to act=p1", "asked=action"} <= one.keys()
    assert "asked=action" not in two and "own hand=jack" not in two


def test_information_states_of_small_games_forget_nothing() -> None:
    """Two information states have one vector only where they have one text."""
    game, vectors = rulespec.Game(loaded("leduc_poker"), backend="python"), {}
    assert game.information_layout.perfect_recall
    for seed in range(60):
        choose = random.Random(seed)
        play = game.new_state(seed, undo=False).numbered()
        while not play.state.is_terminal():
            seat = play.state.current_player()
            text, vector = play.information_state(seat), play.information_state_tensor(seat).tobytes()
            assert vectors.setdefault(text, vector) == vector
            play.apply_action(choose.choice(play.legal_actions()))
    assert len(set(vectors.values())) == len(vectors) > 100
