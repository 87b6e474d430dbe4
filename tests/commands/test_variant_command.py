"""`rulespec variant`: from a changed copy to a file that can be played, from whatever folder."""

from __future__ import annotations

import json
import shutil

import pytest

import rulespec
from tests.helpers.places import ROOT
from tools import cli


@pytest.fixture
def copy(tmp_path):
    """A game's folder and a changed copy of it, both outside the shipped games."""
    for name in ("mine", "changed"):
        shutil.copytree(ROOT / "games/tic_tac_toe", tmp_path / name, ignore=shutil.ignore_patterns("cases", "bots"))
    file = tmp_path / "changed/game.yaml"
    file.write_text(
        file.read_text().replace("win: active", "win: rival(active)").replace("title: Tic", "title: Odd tic")
    )
    return tmp_path


def run(capsys, *words):
    code = cli.main(["variant", *map(str, words)])
    out, err = capsys.readouterr()
    return code, out, err


def test_a_copy_becomes_a_variant(copy, capsys):
    file = copy / "mine/variants/odd.yaml"
    code, out, err = run(capsys, copy / "mine", "--from", copy / "changed", "--out", file)
    assert (code, out) == (0, "") and err.startswith("1 change, by which")
    assert file.read_text().startswith("extends: ..\nid: odd\ntitle: Odd tic-tac-toe\n")
    assert rulespec.load(file).digest == rulespec.load(copy / "changed").digest
    assert rulespec.load(file).title == "Odd tic-tac-toe"


@pytest.mark.parametrize(
    ("out", "extends"), [("mine/odd.yaml", "."), ("odd.yaml", "mine"), ("away/odd.yaml", "../mine")]
)
def test_it_names_the_game_from_where_it_is_written(out, extends, copy, capsys):
    (copy / "away").mkdir()
    assert run(capsys, copy / "mine", "--from", copy / "changed", "--out", copy / out)[0] == 0
    assert (copy / out).read_text().startswith(f"extends: {extends}\n")
    assert rulespec.load(copy / out).digest == rulespec.load(copy / "changed").digest


def test_a_shipped_game_by_its_id_and_a_variant_by_its_name(copy, capsys):
    code, out, _ = run(capsys, "tic_tac_toe", "--from", copy / "changed/game.yaml")
    assert code == 0 and out.splitlines()[:2] == ["extends: tic_tac_toe", "id: changed"]
    wild = ROOT / "games/tic_tac_toe/variants/wild.yaml"
    code, out, _ = run(capsys, wild, "--from", wild.parent / "wild_misere.yaml", "--json")
    data = json.loads(out)
    assert code == 0 and data["changes"] == 1 and data["text"].startswith("extends: wild\nid: wild_misere\n")


def test_what_cannot_be_written(copy, capsys):
    code, _, err = run(capsys, copy / "mine", "--from", copy / "mine")
    assert code == 1 and "nothing for a variant to say" in err
    for words in (
        ("nosuch", "--from", copy / "changed"),
        (copy / "mine", "--from", copy / "nosuch"),
        (copy / "mine",),
        (copy / "mine", "--from", copy / "changed", "--id", "a b"),
        (copy / "mine", "--from", copy / "changed", "--id", "one", "--out", copy / "two.yaml"),
        (copy / "mine", "--from", copy / "changed", "--out", copy / "none/odd.yaml"),
        (copy / "mine", "--from", copy / "changed", "--out", copy / "mine/game.yaml"),
    ):
        assert run(capsys, *words)[0] == 2, words
    assert (copy / "mine/game.yaml").read_text() == (ROOT / "games/tic_tac_toe/game.yaml").read_text()
