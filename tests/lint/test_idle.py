"""Variants that change nothing say so, and each finding names the variant that it belongs to."""

from __future__ import annotations

import json

import pytest

from tools import cli

SCORED = """\
rulespec: 1
id: scored
title: Scored
players: {a: A, b: B}
state: {per Player: {coins: 0..9}}
functions: {score: {takes: {p: Player}, is: p.coins}}
procedures: {turn: {do: [{add: 1, to: a.coins}, {add: 1, to: b.coins}]}}
phases: {game: {do: [turn]}}
end of game: {rank: ranking(p in players by score(p))}
"""
X = "[{set: functions.score.is, to: '0 - p.coins'}]"
Y = "[{replace: end of game, with: {rank: ranking(p in players by p.coins * 2)}}]"


@pytest.fixture
def lint(tmp_path, capsys, monkeypatch):
    """Lints a game with variants; what is found, by code, place and variant."""
    monkeypatch.setenv("RULESPEC_CACHE", "off")
    monkeypatch.chdir(tmp_path)
    (tmp_path / "variants").mkdir()
    (tmp_path / "game.yaml").write_text(SCORED)

    def linted(*words, **variants):
        for name, (extends, changes) in variants.items():
            (tmp_path / f"variants/{name}.yaml").write_text(f"extends: {extends}\nid: {name}\nchanges: {changes}\n")
        cli.main(["lint", *words, "--format", "json"])
        found = json.loads(capsys.readouterr().out)["diagnostics"]
        return [(one["code"], one["file"], one["variant"]) for one in found]

    return linted


def test_one_that_changes_nothing_beside_another(lint):
    assert lint(".", "--variant", "x", "--variant", "y", x=("..", X), y=("..", Y)) == [
        ("V015", "variants/x.yaml", "x"),
        ("L016", "game.yaml", "x"),
    ]
    assert lint("variants/z.yaml", z=("[y, x]", "[]")) == [
        ("V015", "variants/x.yaml", "x"),
        ("L016", "game.yaml", "y"),
    ]
    assert lint(".", "--variant", "x") == []


def test_one_that_says_what_another_says(lint):
    both = [("V015", f"variants/{name}.yaml", name) for name in "xy"]
    assert lint(".", "--variant", "x", "--variant", "y", x=("..", X), y=("..", X)) == both


def test_one_without_changes(lint):
    assert lint("variants/x.yaml", x=("..", "[]")) == [("V015", "variants/x.yaml", "x")]
    assert (
        lint(
            ".",
            "--variant",
            "x",
            "--variant",
            "y",
            x=("..", X),
            y=("..", "[{set: 'procedures.turn.do[1].add', to: 2}]"),
        )
        == []
    )


def test_what_a_variant_beside_a_game_breaks_is_said_of_it(lint):
    found = lint(".", "--notes", x=("..", "[{remove: functions.score}]"))
    assert ("E300", "game.yaml", "x") in found and all(one[2] == "x" for one in found if one[0].startswith("E"))


def test_what_it_extends_may_stand_anywhere_in_its_file(lint, tmp_path):
    lint(".", x=("..", "[{remove: functions.score}]"))
    (tmp_path / "variants/x.yaml").write_text("id: x\nchanges: [{remove: functions.score}]\nextends: ..\n")
    assert all(one[2] == "x" for one in lint("."))
