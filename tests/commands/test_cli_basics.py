"""The command line: help, misuse, findings, formats, and the streams it writes to."""

from __future__ import annotations

import json
import os
import shlex
import subprocess
import sys
from fractions import Fraction
from importlib import import_module
from pathlib import Path

import pytest

import rulespec
from tests.helpers.commands import FAULTY, run, shell
from tests.helpers.places import ROOT
from tools import cli, console, report
from tools.framework import Group, example_game
from tools.wording import decimal_text, number_text, players_text

COMMANDS = tuple(cli.MODULES)


# --- help and misuse ------------------------------------------------------------------------------
@pytest.mark.parametrize("command", [(), *((name,) for name in COMMANDS)])
def test_help_starts_with_examples(command: tuple[str, ...], capsys: pytest.CaptureFixture[str]) -> None:
    code, out, err = run(capsys, *command, "--help")
    assert (code, err) == (0, "")
    assert out.startswith("Examples:\n  ")
    assert "Usage: rulespec" in out
    assert "{game}" not in out


@pytest.mark.parametrize("command", COMMANDS)
def test_examples_ask_no_more_of_a_game_that_is_there_than_it_has(command: str) -> None:
    """Neither more players nor cases, procedures or variants of names that stand for some: for those there is a game of one's own."""
    most = max(rulespec.load(example_game()).players)
    for example in import_module(f"tools.commands.{cli.MODULES[command][0]}").command.examples:
        words = shlex.split(example)
        if "{game}" in words:
            assert all(int(words[at + 1]) <= most for at, word in enumerate(words) if word == "--players"), example
            assert not {"--case", "--run", "-k"} & set(words), example


def test_help_of_play_begins_with_the_options_that_a_newcomer_needs(capsys: pytest.CaptureFixture[str]) -> None:
    _, out, _ = run(capsys, "play", "--help")
    first, more = out.partition("The first ones to know:")[2].split("More options:")
    listed = [line.split()[0].rstrip(",") for line in first.splitlines() if line.startswith("  -")]
    assert listed == ["-p", "--as", "--all", "-s"]
    assert "--bots" in more and "--seed" not in more and "Options:" not in out.replace("More options:", "")


def test_no_command_shows_the_help(capsys: pytest.CaptureFixture[str]) -> None:
    code, out, _ = run(capsys)
    assert code == 0
    assert all(f"  {name} " in out for name in COMMANDS)


def test_version(capsys: pytest.CaptureFixture[str]) -> None:
    code, out, _ = run(capsys, "--version")
    assert code == 0
    assert out.startswith("rulespec ")


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (("lnit", "x"), ("no command `lnit`", "did you mean `lint`?")),
        (("frobnicate",), ("no command `frobnicate`", "rulespec --help")),
        (("simulate", "x", "--gmaes", "3"), ("no option `--gmaes`", "did you mean `--games`?")),
        (("--vresion",), ("no option `--vresion`", "did you mean `--version`?")),
        (("play",), ("a game must be named", "`rulespec list`")),
        (("simulate", "tic_tac_toe", "--games", "0"), ("'--games'", "simulate --help")),
        (("simulate", "tic_tac_toe", "--games", "many"), ("'--games'", "simulate --help")),
        (("simulate", "tic_tac_toe", "--seed", "-1"), ("'--seed'", "simulate --help")),
        (("lint", "tic_tac_toe", "--format", "jsno"), ("jsno", "lint --help")),
        (("explain", "C901"), ("no code `C901`", "did you mean `C900`?")),
        (("play", "kuhn_poker", "--option", "a"), ("`a` is not of the form", "NAME=VALUE")),
        (("play", "kuhn_poker", "--as", "nobody"), ("no seat `nobody`", "p1, p2")),
        (("play", "kuhn_poker", "--as", "p"), ("several seats begin with `p`", "p1, p2")),
        (("play", "kuhn_poker", "--as", "1", "--bots"), ("exclude each other", "play --help")),
        (("tree", "leduc_poker", "--limit", "99"), ("more than 99 nodes", "--depth")),
    ],
)
def test_misuse(arguments: tuple[str, ...], said: tuple[str, str], capsys: pytest.CaptureFixture[str]) -> None:
    code, out, err = run(capsys, *arguments)
    assert (code, out) == (2, "")
    first, *_, last = err.splitlines()
    assert first.startswith("error[C00") and said[0] in first
    assert last.startswith("  = help: ") and said[1] in last


