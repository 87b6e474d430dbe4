"""Positions as values: clone, undo, saves, transcripts, seeds; and the generator's numbers."""

from __future__ import annotations

import json
import os
import random
from pathlib import Path
from typing import Any

import pytest

from interpreter import Fault, Game, IllegalAction, State
from interpreter.bots import RandomBot
from interpreter.files import saves, shapes, transcript
from interpreter.runtime import rng
from interpreter.runtime.limits import BIGGEST
from rulespec import ir
from rulespec.text.diagnostics import RulespecError
from tests.helpers.programs import Build, c, cards, nested, set_, x

GAMES = {"nested": nested, "cards": cards}


@pytest.fixture(params=GAMES)
def game(request: pytest.FixtureRequest) -> Game:
    return GAMES[request.param]()


def code_of(call: Any) -> str:
    with pytest.raises(RulespecError) as caught:
        call()
    assert len(caught.value.diagnostics) == 1
    return caught.value.diagnostics[0].code


def test_golden_numbers() -> None:
    # splitmix64's own first numbers from the state 1234567
    splitmix = [rng.mix((1234567 + i * rng.GAMMA) & rng.MASK) for i in (1, 2, 3)]
    assert splitmix == [6457827717110365317, 3203168211198807973, 9817491932198370423]
    for seed, numbers in GOLDEN.items():
        assert [rng.number(seed, i) for i in range(3)] == numbers
    drawn, counter = [], 0
    for _ in range(12):
        n, counter = rng.below(7, counter, 6)
        drawn.append(n)
    assert drawn == [2, 4, 4, 3, 0, 4, 5, 2, 1, 1, 2, 1] and counter == 12


GOLDEN = {
    7: [9788448494057644610, 13736833471224890200, 10842517038755874820],
    0: [3384893602059128280, 14277498887911276727, 13711180960176513920],
    2**64 - 1: [11913566929562197644, 1325666262100361015, 3265272406897560356],
}


def test_numbers_are_fair_and_bounded() -> None:
    counts = [0] * 6
    counter = 0
    for _ in range(6000):
        n, counter = rng.below(1, counter, 6)
        counts[n] += 1
    assert all(880 < count < 1120 for count in counts)
    # A limit just above 2**63 throws away nearly half of the numbers.
    _, counter = rng.below(5, 0, 2**63 + 1)
    used = 0
    for start in range(100):
        used += rng.below(start, 0, 2**63 + 1)[1]
    assert 140 < used < 300
    for bad in (0, -1, 2**64 + 1):
        with pytest.raises(ValueError):
            rng.below(1, 0, bad)
    for bad_seed in (-1, 2**64, True, "7", 1.5):
        with pytest.raises(ValueError):
            rng.check_seed(bad_seed)  # type: ignore[arg-type]
    with pytest.raises(ValueError, match=f"not {'9' * 40}$"):
        rng.check_seed(int("9" * 50))


def test_seeds_and_chance_are_checked(game: Game) -> None:
    for bad in (
        lambda: game.new_state(-1),
        lambda: game.new_state(2**64),
        lambda: game.new_state(1, "explicit"),
        lambda: game.new_state(chance="maybe"),
        lambda: game.new_state(main=99),
    ):
        with pytest.raises(IllegalAction) as caught:
            bad()
        assert caught.value.diagnostic.code == "P008"
    assert game.new_state().seed != game.new_state().seed
    assert game.new_state(2**64 - 1).seed == 2**64 - 1
    assert game.new_state(chance="explicit").seed is None


@pytest.mark.parametrize("chance", ["seeded", "explicit"])
def test_every_decision_survives_save_clone_and_undo(game: Game, chance: str) -> None:
    chooser = random.Random(3)
    for seed in range(4):
        state = game.new_state(seed if chance == "seeded" else None, chance)
        while not state.is_terminal():
            loaded = game.state_from_json(state.to_json())
            assert loaded == state and loaded.to_json() == state.to_json()
            assert loaded.key() == state.key() and hash(loaded.key()) == hash(state.key())
            clone = state.clone()
            player = chooser.choice(state.pending_players() or (-1,))
            action = chooser.choice(state.legal_actions(player))
            assert loaded.legal_actions(player) == state.legal_actions(player)
            name = state.action_to_string(action, player)
            assert state.string_to_action(name, player) == action
            before = state.to_json()
            state.apply_action(action, player)
            assert clone.to_json() == before
            after = state.to_json()
            state.undo()
            assert state == clone and state.to_json() == before
            state.apply_action(action, player)
            loaded.apply_action(action, player)
            assert state.to_json() == after == loaded.to_json()
            assert state.observation(0) == loaded.observation(0)
        assert game.state_from_json(state.to_json()) == state
        assert [state.information_state(p) for p in range(game.num_players)] == [
            game.state_from_json(state.to_json()).information_state(p) for p in range(game.num_players)
        ]
        while state.past is not None:
            state.undo()
        assert state == game.new_state(seed if chance == "seeded" else None, chance)
        with pytest.raises(IllegalAction):
            state.undo()


