"""Properties that hold for every shipped game, at every number of players."""

from __future__ import annotations

import pytest

import interpreter
import rulespec
from interpreter.files import transcript
from tests.helpers.games import WAYS, Dice, failures, loaded, random_step, setups, walk
from tests.helpers.places import GAMES

SETUPS = list(setups())
MANY = 120  # cases of a game that are saved or taken back at each decision; all are played straight


@pytest.mark.parametrize("folder", GAMES, ids=lambda f: f.name)
def test_lint_is_clean(folder):
    found, diagnostics = rulespec.check(folder)
    assert found is not None
    assert [str(d) for d in diagnostics] == []


@pytest.mark.parametrize("mode, backend", WAYS)
@pytest.mark.parametrize("folder", GAMES, ids=lambda f: f.name)
def test_cases_pass(folder, mode, backend):
    failed = failures(folder, mode, backend, most=None if mode == "straight" else MANY)
    assert not failed, "\n".join(failed)


@pytest.mark.parametrize(("name", "players"), SETUPS)
@pytest.mark.parametrize("chance", ["explicit", "seeded"])
def test_random_games_survive_everything(name, players, chance):
    game = interpreter.Game(loaded(name), players=players)
    for seed in range(3):
        walk(game, seed, chance)


@pytest.mark.parametrize(("name", "players"), SETUPS)
def test_a_seed_gives_the_same_game(name, players):
    game = interpreter.Game(loaded(name), players=players)
    again = interpreter.Game(loaded(name), players=players)
    for seed in (0, 7):
        one, two = game.playout(seed, record=True), again.playout(seed, record=True)
        assert one.slots == two.slots
        assert transcript.write(one) == transcript.write(two)
        assert game.replay(transcript.write(one)) == one


def seen_by(state, seat):
    """All that a seat is shown: its observation, its log, and what it is offered and refused."""
    shown = [state.observation(seat), state.log_lines(seat)]
    if seat in state.pending_players():
        decision = state.decision(seat)
        shown.append([decision.prompt, *((c.name, c.text, c.legal, c.why) for c in decision.options)])
    return shown


@pytest.mark.parametrize(("name", "players"), SETUPS)
def test_what_a_seat_cannot_tell_apart_looks_alike(name, players):
    """Positions with the same information state show the seat the same, whatever is hidden in them.

    Games that are alike for their first draws and then differ by chance: what a seat was dealt is the same in several of them,
    and the rest is not.
    """
    game = interpreter.Game(loaded(name), players=players)
    seen: dict[tuple[int, bool, str], tuple[object, object]] = {}
    hidden = any(part.seen.who != "all" for part in (*game.program.variables, *game.program.zones))
    apart = 0
    for seed in range(10 if hidden else 2):
        state, dice = game.new_state(chance="explicit"), Dice(0)
        tracker = interpreter.InformationTracker.start(state)
        for step in range(24):
            if state.is_terminal():
                break
            if step == 11:
                dice = Dice(1000 + seed)
            for seat in range(players):
                shown = seen_by(state, seat)
                asked = state.is_chance_node()  # an observation says whether chance is asked; to a seat that is no news
                alike = (seat, asked, tracker.information_state(seat))
                before, key = seen.setdefault(alike, (shown, state.key()))
                assert shown == before
                apart += key != state.key()
            last = state.clone()
            state.apply_action(*random_step(state, dice))
            tracker = tracker.after(last, state)
        assert all(tracker.information_state(seat) == state.information_state(seat) for seat in range(players))
    assert apart or not hidden or len(game.new_state(chance="explicit").slots) < 40


@pytest.mark.parametrize("name", ["kuhn_poker", "leduc_poker"])
def test_no_position_of_a_small_game_tells_more_than_its_information_state(name):
    """The same, for every position of the whole tree."""
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
            shown = seen_by(state, seat)
            assert seen.setdefault(key, shown) == shown
        if state.is_terminal():
            continue
        chance = state.current_player() == interpreter.CHANCE
        for action in [a for a, _ in state.chance_outcomes()] if chance else state.legal_actions():
            child = state.child(action)
            todo.append((child, tracker.after(state, child)))
    assert apart > 10
