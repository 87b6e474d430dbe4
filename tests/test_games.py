"""Properties that hold for every shipped game, at every number of players."""

from __future__ import annotations

import pytest
from support import GAMES, Dice, random_step, setups, walk

import interpreter
import rulespec
from interpreter import transcript
from interpreter.cases import run_cases
from rulespec.cases import load_cases

SETUPS = list(setups())


@pytest.mark.parametrize("folder", GAMES, ids=lambda f: f.name)
def test_lint_is_clean(folder):
    found, diagnostics = rulespec.check(folder)
    assert found is not None
    assert [str(d) for d in diagnostics] == []


@pytest.mark.parametrize("mode", ["straight", "reload", "undo"])
@pytest.mark.parametrize("folder", GAMES, ids=lambda f: f.name)
def test_cases_pass(folder, mode):
    suite, diagnostics = load_cases(folder)
    assert suite is not None, "\n".join(map(str, diagnostics))
    failed = [
        f"{case.file}:{case.line} {case.name}: {case.message}"
        for case in run_cases(suite, mode=mode)
        if not case.passed
    ]
    assert not failed, "\n".join(failed)


@pytest.mark.parametrize(("name", "players"), SETUPS)
@pytest.mark.parametrize("chance", ["explicit", "seeded"])
def test_random_games_survive_everything(name, players, chance):
    game = interpreter.Game(rulespec.load(name), players=players)
    for seed in range(3):
        walk(game, seed, chance)


@pytest.mark.parametrize(("name", "players"), SETUPS)
def test_a_seed_gives_the_same_game(name, players):
    game = interpreter.Game(rulespec.load(name), players=players)
    again = interpreter.Game(rulespec.load(name), players=players)
    for seed in (0, 7):
        one, two = game.playout(seed), again.playout(seed)
        assert one.slots == two.slots
        assert transcript.write(one) == transcript.write(two)
        assert game.replay(transcript.write(one)) == one


@pytest.mark.parametrize(("name", "players"), SETUPS)
def test_what_a_seat_cannot_tell_apart_looks_alike(name, players):
    """Two positions with the same information state give the seat the same observation, options and texts."""
    game = interpreter.Game(rulespec.load(name), players=players)
    seen: dict[tuple[int, str], object] = {}
    for seed in range(12):
        state, dice = game.new_state(chance="explicit"), Dice(seed // 4)
        for _ in range(40):
            if state.is_terminal():
                break
            for seat in range(players):
                key = (seat, state.information_state(seat))
                view = [state.observation(seat)]
                if seat in state.pending_players():
                    view.append([(c.name, c.text, c.legal, c.why) for c in state.decision(seat).options])
                assert seen.setdefault(key, view) == view
            state.apply_action(*random_step(state, dice))