def play(game: Game, seed: int, answers: int) -> State:
    state = game.new_state(seed)
    bot = RandomBot(seed)
    for _ in range(answers):
        state.apply_action(bot.choose(state))
    return state


def forged(state: State, **changes: Any) -> str:
    data = json.loads(state.to_json())
    data.update(changes)
    data["checksum"] = saves.checksum(data)
    return json.dumps(data)


def test_saves_of_other_things_are_refused(game: Game) -> None:
    state = play(game, 1, 2)
    text = state.to_json()

    def load(text: str) -> Any:
        return lambda: game.state_from_json(text)

    assert code_of(load("")) == "T001"
    assert code_of(load("{")) == "T001"
    assert code_of(load("[" * 100_000)) == "T001"
    assert code_of(load('{"rulespec_save": NaN}')) == "T001"
    assert code_of(load('{"rulespec_save": 1.5}')) == "T001"
    assert code_of(load("9" * 10_000)) == "T001"
    assert code_of(load(" " * 5_000_001)) == "T001"
    assert code_of(load("[]")) == "T002"
    assert code_of(load('{"rulespec_save": 1}')) == "T002"
    assert code_of(load(forged(state, rulespec_save=2))) == "T003"
    assert code_of(load(forged(state, game="chess"))) == "T004"
    assert code_of(load(forged(state, players=5))) == "T005"
    assert code_of(load(forged(state, settings={"a": "b"}))) == "T005"
    assert code_of(load(forged(state, digest="1" * 64))) == "T005"
    assert code_of(load(forged(state, program="1"))) == "T005"
    assert code_of(load(text.replace('"main":', '"main" :').replace(",0,", ",1,", 1))) == "T006"
    assert code_of(load(forged(state, surplus=1))) == "T002"
    with pytest.raises(RulespecError, match=f"has version {'9' * 20}, and"):
        game.state_from_json(forged(state, rulespec_save=int("9" * 24)))
    deep: Any = []
    for _ in range(100):
        deep = [deep]
    assert code_of(load(forged(state, control=deep))) == "T007"
    assert code_of(load(forged(state, control=[[len(game.program.points)]]))) == "T007"
    for key in ("slots", "control", "log", "history", "main"):
        for value in (None, 7, "x", [7], [[]], [[1]], [["x"]], {"a": 1}, [[0, 0, 0, 0, 0]], -1, True):
            assert code_of(load(forged(state, **{key: value}))) == "T007", (key, value)


def test_forged_saves_never_crash(game: Game) -> None:
    """Change one place of a good save at random: it is refused, or it plays on without a traceback."""
    chooser = random.Random(11)
    values = [None, True, False, 0, 1, -1, 2, 5, 99, 2**62, 2**70, [], [0], [1, 0], [[]], "x"]
    played = 0
    for number in range(1500):
        data = json.loads(play(game, number % 5, number % 4).to_json())
        at: Any = data[chooser.choice(["slots", "control", "log", "history"])]
        while isinstance(at, list) and at:
            place = chooser.randrange(len(at))
            if isinstance(at[place], list) and at[place] and chooser.random() < 0.8:
                at = at[place]
                continue
            at[place] = chooser.choice(values)
            break
        data["checksum"] = saves.checksum(data)
        try:
            state = game.state_from_json(json.dumps(data))
        except RulespecError:
            continue
        played += 1
        bot = RandomBot(1)
        try:
            for seat in range(game.num_players):
                state.information_state(seat)
            while not state.is_terminal():
                state.decision()
                state.apply_action(bot.choose(state))
                state.observation(0), state.log_lines(0)
        except (Fault, IllegalAction):
            pass
    assert played > 50


