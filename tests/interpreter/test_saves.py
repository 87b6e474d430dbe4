"""Saves whose contents were changed behind a right checksum: they are refused, or what they hold can be played on."""

from __future__ import annotations

import copy
import json
import os
import random
from pathlib import Path
from typing import Any

import pytest

import interpreter
import rulespec
from interpreter import Fault, IllegalAction
from interpreter.files import saves, transcript
from interpreter.files.shapes import Malformed, value
from interpreter.runtime import rng
from interpreter.runtime.limits import BIGGEST, MAX_WAITING
from rulespec import ir
from rulespec.text.diagnostics import RulespecError
from tests.helpers import mutated_saves
from tests.helpers.games import loaded
from tests.helpers.places import ROOT

MUTANTS = int(os.environ.get("RULESPEC_MUTANTS", "40"))  # of each game
GAMES: list[str | Path] = [
    "five_armies", "hobbit_board_game", "hobbit_card_game", "lotr_tarot", "smaugs_treasure",
    ROOT / "tests/conformance/play/together.yaml", ROOT / "tests/conformance/play/take_back.yaml",
    ROOT / "tests/conformance/play/texts.yaml",
]  # fmt: skip
ODD = (-1, 0, 1, 2, 7, 99, 1000, 1 << 20, 1 << 40, (1 << 63) - 1, None, True, "x", [], [0], [[1, 2]], {})


def middle(game: interpreter.Game, seed: int) -> interpreter.State:
    """A state somewhere in a game."""
    state = game.new_state(seed, undo=False)
    for n in range(seed * 7 % 90):
        if state.is_terminal():
            break
        legal = state.legal_actions()
        state.apply_action(legal[rng.below(seed, n, len(legal))[0]])
    return state


def places(data: Any, way: tuple[Any, ...] = ()) -> list[tuple[Any, ...]]:
    """The ways to every part of JSON data."""
    if not isinstance(data, list | dict):
        return [way]
    pairs = data.items() if isinstance(data, dict) else enumerate(data)
    return [way, *(inner for key, part in pairs for inner in places(part, (*way, key)))]


def mutant(data: dict[str, Any], dice: random.Random) -> dict[str, Any]:
    """The data with one to three parts changed, and a checksum that fits."""
    data = copy.deepcopy(data)
    for _ in range(dice.choice((1, 1, 2, 3))):
        part = dice.choice(("slots", "slots", "control", "control", "log", "history"))
        ways = [way for way in places(data[part]) if way]
        if not ways:
            continue
        *way, last = dice.choice(ways)
        holder = data[part]
        for key in way:
            holder = holder[key]
        old = holder[last]
        if isinstance(old, int) and not isinstance(old, bool) and dice.random() < 0.5:
            holder[last] = old + dice.choice((-2, -1, 1, 2))
        elif isinstance(holder, list) and dice.random() < 0.2:
            del holder[last]
        elif isinstance(holder, list) and dice.random() < 0.2:
            holder.append(copy.deepcopy(old))
        else:
            holder[last] = dice.choice(ODD)
    data["checksum"] = saves.checksum(data)
    return data


def played_on(state: interpreter.State, dice: random.Random) -> None:
    """Everything that may be asked of a state, for some decisions; only faults of the rules may come."""
    game = state.game
    for _ in range(8):
        for seat in (None, *range(game.num_players)):
            json.dumps([state.observation(seat), state.log_lines(seat)])
        if state.is_terminal():
            return
        for player in state.pending_players():
            state.decision(player)
        state.apply_action(dice.choice(state.legal_actions()))
        assert game.state_from_json(state.to_json()) == state


