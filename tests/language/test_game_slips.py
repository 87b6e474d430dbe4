"""Slips of the pen in whole games: each brings one message, at its line, that says what to write."""

from __future__ import annotations

import shutil
from itertools import groupby
from pathlib import Path
from typing import Any

import pytest
import yaml

import rulespec
from tests.helpers.places import ROOT

SLIPS: list[dict[str, Any]] = yaml.safe_load((ROOT / "tests/game_slips.yaml").read_text(encoding="utf-8"))
GAMES = [
    (name, list(slips)) for name, slips in groupby(sorted(SLIPS, key=lambda one: one["game"]), lambda one: one["game"])
]


def main_file(game: str, folder: Path) -> Path:
    """The main file of a copy of a game, without what lies beside its rules."""
    source = ROOT / game
    if source.is_dir():
        others = shutil.ignore_patterns("cases", "variants", "studies", "bots", "*.json", "*.svg", "*.md")
        return Path(shutil.copytree(source, folder / source.name, ignore=others)) / "game.yaml"
    return Path(shutil.copy(source.with_suffix(".yaml"), folder / "game.yaml"))


@pytest.mark.parametrize("game, slips", GAMES, ids=[name for name, _ in GAMES])
def test_each_brings_one_message_that_says_what_to_write(
    game: str, slips: list[dict[str, Any]], tmp_path: Path
) -> None:
    file = main_file(game, tmp_path)
    text = file.read_text(encoding="utf-8")
    wrong = []
    for slip in slips:
        assert slip["was"] in text, slip
        file.write_text(text.replace(slip["was"], slip["now"], 1), encoding="utf-8")
        found = [
            (d.code, d.span.line if d.span else 0, d.help[0] if d.help else (d.expected or "").split("\n")[0])
            for d in rulespec.check(file)[1]
        ]
        if found != [(slip["code"], slip["line"], slip["says"])]:
            wrong.append(f"{slip['was']} -> {slip['now']}: {found}")
    assert not wrong, "\n".join(wrong)


def test_there_are_many_and_hardly_any_is_without_a_cure() -> None:
    """What stands under `says` is a cure, or at least what is expected: a point less."""
    assert len(SLIPS) >= 200 and all(slip["says"] and slip["line"] for slip in SLIPS)
