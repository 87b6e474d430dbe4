"""Why C leaves an answer to Python: the question, how often, and the bound, as `Game.handed_for` counts and `rulespec build` prints it."""

from __future__ import annotations

import json
import re
from pathlib import Path

import pytest

import interpreter
import rulespec
from interpreter.native.reasons import REASONS, reason
from tests.helpers.commands import run
from tests.helpers.native import NEEDS_C, native_on  # noqa: F401
from tests.helpers.places import ROOT

HEAD = "rulespec: 1\nid: {name}\nplayers: 2\n"
GAMES = {
    "waits": (
        """\
state: {n: {is: 0..9999, seen by: all}}
events:
  ping: {takes: {p: Player}}
rules:
  again:
    after: ping
    where: n > 0
    me: p1
    do:
      - {announce: ping, with: {p: p1}, do: [{lose: 1, from: n}]}
phases:
  game:
    do:
      - {choose: k, by: p1, from: 1..2}
      - {set: n, to: 500 + k}
      - {announce: ping, with: {p: p1}}
      - {win: p1}
""",
        ("more procedures wait for each other",),
    ),
    "full": (
        """\
boards: {Square: {square: 5 x 5}}
state: {past: {is: list of 0..9, by: Square, seen by: all}}
phases:
  game:
    do:
      - repeat: 140
        do:
          - {choose: k, by: p1, from: 0..3}
          - {add: list(k), to: a1.past}
      - {win: p1}
""",
        ("a list or set has more items", "C has no room for this position"),
    ),
}


def made(folder: Path, name: str) -> Path:
    path = folder / f"{name}.yaml"
    path.write_text(HEAD.format(name=name) + GAMES[name][0], encoding="utf-8")
    return path


def line_of(word: str, path: Path) -> int:
    return next(n for n, line in enumerate(path.read_text(encoding="utf-8").splitlines(), 1) if word in line)


@NEEDS_C
@pytest.mark.parametrize("name", GAMES)
def test_each_bound_is_named_with_the_question_and_how_often(name: str, tmp_path: Path) -> None:
    path, wanted = made(tmp_path, name), GAMES[name][1]
    game = interpreter.Game(rulespec.load(path), players=2, backend="native")
    python = interpreter.Game(rulespec.load(path), players=2, backend="python")
    one, two = game.new_state(1, undo=False, record=False), python.new_state(1, undo=False, record=False)
    while not one.is_terminal():
        for state in (one, two):
            state.apply_action(state.legal_actions()[0])
    assert one.slots == two.slots
    reasons = {told: times for (_, told), times in game.handed_for.items()}
    (where,) = {where for where, _ in game.handed_for}
    assert where is not None and f"{path}:{line_of('choose', path)}" in where.label()
    assert len(reasons) == len(wanted) and all(any(why in told for told in reasons) for why in wanted)
    assert game.handed_over == sum(reasons.values())


@NEEDS_C
def test_build_tries_random_games_and_prints_what_is_left(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = made(tmp_path, "waits")
    code, out, err = run(capsys, "build", str(path))
    assert (code, err) == (0, "")
    place = f"{path}:{line_of('choose', path)}"
    assert f"20 answers to what is asked at {place}" in out and GAMES["waits"][1][0] in out
    code, out, err = run(capsys, "build", str(path), "--json")
    (report,) = json.loads(out)
    assert report["answers_tried"] == 20 and report["left_in_play"][0]["answers"] == 20
    code, out, err = run(capsys, "build", "tic_tac_toe")
    assert (code, err) == (0, "") and "left to Python" not in out


def test_there_are_words_for_each_number_that_c_tells() -> None:
    text = (ROOT / "interpreter/native/abi.h").read_text(encoding="utf-8")
    names = re.search(r"enum \{ (RS_RULES[^}]*) \};", text)
    assert names is not None and len(names[1].split(",")) == len(REASONS)
    assert reason(-1) == reason(99) == REASONS[0]