@pytest.mark.parametrize("command", ["lint", "play", "simulate", "test", "tree"])
def test_a_game_that_is_not_there(command: str, capsys: pytest.CaptureFixture[str]) -> None:
    code, out, err = run(capsys, command, "kuhn_pokr")
    assert code == 2
    assert "error[C004]" in out + err and "did you mean `kuhn_poker`?" in out + err


@pytest.mark.parametrize("command", ["play", "simulate", "tree"])
def test_a_setup_that_the_game_does_not_have(command: str, capsys: pytest.CaptureFixture[str]) -> None:
    code, out, err = run(capsys, command, "kuhn_poker", "--players", "7")
    assert (code, out) == (2, "") and "error[P010]" in err and "2 to 3" in err
    code, out, err = run(capsys, command, "kuhn_poker", "--option", "a=b")
    assert (code, out) == (2, "") and "error[P011]" in err and "`a`" in err


def test_each_command_has_its_module() -> None:
    group = cli.root
    assert isinstance(group, Group)
    with group.make_context("rulespec", ["list"]) as ctx:
        for name in group.list_commands(ctx):
            command = group.get_command(ctx, name)
            assert command is not None and command.name == name


# --- what is light and what goes wrong --------------------------------------------------------------
def test_heavy_modules_wait_until_they_are_needed() -> None:
    code = (
        "import sys, tools.cli; tools.cli.main(['--help']); "
        "print([m for m in ('rich', 'networkx', 'jsonschema', 'interpreter') if m in sys.modules])"
    )
    out = subprocess.run([sys.executable, "-c", code], cwd=ROOT, capture_output=True, timeout=60)
    assert out.stdout.splitlines()[-1] == b"[]"


