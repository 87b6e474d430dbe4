"""`rulespec play` at a terminal: who is asked, what is hidden, how it ends, and the first lessons as their readers follow them."""

from __future__ import annotations

import contextlib
import os
import re
import signal
import time
from pathlib import Path

import pytest

from tests.helpers.places import ROOT
from tests.helpers.pseudo_terminal import Terminal, posix


@posix
def test_at_a_terminal_the_first_seat_is_a_person() -> None:
    terminal = Terminal("play", "tic_tac_toe", "--plain", "--seed", "2", NO_COLOR="")
    shown = terminal.until("> ")
    assert "X (you), O (bot)" in shown and "seed 2" in shown
    assert "\x1b[1m" in shown
    terminal.type("b2")
    assert "X marks b2" in terminal.until("> ")
    terminal.type("\x04")
    assert terminal.leave() == 0
    assert "Traceback" not in terminal.text


@posix
def test_no_colour_where_it_is_not_wanted() -> None:
    terminal = Terminal("play", "tic_tac_toe", "--plain", NO_COLOR="1")
    assert "\x1b" not in terminal.until("> ")
    time.sleep(0.5)  # Python misses a signal that comes between the prompt and the reading
    terminal.type("\x03")
    assert terminal.leave() == 130
    assert "Traceback" not in terminal.text and "error" not in terminal.text


@posix
def test_hot_seat_hides_what_the_other_must_not_see() -> None:
    terminal = Terminal("play", "kuhn_poker", "--plain", "--all", "--seed", "3", NO_COLOR="1")
    before = terminal.until("Pass the keyboard to Player 1, who presses Enter ")
    assert not re.search("jack|queen|king", before)
    terminal.type("")
    first = terminal.until("> ")
    terminal.type("1")
    between = terminal.until("Pass the keyboard to Player 2, who presses Enter ")
    assert "\x1b[2J" in between
    terminal.type("")
    second = terminal.until("> ")
    own = [set(re.findall("jack|queen|king", text)) for text in (first, second)]
    assert len(own[0]) == len(own[1]) == 1 and own[0] != own[1]
    terminal.type("quit")
    assert terminal.leave() == 0


@posix
@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGHUP])
@pytest.mark.parametrize("arguments", [["tic_tac_toe", "--all", "--seed", "1"], []])
def test_a_screen_that_is_told_to_end_is_closed(number: int, arguments: list[str], tmp_path: Path) -> None:
    """The terminal is as before, and what was played goes on as after an interrupt."""
    save = tmp_path / "game.json"
    saved = ["--save", str(save)] if arguments else []
    terminal = Terminal("play", *arguments, *saved, XDG_STATE_HOME=str(tmp_path))
    terminal.until("\x1b[?1049h")
    terminal.until("Tic-tac-toe" if arguments else "Which game?")
    os.kill(terminal.pid, number)
    assert terminal.leave() == 128 + number
    assert "\x1b[?1049l" in terminal.text and "Traceback" not in terminal.text
    if arguments:
        assert f"to go on: rulespec play tic_tac_toe --load {save}" in terminal.text and save.exists()


@posix
def test_lines_that_are_told_to_end_say_how_to_go_on(tmp_path: Path) -> None:
    save = tmp_path / "game.json"
    terminal = Terminal("play", "tic_tac_toe", "--plain", "--all", "--seed", "1", "--save", str(save))
    terminal.until("> ")
    time.sleep(0.3)  # Python misses a signal that comes between the prompt and the reading
    os.kill(terminal.pid, signal.SIGTERM)
    assert terminal.leave() == 143
    assert f"to go on: rulespec play tic_tac_toe --load {save}" in terminal.text and "Traceback" not in terminal.text


@posix
@pytest.mark.parametrize(("answers", "kept"), [([], 0), (["b2"], 1)])
def test_a_game_without_an_answer_is_not_gone_on_with(answers: list[str], kept: int, tmp_path: Path) -> None:
    """Whoever had a look and left is not asked next time; one answer, and the game is kept."""
    terminal = Terminal("play", "tic_tac_toe", "--plain", "--all", RULESPEC_UNFINISHED=str(tmp_path), NO_COLOR="1")
    for line in [*answers, "quit"]:
        terminal.until("> ")
        terminal.type(line)
    assert terminal.leave() == 0
    assert ("to go on: " in terminal.text) == bool(kept)
    assert len(list(tmp_path.rglob("tic_tac_toe-*.json"))) == kept


@posix
def test_a_killed_game_goes_on(tmp_path: Path) -> None:
    save = tmp_path / "game.json"
    terminal = Terminal("play", "tic_tac_toe", "--plain", "--all", "--seed", "1", "--save", str(save))
    terminal.until("> ")
    terminal.type("b2")
    terminal.until("> ")
    os.kill(terminal.pid, signal.SIGKILL)
    terminal.leave()
    terminal = Terminal("play", "tic_tac_toe", "--plain", "--all", "--load", str(save), NO_COLOR="1")
    shown = terminal.until("> ")
    assert "2 (·) X (·)" in shown and "=== O ===" in shown
    terminal.type("quit")
    assert terminal.leave() == 0


@posix
@pytest.mark.parametrize(
    ("lesson", "seat", "keys"), [("guess", "guesser", "5\r"), ("noughts", "x", "b2\r"), ("kuhn", "p1", "1")]
)
def test_the_first_lessons_at_a_terminal(lesson: str, seat: str, keys: str, tmp_path: Path) -> None:
    """What a reader of the lessons types into the first game of each, in a terminal: an answer, as the page says, and `q`s."""
    page = (ROOT / f"docs/learn/{lesson}.md").read_text("utf-8")
    file = tmp_path / f"{lesson}.yaml"
    file.write_text(re.findall(rf"(?ms)^```yaml\n(# game: {lesson}\n.*?)^```$", page)[0], "utf-8")
    terminal = Terminal("play", str(file), "--as", seat, "--seed", "7", XDG_STATE_HOME=str(tmp_path))
    terminal.until("leave")
    os.write(terminal.end, keys.encode())
    terminal.until("again")
    for _ in range(6):  # the result lies above the table, and comes when it has been drawn
        with contextlib.suppress(OSError):  # it has ended
            os.write(terminal.end, b"q")
        time.sleep(0.3)
    assert terminal.leave() == 0 and "Traceback" not in terminal.text
