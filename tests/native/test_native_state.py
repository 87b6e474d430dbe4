"""States that compiled C plays, by a game whose C is written by hand (tests/native): the same in everything as in Python."""

from __future__ import annotations

import copy
import json
import pickle
import random
import sys
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from typing import Any

import pytest

import interpreter
import rulespec
from interpreter.game import NativeState
from interpreter.native import building, kit
from interpreter.native.emitter.kit import EMITTER
from interpreter.questions import Question
from interpreter.testing.properties.run import Outcome, play
from interpreter.testing.properties.trial import Bench, Budget
from tests.helpers import race
from tests.helpers.native import NEEDS_C

pytestmark = NEEDS_C


@pytest.fixture(scope="module")
def gamedef() -> Any:
    return rulespec.load(race.GAME)


@pytest.fixture(scope="module")
def python(gamedef: Any) -> interpreter.Game:
    return interpreter.Game(gamedef, backend="python")


@pytest.fixture(scope="module", autouse=True)
def native_on() -> Iterator[None]:
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv(building.VARIABLE, "on")
        patch.setattr(kit, "KIT", race.Race())
        yield


@pytest.fixture(scope="module")
def native(gamedef: Any, tmp_path_factory: pytest.TempPathFactory) -> interpreter.Game:
    return race.game_of(gamedef, race.Race(), tmp_path_factory.mktemp("objects"))


@pytest.fixture(params=["always native", "hands over at 4", "hands over at 5", "cannot hold 6"])
def any_native(
    request: pytest.FixtureRequest, gamedef: Any, native: interpreter.Game, tmp_path: Any
) -> interpreter.Game:
    """The game by C that leaves more or less to Python."""
    words = request.param.split()
    if words[0] == "always":
        return native
    return race.game_of(
        gamedef, race.Race(**{"HAND_OVER" if words[0] == "hands" else "LOOSE": int(words[-1])}), tmp_path
    )


def everything(state: interpreter.State) -> list[Any]:
    """What a state says of itself."""
    said: list[Any] = [
        state.current_player(), state.is_terminal(), state.returns(), state.legal_actions(), state.slots, state.decisions,
        state.is_chance_node(), state.is_simultaneous(), state.pending_players(), state.chance_outcomes(), state.key(), state.seed,
        state.winners(), state.keeps, state.records, state.log, state.history, state.past, state.main, repr(state),
        [state.legal_actions(player) for player in (-1, 0, 1, None, 5)], state.observation(0),
        state.outcome() if state.is_terminal() else None,
        [state.action_to_string(action) for action in state.legal_actions()], state.to_json(), list(state.answers()),
        state.log_lines(interpreter.EVERYTHING), state.decision() if state.pending_players() else None,
    ]  # fmt: skip
    if state.records:
        said += [state.information_state(0), state.information_state(None)]
    return said


def refusal(state: interpreter.State, *arguments: Any) -> tuple[str, str]:
    with pytest.raises(interpreter.IllegalAction) as caught:
        state.apply_action(*arguments)
    return caught.value.diagnostic.code, caught.value.diagnostic.message


@pytest.mark.parametrize("undo", [True, False])
@pytest.mark.parametrize("record", [True, False])
@pytest.mark.parametrize("explicit", [True, False])
def test_walks_are_alike(
    any_native: interpreter.Game, python: interpreter.Game, undo: bool, record: bool, explicit: bool
) -> None:
    """Looked at at every step, at every third, or never before the end."""
    for seed in range(30):
        dice = random.Random(seed)
        arguments: dict[str, Any] = {"undo": undo, "record": record}
        arguments |= {"chance": "explicit"} if explicit else {"seed": seed}
        one, two = any_native.new_state(**arguments), python.new_state(**arguments)
        assert type(one) is NativeState and type(two) is not NativeState
        steps = 0
        while not two.is_terminal():
            if not steps % (seed % 4 + 1):
                assert everything(one) == everything(two)
            what = dice.random()
            if what < 0.15:
                kept = one
                one, two = one.clone(), two.clone()
                kept.apply_action(kept.legal_actions()[0])  # does nothing to the copy
            elif what < 0.3 and undo and two.past is not None:
                one.undo(), two.undo()
            elif what < 0.4:
                action = dice.choice(two.legal_actions())
                one, two = one.child(action), two.child(action)
            elif what < 0.5:
                assert refusal(one, 7) == refusal(two, 7)
                other = 1 - max(0, two.current_player())
                assert refusal(one, 0, other) == refusal(two, 0, other)
            else:
                action = dice.choice(two.legal_actions())
                player = two.current_player() if what < 0.75 else None
                one.apply_action(action, player), two.apply_action(action, player)
            steps += 1
        assert everything(one) == everything(two) and one == two
        assert refusal(one, 0) == refusal(two, 0)


