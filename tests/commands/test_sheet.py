"""Variants that travel: a sheet of house rules in words, and the stamp that says what has moved in the game since."""

from __future__ import annotations

import json
import shutil

import pytest

import rulespec
from rulespec.variants.stamp import stamped
from tests.helpers.places import ALL_GAMES, ROOT, variants_of
from tools import cli

VARIANT = """\
extends: ..
id: odd
title: Odd tic-tac-toe
about: Who has three has lost.
# a remark
changes:
  - {set: 'phases.game[win active].win', to: rival(active)}
cases:
  a_line_loses:
    about: Nobody wants it.
    play: [{x: b2}, {o: a1}, {x: a2}, {o: a3}, {x: c2}]
    returns: [-1, 1]
"""


@pytest.fixture
def mine(tmp_path, monkeypatch):
    """The file of a variant of a game of one's own."""
    monkeypatch.setenv("RULESPEC_CACHE", "off")
    shutil.copytree(ROOT / "games/tic_tac_toe", tmp_path / "mine", ignore=shutil.ignore_patterns("variants", "bots"))
    (tmp_path / "mine/variants").mkdir()
    file = tmp_path / "mine/variants/odd.yaml"
    file.write_text(VARIANT)
    return file


def run(capsys, *words):
    code = cli.main(list(map(str, words)))
    out, err = capsys.readouterr()
    return code, out, err


def found(capsys, file):
    code, out, _ = run(capsys, "lint", file, "--format", "json")
    return code, [(one["code"], one["variant"], one["message"]) for one in json.loads(out)["diagnostics"]]


def test_a_stamped_variant_says_what_has_moved(mine, capsys):
    digest = rulespec.load(mine).digest
    assert run(capsys, "variant", mine, "--stamp", "--author", "A: club", "--link", "https://example.org/x")[0] == 0
    text = mine.read_text()
    assert 'author: "A: club"\nlink: https://example.org/x\nbase:\n  players: "' in text and "# a remark" in text
    assert rulespec.load(mine).digest == digest and found(capsys, mine) == (0, [])
    game = mine.parent.parent / "game.yaml"
    before = game.read_text()
    game.write_text(before.replace("say: Mark a cell", "say: Mark one"))
    code, [(what, variant, message)] = found(capsys, mine)
    assert (code, what, variant) == (1, "V016", "odd") and "`phases` is not what it was" in message
    game.write_text(before.replace("title: Tic-tac-toe", "title: Another").replace("players:\n", "# more\nplayers:\n"))
    assert found(capsys, mine) == (0, [])  # no rule has moved
    game.write_text(before + "most decisions: 50\n")
    assert "`most decisions` is new" in found(capsys, mine)[1][0][2]
    assert run(capsys, "variant", mine, "--stamp")[0] == 0
    assert found(capsys, mine) == (0, []) and mine.read_text().count("base:") == mine.read_text().count("author:") == 1


def test_what_cannot_be_stamped(mine, capsys):
    assert run(capsys, "variant", mine.parent.parent, "--stamp")[0] == 2
    assert run(capsys, "variant", mine, "--stamp", "--from", mine)[0] == 2
    mine.write_text("extends: nowhere\nid: odd\n")
    assert run(capsys, "variant", mine, "--stamp")[0] == 2


@pytest.mark.parametrize(
    "text", ["a: 1\nbase:\n  x: y\nchanges: []\n", "a: 1\nchanges: []\n", "a: 1", "a: 1\n\nbase: {x: y}\n"]
)
def test_a_stamp_is_written_once(text):
    once = stamped(text, {"base": ["base:", "  z: 1"]})
    assert once.count("base:") == 1 and "  z: 1\n" in once and stamped(once, {"base": ["base:", "  z: 1"]}) == once
    assert once.startswith("a: 1\n") and ("changes" not in text or once.endswith("changes: []\n"))


def test_a_sheet_of_house_rules(mine, capsys):
    run(capsys, "variant", mine, "--stamp", "--author", "A club")
    code, out, _ = run(capsys, "diff", mine.parent.parent, "odd", "--sheet")
    assert code == 0
    lines = out.splitlines()
    assert lines[0] == "# Odd tic-tac-toe" and "House rules for **Tic-tac-toe**. Who has three has lost." in lines
    assert "Odd tic-tac-toe: A club" in lines
    assert "- **Changed**, *game*, at `win`: `rival(active)` in place of `active`." in lines
    assert "- A line loses. Nobody wants it." in lines and "- Three in a row." in lines
    assert "2 of 4 examples of the game hold as before." in lines


def test_a_sheet_uses_the_texts_of_the_rules(capsys):
    out = run(capsys, "diff", "connect_four", "pop_out", "--sheet", "--no-cases")[1]
    assert (
        "- **New**, what is meant by *pops*: “Whether a disc of the active player lies at the bottom of a column”."
        in out
    )
    assert "“Every column is full”" in out and "`rulespec play connect_four --variant pop_out`" in out


def test_every_family_has_sheets(capsys):
    for folder in ALL_GAMES:
        for file in variants_of(folder)[:1]:
            code, out, _ = run(capsys, "diff", folder, file.stem, "--sheet", "--no-cases")
            assert code == 0 and out.count("\n- **") >= 1, file
