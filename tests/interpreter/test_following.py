"""Information states are followed along a game: they are what a replay from the beginning gives, whoever asks when."""

from __future__ import annotations

import json
import random

import pytest

import rulespec
from interpreter import InformationTracker, State
from interpreter.position import SlotPosition
from interpreter.views import following
from interpreter.views.information import Entries
from interpreter.views.observation import observe
from interpreter.views.seen import canonical, seen
from tests.helpers.games import loaded

MOST = 60  # answers of a game that are looked at


def replayed(state: State, seat: int) -> str:
    """The information state, worked out from the beginning on."""
    at = SlotPosition.start(state.setup, chance="explicit", undo=False)
    tracker = InformationTracker.start(at)
    for actor, _, action, _ in reversed(list(state.answers())):
        before = at.clone()
        at.apply_action(action, actor)
        tracker = tracker.after(before, at)
    return tracker.information_state(seat)


@pytest.mark.parametrize("chance", ["seeded", "explicit"])
@pytest.mark.parametrize("name", ["leduc_poker", "hobbit_card_game", "smaugs_treasure", "lotr_tarot"])
def test_what_is_followed_is_what_a_replay_gives(name: str, chance: str) -> None:
    """With clones that go another way, undone answers, and seats that are asked for now and then."""
    game, choose = rulespec.Game(loaded(name), backend="python"), random.Random(4)
    state = game.new_state(4) if chance == "seeded" else game.new_state(chance="explicit")
    for number in range(MOST):
        if state.is_terminal():
            break
        legal = state.legal_actions()
        if number % 5 == 1:
            other = state.child(choose.choice(legal))
            assert other.information_state(0) == replayed(other, 0)
        if number % 7 == 6:
            state.undo()
            legal = state.legal_actions()
        if choose.random() < 0.6:
            state.information_state(choose.randrange(game.num_players))
        state.apply_action(choose.choice(legal))
        for seat in range(game.num_players):
            assert seen(state, seat)[0] == canonical(observe(state, seat))
    for seat in range(game.num_players):
        assert state.information_state(seat) == replayed(state, seat)


def test_it_goes_on_from_where_it_was(monkeypatch: pytest.MonkeyPatch) -> None:
    """A second call starts nothing, and gives the answers since to no other position."""
    state = rulespec.Game(loaded("leduc_poker"), backend="python").new_state(1, undo=False)
    state.information_state(0)
    state.apply_action(1)
    monkeypatch.setattr(SlotPosition, "start", None)
    monkeypatch.setattr(SlotPosition, "child", None)
    assert state.information_state(0).startswith(state.clone().information_state(0)[:-1])


def test_games_that_go_the_same_way_share_what_was_worked_out(monkeypatch: pytest.MonkeyPatch) -> None:
    """The second of them, from a seed or with chance as a player, works nothing out."""
    game = rulespec.Game(loaded("leduc_poker"), backend="python")
    state, other = game.new_state(3, undo=False), game.new_state(chance="explicit", undo=False)
    while not state.is_terminal():
        state.apply_action(state.legal_actions()[0])
    for actor, _, action, _ in reversed(list(state.answers())):
        other.apply_action(action, actor)
    told = state.information_state(0)
    monkeypatch.setattr(SlotPosition, "child", None)
    monkeypatch.setattr(following, "step", None)
    assert other.information_state(0) == told


def test_it_begins_anew_where_too_much_is_kept(monkeypatch: pytest.MonkeyPatch) -> None:
    """What is kept for other games has a bound, and what is told does not change there."""
    monkeypatch.setattr(following, "MOST_VALUES", 200)
    game = rulespec.Game(loaded("leduc_poker"), backend="python")
    for seed in range(8):
        state = game.new_state(seed, undo=False)
        while not state.is_terminal():
            state.apply_action(state.legal_actions()[seed % 2])
            ways = game.workshop.kept.get("ways")
            assert ways is None or ways.values <= 200
            assert state.information_state(seed % 2) == replayed(state, seed % 2)


def test_what_is_kept_of_a_position_holds_no_game() -> None:
    """Neither how the game went on nor what others have followed, and what is asked only where the game stands."""
    state = rulespec.Game(loaded("hobbit_card_game"), backend="python").new_state(2, undo=False)
    for _ in range(6):
        state.information_state(0)
        state.apply_action(state.legal_actions()[0])
    node = state.setup.workshop.kept["ways"].first(state)
    looked_at = 0
    while node.after:
        at = node.position
        assert (at.history, at.log, at.past, at.followed, at._pending) == (None, None, None, {}, None)
        (node,), looked_at = node.after.values(), looked_at + 1
    assert looked_at >= 6 and node.position._pending is not None


@pytest.mark.parametrize("number", [0, 1, 15, 16, 17, 33, 300])
def test_entries_are_joined_in_their_order(number: int) -> None:
    entries = Entries()
    for n in range(number):
        entries = entries.and_then(str(n))
    assert json.loads(entries.joined()) == [*range(number)]