def test_answers_that_are_no_actions(native: interpreter.Game, python: interpreter.Game) -> None:
    one, two = native.new_state(1), python.new_state(1)
    for odd in (True, False, 2**31, -(2**63), 10**30, -1, 1.0):
        results = []
        for state in (one, two):
            copied = state.clone()
            try:
                copied.apply_action(odd)
                results.append((copied.slots, list(copied.answers())))
            except interpreter.IllegalAction as error:
                results.append((error.diagnostic.code, error.diagnostic.message))
        assert results[0] == results[1], odd
    for player in (0, 1, -1, -4, 9, 10**30, None):
        assert one.legal_actions(player) == two.legal_actions(player)
    one.apply_action(action=1, player=0)
    two.apply_action(action=1, player=0)
    assert everything(one) == everything(two)
    for call in (one.apply_action, one.child):
        with pytest.raises(TypeError):
            call()  # type: ignore[call-arg]
        with pytest.raises(TypeError):
            call(1, 0, 0)  # type: ignore[call-arg]
        with pytest.raises(TypeError):
            call(1, plyer=0)  # type: ignore[call-arg]
    with pytest.raises(TypeError):
        NativeState()  # type: ignore[call-arg]


def test_playouts_are_alike(any_native: interpreter.Game, python: interpreter.Game) -> None:
    for seed in (*range(200), 2**63, 2**64 - 1):
        one, two = any_native.playout(seed), python.playout(seed)
        assert (one.slots, one.decisions, one.returns()) == (two.slots, two.decisions, two.returns())
        assert everything(any_native.playout(seed, record=True)) == everything(python.playout(seed, record=True))


def test_bad_arguments_are_told_alike(native: interpreter.Game, python: interpreter.Game) -> None:
    for arguments in ({"seed": -1}, {"seed": 2**64}, {"chance": "no"}, {"chance": "explicit", "seed": 1}, {"main": 99}):
        told = []
        for game in (native, python):
            with pytest.raises(interpreter.IllegalAction) as caught:
                game.new_state(**arguments)  # type: ignore[arg-type]
            told.append(caught.value.diagnostic)
        assert told[0] == told[1] and told[0].code == "P008"
    assert native.new_state().seed is not None


def test_too_many_decisions_are_a_fault(gamedef: Any, native: interpreter.Game) -> None:
    other = interpreter.Game(gamedef, backend="python")
    before = native.most_decisions
    try:
        native.most_decisions = other.most_decisions = 2
        told = []
        for game in (native, other):
            state = game.new_state(1, undo=False, record=False)
            with pytest.raises(interpreter.Fault) as caught:
                while True:
                    state.apply_action(0)
            told.append((str(caught.value), state.decisions, state.slots))
            with pytest.raises(interpreter.Fault):
                game.playout(1)
        assert told[0] == told[1] and "R017" in told[0][0]
    finally:
        native.most_decisions = before


def test_states_go_from_one_to_the_other(any_native: interpreter.Game, python: interpreter.Game) -> None:
    one = any_native.new_state(5)
    one.apply_action(0)
    saved = one.to_json()
    two = python.state_from_json(saved)
    again = any_native.state_from_json(saved)
    assert everything(again) == everything(two)
    for state in (two, again):
        state.apply_action(1)
        state.apply_action(state.legal_actions()[0])
    assert everything(again) == everything(two)
    for handed in (any_native.position(two.slots, two.main), python.position(two.slots, two.main)):
        handed.apply_action(handed.legal_actions()[0])
        two = two.clone()
        assert handed.slots == two.child(two.legal_actions()[0]).slots
    for copied in (copy.deepcopy(again), pickle.loads(pickle.dumps(again))):
        assert everything(copied) == everything(again)
        again.clone().undo()


def test_slots_may_be_set(native: interpreter.Game, python: interpreter.Game) -> None:
    states = native.new_state(1, record=False, undo=False), python.new_state(1, record=False, undo=False)
    for state in states:
        state.slots = [*state.slots[:8], 7, 8]
        assert state.legal_actions() == [0]
        state.apply_action(0)
    assert everything(states[0]) == everything(states[1])