@pytest.mark.parametrize("source", GAMES, ids=lambda source: Path(source).stem)
def test_changed_saves_are_refused_or_playable(source: str | Path) -> None:
    game = interpreter.Game(loaded(source))
    dice = random.Random(5)
    refused = 0
    for number in range(MUTANTS):
        data = mutant(json.loads(middle(game, number % 13).to_json()), dice)
        try:
            state = game.state_from_json(json.dumps(data))
        except RulespecError as error:
            assert error.diagnostics[0].code.startswith("T")
            refused += 1
            continue
        try:
            played_on(state, dice)
        except (Fault, IllegalAction):
            continue
        except RulespecError as error:  # a local that nothing is known of was changed: what came of it is noticed
            assert [found.code for found in error.diagnostics] == ["T007"]
    assert refused > MUTANTS / 4


def changed(source: str | Path, edit: Any, seed: int = 3) -> str:
    """Why a save is refused after an edit."""
    game = interpreter.Game(loaded(source))
    state = middle(game, seed)
    data = json.loads(state.to_json())
    edit(data, game)
    data["checksum"] = saves.checksum(data)
    with pytest.raises(RulespecError) as caught:
        game.state_from_json(json.dumps(data))
    assert caught.value.diagnostics[0].code == "T007"
    return str(caught.value)


def slot_of(game: interpreter.Game, name: str) -> int:
    """The first slot of a zone or variable."""
    parts = {part.name: part.base for part in (*game.program.zones, *game.program.variables)}
    return parts[name]


def test_counted_pieces_are_conserved() -> None:
    def more(data: dict[str, Any], game: interpreter.Game) -> None:
        data["slots"][slot_of(game, "vault")][0] += 1

    def fewer(data: dict[str, Any], game: interpreter.Game) -> None:
        data["slots"][slot_of(game, "market")][2] = 0

    def endless(data: dict[str, Any], game: interpreter.Game) -> None:
        data["slots"][slot_of(game, "chest")][1] = 1 << 40

    for edit in (more, fewer, endless):
        assert "makes no sense" in changed(ROOT / "tests/conformance/play/take_back.yaml", edit, 0)


def test_numbers_stay_within_their_ranges() -> None:
    def beyond(data: dict[str, Any], game: interpreter.Game) -> None:
        data["slots"][slot_of(game, "note")] = 7

    assert "note" in changed(ROOT / "tests/conformance/play/take_back.yaml", beyond, 0)


def test_locals_have_their_types() -> None:
    source = ROOT / "tests/conformance/play/take_back.yaml"
    game = interpreter.Game(loaded(source))
    main = next(i for i, p in enumerate(game.program.procedures) if p.name == "a_number_in_mind")
    state = game.new_state(1, main=main)
    state.apply_action(state.string_to_action("4"))
    data = json.loads(state.to_json())
    assert data["control"][0][1:] == [4], "the number in mind is what the frame keeps"
    for wrong in (0, 7, "x", [], True, 1 << 40):
        data["control"][0][1] = wrong
        data["checksum"] = saves.checksum(data)
        if wrong is True:
            continue  # which is 1
        with pytest.raises(RulespecError) as caught:
            game.state_from_json(json.dumps(data))
        assert caught.value.diagnostics[0].code == "T007"


def test_a_save_with_one_value_changed_is_refused_or_plays_on() -> None:
    """See `tests.helpers.mutated_saves`, which runs tens of thousands."""
    counts, bad = mutated_saves.run(150, 7, ("kuhn_poker", "hobbit_card_game", "smaugs_treasure"))
    assert bad == []
    assert counts["refused T007"] > 75 and counts["plays on"] > 5


# What no text of the rules can be: the number 0 is that of a printer of texts.yaml, 99 of none.
NO_TEXTS: list[Any] = [
    3, True, ["a"], ["a", "b"], [], ["", [0, 1]], [[0, 1, 2]], [[99, 1]], [["x", 1]], [[0, "x"]], [[0, -1]], [[0, 99]],
    "a\x07", "line\nline", "y" * 100_000, ["y" * 5_000, [0, 1]], ["a\x1b[31m", [0, 1]], [[0, 1]] * 3_000,
]  # fmt: skip