def test_saves_are_written_whole(game: Game, tmp_path: Path) -> None:
    state = play(game, 1, 1)
    path = tmp_path / "game.json"
    path.write_text("old")
    state.save_to(path)
    assert game.state_from_json(path.read_text()) == state
    assert os.listdir(tmp_path) == ["game.json"]
    with pytest.raises(OSError):
        state.save_to(tmp_path / "missing" / "game.json")


@pytest.mark.parametrize("chance", ["seeded", "explicit"])
def test_transcripts_replay_to_the_same_end(game: Game, chance: str) -> None:
    state = game.new_state(4 if chance == "seeded" else None, chance)
    bot = RandomBot(9)
    texts = []
    while True:
        text = transcript.write(state)
        texts.append(text)
        again = game.replay(text)
        assert again == state and again.history == state.history
        assert transcript.write(again) == text
        if state.is_terminal():
            break
        state.apply_action(bot.choose(state))
    lines = [json.loads(line) for line in texts[-1].splitlines()]
    assert lines[0]["rulespec_transcript"] == 1 and lines[0]["players"] == game.num_players
    assert lines[-1] == {"end": {"returns": state.returns()}}
    assert any(line.get("by") == "chance" for line in lines)


def test_what_is_drawn_before_the_first_answer_may_be_left_out() -> None:
    """A transcript that has only its first line is the beginning; one that ends there must have what is drawn."""
    game = cards()
    state = game.new_state(4)
    assert state.history, "chance has answered"
    first = transcript.write(state).splitlines()[0]
    assert game.replay(first) == state
    end = json.dumps({"end": {"returns": [0] * game.num_players}})
    assert code_of(lambda: game.replay(f"{first}\n{end}")) == "T014"


def test_transcripts_that_diverge_say_where(game: Game) -> None:
    state = play(game, 4, 3)
    while not state.is_terminal():
        state.apply_action(state.legal_actions()[0])
    lines = transcript.write(state).splitlines()

    def changed(number: int, **values: Any) -> Any:
        data = json.loads(lines[number])
        data.update(values)
        text = "\n".join([*lines[:number], json.dumps(data), *lines[number + 1 :]])
        return lambda: game.replay(text)

    def where(call: Any) -> tuple[str, int | None]:
        with pytest.raises(RulespecError) as caught:
            call()
        found = caught.value.diagnostics[0]
        return found.code, found.span.line if found.span else None

    assert where(changed(0, game="chess")) == ("T012", 1)
    assert where(changed(0, seed="x")) == ("T012", 1)
    assert where(changed(0, rulespec_transcript=9)) == ("T011", 1)
    first = next(i for i, line in enumerate(lines) if '"p' in line and i)
    assert where(changed(first, answer="nonsense")) == ("T013", first + 1)
    assert where(changed(first, at="elsewhere")) == ("T014", first + 1)
    assert where(changed(first, by="p9")) == ("T014", first + 1)
    assert where(changed(first, answer=4)) == ("T010", first + 1)
    assert where(changed(len(lines) - 1, end={"returns": [9, 9]})) == ("T015", len(lines))
    assert where(changed(len(lines) - 1, end=3)) == ("T010", len(lines))
    drawn = next(i for i, line in enumerate(lines) if '"chance"' in line and i)
    assert where(changed(drawn, answer="nonsense")) == ("T013", drawn + 1)
    assert where(changed(drawn, at="elsewhere")) == ("T014", drawn + 1)
    without = "\n".join(lines[:drawn] + lines[drawn + 1 :])
    assert where(lambda: game.replay(without))[0] in ("T013", "T014")
    assert where(lambda: game.replay("")) == ("T011", None)
    assert where(lambda: game.replay("{}\n")) == ("T011", None)
    assert where(lambda: game.replay(lines[0] + "\n{")) == ("T010", 2)
    assert where(lambda: game.replay(lines[0] + "\n\n[1]")) == ("T010", 3)
    assert where(lambda: game.replay("[" * 100_000)) == ("T010", 1)


def test_a_transcript_may_have_any_line_breaks(game: Game) -> None:
    state = play(game, 4, 2)
    text = transcript.write(state)
    for end in ("\r\n", "\r", "\n\n"):
        assert game.replay(text.replace("\n", end)) == state