def test_what_c_leaves_is_counted(gamedef: Any, tmp_path: Any, native: interpreter.Game) -> None:
    before = native.handed_over
    native.playout(3)
    native.new_state(3).apply_action(0)
    assert native.handed_over == before
    other = race.game_of(gamedef, race.Race(HAND_OVER=0), tmp_path)
    state = other.new_state(1, undo=False, record=False)
    state.apply_action(0)
    assert other.handed_over == 1 and state.is_native and state.backend == "native"  # type: ignore[attr-defined]
    assert interpreter.Game(gamedef, backend="reference").new_state(1).backend == "reference"
    assert interpreter.Game(gamedef, backend="python").new_state(1).backend == "python"


def test_threads_end_as_one_does(native: interpreter.Game) -> None:
    def played(seed: int) -> tuple[Any, ...]:
        state, dice = native.new_state(seed, undo=bool(seed % 2)), random.Random(seed)
        while not state.is_terminal():
            state.apply_action(dice.choice(state.legal_actions()))
            if seed % 5 == 0:
                state.observation(0)
        return state.slots, native.playout(seed).slots

    alone = [played(seed) for seed in range(300)]
    interval = sys.getswitchinterval()
    sys.setswitchinterval(1e-6)
    try:
        with ThreadPoolExecutor(8) as pool:
            assert list(pool.map(played, range(300))) == alone
    finally:
        sys.setswitchinterval(interval)


def test_numbers_that_make_no_position_are_refused(native: interpreter.Game) -> None:
    """What a save says is checked before it becomes memory: by the object, number by number."""
    loaded = native.native()
    assert loaded is not None
    state = native.new_state(1)
    good = list(race.NUMBERS.unpack(loaded.exchange.encode(state.slots) or b""))
    stand_in = interpreter.Game(rulespec.load(race.GAME), backend="python").position(state.slots, state.main)

    def position(numbers: bytes) -> Any:
        return loaded.program.position(NativeState, native, numbers, False, False, 0, stand_in)

    assert position(race.NUMBERS.pack(*good)).slots == state.slots
    for place, bad in ((0, 3), (0, -1), (2, 2), (3, 21), (4, -1), (3, 2**62), (5, 2)):
        numbers = [*good[:place], bad, *good[place + 1 :]]
        assert position(race.NUMBERS.pack(*numbers)) is None
    for length in (0, 1, 8, 71, 73, 80):
        assert position((race.NUMBERS.pack(*good) * 2)[:length]) is None


def test_reference_counts_stay(native: interpreter.Game) -> None:
    """Thousands of states leave nothing behind."""
    before = sys.getrefcount(native)
    for seed in range(500):
        state = native.new_state(seed, undo=bool(seed % 2), record=seed % 3 == 0)
        copies = [state.clone() for _ in range(3)]
        while not state.is_terminal():
            copies.append(state.child(0))
            state.apply_action(0)
        state.slots, state.history, copies[-1].slots
        if seed % 2:
            state.undo()
    del state, copies
    assert sys.getrefcount(native) == before


def test_lists_of_actions_are_the_callers(native: interpreter.Game) -> None:
    """Whatever somebody does with one, and however long he keeps it, the next one is right and is another."""
    state = native.new_state(1)
    right = tuple(state.legal_actions())
    kept = [state.legal_actions() for _ in range(4)]
    assert len({id(actions) for actions in kept}) == 4
    asked = []

    class Curious:
        def __del__(self) -> None:
            asked.append(tuple(state.legal_actions()))

    for k in range(20):
        changed = state.legal_actions()
        assert tuple(changed) == right
        if k % 4 == 0:
            changed.clear()
        elif k % 4 == 1:
            changed[0] = Curious()  # type: ignore[call-overload]
        elif k % 4 == 2:
            changed.reverse()
        else:
            changed += range(50)
        del changed
    for _ in range(4):
        assert tuple(state.legal_actions()) == right
    assert asked == [right] * 5
    assert [tuple(actions) for actions in kept] == [right] * 4