@pytest.mark.parametrize("wrong", NO_TEXTS, ids=range(len(NO_TEXTS)))
def test_texts_are_such_as_the_rules_make(wrong: Any) -> None:
    """In a slot, in the items of a list, in a local of a frame, and in the values of a line of the log."""
    game = interpreter.Game(loaded(ROOT / "tests/conformance/play/texts.yaml"))
    thinking = next(i for i, p in enumerate(game.program.procedures) if p.name == "ponder")
    sound, pondered = (json.loads(game.new_state(1, main=main).to_json()) for main in (game.program.main, thinking))

    def slot(data: dict[str, Any]) -> None:
        data["slots"][slot_of(game, "plan")] = wrong

    def item(data: dict[str, Any]) -> None:
        data["slots"][slot_of(game, "said")][0] = wrong

    def local(data: dict[str, Any]) -> None:
        words, (_, number) = data["control"][0][1]
        assert (words, number) == ("of ", 3), "the thought is what the frame keeps"
        data["control"][0][1] = wrong

    def logged(data: dict[str, Any]) -> None:
        values = data["log"][0][3]
        assert values[0][0] == "take "
        values[0] = wrong

    for edit in (slot, item, local, logged):
        data = copy.deepcopy(pondered if edit is local else sound)
        edit(data)
        data["checksum"] = saves.checksum(data)
        with pytest.raises(RulespecError) as caught:
            game.state_from_json(json.dumps(data))
        assert caught.value.diagnostics[0].code == "T007", edit.__name__


@pytest.mark.parametrize("seats", [[2], [3], [-1], [0, 2], 0, [True, 9]])
def test_a_line_of_the_log_is_read_by_players(seats: Any) -> None:
    """Only seats of the game read a line: there are two, numbered from 0."""
    game = interpreter.Game(loaded(ROOT / "tests/conformance/play/texts.yaml"))
    data = json.loads(game.new_state(1).to_json())
    for right in (None, [0], [0, 1], []):
        data["log"][0][2] = right
        data["checksum"] = saves.checksum(data)
        assert game.state_from_json(json.dumps(data)).log is not None
    data["log"][0][2] = seats
    data["checksum"] = saves.checksum(data)
    with pytest.raises(RulespecError) as caught:
        game.state_from_json(json.dumps(data))
    assert "a line of the log" in str(caught.value)


def refused(game: interpreter.Game, data: dict[str, Any]) -> str:
    """What is said of a save with changed contents and a right checksum."""
    data["checksum"] = saves.checksum(data)
    with pytest.raises(RulespecError) as caught:
        game.state_from_json(json.dumps(data))
    return str(caught.value)


def test_a_line_of_the_log_is_written_by_an_instruction_that_writes_lines() -> None:
    game = interpreter.Game(loaded(ROOT / "tests/conformance/play/texts.yaml"))
    data = json.loads(game.new_state(1).to_json())
    procedure, _ = data["log"][0][:2]
    code = game.program.procedures[procedure].code
    silent = next(n for n, instruction in enumerate(code) if not isinstance(instruction, ir.Say))
    for wrong in ([procedure, len(code)], [procedure, -1], [procedure, silent], [len(game.program.procedures), 0]):
        data["log"][0][:2] = wrong
        assert "a line of the log" in refused(game, data), wrong


def test_signs_that_are_half_a_character_are_refused() -> None:
    game = interpreter.Game(loaded(ROOT / "tests/conformance/play/texts.yaml"))
    data = json.loads(game.new_state(1).to_json())
    data["game"] = "\ud800"
    assert "\ud800" not in refused(game, data)


def test_the_largest_seed_is_saved() -> None:
    game = interpreter.Game(loaded("kuhn_poker"))
    state = game.new_state(rng.MAX_SEED)
    assert game.state_from_json(state.to_json()) == state


