"""Boards as they are drawn: goldens of text and SVG, marks, who sees what, and the commands that show them.

The golden files show boards to several seats; RULESPEC_GOLDEN=write writes them anew.  Then look at them.
"""

from __future__ import annotations

import io
import json
from pathlib import Path
from xml.etree import ElementTree

import pytest

import rulespec
from interpreter import EVERYTHING, Game, State
from tests.helpers.commands import run
from tests.helpers.games import loaded
from tests.helpers.goldens import golden
from tests.helpers.places import ROOT
from tools import console
from tools.maps import board_svg, board_text

GOLDEN = ROOT / "tests/golden/boards"
PLAY = ROOT / "tests/conformance/play"


def begun(name: str | Path, *answers: str, **options: object) -> State:
    """A position after some answers."""
    state = Game(loaded(name), options=options).new_state(1)
    for answer in answers:
        state.apply_action(state.string_to_action(answer))
    return state


def compared(name: str, text: str) -> None:
    assert golden(GOLDEN / name, text) == text


SHOWN = {
    "breakthrough": (ROOT / "games/breakthrough", ("d7", "d6", "a2"), {}, 1),
    "hex": (ROOT / "games/hex", ("c2", "b3"), {"size": 4}, 0),
    "drawn_first": (PLAY / "board_pictures.yaml", ("b2",), {}, 0),
    "drawn_second": (PLAY / "board_pictures.yaml", ("b2",), {}, 1),
    "parts_square": (PLAY / "board_parts.yaml", ("b2_b3", "a2_ne"), {}, 1),
    "parts_hex": (PLAY / "hex_parts.yaml", ("a3_se", "b2_b3"), {}, 0),
    "drawn_everything": (PLAY / "board_pictures.yaml", (), {}, EVERYTHING),
}


@pytest.mark.parametrize("name", SHOWN)
def test_boards_are_drawn_as_they_were(name: str) -> None:
    path, answers, options, viewer = SHOWN[name]
    state, before = begun(path, *answers, **options), begun(path, *answers[:-1], **options)
    boards = state.boards(viewer)
    new = board_text.changes(before.boards(viewer), boards)
    texts = [line for board in boards for line in (*board_text.lines_of(board, 80, new[board.name], True), "")]
    compared(f"{name}.txt", "\n".join(texts))
    drawing = board_svg.drawing(state.game.title, boards, new)
    ElementTree.fromstring(drawing)
    compared(f"{name}.svg", drawing)


def test_letters_tell_the_player_and_symbols_are_as_declared() -> None:
    square, lake, field = begun(PLAY / "board_pictures.yaml").boards(0)
    signs = {cell.name: (cell.sign, cell.label, cell.colour) for cell in square.cells if cell.sign}
    assert signs == {
        "a1": ("K", "King of Red", "red"), "b3": ("n", "Knight of Blue", "blue"), "c2": ("P", "Pawn", None),
    }  # fmt: skip
    assert {cell.name: cell.sign for cell in lake.cells if cell.sign} == {"b2": "S"}
    assert {cell.name: cell.sign for cell in field.cells if cell.sign} == {"a1": "g"}  # the top one
    assert [member.sign for member in square.colours.members] == ["orange", "green"]


CUBES = """\
rulespec: 1
id: cubes
players: {black: Black, white: White}
boards: {Square: {square: 3 x 2}}
pieces: {Cube: {fields: {owner: Player, face: 1..2}, rows: "each(owner in Player, face in 1..2)"}}
zones: {standing: {of: Cube, per: Square}, box: {of: Cube, starts with: all}}
phases:
  game:
    do:
      - {move: black_1, to: a1.standing}
      - {move: white_1, to: b1.standing}
      - {choose: s, by: black, from: s in Square where s.standing is empty}
      - {move: black_1, to: s.standing}
"""


def test_a_sign_that_two_players_share_tells_whose_it_is(tmp_path: Path) -> None:
    """Letters are large or small; a number has neither, and gets the player's letter."""
    file = tmp_path / "cubes.yaml"
    file.write_text(CUBES, encoding="utf-8")
    (board,) = Game(rulespec.load(file)).new_state(1).boards(0)
    assert {cell.name: cell.sign for cell in board.cells if cell.sign} == {"a1": "B1", "b1": "W1"}
    assert board.signs == (("B1", "Black 1"), ("W1", "White 1"))


def test_a_seat_sees_on_a_board_what_it_may_see() -> None:
    state = begun(PLAY / "board_pictures.yaml")
    for viewer, sign in ((0, "S"), (1, "?"), (None, "?"), (EVERYTHING, "S")):
        lake = state.boards(viewer)[1]
        assert [cell.sign for cell in lake.cells if cell.sign] == [sign]


def test_cells_that_may_be_chosen_are_marked_for_who_chooses() -> None:
    state = begun(PLAY / "board_pictures.yaml")
    assert [cell.name for cell in state.boards(0)[0].cells if cell.target] == ["a2", "a3", "b2", "c3", "d2"]
    assert not any(
        cell.target for viewer in (1, None, EVERYTHING) for board in state.boards(viewer) for cell in board.cells
    )


def test_a_board_that_is_too_wide_is_not_drawn_as_text() -> None:
    board = begun(ROOT / "games/hex").boards(None)[0]
    assert board_text.lines_of(board, 40) == [] and board_text.lines_of(board, 80)


def test_the_command_shows_boards(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    code, out, _ = run(capsys, "map", str(ROOT / "games/tic_tac_toe"))
    assert code == 0 and out.splitlines()[:4] == ["3  ·  ·  ·", "2  ·  ·  ·", "1  ·  ·  ·", "   a  b  c"]
    save = tmp_path / "a.save.json"
    begun(ROOT / "games/breakthrough", "d7", "d6").save_to(save)
    code, out, _ = run(capsys, "map", str(ROOT / "games/breakthrough"), "--load", str(save), "--as", "white")
    assert code == 0 and "2 (W)(W)(W)(W)(W)(W)(W)(W)" in out
    data = json.loads(run(capsys, "map", str(ROOT / "games/breakthrough"), "--load", str(save), "--json")[1])
    assert {cell["name"]: cell["sign"] for cell in data["boards"][0]["cells"]}["d6"] == "B"
    file = tmp_path / "a.svg"
    assert run(capsys, "map", str(ROOT / "games/breakthrough"), "--svg", str(file))[0] == 0
    assert file.read_text(encoding="utf-8").count("<polygon") == 64


def test_play_shows_the_board_and_what_is_new(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("sys.stdin", io.StringIO("4\n4\n"))
    _, out, _ = run(capsys, "play", str(ROOT / "games/connect_four"), "--as", "red", "--seed", "1")
    bare = console.bare(out)
    assert "1  ·  ·  · [R][Y] ·  ·" in bare and "[ ] new" in bare
    assert "also linked" not in bare and "disc" not in bare.split("Drop a disc")[0]
