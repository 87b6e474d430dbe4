"""Variants on the command line, and on the page about them."""

from __future__ import annotations

import json
import re

import interpreter
import rulespec
from interpreter.files.saves import checksum
from interpreter.testing import coverage
from interpreter.testing.cases import run_cases
from rulespec.cases.compiler import load_cases
from tests.helpers.places import ROOT
from tools import cli, comparison


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
    assert err.endswith("1 difference; of 4 cases 2 pass, 2 fail and 0 do not apply, 2 differ from before\n")
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


def test_diff_tells_cases_of_one_cause_together(capsys):
    out = run(capsys, "diff", "connect_four", "pop_out")[1]
    assert out.count("is not one of the options") == 1 and out.count("\ncase ") == 13 and "and 2 more cases" in out


def test_diff_tells_only_of_cases_that_a_variant_does_not_list(capsys, tmp_path):
    file = tmp_path / "mirrored.yaml"
    file.write_text(
        "extends: tic_tac_toe\nid: mirrored\nchanges: [{set: 'phases.game[win active].win', to: rival(active)}]\n"
        "changed cases: [three_in_a_row, a_full_board_is_a_draw, nothing]\n"
    )
    _, out, err = run(capsys, "diff", "tic_tac_toe", file)
    assert "case three_in_a_row" not in out and "case the_second_player_can_win fails" in out
    assert "case a_full_board_is_a_draw passes, as before, though the variant says" in out
    assert "`nothing` is no case of tic_tac_toe" in out and "2 differ from before, 1 of them as the variant says" in err
    data = json.loads(run(capsys, "diff", "tic_tac_toe", file, "--json")[1])
    assert data["unknown_cases"] == ["nothing"]
    assert {case["name"] for case in data["cases"] if case["meant"]} == {"three_in_a_row", "a_full_board_is_a_draw"}


def test_diff_runs_cases_on_generated_code(monkeypatch):
    """Once for each setup: to watch every step of them took fifty times as long."""
    monkeypatch.setattr(coverage.WatchedGame, "watched", None)
    done = []
    made = comparison.compare("tic_tac_toe", "misere", progress=done.append)
    assert done == [0, 1, 2, 3] and len(made.cases) == 4


# --- lint of a variant --------------------------------------------------------------------------------------------------
SPENT = """\
rulespec: 1
id: spent
title: Spent
players: 2
state:
  active: Player
  per Player: {points: 0..99}
procedures:
  bonus:
    do:
      - add: 5
        to: active.points
phases:
  game:
    do:
      - choose: amount
        by: active
        from: 1..3
      - add: amount
        to: active.points
      - bonus
end of game:
  rank: ranking(p in players by p.points)
"""
BOT = "bot: greedy\nprefers:\n  - at: amount\n    score: amount\n"


def spent(tmp_path, comment="", change="remove: 'phases.game[bonus]'"):
    (tmp_path / "variants").mkdir(exist_ok=True)
    (tmp_path / "game.yaml").write_text(SPENT)
    (tmp_path / "variants/plain.yaml").write_text(f"extends: ..\nid: plain\nchanges:\n  - {change}{comment}\n")
    return tmp_path / "variants/plain.yaml"


def test_a_finding_in_the_game_shows_the_change_that_brings_it_about(capsys, tmp_path):
    file = spent(tmp_path)
    _, out, _ = run(capsys, "lint", file)
    assert "warning[L020]: nothing runs the procedure `bonus`" in out
    assert "plain.yaml:4:5" in out and "this change brings it about" in out
    spent(tmp_path, change="remove: procedures.bonus")
    _, out, _ = run(capsys, "lint", file)
    assert "error[" in out and "game.yaml:" in out and "plain.yaml:4:5" in out


def test_what_the_game_has_already_is_not_blamed_on_a_variant(capsys, tmp_path):
    file = spent(tmp_path, change="insert: {bonus_of: 1}\n    into: functions")
    (tmp_path / "game.yaml").write_text(SPENT.replace("      - bonus\n", ""))
    _, out, _ = run(capsys, "lint", file)
    assert "nothing runs the procedure `bonus`" in out and "brings it about" not in out


def test_a_comment_beside_a_change_allows_what_it_brings_about(capsys, tmp_path):
    file = spent(tmp_path, "  # lint: allow L020 because it is kept for later")
    assert run(capsys, "lint", file)[:2] == (0, "")
    file = spent(tmp_path, "  # lint: allow L021 because it is kept for later")
    _, out, _ = run(capsys, "lint", file)
    assert "[L020]" in out and "[L002]: L021 is not found here" in out
    file = spent(tmp_path, "  # lint: allow L020")
    assert "[L001]" in run(capsys, "lint", file)[1]


def test_a_variant_that_takes_away_the_question_of_a_bot(capsys, tmp_path):
    file = spent(tmp_path, change="replace: 'phases.game[choose amount]'\n    with: {let: amount, be: 2}")
    (tmp_path / "bots").mkdir()
    (tmp_path / "bots/greedy.yaml").write_text(BOT)
    for game in (file, tmp_path):
        code, out, _ = run(capsys, "lint", game)
        assert code == 1 and "error[B003]" in out and "greedy.yaml:3:" in out and "plain.yaml:4:" in out
    assert run(capsys, "lint", tmp_path, "--no-variants")[0] == 0


# --- the page about them ------------------------------------------------------------------------------------------------
BLOCK = re.compile(r"^```(\w+)\n(.*?)^```$", re.MULTILINE | re.DOTALL)
PAGE = (ROOT / "docs/variants.md").read_text(encoding="utf-8")


def test_the_page_shows_what_works(tmp_path, capsys, monkeypatch):
    monkeypatch.chdir(ROOT)
    monkeypatch.setenv("RULESPEC_CACHE", "off")
    made = commands = 0
    (tmp_path / "wild.yaml").write_text((ROOT / "games/tic_tac_toe/variants/wild.yaml").read_text())
    for language, text in BLOCK.findall(PAGE):
        if language == "yaml":
            file = tmp_path / f"{re.search('# variant: (.*)', text)[1]}.yaml"
            file.write_text(text, encoding="utf-8")
            general = "extends: any game" in text
            suite, diagnostics = load_cases("tic_tac_toe", (str(file),)) if general else load_cases(file)
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
    assert made == 5 and commands == 9