def test_a_seed_beyond_the_largest_and_a_frame_at_no_instruction_are_refused() -> None:
    game = interpreter.Game(loaded("kuhn_poker"))
    whole = json.loads(game.new_state(1).to_json())
    seed, frame = copy.deepcopy(whole), copy.deepcopy(whole)
    seed["slots"][ir.RANDOM][0] = rng.MAX_SEED + 1
    frame["control"][0][0] = len(game.program.points)
    for data in (seed, frame):
        assert "makes no sense" in refused(game, data) or "slot" in refused(game, data)


def test_numbers_have_64_bits() -> None:
    """Negative ones as far as positive ones; only seeds are larger."""
    assert [value(n) for n in (-BIGGEST, BIGGEST, rng.MAX_SEED)] == [-BIGGEST, BIGGEST, rng.MAX_SEED]
    for wrong in (-BIGGEST - 1, rng.MAX_SEED + 1, 1.0):
        with pytest.raises(Malformed):
            value(wrong)


WELL = """\
rulespec: 1
id: well
title: A well
players: 1
events:
  dig: {takes: {n: 0..600}}
rules:
  deeper:
    after: dig
    where: n > 0
    do:
      - announce: dig
        with: {n: n - 1}
  bottom:
    after: dig
    where: n == 0
    do:
      - choose: here
        by: p1
        from: 1..2
phases:
  game:
    do:
      - choose: depth
        by: p1
        from: 1..600
      - announce: dig
        with: {n: depth - 1}
      - win: p1
"""


def test_the_deepest_stack_that_can_be_played_can_be_saved(tmp_path: Path) -> None:
    (tmp_path / "game.yaml").write_text(WELL, encoding="utf-8")
    game = interpreter.Game(rulespec.load(tmp_path))
    state = game.new_state()
    with pytest.raises(Fault, match="R006"):
        state.apply_action(state.string_to_action(str(MAX_WAITING)))
    state.apply_action(state.string_to_action(str(MAX_WAITING - 1)))
    text = state.to_json()
    assert game.state_from_json(text) == state
    data = json.loads(text)
    assert len(data["control"]) == MAX_WAITING + 1
    data["control"].insert(1, data["control"][1])
    assert "the control stack" in refused(game, data)


def test_a_sealed_choice_has_one_frame_of_its_own() -> None:
    """Nothing is called in there: any other frame, or more of them, are refused."""
    game = interpreter.Game(loaded(ROOT / "tests/conformance/play/together.yaml"), players=2)
    state = game.new_state(1)
    while not state.is_simultaneous():
        state.apply_action(state.legal_actions()[0])
    data = json.loads(state.to_json())
    child = data["control"][0][-1][0]
    assert len(child[1]) == 1
    for wrong in ([], child[1] * 2, [data["control"][0][:-1]], [[0]], 0):
        other = copy.deepcopy(data)
        other["control"][0][-1][0][1] = wrong
        assert "makes no sense" in refused(game, other), wrong


def test_a_byte_order_mark_is_read_over() -> None:
    game = interpreter.Game(loaded("tic_tac_toe"))
    state = game.new_state(1)
    state.apply_action(0)
    assert game.state_from_json("\ufeff" + state.to_json()).to_json() == state.to_json()
    assert game.replay("\ufeff" + transcript.write(state)).to_json() == state.to_json()


def test_a_key_that_stands_twice_is_refused() -> None:
    """Which of the two counts differs from reader to reader."""
    game = interpreter.Game(loaded("tic_tac_toe"))
    state = game.new_state(1)
    for text, code, read in (
        (state.to_json(), "T001", game.state_from_json),
        (transcript.write(state), "T010", game.replay),
    ):
        twice = text.replace("{", '{"game": "chess", ', 1)
        with pytest.raises(RulespecError) as caught:
            read(twice)
        (fault,) = caught.value.diagnostics
        assert fault.code == code and '"game" twice' in fault.message
