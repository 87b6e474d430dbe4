"""States and games are copied cheaply and handed on between processes of one's own."""

from __future__ import annotations

import copy
import pickle
from concurrent.futures import ProcessPoolExecutor
from multiprocessing import get_context
from time import perf_counter

import pytest

import interpreter
from interpreter.game import OPENED
from interpreter.runtime import rng
from tests.helpers.games import loaded
from tests.helpers.programs import nested


def played(game: interpreter.Game, seed: int, answers: int = 12) -> interpreter.State:
    """A state in the middle of a game."""
    state = game.new_state(seed)
    for n in range(answers):
        if state.is_terminal():
            break
        legal = state.legal_actions()
        state.apply_action(legal[rng.below(seed, n, len(legal))[0]])
    return state


def outcome(state: interpreter.State) -> tuple[object, ...]:
    """All of a state that anybody may ask for."""
    log = state.log_lines(interpreter.EVERYTHING)
    return state.to_json(), log, list(state.answers()), state.decisions, state.observation(0), state.current_player()


@pytest.mark.parametrize("backend", ["generated", "reference"])
@pytest.mark.parametrize("name", ["five_armies", "leduc_poker", "hobbit_card_game"])
def test_a_state_goes_through_pickle(name: str, backend: str) -> None:
    game = interpreter.Game(loaded(name), backend=backend)
    for seed in range(1 if name == "five_armies" else 2):  # each time its code is generated anew
        state = played(game, seed)
        parcel = pickle.dumps(state)
        assert pickle.loads(parcel).game is game, "the game is there already"
        OPENED.clear()
        fresh = pickle.loads(parcel)
        assert fresh.game is not game and fresh.game.identity() == game.identity()
        assert fresh == state and outcome(fresh) == outcome(state)
        while state.past is not None:
            assert all(fresh.can_take_back(seat) == state.can_take_back(seat) for seat in range(game.num_players))
            state.undo(), fresh.undo()
            assert outcome(fresh) == outcome(state)
        assert fresh.past is None


def test_a_long_game_goes_through_pickle() -> None:
    state = played(interpreter.Game(loaded("five_armies")), 3, 5_000)
    assert len(list(state.answers())) > 300
    assert outcome(pickle.loads(pickle.dumps(state))) == outcome(state)


def finished(state: interpreter.State) -> list[int]:
    while not state.is_terminal():
        state.apply_action(state.legal_actions()[0])
    return state.returns()


def test_processes_go_on_with_states() -> None:
    game = interpreter.Game(loaded("kuhn_poker"))
    states = [played(game, seed, 1) for seed in range(6)]
    with ProcessPoolExecutor(2, get_context("spawn")) as pool:
        found = list(pool.map(finished, states))
    assert found == [finished(state) for state in states]


def test_a_game_with_functions_of_its_own_stays() -> None:
    with pytest.raises(TypeError, match="functions of its own"):
        pickle.dumps(nested())


def test_copies_are_clones() -> None:
    game = interpreter.Game(loaded("five_armies"))
    state = played(game, 1)
    for made in (copy.copy(state), copy.deepcopy(state), copy.deepcopy({"state": [state]})["state"][0]):
        assert made is not state and made == state and made.game is game and made.slots is state.slots
        made.apply_action(made.legal_actions()[0])
        assert made != state
    assert copy.deepcopy(game) is game
    started = perf_counter()
    for _ in range(1000):
        copy.deepcopy(state)
    assert perf_counter() - started < 1, "a deep copy takes far less than a millisecond"
