"""`rulespec lint` in a project: its settings, a text from standard input, a screen that follows changes, a hook."""

from __future__ import annotations

import io
import json
import os
import shutil
import subprocess
import sys
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
import yaml

from rulespec.system.resources import games_dir
from rulespec.text import disk
from rulespec.text.diagnostics import RulespecError
from tests.helpers.commands import run
from tests.helpers.places import ROOT
from tools import cli, lint_watch, settings

GAME = (games_dir() / "tic_tac_toe" / "game.yaml").read_text(encoding="utf-8")
IDLE = GAME.replace("  active: Player", "  active: Player\n  idle: 0..3")
BROKEN = GAME.replace("active: Player", "active: Plyer")


@pytest.fixture
def project(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A folder with two games, one of which has a finding, and the current folder."""
    for name, text in (("clean", GAME), ("idle", IDLE)):
        (tmp_path / "games" / name).mkdir(parents=True)
        (tmp_path / "games" / name / "game.yaml").write_text(text, encoding="utf-8")
    monkeypatch.chdir(tmp_path)
    return tmp_path


def typed(monkeypatch: pytest.MonkeyPatch, text: bytes) -> None:
    """Standard input."""
    monkeypatch.setattr("sys.stdin", io.TextIOWrapper(io.BytesIO(text)))


# --- settings ---------------------------------------------------------------------------------------------------------
@pytest.mark.parametrize("name", ["rulespec.toml", "pyproject.toml"])
def test_settings_name_the_games(name: str, project: Path, capsys: pytest.CaptureFixture[str]) -> None:
    head = "[lint]" if name == "rulespec.toml" else '[project]\nname = "x"\n[tool.rulespec.lint]'
    (project / name).write_text(f'{head}\ngames = ["games/*"]\nformat = "json"\nnotes = true\n', encoding="utf-8")
    code, out, err = run(capsys, "lint")
    assert code == 1 and err.startswith("2 games, 1 warning and 2 notes")
    data = json.loads(out)
    assert data["games"] == ["games/clean", "games/idle"]
    assert "K017" in [one["code"] for one in data["diagnostics"]]
    code, out, _ = run(capsys, "lint", "games/clean", "--format", "text")
    assert "note[K017]" in out


def test_settings_are_found_from_below(
    project: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    (project / "rulespec.toml").write_text('lint.games = ["games/idle"]\n', encoding="utf-8")
    (project / "games" / "pyproject.toml").write_text('[project]\nname = "x"\n', encoding="utf-8")
    monkeypatch.chdir(project / "games" / "clean")
    code, out, _ = run(capsys, "lint")
    assert code == 1 and "warning[" in out
    assert settings.lint_settings(Path.cwd()).games == ("../idle",)


def test_no_game_is_misuse(project: Path, capsys: pytest.CaptureFixture[str]) -> None:
    code, out, err = run(capsys, "lint")
    assert code == 2 and not out and "no game is named" in err
    assert settings.lint_settings(project) == settings.LintSettings()


@pytest.mark.parametrize(
    ("text", "place", "message", "help"),
    [
        ("[lint]\ngmaes = []\n", ":2:1", "there is no setting `gmaes`", "did you mean `games`?"),
        ("[lnit]\ngames = []\n", ":1:2", "there is no setting `lnit`", "did you mean `lint`?"),
        ("lint.zzz = 1\n", ":1:1", "there is no setting `zzz`", "settings: `games`, `notes`, `variants`, `format`"),
        ("[lint]\n\n notes = 'yes'\n", ":3:2", "`notes` has another value", "`true` or `false`"),
        ("[lint]\ngames = 'x'\n", ":2:1", "`games` has another value", 'a list of paths, `["my_game"]`'),
        ("[lint]\nformat = 'txt'\n", ":2:1", "`format` has another value", '`"text"` or `"json"` or `"sarif"` or `"github"`'),
        ("lint = 3\n", ":1:1", "`lint` has another value", "a table: `games`, `notes`, `variants`, `format`"),
        ("[lint\n", ":1:6", "`rulespec.toml` is no TOML: Expected ']' at the end of a table declaration", ""),
        ("[lint]\nx", "", "`rulespec.toml` is no TOML: Expected '=' after a key in a key/value pair", ""),
    ],
)  # fmt: skip
def test_settings_that_are_not_understood(text: str, place: str, message: str, help: str, project: Path) -> None:
    (project / "rulespec.toml").write_text(text, encoding="utf-8")
    with pytest.raises(RulespecError) as caught:
        settings.lint_settings(project)
    [one] = caught.value.diagnostics
    assert (one.code, one.message) == ("C011", message)
    assert one.span is not None and one.span.label().endswith(place)
    assert help in (*one.help, one.expected or "")


def test_all_wrong_settings_are_told(project: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (project / "pyproject.toml").write_text("[tool.rulespec.lint]\nnotes = 1\nformat = 2\n", encoding="utf-8")
    code, _, err = run(capsys, "lint", "games/clean")
    assert code == 2 and err.count("error[C011]") == 2


# --- standard input -----------------------------------------------------------------------------------------------------
@pytest.mark.usefixtures("project")
def test_a_text_from_standard_input(capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> None:
    typed(monkeypatch, b"\xef\xbb\xbf" + BROKEN.encode())
    code, out, _ = run(capsys, "lint", "-")
    assert code == 1 and "there is no type named `Plyer`" in out and "--> stdin.yaml:15:11" in out
    typed(monkeypatch, BROKEN.encode())
    code, out, _ = run(capsys, "lint", "-", "--stdin-name", "games/clean/game.yaml")
    assert code == 1 and "--> games/clean/game.yaml:15:11" in out
    typed(monkeypatch, GAME.encode())
    assert run(capsys, "lint", "-", "--stdin-name", "games/idle/game.yaml")[0] == 0
    assert run(capsys, "lint", "games/clean", "games/idle")[0] == 1, "what was typed is not kept"


def test_the_text_of_a_part(project: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> None:
    game = project / "games" / "clean" / "game.yaml"
    game.write_text(GAME.replace("\nplayers:", "\nparts: [more.yaml]\n\nplayers:", 1), encoding="utf-8")
    (game.parent / "more.yaml").write_text("part of: tic_tac_toe\n", encoding="utf-8")
    typed(monkeypatch, b"part of: tic_tac_toe\nfunctions: {f: nothing_there}\n")
    code, out, _ = run(capsys, "lint", "-", "--stdin-name", str(game.parent / "more.yaml"))
    assert code == 1 and "games/clean/more.yaml:2:" in out
    typed(monkeypatch, b"\xff")
    code, _, err = run(capsys, "lint", "-")
    assert code == 2 and "is not UTF-8" in err
    for more in (["--fix"], ["--watch"]):
        typed(monkeypatch, GAME.encode())
        assert run(capsys, "lint", "-", *more)[0] == 2


# --- after each change ----------------------------------------------------------------------------------------------------
def test_the_screen_follows_changes(
    project: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    shutil.copytree(games_dir() / "tic_tac_toe" / "cases", project / "games" / "clean" / "cases")
    game, case = project / "games" / "clean" / "game.yaml", project / "games" / "clean" / "cases" / "more.yaml"
    wrong = "cases:\n  none_at_first:\n    play: [{x: a1}]\n    expect: [active == x]\n"
    steps: Iterator[Callable[[], object]] = iter(
        [
            lambda: game.write_text(BROKEN, encoding="utf-8"),
            lambda: game.write_text(GAME, encoding="utf-8"),
            lambda: case.write_text(wrong, encoding="utf-8"),
            lambda: case.write_text(wrong.replace("== x", "== o"), encoding="utf-8"),
        ]
    )
    screens: list[str] = []

    def change(_: float) -> None:
        captured = capsys.readouterr()
        screens.append(captured.out + captured.err)
        step = next(steps, None)
        if step is None:
            raise KeyboardInterrupt
        step()

    monkeypatch.setattr("time.sleep", change)
    assert cli.main(["lint", "games/clean", "--watch"]) == 130
    first, broken, mended, failing, last = screens
    assert "no findings" in first and " 0 failed" in first and "watching 2 files" in first
    assert ("there is no type named `Plyer`" in broken and "0 cases" in broken) or "no cases" in broken
    assert "no findings" in mended and mended.splitlines()[1] == first.splitlines()[1]
    assert "FAILED" in failing and "none_at_first" in failing
    assert " 0 failed" in last


def test_nothing_is_done_again_where_nothing_has_changed(project: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    done: list[str] = []
    rounds = iter([None, None, lambda: (project / "games" / "idle" / "game.yaml").write_text(GAME, encoding="utf-8")])

    def pause(_: float) -> None:
        if (step := next(rounds)) is not None:
            step()

    def look(game: str) -> list[object]:
        done.append(game)
        disk.content(Path(game) / "game.yaml")
        return []

    monkeypatch.setattr("time.sleep", pause)
    lint_watch.watch(["games/clean", "games/idle"], look, lambda _: (0, 0), times=2)  # type: ignore[arg-type]
    assert done == ["games/clean", "games/idle", "games/idle"]


# --- the hook -------------------------------------------------------------------------------------------------------------
def test_the_hook_runs_lint() -> None:
    [hook] = yaml.safe_load((ROOT / ".pre-commit-hooks.yaml").read_text(encoding="utf-8"))
    program, command = hook["entry"].split()
    assert program == "rulespec" and command in cli.MODULES
    assert hook["id"] in (ROOT / "docs" / "editor.md").read_text(encoding="utf-8")
    assert hook["pass_filenames"] is False


# --- what is imported -----------------------------------------------------------------------------------------------------
IMPORTED = """
import json, sys
from tools import cli
code = cli.main(["lint", sys.argv[1]])
print(json.dumps([code, [name for name in sys.argv[2:] if name in sys.modules]]))
"""
NEVER = (
    "networkx",
    "jsonschema",
    "referencing",
    "jinja2",
    "asyncio",
    "interpreter.setup",
    "rulespec.codes.catalogue",
)
NOT_AGAIN = (
    "lark",
    "yaml",
    "rulespec.ir",
    "rulespec.checker",
    "rulespec.lint.linter",
    "rulespec.loading",
    "rulespec.schema",
    "csv",
)


def test_what_is_not_needed_is_not_imported(tmp_path: Path) -> None:
    """A small game without findings: at first, and again."""
    for names in (NEVER, NEVER + NOT_AGAIN):
        done = subprocess.run(
            [sys.executable, "-c", IMPORTED, str(games_dir() / "tic_tac_toe"), *names],
            cwd=ROOT, capture_output=True, text=True, check=True, env={**os.environ, "RULESPEC_CACHE": str(tmp_path / "cache")},
        )  # fmt: skip
        assert json.loads(done.stdout) == [0, []]