def test_numbers_of_lists_are_counted(native: interpreter.Game) -> None:
    """Lists that come back are written anew without counting references, which must not be seen in the counts."""
    state = native.new_state(1, undo=False, record=False)
    numbers = range(200)
    before = [sys.getrefcount(k) for k in numbers]
    for k in range(3000):
        if state.is_terminal():
            state = native.new_state(k, undo=False, record=False)
        actions, other = state.legal_actions(), state.legal_actions()
        match k % 6:
            case 0:
                actions.pop()
            case 1:
                other[0] = 150
            case 2:
                actions.sort(reverse=True)
            case 3:
                actions.clear()
                actions.append(151)
        assert other is not actions
        del actions, other
        if k % 4 == 3:
            state.apply_action(state.legal_actions()[0])
    assert all(abs(sys.getrefcount(k) - was) < 100 for k, was in zip(numbers, before, strict=True))


def test_saves_are_the_same_text(native: interpreter.Game, python: interpreter.Game) -> None:
    for seed in range(5):
        one, two = native.playout(seed, record=True), python.playout(seed, record=True)
        assert one.to_json() == two.to_json() and json.loads(one.to_json())["history"]


@pytest.mark.parametrize("name", ["tic_tac_toe", "leduc_poker"])
def test_shipped_games_are_played_alike(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """By the C that is written for them."""
    monkeypatch.setattr(kit, "KIT", EMITTER)
    native, python = (interpreter.Game(rulespec.load(name), backend=backend) for backend in ("native", "python"))
    for seed in range(12):
        dice = random.Random(seed)
        arguments: dict[str, Any] = {"undo": bool(seed & 1), "record": bool(seed & 2)}
        arguments |= {"chance": "explicit"} if seed & 4 else {"seed": seed}
        one, two = native.new_state(**arguments), python.new_state(**arguments)
        while not two.is_terminal():
            assert everything(one) == everything(two)
            if arguments["undo"] and two.past is not None and dice.random() < 0.2:
                one.undo(), two.undo()
            action = dice.choice(two.legal_actions())
            one.apply_action(action), two.apply_action(action)
        assert everything(one) == everything(two)
        assert native.playout(seed).slots == python.playout(seed).slots
    assert native.handed_over == 0


# --- verifying ----------------------------------------------------------------------------------------------------------
def verified(python: interpreter.Game, native: interpreter.Game) -> list[Outcome]:
    """Games in which C is one of the other back ends."""
    reference = interpreter.Game.from_program(python.program, backend="reference")
    return [play(Bench.of(python, reference, native), seed, Budget()) for seed in range(8)]


def test_verifying_hands_positions_to_c(python: interpreter.Game, any_native: interpreter.Game) -> None:
    """Every answer is compared; those that C leaves to Python are not counted as its own."""
    before = any_native.handed_over
    outcomes = verified(python, any_native)
    assert [one.failure for one in outcomes] == [None] * 8
    natively, checked = (sum(getattr(one.counts, name) for one in outcomes) for name in ("natively", "checked"))
    leaves = any_native.handed_over > before
    assert 0 < natively < checked if leaves else natively == checked


@pytest.mark.parametrize(
    "defines, wrong",
    [
        ({"FAST": 7}, "allows p1 other answers"),
        ({"GOAL": 10}, "comes to another position by the same answer"),
        ({"STEP": 2}, "comes to another position by the same answer"),
    ],
    ids=str,
)
def test_verifying_finds_c_that_plays_otherwise(
    defines: dict[str, int], wrong: str, gamedef: Any, python: interpreter.Game, tmp_path: Any
) -> None:
    native = race.game_of(gamedef, race.Race(**defines), tmp_path)
    failures = [one.failure for one in verified(python, native) if one.failure is not None]
    assert {failure.property for failure in failures} == {"back_ends_agree"}
    assert f"the native back end {wrong}" in {failure.message for failure in failures}


def test_names_of_actions_are_put_together_once_for_each_decision(
    native: interpreter.Game, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Of what C says is legal, however many there are; nothing is played again in Python for it."""
    state = native.new_state(seed=4)
    asked: list[Any] = []
    candidates = Question.candidates
    monkeypatch.setattr(Question, "candidates", lambda self: asked.append(self.slots) or candidates(self))
    monkeypatch.setattr(Question, "legal", property(lambda _: pytest.fail("what is legal is known")))
    decisions = 0
    while not state.is_terminal():
        names = [state.action_to_string(action) for action in state.legal_actions()]
        decisions += not state.is_chance_node()
        assert len(names) == len(set(names)) and len(asked) == decisions
        state.apply_action(state.legal_actions()[-1])
    assert decisions
