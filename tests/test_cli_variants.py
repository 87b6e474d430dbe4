"""Variants on the command line, and on the page about them."""

from __future__ import annotations

import json
import re

import interpreter
import rulespec
from interpreter.files.saves import checksum
from interpreter.testing.cases import run_cases
from rulespec.cases.compiler import load_cases
from tests.helpers.places import ROOT
from tools import cli


def run(capsys, *arguments):
    code = cli.main([str(word) for word in arguments])
    out, err = capsys.readouterr()
    return code, out, err


def test_commands_take_variants(capsys, tmp_path, monkeypatch):
    monkeypatch.setenv("RULESPEC_CACHE", str(tmp_path / "cache"))
    file = ROOT / "games/tic_tac_toe/variants/misere.yaml"
    for named in (("tic_tac_toe", "--variant", "misere"), (file,)):
        assert run(capsys, "lint", *named) == (0, "", "1 game, no findings\n")
        assert run(capsys, "test", *named)[2] == "2 passed, 0 failed\n"
        assert "Misère" in run(capsys, "simulate", *named, "--games", 2)[1]
        assert json.loads(run(capsys, "tree", *named, "--depth", 1, "--json")[1])["variants"] == ["misere"]
        saved, played = tmp_path / "save.json", tmp_path / "game.jsonl"
        code, out, _ = run(capsys, "play", *named, "--bots", "--seed", 2, "--transcript", played)
        assert code == 0 and out.startswith("Misère")
        assert run(capsys, "replay", played)[0] == 0
        assert run(capsys, "replay", played, "--game", file)[0] == 0
        assert run(capsys, "replay", played, "--variant", "wild")[0] == 1
        for path in (saved, played):
            path.unlink(missing_ok=True)
    code, _, err = run(capsys, "play", "tic_tac_toe", "--variant", "misree", "--bots")
    assert code == 2 and "did you mean `misere`?" in err
    code, out, _ = run(capsys, "list", "tic_tac_toe")
    assert code == 0 and "--variant misere" in out


def test_a_save_brings_its_variant(capsys, tmp_path):
    saved = tmp_path / "save.json"
    game = interpreter.Game(rulespec.load("tic_tac_toe"), variant="misere")
    saved.write_text(game.new_state(seed=1).to_json())
    code, out, _ = run(capsys, "play", "tic_tac_toe", "--load", saved, "--bots")
    assert code == 0 and out.startswith("Misère")
    data = json.loads(saved.read_text())
    data["variants"] = [str(ROOT / "games/tic_tac_toe/variants/misere.yaml")]  # a save opens no files

    data["checksum"] = checksum(data)
    saved.write_text(json.dumps(data))
    assert run(capsys, "play", "tic_tac_toe", "--load", saved, "--bots")[0] == 1


def test_a_shell_completes_variants(capsys, monkeypatch):
    monkeypatch.setenv("_RULESPEC_COMPLETE", "bash_complete")
    for words, number in (
        ("rulespec play tic_tac_toe --variant wi", "4"),
        ("rulespec test tic_tac_toe --variant wi", "4"),
    ):
        monkeypatch.setenv("COMP_WORDS", words)
        monkeypatch.setenv("COMP_CWORD", number)
        assert run(capsys)[1].split() == ["plain,wild", "plain,wild_misere"]


def test_diff(capsys, tmp_path):
    code, out, err = run(capsys, "diff", "tic_tac_toe", "misere")
    assert code == 1 and "changed phases.game" in out and "- active  " in out and "+ rival(active)  " in out
    assert "case three_in_a_row fails" in out and "returns are [-1, 1], not [1, -1]" in out
    assert err.endswith("1 difference; of 4 cases 2 pass, 2 fail and 0 do not apply, 2 otherwise than before\n")
    assert run(capsys, "diff", "tic_tac_toe", ROOT / "games/tic_tac_toe")[0] == 0
    data = json.loads(run(capsys, "diff", "connect_four", "pop_out", "--json")[1])
    assert data["other"]["variants"] == ["pop_out"] and not data["same"]
    assert {own["what"] for own in data["differences"]} == {"added", "removed", "changed"}
    assert {own["after"] for own in data["cases"]} == {"fails"}
    data = json.loads(run(capsys, "diff", "leduc_poker", "kuhn_poker", "--json")[1])
    assert {own["before"] for own in data["cases"]} == {"passes"} and {own["after"] for own in data["cases"]} >= {
        "does not apply"
    }
    assert all(own["message"] for own in data["cases"] if own["after"] != "passes")
    assert json.loads(run(capsys, "diff", "leduc_poker", "kuhn_poker", "--json", "--no-cases")[1])["cases"] == []
    code, _, err = run(capsys, "diff", "tic_tac_toe", "misree")
    assert code == 2 and "did you mean `misere`?" in err
    broken = tmp_path / "broken.yaml"
    broken.write_text("extends: tic_tac_toe\nid: broken\nchanges: [{remove: nothing}]\n")
    assert run(capsys, "diff", "tic_tac_toe", broken)[0] == 2


# --- the page about them ------------------------------------------------------------------------------------------------
BLOCK = re.compile(r"^```(\w+)\n(.*?)^```$", re.MULTILINE | re.DOTALL)
PAGE = (ROOT / "docs/variants.md").read_text(encoding="utf-8")


def test_the_page_shows_what_works(tmp_path, capsys, monkeypatch):
    monkeypatch.chdir(ROOT)
    monkeypatch.setenv("RULESPEC_CACHE", "off")
    made = commands = 0
    for language, text in BLOCK.findall(PAGE):
        if language == "yaml":
            file = tmp_path / f"{re.search('# variant: (.*)', text)[1]}.yaml"
            file.write_text(text, encoding="utf-8")
            suite, diagnostics = load_cases(file)
            assert suite is not None and list(diagnostics) == [], "\n".join(map(rulespec.render, diagnostics))
            assert [case.message for case in run_cases(suite) if not case.passed] == []
            made += 1
            continue
        shown = [line for line in text.splitlines() if line.startswith("$ ")]
        for line in shown:
            code, out, _ = run(capsys, *line.split()[2:])
            assert code == (1 if " diff " in line else 0)
            commands += 1
        for line in text.splitlines():
            if not line.startswith(("$ ", "...")):
                assert line in out.splitlines()
    assert made == 2 and commands == 5
