"""`play` and `replay`: saves and transcripts, what may be overwritten, and what is told of files that are none."""

from __future__ import annotations

import errno
import json
import os
import time
from pathlib import Path
from typing import Any

import pytest

import rulespec
from interpreter import Game
from tests.helpers.commands import run, typed


# --- saves ------------------------------------------------------------------------------------------
def test_a_game_that_was_left_goes_on(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    save = tmp_path / "game.json"
    typed(monkeypatch, "b2", "a1", "quit")
    arguments = ("play", "tic_tac_toe", "--all", "--seed", "1", "--save", str(save))
    _, _, err = run(capsys, *arguments)
    assert err == f"to go on: rulespec play tic_tac_toe --load {save}\n"
    typed(monkeypatch, "c2", "a2", "b1", "a3")
    code, out, err = run(capsys, "play", "tic_tac_toe", "--all", "--load", str(save))
    assert (code, err) == (0, "")
    assert "Winner: O" in out and "seed 1" in out and "after 6 decisions" in out


def test_a_save_tells_its_players(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    save = tmp_path / "game.json"
    typed(monkeypatch, "quit")
    run(capsys, "play", "kuhn_poker", "--players", "3", "--as", "1", "--save", str(save))
    typed(monkeypatch)
    code, out, _ = run(capsys, "play", "kuhn_poker", "--load", str(save))
    assert code == 0 and out.count("(bot)") == 3
    code, _, err = run(capsys, "play", "kuhn_poker", "--load", str(save), "--players", "2")
    assert code == 1 and "error[T005]" in err and str(save) in err
    code, _, err = run(capsys, "play", "leduc_poker", "--load", str(save), "--players", "2")
    assert code == 1 and "error[T004]" in err


@pytest.mark.parametrize(
    ("content", "code"),
    [
        (b"", "T001"),
        (b"{}", "T002"),
        (b'{"rulespec_save": 1}', "T002"),
        (b"[" * 200_000, "T001"),
        (b"\xff\xfe", "Y004"),
        (b"9" * 3_000_000, "T001"),
        (b" " * 33_000_000, "Y003"),
    ],
)
def test_saves_that_are_none(content: bytes, code: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    file = tmp_path / "save.json"
    file.write_bytes(content)
    start = time.monotonic()
    found, out, err = run(capsys, "play", "tic_tac_toe", "--load", str(file))
    assert (found, out) == (1, "")
    assert f"error[{code}]" in err and str(file) in err
    assert time.monotonic() - start < 2


def test_files_that_must_not_be_lost(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    notes = tmp_path / "notes.txt"
    notes.write_text("mine")
    for option in ("--save", "--transcript"):
        code, _, err = run(capsys, "play", "tic_tac_toe", option, str(notes))
        assert code == 2 and "is something else" in err
    typed(monkeypatch, f"save {notes}", "save /no/such/folder/x", "quit")
    code, out, _ = run(capsys, "play", "tic_tac_toe", "--as", "1")
    assert code == 0 and out.count("not saved: ") == 2
    assert notes.read_text() == "mine"
    code, _, err = run(capsys, "play", "tic_tac_toe", "--save", str(tmp_path / "no" / "x"))
    assert code == 2 and "there is no folder" in err


def test_a_game_that_was_left_is_not_overwritten(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    save, transcript, other = tmp_path / "game.json", tmp_path / "game.jsonl", tmp_path / "other.json"
    files = ("--save", str(save), "--transcript", str(transcript))
    typed(monkeypatch, "b2", "quit")
    assert run(capsys, "play", "tic_tac_toe", "--all", "--seed", "1", *files)[0] == 0
    kept = save.read_text(), transcript.read_text()
    for option, file in (("--save", save), ("--transcript", transcript)):
        code, out, err = run(capsys, "play", "tic_tac_toe", "--all", option, str(file))
        assert (code, out) == (2, "") and str(file) in err and "--overwrite" in err
    typed(monkeypatch, f"save {save}", "quit")  # by hand neither
    assert "not saved: " in run(capsys, "play", "tic_tac_toe", "--all")[1]
    assert (save.read_text(), transcript.read_text()) == kept
    typed(monkeypatch, "a1", "quit")  # the game itself goes on in its files
    assert run(capsys, "play", "tic_tac_toe", "--all", "--load", str(save), *files)[0] == 0
    assert save.read_text() != kept[0] and transcript.read_text().startswith(kept[1])
    save.replace(other)
    save.write_text(kept[0])  # another game's, seen from `other`
    code, _, err = run(capsys, "play", "tic_tac_toe", "--all", "--load", str(other), "--save", str(save))
    assert code == 2 and "holds a saved game" in err
    typed(monkeypatch, "quit")
    assert run(capsys, "play", "tic_tac_toe", "--all", "--seed", "2", *files, "--overwrite")[0] == 0
    assert save.read_text() != kept[0]


def test_a_full_disk_does_not_end_the_game(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    save = tmp_path / "game.json"
    calls: list[int] = []
    sync = os.fsync

    def full(handle: int) -> None:
        calls.append(handle)
        if 3 <= len(calls) <= 4:  # the first answer is not saved, the third is
            raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))
        sync(handle)

    monkeypatch.setattr(os, "fsync", full)
    typed(monkeypatch, "b2", "a1", "c3", "quit")
    code, _, err = run(capsys, "play", "tic_tac_toe", "--all", "--seed", "1", "--save", str(save))
    assert code == 0 and err.count("not saved: ") == 1 and os.strerror(errno.ENOSPC) in err
    assert "saved again" in err and f"--load {save}" in err and "Traceback" not in err
    assert os.listdir(tmp_path) == ["game.json"]
    state = Game(rulespec.load("tic_tac_toe")).state_from_json(save.read_text())
    assert state.decisions == 3
    calls.clear()
    typed(monkeypatch, "a2", "quit")
    code, _, err = run(capsys, "play", "tic_tac_toe", "--all", "--load", str(save), "--save", str(save))
    assert "not saved" in err and "not saved\n" in err.splitlines(keepends=True)[-1], "what is lost is said at the end"


def test_a_seed_and_a_save_exclude_each_other(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    code, _, err = run(capsys, "play", "tic_tac_toe", "--load", str(tmp_path), "--seed", "1")
    assert code == 2 and "exclude each other" in err
    code, _, err = run(capsys, "play", "tic_tac_toe", "--load", str(tmp_path))
    assert code == 1 and "error[Y002]" in err
    code, _, err = run(capsys, "play", "tic_tac_toe", "--load", str(tmp_path / "none"))
    assert code == 2 and "error[Y001]" in err


# --- transcripts ------------------------------------------------------------------------------------
@pytest.fixture
def transcript(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> Path:
    """Of a game of three players."""
    file = tmp_path / "game.jsonl"
    typed(monkeypatch)
    arguments = ("--players", "3", "--seed", "5", "--transcript", str(file))
    assert run(capsys, "play", "kuhn_poker", *arguments)[0] == 0
    return file


def test_a_transcript_plays_again(transcript: Path, capsys: pytest.CaptureFixture[str]) -> None:
    code, out, err = run(capsys, "replay", str(transcript))
    assert (code, err) == (0, "")
    assert "The game is over" in out and out.endswith("seed 5\n")
    data: dict[str, Any] = json.loads(run(capsys, "replay", str(transcript), "--json")[1])
    assert data["over"] and data["players"] == 3 and sum(data["returns"]) == 0
    assert data["answers"] == len(transcript.read_text().splitlines()) - 2


def test_a_transcript_that_differs(transcript: Path, capsys: pytest.CaptureFixture[str]) -> None:
    text = transcript.read_text()
    lines = text.splitlines(keepends=True)
    for changed, code in [
        ("".join(lines[:-2]), None),  # stops early
        (text.replace('"seed": 5', '"seed": 6'), "T01"),
        (text.replace('"returns": [', '"returns": [7, '), "T015"),
        (text.replace('"by": "p', '"by": "q', 1), "T014"),
        (lines[0] + "nothing\n", "T010"),
        ("{}\n", "T011"),
        (text.replace('"digest": "', '"digest": "0'), "T012"),
        (text.replace('"players": 3', '"players": 2'), "T01"),
    ]:
        transcript.write_text(changed)
        found, out, err = run(capsys, "replay", str(transcript))
        if code is None:
            assert found == 0 and "ends before the game does" in out
        else:
            assert found == 1 and out == ""
            assert f"error[{code}" in err and str(transcript) in err


def test_a_transcript_of_a_game_of_ones_own(
    faulty: str,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    file = str(Path(faulty) / "game.jsonl")
    typed(monkeypatch, "stay", "stay", "stay")
    run(capsys, "play", faulty, "--as", "1", "--transcript", file)
    code, _, err = run(capsys, "replay", file)
    assert code == 2 and "no shipped game" in err and "`--game GAME`" in err
    for words in (("watch", file), ("case", f"{file}:0", "--name", "one")):  # what they say fits what was run
        assert run(capsys, *words)[2] == err and "rulespec replay" not in err
    assert run(capsys, "replay", file, "--game", faulty)[0] == 0


def test_a_transcript_is_written_when_the_rules_fail(
    faulty: str,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    file = Path(faulty) / "game.jsonl"
    typed(monkeypatch, "up", "up", "up")
    code, _, err = run(capsys, "play", faulty, "--as", "1", "--seed", "2", "--transcript", str(file))
    assert code == 1
    assert "error[R004]" in err and "after 2 answers, with seed 2" in err
    assert len(file.read_text().splitlines()) == 3
