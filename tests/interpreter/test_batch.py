"""Batches: the games are those of states that are stepped one by one, in Python and in C, whatever C leaves to Python."""

from __future__ import annotations

import random
from array import array
from typing import Any

import pytest

import interpreter
import rulespec
from interpreter import Batch
from interpreter.native import building
from interpreter.runtime import rng
from tests.helpers import race
from tests.helpers.games import loaded
from tests.helpers.native import COMPILES

HOW: dict[str, dict[str, int] | None] = {
    "python": None,
    "native": {},
    "hands over": {"HAND_OVER": 4},
    "cannot hold": {"LOOSE": 6},
}


@pytest.fixture(scope="module")
def gamedef() -> Any:
    return rulespec.load(race.GAME)


@pytest.fixture(params=HOW)
def game(
    request: pytest.FixtureRequest, gamedef: Any, tmp_path: Any, monkeypatch: pytest.MonkeyPatch
) -> interpreter.Game:
    """The game of tests/native, played in a way."""
    defines = HOW[request.param]
    if defines is None:
        return interpreter.Game(gamedef, backend="python")
    if not COMPILES:
        pytest.skip("needs a C compiler, and the extension module")
    monkeypatch.setenv(building.VARIABLE, "on")
    return race.game_of(gamedef, race.Race(**defines), tmp_path)


def check(batch: Batch, states: list[interpreter.State]) -> None:
    """Whether the buffers say what the states do."""
    for place, state in enumerate(states):
        legal = state.legal_actions()
        row = batch.legal.tolist()[place]
        shown = [action for action, one in enumerate(row) if one] if batch.masked else row[: batch.counts[place]]
        assert (batch.players[place], batch.counts[place], shown) == (state.current_player(), len(legal), legal)
        assert batch.state(place).slots == state.slots and batch.state(place).decisions == state.decisions


def test_observations_are_vectors_of_who_is_asked(game: interpreter.Game) -> None:
    """After each step in every place, however the games are played, wider rows of actions included."""
    batch, dice = Batch(game, 5, seed=3, legal="lists", observations=True), random.Random(2)
    for _ in range(12):
        assert batch.observations is not None
        rows = array("f", batch.observations.tobytes())
        width, actions = len(rows) // 5, []
        for place in range(5):
            state = batch.state(place)
            told = state.numbered().observation_tensor(batch.players[place])
            assert rows[place * width : (place + 1) * width] == told
            actions.append(dice.choice(state.legal_actions()))
        batch.step(actions)


@pytest.mark.parametrize("legal", ["mask", "lists"])
@pytest.mark.parametrize("games", [1, 7, 200])
def test_batches_are_states(game: interpreter.Game, gamedef: Any, games: int, legal: Any) -> None:
    alone = interpreter.Game(gamedef, backend="python")
    dice = random.Random(games)
    batch = Batch(game, games, seed=9, legal=legal, threads=3)
    episodes = [0] * games

    def fresh(place: int) -> interpreter.State:
        return alone.new_state(rng.number(9, episodes[place] * games + place), undo=False, record=False)

    states = [fresh(place) for place in range(games)]
    check(batch, states)
    for step in range(12):
        actions = [dice.choice(state.legal_actions()) for state in states]
        batch.step(array("i", actions) if step % 2 else actions)
        for place, (state, action) in enumerate(zip(states, actions, strict=True)):
            state.apply_action(action)
            rewards = batch.rewards.tolist()[place]
            assert batch.done[place] == state.is_terminal() and rewards == state.returns()
            if state.is_terminal():
                episodes[place] += 1
                states[place] = fresh(place)
        check(batch, states)
    assert batch.episodes.tolist() == episodes and batch.episodes_over == sum(episodes) > 0
    batch.reset()
    episodes = [0] * games
    check(batch, [fresh(place) for place in range(games)])
    assert not any(batch.done) and batch.episodes_over == 0


def test_an_action_that_is_not_legal_stops_all(game: interpreter.Game) -> None:
    batch = Batch(game, 100, seed=1, threads=2)
    before = [batch.state(place).slots for place in range(100)]
    for place, action in ((0, 2), (99, -1), (57, 2**31 - 1)):
        actions = [0] * 100
        actions[place] = action
        with pytest.raises(interpreter.IllegalAction) as caught:
            batch.step(actions)
        assert caught.value.diagnostic.code == "P002" and f"game {place} " in str(caught.value)
        assert [batch.state(place).slots for place in range(100)] == before
    for actions in ([0] * 99, [0] * 101, ["a"] * 100, None, array("q", [0] * 99)):  # type: ignore[list-item]
        with pytest.raises((interpreter.IllegalAction, TypeError)):
            batch.step(actions)
    with pytest.raises(interpreter.IllegalAction):
        batch.step([2**40] * 100)
    batch.step(array("q", [0] * 100))  # not of 32 bits: read as a sequence


def test_bad_arguments(gamedef: Any) -> None:
    game = interpreter.Game(gamedef, backend="python")
    for arguments in ({"games": 0}, {"games": 1, "threads": 0}, {"games": 1, "seed": -1}, {"games": 1, "legal": "x"}):
        with pytest.raises(interpreter.IllegalAction) as caught:
            Batch(game, **arguments)  # type: ignore[arg-type]
        assert caught.value.diagnostic.code == "P008"
    with pytest.raises(IndexError):
        Batch(game, 2).state(2)


def test_buffers_cannot_be_written_to(game: interpreter.Game) -> None:
    batch = Batch(game, 3)
    for view in (batch.players, batch.counts, batch.done, batch.rewards, batch.episodes, batch.legal):
        assert view.readonly
    assert batch.legal.shape == (3, batch.width) and batch.rewards.shape == (3, 2)
    assert [view.format for view in (batch.players, batch.done, batch.rewards, batch.episodes)] == ["i", "B", "d", "q"]
    numpy = pytest.importorskip("numpy")
    assert numpy.asarray(batch.legal).dtype == numpy.uint8


def test_a_fault_is_told_when_all_others_are_stepped(game: interpreter.Game) -> None:
    game.most_decisions = 1
    batch = Batch(game, 5, seed=3)
    batch.step([0] * 5)
    before = [batch.state(place).slots for place in range(5)]
    with pytest.raises(interpreter.Fault) as caught:
        batch.step([0] * 5)
    assert caught.value.diagnostic.code == "R017"
    assert [batch.state(place).slots for place in range(5)] == before


@pytest.mark.parametrize(("name", "steps"), [("connect_four", 60), ("kuhn_poker", 8), ("smaugs_treasure", 30)])
def test_shipped_games_in_python(name: str, steps: int) -> None:
    """Rows grow where a question has more actions than there was room for."""
    game = interpreter.Game(loaded(name), backend="python")
    batch, dice = Batch(game, 3, seed=2, legal="lists"), random.Random(1)
    batch.width = 1
    batch.make()
    batch.reset()
    assert batch.width > 1
    for _ in range(steps):
        rows = batch.legal.tolist()
        batch.step([dice.choice(rows[place][: batch.counts[place]]) for place in range(3)])
    assert batch.episodes_over > 0 or name != "kuhn_poker"