def test_without_undo_nothing_is_kept(game: Game) -> None:
    state = game.new_state(1, undo=False)
    state.apply_action(state.legal_actions()[0])
    assert state.past is None


def test_taking_back_stops_at_barriers() -> None:
    game = cards()
    state = game.new_state(2)
    assert not state.can_take_back(0)
    state.apply_action(state.legal_actions(0)[0], 0)
    assert state.can_take_back(0) and not state.can_take_back(1)
    state.apply_action(state.legal_actions(1)[0], 1)
    assert state.can_take_back(0) and state.can_take_back(1)  # sealed: that the second has answered shows in nothing
    before = state.before_last(0)
    assert before.legal_actions(0) and before.legal_actions(2) and not before.legal_actions(1)
    drawing = nested().new_state(2)
    drawing.apply_action(2)  # odd: the bonus die falls
    assert not drawing.can_take_back(1)


def test_random_bots_repeat_themselves(game: Game) -> None:
    assert play(game, 8, 4) == play(game, 8, 4)
    assert game.playout(8, record=True).history == game.playout(8, record=True).history
    state = game.playout(8, policy=lambda state: state.legal_actions()[-1])
    assert state.is_terminal()


def test_a_game_comes_from_a_definition_or_from_a_program() -> None:
    program = cards().program

    class Definition:
        asked: dict[str, Any]

        def program(self, **setup: Any) -> Any:
            self.asked = setup
            return program

    definition = Definition()
    game = Game(definition, players=3, options={"a": "b"}, variant="short")
    assert definition.asked == {"players": 3, "options": {"a": "b"}, "variant": "short"}
    assert (game.id, game.title, game.num_players) == ("toy", "A toy", 3)
    assert game.seats == ("p1", "p2", "p3") and game.seat_labels == ("Ann", "Ben", "Cid")
    assert game.new_state(5) == cards().new_state(5)
    assert "p1 to act" in repr(game.new_state(5))


def test_what_is_not_recorded_is_not_made_up(game: Game) -> None:
    state = game.new_state(1, undo=False, record=False)
    state.apply_action(state.legal_actions()[0])
    for wanted in (
        lambda: state.information_state(0),
        lambda: state.information_state(None),
        lambda: transcript.write(state),
    ):
        with pytest.raises(IllegalAction) as caught:
            wanted()
        assert caught.value.diagnostic.code == "P009"
    assert "no log, no history" in repr(state) and "no undo" in repr(state)
    kept = game.new_state(1)
    assert kept.information_state(0)
    who = kept.seat_name(kept.current_player())
    assert repr(kept) == f"<State of {game.id} after {len(list(kept.answers()))} answers, {who} to act>"


def test_what_is_written_is_read_again() -> None:
    """A game of 90,000 decisions is saved; what nobody would read again is refused when it is written."""
    b = Build()
    total = b.slot("total", 0)
    site = b.site("how_many_of_them_are_to_be_put_where_the_others_have_been", c((1, 2)), c(0))
    b.procedure("main", 0, "again", ir.Ask(site, 0), set_(total, x(0)), ir.Jump("again"))
    state = b.game().new_state(1, undo=False)
    state.apply_action(state.legal_actions()[0])
    game, entry = state.game, state.history[0]
    assert game.replay(transcript.write(state)) == state
    for _ in range(89_999):
        state.history = (entry, state.history)
    assert len(state.to_json()) > 5_000_000
    assert game.state_from_json(state.to_json()).decisions == 90_000
    state.history = ((0, "x" * saves.MAX_BYTES, 0, 0), state.history)
    with pytest.raises(RulespecError) as caught:
        state.to_json()
    assert caught.value.diagnostics[0].code == "T008"


def test_the_largest_numbers_of_a_save() -> None:
    """A slot has at most 63 bits and a sign, a seed 64; one more is refused, and so is what is no value."""
    kept = [BIGGEST, -BIGGEST, 2**64 - 1, None, True, "x", [1, [2]]]
    assert [shapes.value(v) for v in kept] == [BIGGEST, -BIGGEST, 2**64 - 1, None, True, "x", (1, (2,))]
    for wrong in (-BIGGEST - 1, 2**64, 1.5, {}, [[-BIGGEST - 1]]):
        with pytest.raises(shapes.Malformed):
            shapes.value(wrong)
