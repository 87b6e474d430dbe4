"""Games as C end and go on as they do in Python: playouts, walks, positions handed to and fro, and nothing left to Python.

`make equality` plays ten thousand games of each shipped game instead of the few here (EQUALITY_GAMES).
"""

from __future__ import annotations

import copy
import ctypes
import json
import pickle
from array import array
from pathlib import Path
from typing import Any

import pytest

import interpreter
from interpreter import Fault
from interpreter.bots import Judge, SearchBot
from interpreter.game import NativeState
from interpreter.native.emitter.nesting import deepest
from interpreter.native.emitter.operations import WRITTEN
from interpreter.native.emitter.procedures import reached, waiting
from interpreter.native.emitter.program import source
from rulespec.bots.data import Policy
from rulespec.checker import assemble
from rulespec.language.facts import CForm
from rulespec.language.registry import all_facts, functions
from rulespec.loading.examples import example_game
from rulespec.passes.liveness import liveness
from tests.helpers.commands import run
from tests.helpers.games import CHANCE, GAMES_PLAYED, Dice, fewest, loaded, random_step
from tests.helpers.native import NEEDS_C, native_on, pair  # noqa: F401
from tests.helpers.places import PLAY, ROOT
from tools.dev.sameness.compare import not_native
from tools.dev.sameness.digests import of_game
from tools.handed import left_to_python

pytestmark = NEEDS_C


@pytest.mark.parametrize("folder, players", fewest())
def test_playouts(folder: Any, players: int) -> None:
    """Random games end in equal positions after as many answers, and C plays them all but one in a hundred, with the longest lists."""
    native, python = pair(folder, players)
    for seed in range(GAMES_PLAYED):
        one, two = native.playout(seed), python.playout(seed)
        assert one.slots == two.slots, seed
        assert one.decisions == two.decisions > 0
        assert one.returns() == two.returns()
    assert native.handed_over <= GAMES_PLAYED // 100
    assert {why for _, why in native.handed_for} <= {"a list or set has more items than C has room for"}
    assert native.switch is not None and native.switch.loaded is not None and native.switch.loaded.built.handed == 0


@pytest.mark.parametrize("explicit", [False, True], ids=["seeded", "explicit"])
@pytest.mark.parametrize("folder, players", fewest())
def test_walks(folder: Any, players: int, explicit: bool) -> None:
    """At each decision the same players are asked, the same is legal, and the slots are equal; positions go from one to the other."""
    native, python = pair(folder, players)
    chance: Any = {"chance": "explicit"} if explicit else {"seed": players}
    one, two = native.new_state(record=False, undo=False, **chance), python.new_state(**chance)
    dice = Dice(players)
    for step in range(240):
        assert isinstance(one, NativeState) and one.is_native, step
        assert repr(one.slots) == repr(two.slots)  # 0 is not False
        assert one.is_terminal() == two.is_terminal()
        if one.is_terminal():
            break
        assert one.current_player() == two.current_player() and one.pending_players() == two.pending_players()
        for seat in (CHANCE, *two.pending_players()):
            assert one.legal_actions(seat) == two.legal_actions(seat)
        assert one.chance_outcomes() == two.chance_outcomes()
        if step == 12 and not explicit:
            ended = one.playout(players)
            assert isinstance(ended, NativeState) and ended.is_native
            assert repr(ended.slots) == repr(two.playout(players).slots)
        if step % 5 == 2:
            one = native.position(two.slots, two.main, undo=False)
        action, seat = random_step(two, dice)
        one.apply_action(action, seat)
        two.apply_action(action, seat)
    assert native.handed_over == 0


def test_a_search_chooses_alike() -> None:
    """With playouts in C and in Python."""
    choices = []
    for game in pair("leduc_poker", 2):
        bot = SearchBot(game, Policy("search", "", "", playouts=30), Judge(game, game.program.functions), 3)
        state, chosen = game.new_state(8), []
        while not state.is_terminal():
            chosen.append(bot.choose(state))
            state.apply_action(chosen[-1])
        choices.append(chosen)
    assert choices[0] == choices[1] and len(choices[0]) > 2


# Begins with texts that values are filled into, which have no C (`NO_C`): such a game is not to be had as C at all.
NO_OPENING = {"texts"}
# A filter of a set asks which of others have the most; a closure of lists; variables that hold nothing yet.
ALWAYS = {"teams", "flying_kings", "not_given"}


def constructs() -> list[Any]:
    """The cases of the language that are played, a part of them in a quick run."""
    files = [file for file in PLAY if file.stem not in NO_OPENING]
    return files if GAMES_PLAYED >= 1000 else [f for k, f in enumerate(files) if k % 4 == 0 or f.stem in ALWAYS]