def test_a_fault_of_ours_is_one_line(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    def broken(_: object) -> None:
        raise KeyError("inner\nthing")

    monkeypatch.setattr("rulespec.list_games", lambda: broken(None))
    monkeypatch.delenv(cli.DEBUG, raising=False)
    code, out, err = run(capsys, "list", "--json")
    assert (code, out) == (2, "")
    first, second = err.splitlines()
    assert first.startswith("error[C900]: Rulespec itself failed: KeyError")
    assert "RULESPEC_DEBUG=1 rulespec list --json" in second
    monkeypatch.setenv(cli.DEBUG, "1")
    assert cli.main(["list"]) == 2
    assert "Traceback" in capsys.readouterr().err


def test_interrupted(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    def stop() -> None:
        raise KeyboardInterrupt

    monkeypatch.setattr("rulespec.list_games", stop)
    assert run(capsys, "list") == (130, "", "")


@pytest.mark.skipif(os.name != "posix", reason="pipes of POSIX")
def test_a_reader_that_leaves() -> None:
    command = f"{shlex.quote(sys.executable)} -m tools explain | head -1; echo ${{PIPESTATUS[0]}}"
    found = subprocess.run(["bash", "-c", command], cwd=ROOT, capture_output=True, timeout=60)
    assert found.stderr == b""
    assert found.stdout.splitlines()[-1] in (b"0", b"141")  # 0: all fitted into the pipe


@pytest.mark.skipif(not os.path.exists("/dev/full"), reason="needs /dev/full")
def test_output_that_cannot_be_written() -> None:
    with open("/dev/full", "wb") as full:
        found = subprocess.run(
            [sys.executable, "-m", "tools", "list"],
            cwd=ROOT,
            stdout=full,
            stderr=subprocess.PIPE,
            timeout=60,
        )
    assert found.returncode == 2
    assert found.stderr.startswith(b"error[C002]: ") and b"Traceback" not in found.stderr


# --- list, lint, explain, completion --------------------------------------------------------------------
def test_list(capsys: pytest.CaptureFixture[str]) -> None:
    code, out, err = run(capsys, "list")
    assert (code, err) == (0, "")
    assert "tic_tac_toe" in out and "2 or 3 players" in out
    data = json.loads(run(capsys, "list", "--json")[1])
    kuhn = next(game for game in data if game["id"] == "kuhn_poker")
    assert kuhn["players"] == [2, 3]
    assert set(kuhn) == {"id", "title", "players", "about", "path", "variants", "bots"}


def test_lint_of_clean_games(capsys: pytest.CaptureFixture[str]) -> None:
    code, out, err = run(capsys, "lint", "tic_tac_toe", "kuhn_poker", "tic_tac_toe")
    assert (code, out, err) == (0, "", "2 games, no findings\n")


def test_lint_shows_all_findings_of_all_files(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    bad = tmp_path / "bad"
    bad.mkdir()
    text = FAULTY.replace("level + 1", "levle + 1").replace("by: p1", "by: p9")
    (bad / "game.yaml").write_text(text, encoding="utf-8")
    code, out, err = run(capsys, "lint", "tic_tac_toe", str(bad))
    assert code == 1
    assert "levle" in out and "^^^^^" in out and "p9" in out
    assert err == "2 games, 2 errors\n"

    code, out, _ = run(capsys, "lint", str(bad), "--format", "json")
    assert code == 1
    data = json.loads(out)
    assert data["games"] == [str(bad)]
    first = data["diagnostics"][0]
    assert first["severity"] == "error" and first["range"]["line"] == 15

    code, out, _ = run(capsys, "lint", str(bad), "--format", "github")
    assert code == 1
    lines = out.splitlines()
    assert len(lines) == 2
    assert lines[0].startswith("::error file=") and ",line=15," in lines[0]


def test_summaries() -> None:
    assert report.summary(1, []) == "1 game, no findings"
    assert report.counted(0, "game") == "no games"


def test_explain(capsys: pytest.CaptureFixture[str]) -> None:
    for code in ("Y013", "r005", "C001", "C900"):
        found, out, _ = run(capsys, "explain", code)
        assert found == 0 and out.startswith(f"{code.upper()}: ")
    listed = run(capsys, "explain")[1].splitlines()
    assert listed == sorted(listed) and any(line.startswith("T013  ") for line in listed)


def test_explain_a_game(capsys: pytest.CaptureFixture[str]) -> None:
    """What cases may run, with what it takes, gives and asks for."""
    code, out, _ = run(capsys, "explain", str(ROOT / "tests/conformance/play/case_words.yaml"))
    assert code == 0 and "\n  - buy: Player\n      takes p: Player; asks for way\n" in out
    assert out.endswith(
        "Scopes, for `within:`:\n  Round\nPositions, for `position:`:\n  p2_is_rich\n  p1_holds_a_jack\n"
    )
    code, out, _ = run(capsys, "explain", "hobbit_board_game")
    assert (
        code == 0
        and "  - {attempt: Adventure, by: Player}\n      takes me: Player, card: Adventure; gives Yes or no; asks for may"
        in out
    )
    code, _, err = run(capsys, "explain", str(ROOT / "tests/conformance/errors/yaml.yaml"))
    assert code == 1 and "error[" in err


@pytest.mark.parametrize("name", ["bash", "zsh", "fish"])
def test_completion_scripts(name: str, capsys: pytest.CaptureFixture[str]) -> None:
    code, out, _ = run(capsys, "completion", name)
    assert code == 0 and "_RULESPEC_COMPLETE" in out


@pytest.mark.parametrize(
    ("words", "position", "expected"),
    [
        ("rulespec li", "1", {b"plain,list", b"plain,lint"}),
        ("rulespec play tic", "2", {b"plain,tic_tac_toe"}),
        ("rulespec play tic_tac_toe --pl", "3", {b"plain,--players", b"plain,--plain"}),
        ("rulespec explain C00", "2", {f"plain,C00{n}".encode() for n in range(1, 9)}),
    ],
)
def test_completing(words: str, position: str, expected: set[bytes]) -> None:
    found = shell(_RULESPEC_COMPLETE="bash_complete", COMP_WORDS=words, COMP_CWORD=position)
    assert found.returncode == 0
    assert set(found.stdout.split()) == expected


# --- cases -----------------------------------------------------------------------------------------------
def test_cases(capsys: pytest.CaptureFixture[str]) -> None:
    code, out, err = run(capsys, "test", "kuhn_poker")
    assert (code, out) == (0, "")
    assert err.endswith(" passed, 0 failed\n")
    data = json.loads(run(capsys, "test", "kuhn_poker", "--json")[1])
    assert data["failed"] == 0 and data["passed"] == len(data["cases"]) > 0
    name = data["cases"][0]["name"]
    assert run(capsys, "test", "kuhn_poker", "-k", name)[2] == "1 passed, 0 failed\n"
    code, _, err = run(capsys, "test", "kuhn_poker", "-k", "no such case")
    assert code == 2 and "no case has `no such case` in its name" in err


def test_cases_that_fail(faulty: str, capsys: pytest.CaptureFixture[str]) -> None:
    folder = Path(faulty) / "cases"
    folder.mkdir()
    text = "cases:\n  too_high:\n    play:\n      - p1: [up, up]\n    expect:\n      - level == 1\n"
    (folder / "one.yaml").write_text(text, encoding="utf-8")
    code, out, err = run(capsys, "test", faulty)
    assert code == 1
    assert "FAILED too_high" in out and "one.yaml:2" in out and "level == 1" in out
    assert err == "0 passed, 1 failed\n"
    data = json.loads(run(capsys, "test", faulty, "--json")[1])
    assert data["cases"][0]["line"] == 2 and not data["cases"][0]["passed"]


# --- texts -------------------------------------------------------------------------------------------------
@pytest.mark.parametrize(
    ("text", "expected"),
    [("Éowyn – “3×”…", 'Eowyn - "3x"...'), ("\ud800", "?"), ("日", "?"), ("ﬁ", "fi")],
)
def test_plain_letters(text: str, expected: str) -> None:
    console.prepare()
    assert text.encode("ascii", console.HANDLER).decode() == expected


def test_ascii_terminals(tmp_path: Path) -> None:
    text = FAULTY.replace("title: Faulty", "title: Fäulty – ½")
    (tmp_path / "game.yaml").write_text(text, encoding="utf-8")
    found = shell("play", str(tmp_path), "--seed", "1", PYTHONIOENCODING="ascii")
    assert found.returncode in (0, 1)
    assert found.stdout.startswith(b"Faulty - 1/2\n")


def test_no_colour_off_a_terminal() -> None:
    found = shell("tree", "kuhn_poker")
    assert found.returncode == 0 and b"\x1b" not in found.stdout + found.stderr


def test_control_characters_do_not_reach_the_terminal() -> None:
    assert console.printable("a\x1b[31mb\nc") == "a\N{REPLACEMENT CHARACTER}[31mb c"
    assert console.printable("a\u202eb\u2066") == "a\N{REPLACEMENT CHARACTER}b\N{REPLACEMENT CHARACTER}"
    assert (
        console.printable("\u200f\u061ca\u200d\u200c\u200eb") == "ab"
    )  # legitimate, and nothing that a terminal shows
    assert console.printable_lines("a\x1b\nc") == ["a\N{REPLACEMENT CHARACTER}", "c"]


def test_numbers_as_text() -> None:
    assert players_text((2,)) == "2 players" and players_text((1,)) == "1 player"
    assert players_text((3, 2, 4)) == "2 to 4 players"
    assert players_text((2, 4, 6)) == "2, 4 or 6 players"
    assert decimal_text(Fraction(-1, 3), 4) == "-0.3333" and decimal_text(Fraction(2), 1) == "2.0"
    assert number_text(Fraction(1, 2)) == "1/2" and number_text(3) == "3"


@pytest.mark.parametrize("written", ["guess", "guess.yml", "Guess.yaml", "gues", "gues.yaml"])
def test_the_file_that_is_meant_is_named(
    written: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "guess.yaml").write_text("rulespec: 1\n", encoding="utf-8")
    (tmp_path / "a_folder").mkdir()
    code, out, err = run(capsys, "lint", written)
    assert code == 2 and "error[C004]" in out + err and "did you mean `guess.yaml`?" in out + err


def test_a_run_of_minutes_is_not_silent_without_a_terminal(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    """A line every 20 seconds; what is over sooner says nothing."""
    now = [100.0]
    monkeypatch.setattr(console.time, "monotonic", lambda: now[0])
    progress = console.Progress("cases looked at", 618)
    for done in range(10):
        progress(done)
        now[0] += 7
    progress.done()
    assert capsys.readouterr() == ("", "3 of 618 cases looked at\n6 of 618 cases looked at\n9 of 618 cases looked at\n")
