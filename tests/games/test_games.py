"""Properties that hold for every shipped game, at every number of players."""

from __future__ import annotations

import pytest

import interpreter
import rulespec
from interpreter.files import transcript
from interpreter.testing.properties.shown import question
from interpreter.testing.properties.trial import Budget
from tests.helpers.games import ALL, FEW, WAYS_OF_GAMES, failures, fewest_and_most, loaded, trial_of
from tests.helpers.places import GAMES

# Cases of a game that are saved or taken back at each decision, or played straight on the reference machine: all are played
# straight as generated code, and on the reference machine where coverage is measured.
SOME = 100_000 if ALL else 20
# Of games of which each decision is long to look at, fewer.
LONG = (
    {}
    if ALL
    else dict.fromkeys(("five_armies", "hobbit_board_game", "lotr_tarot"), Budget(checked=14, twins=1, life=10))
)


@pytest.mark.parametrize("folder", GAMES, ids=lambda f: f.name)
def test_lint_is_clean(folder):
    found, diagnostics = rulespec.check(folder)
    assert found is not None
    assert [str(d) for d in diagnostics] == []


@pytest.mark.parametrize("mode, backend", WAYS_OF_GAMES)
@pytest.mark.parametrize("folder", GAMES, ids=lambda f: f.name)
def test_cases_pass(folder, mode, backend):
    failed = failures(folder, mode, backend, most=None if (mode, backend) == ("straight", "generated") else SOME)
    assert not failed, "\n".join(failed)


@pytest.mark.parametrize(("name", "players"), fewest_and_most())
def test_what_always_holds(name, players):
    """`rulespec verify` of fewer decisions."""
    game = interpreter.Game(loaded(name), players=players)
    compared, hides = 0, False
    for seed in range(2 if ALL else 1):
        trial, failure = trial_of(game, seed, LONG.get(name, FEW))
        assert failure is None, f"{failure.property}, seed {failure.seed}: {failure.message}"
        compared += trial.counts.compared
        hides = trial.bench.pairing.hides
    assert hides == (compared > 0)


@pytest.mark.parametrize(("name", "players"), fewest_and_most())
def test_a_seed_gives_the_same_game(name, players):
    game = interpreter.Game(loaded(name), players=players)
    again = interpreter.Game(loaded(name), players=players)
    for seed in (0, 7):
        one, two = game.playout(seed, record=True), again.playout(seed, record=True)
        assert one.slots == two.slots
        assert transcript.write(one) == transcript.write(two)
        assert game.replay(transcript.write(one)) == one


@pytest.mark.parametrize("name", ["kuhn_poker", "leduc_poker"])
def test_no_position_of_a_small_game_tells_more_than_its_information_state(name):
    """Whoever cannot tell two positions apart is shown the same in both: for every position of the whole tree."""
    game = interpreter.Game(loaded(name), players=2)
    seen: dict[tuple[int, str], object] = {}
    apart = 0
    todo = [(game.new_state(chance="explicit"), None)]
    todo = [(state, interpreter.InformationTracker.start(state)) for state, _ in todo]
    while todo:
        state, tracker = todo.pop()
        for seat in (0, 1):
            key = (seat, tracker.information_state(seat))
            apart += key in seen
            shown = [state.observation(seat), state.log_lines(seat), question(state, seat)]
            assert seen.setdefault(key, shown) == shown
        if state.is_terminal():
            continue
        chance = state.current_player() == interpreter.CHANCE
        for action in [a for a, _ in state.chance_outcomes()] if chance else state.legal_actions():
            child = state.child(action)
            todo.append((child, tracker.after(state, child)))
    assert apart > 10