@pytest.mark.parametrize("name", sorted(NO_OPENING))
def test_what_has_no_c_is_refused_as_c_and_played_in_python(name: str) -> None:
    """A game whose beginning has no C says so where C is asked for, and is played all the same where it is not."""
    found = loaded(next(file for file in PLAY if file.stem == name))
    with pytest.raises(interpreter.IllegalAction, match="cannot be played natively"):
        interpreter.Game(found, backend="native")
    state = interpreter.Game(found).new_state(1)
    state.apply_action(state.legal_actions()[0])
    assert state.decisions == 1


@pytest.mark.parametrize("file", constructs(), ids=lambda f: f.stem)
def test_constructs(file: Any) -> None:
    """Each construct of the language ends a game as in Python, and is handed over only where it is a fault."""
    found = loaded(file)
    native, python = pair(file, found.players[0])
    assert native.switch is not None and native.switch.loaded is not None and native.switch.loaded.built.handed == 0
    faults = 0
    for seed in range(3):
        ends = []
        for game in (native, python):
            try:
                ends.append((game.playout(seed).slots, None))
            except Fault as fault:
                ends.append((None, str(fault)))
        assert ends[0] == ends[1]
        faults += ends[0][0] is None
    assert native.handed_over == faults


# What C only has as tables of results, of few numbers and constants (boards are constants): larger ones are left to Python.
TABLES = {
    "border", "border_in", "border_of", "corners", "direction", "edge", "edge_between", "forward", "leap", "leaps", "lines",
    "lines_through", "neighbouring", "opposite", "ray", "same_line", "step", "steps_between", "turn",
}  # fmt: skip
NO_C = {"text"}  # one with values filled in, where it is a value itself


def test_every_function_has_its_c() -> None:
    """Each function of the registry has a template, a form that is written, or is named here."""
    forms = {name: known.c.form for name, known in all_facts().items() if not known.c.template and not known.identity}
    assert {name for name, form in forms.items() if form is CForm.NONE} == TABLES | NO_C
    assert {form for form in forms.values() if form is not CForm.NONE} <= WRITTEN.keys()
    assert set(CForm) - WRITTEN.keys() == {CForm.NONE}


def test_examples_of_functions(tmp_path: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    """Every example of the registry gives in C what it says, in a program whose constants no pass has worked out."""
    examples = [(e, gives) for function in functions().values() for e, gives in function.examples.items()]
    tests = [e if gives == "yes" else f"not ({e})" if gives == "no" else f"({e}) == ({gives})" for e, gives in examples]
    steps = "".join(
        f"      - {{set: right({k}), to: {json.dumps(test)}}}\n" for k, test in enumerate([*tests, "3 < 2"], 1)
    )
    right = f'  right: {{by: [1..{len(tests) + 1}], is: Yes or no, starts: "no"}}\n'
    ask = "      - {choose: answer, by: p1, from: 1..2}\n"
    text = example_game().replace("state:\n", f"state:\n{right}", 1)
    path = tmp_path / "examples.yaml"
    path.write_text(text.replace("  turn:\n    do:\n", f"  turn:\n    do:\n{steps}{ask}", 1))
    monkeypatch.setattr(assemble, "optimise", liveness)
    native, python = pair(path, 2)
    one, two = native.new_state(3), python.new_state(3)
    assert isinstance(one, NativeState) and one.is_native and repr(one.slots) == repr(two.slots)
    assert native.switch is not None and native.switch.loaded is not None and native.switch.loaded.built.handed == 0
    base = next(v.base for v in native.program.variables if v.size == len(tests) + 1)
    wrong = [e for (e, _), holds in zip(examples, one.slots[base:], strict=False) if holds is not True]
    assert wrong == [] and one.slots[base + len(tests)] is False


def test_no_text_of_an_author_is_in_the_c() -> None:
    """C is made of numbers and templates: whatever an author calls things, it is the same."""
    text = source(interpreter.Game(loaded("hobbit_card_game"), players=2, backend="python").program).text
    for word in ("Smaug", "hobbit", "Bilbo", "dragon", "Gandalf"):
        assert word.casefold() not in text.casefold()


def test_numbers_that_are_no_position_are_refused() -> None:
    """Each number of a position is checked before it becomes memory: wild ones are refused or are another position, never more."""
    native, _ = pair("leduc_poker", 2)
    state = native.new_state(3, undo=False, record=False)
    assert native.switch is not None and native.switch.loaded is not None
    program, exchange = native.switch.loaded.program, native.switch.loaded.exchange
    numbers = exchange.encode(state.slots)
    assert numbers is not None
    good = array("q", numbers)
    dice = Dice(5)
    for place in range(len(good)):
        for wild in (-(1 << 63), -129, -1, 3, 64, 70_000, (1 << 62) + dice.below(1000)):
            bad = array("q", good)
            bad[place] = wild
            made = program.position(NativeState, native, bad.tobytes(), False, False, 0, None)
            if made is not None:
                made.current_player(), made.legal_actions(), made.returns()
    for short in range(len(good)):
        made = program.position(NativeState, native, good[:short].tobytes(), False, False, 0, None)
        assert made is None, short


def all_said(state: interpreter.State, players: int) -> list[Any]:
    """What a state says to each seat, its save, and what led to it."""
    said: list[Any] = [
        state.to_json(),
        list(state.answers()),
        state.key(),
        state.returns(),
        state.log_lines(interpreter.EVERYTHING),
    ]
    for seat in range(players):
        said += [state.observation(seat), state.information_state(seat), state.log_lines(seat), state.boards(seat)]
        said += [state.picture(seat), state.table(seat), state.can_take_back(seat), state.legal_actions(seat)]
    return said + [state.decision(seat) for seat in state.pending_players()]


@pytest.mark.parametrize("folder", ["leduc_poker", "connect_four", "smaugs_treasure", "hobbit_card_game"])
def test_states_say_the_same(folder: str) -> None:
    """Kept and recorded games, looked at now and then: views, prompts, reasons, saves, copies, undo; saves go from one to the other."""
    native, python = pair(folder, 2)
    one, two = native.new_state(7), python.new_state(7)
    dice = Dice(7)
    for step in range(36):
        assert isinstance(one, NativeState) and one.is_native
        if step % 12 == 11 or two.is_terminal():
            assert all_said(one, 2) == all_said(two, 2)
        if two.is_terminal():
            break
        match step % 9:
            case 2:
                one = copy.deepcopy(one)
            case 4:
                one, two = native.state_from_json(two.to_json()), python.state_from_json(one.to_json())
            case 6:
                one = pickle.loads(pickle.dumps(one))
            case 7:
                one.undo(), two.undo()
        action, seat = random_step(two, dice)
        one.apply_action(action, seat)
        two.apply_action(action, seat)
    assert native.handed_over == 0


@pytest.mark.parametrize(
    "folder, options",
    [("tic_tac_toe", {}), ("hex", {"size": 6}), ("hex", {"size": 11}), ("hex", {"size": 12})],
    ids=["few", "one word", "two words", "no mask"],
)
def test_lists_of_actions_belong_to_who_asked(folder: str, options: dict[str, int]) -> None:
    """Whatever is done to a list of legal actions, kept or not, the next one is right."""
    native, python = pair(folder, 2, **options)
    dice = Dice(4)
    for _ in range(3):
        one, two = native.new_state(1, undo=False, record=False), python.new_state(1)
        kept: list[tuple[list[int], list[int]]] = []
        for step in range(9):
            if two.is_terminal():
                break
            for change in range(6):
                legal, again = one.legal_actions(), one.legal_actions()
                assert legal == again == two.legal_actions() and legal is not again
                if change == step % 6:
                    kept.append((again, list(again)))
                match change:
                    case 0:
                        legal.append(7)
                    case 1:
                        legal.clear()
                    case 2:
                        legal.reverse()
                    case 3:
                        legal[0] = 1 << 40
            action, seat = random_step(two, dice)
            one.apply_action(action, seat)
            two.apply_action(action, seat)
        assert all(given == was for given, was in kept)
    assert native.handed_over == 0


def test_words_are_values() -> None:
    """Texts are values in C, and positions that hold them go to and fro; one with a value filled in is left to Python."""
    native, python = pair(ROOT / "tests/native/words.yaml", 2)
    assert native.switch is not None and native.switch.loaded is not None and native.switch.loaded.built.handed == 1
    filled_in = 0
    for seed in range(30):
        one, two = native.playout(seed), python.playout(seed)
        assert repr(one.slots) == repr(two.slots) and one.returns() == two.returns()
        filled_in += "rob " in repr(one.slots)
    assert native.handed_over == filled_in > 0
    (((asked, _), times),) = native.handed_for.items()  # by the question whose answer it is
    assert times == filled_in and asked is not None
    assert (
        left_to_python(native)[-1]
        == f"left to Python: {filled_in} answers to what is asked at {asked.label()}: the rules have no C there"
    )
    state, dice = python.new_state(1), Dice(1)
    while not state.is_terminal():
        again = native.position(state.slots, state.main, undo=False)
        assert isinstance(again, NativeState) and again.is_native and repr(again.slots) == repr(state.slots)
        assert again.legal_actions() == state.legal_actions()
        state.apply_action(*random_step(state, dice))


@pytest.mark.parametrize("often, handed", [(40, 3), (7, 120)], ids=["now and then", "again and again"])
def test_a_playout_goes_on_in_c_after_what_it_hands_over(often: int, handed: int) -> None:
    """Only what has no C is answered in Python; all of a playout where that is something every few answers."""
    native, python = pair(ROOT / "tests/native/turns.yaml", 2, often=often)
    for seed in range(4):
        before = native.handed_over
        one, two = native.playout(seed), python.playout(seed)
        assert one.slots == two.slots and one.decisions == two.decisions == 120
        assert native.handed_over - before == handed and (one.backend == "native") == (often == 40)
    state, other = native.new_state(5), python.new_state(5)
    for _ in range(9):
        action = state.legal_actions()[-1]
        state.apply_action(action), other.apply_action(action)
    assert state.playout(6).slots == other.playout(6).slots


def test_notes_of_lint_tell_what_has_no_c(capsys: pytest.CaptureFixture[str]) -> None:
    """At its line; a note, which is not shown unless it is asked for."""
    turns = str(ROOT / "tests/native/turns.yaml")
    out = run(capsys, "lint", turns, "--notes")[1]
    line = next(n for n, text in enumerate(Path(turns).read_text().splitlines(), 1) if "now {n}" in text)
    assert "note[P016]: there is no C for this, so that Python plays it" in out and f"turns.yaml:{line}:" in out
    assert "P016" not in run(capsys, "lint", turns)[1] + run(capsys, "lint", "kuhn_poker", "--notes")[1]


def test_digests_and_verifying(capsys: pytest.CaptureFixture[str]) -> None:
    """`tools.dev.sameness` comes to the same digests, and `rulespec verify` says how many answers C has given."""
    for record in (False, True):
        one, two = (of_game("kuhn_poker", 8, backend, record=record) for backend in ("native", "python"))
        assert one == two
    assert not_native("kuhn_poker") is None
    code, out, _ = run(capsys, "verify", "kuhn_poker", "--players", "2", "--games", "6", "--jobs", "1", "--json")
    setup = json.loads(out)["setups"][0]
    assert code == 0 and setup["in_c"] == setup["tried"] > 0 and setup["no_c"] is None


# --- what goes wrong ----------------------------------------------------------------------------------------------------
MISCHIEF = ROOT / "tests/native/mischief.yaml"


def told(game: interpreter.Game, action: int) -> str:
    """What comes of an answer to the second question of a game: a fault, which leaves the position as it was, or the next question."""
    state = game.new_state(3)
    state.apply_action(0)
    before = everything(state)
    try:
        state.apply_action(action)
        said = f"{state.decision()}"
    except Fault as fault:
        said = str(fault)
        assert before == everything(state)
        state.apply_action(0)
    return f"{said} {state.slots!r}"


def everything(state: interpreter.State) -> tuple[Any, ...]:
    """A position, and what led to it."""
    lines, answers = state.log_lines(interpreter.EVERYTHING), list(state.answers())
    return repr(state.slots), state.decisions, state.legal_actions(), lines, answers


def test_faults() -> None:
    """Whatever an answer stumbles over is the same coded fault on all back ends, and leaves the position as it was."""
    found = loaded(MISCHIEF)
    native, python, reference = (
        interpreter.Game(found, players=2, backend=b) for b in ("native", "python", "reference")
    )
    assert native.switch is not None and native.switch.loaded is not None and native.switch.loaded.built.handed == 0
    codes = set()
    for action in native.new_state(3).legal_actions():
        said = told(native, action)
        assert said == told(python, action) == told(reference, action)
        codes.add(said[:4])
    assert codes >= {"R001", "R002", "R004", "R005", "R006", "R007", "R008", "R011"}


def test_a_position_has_as_much_room_for_frames_as_it_needs() -> None:
    """Where the chain of calls has an end: the object of tic-tac-toe says how many bytes a position takes, 4,200 before."""
    native, _ = pair(ROOT / "games" / "tic_tac_toe", 2)
    assert native.switch is not None and native.switch.loaded is not None
    path = native.switch.loaded.built.path
    assert path is not None
    size = ctypes.CDLL(str(path)).rs_size
    size.restype = ctypes.c_int64
    assert size() <= 500


@pytest.mark.parametrize(
    ("folder", "most"), [("games/chess", 3), ("games/tic_tac_toe", 2), ("games/five_armies", None)]
)
def test_how_many_frames_wait_for_each_other(folder: str, most: int | None) -> None:
    """Calls of what may wait, one below the other; rules that react run within each other as often as they like."""
    program = loaded(ROOT / folder).program(players=2)
    assert deepest(program, reached(program), waiting(program)) == most
