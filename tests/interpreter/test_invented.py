"""Games that nobody thought of: all back ends play them alike, answer for answer and fault for fault.

`make equality` invents more of them (ALL); `python -m tests.helpers.invented` as many as one likes, with what they are made of.
"""

from __future__ import annotations

from pathlib import Path

import pytest
import yaml

from interpreter import Game
from tests.helpers.games import ALL
from tests.helpers.invented.steps import Invention, invention
from tests.helpers.invented.trial import Told, checked, play
from tests.helpers.native import NEEDS_C, native_on  # noqa: F401
from tests.helpers.places import ROOT

pytestmark = NEEDS_C
KNOWN = yaml.safe_load((ROOT / "tests/native/expressions.yaml").read_text(encoding="utf-8"))
TURN = "[{set: flag, to: not flag}]"  # an answer that changes what the others come to
ANSWERS = 40
SEEDS = range(400 if ALL else 8)


def test_most_of_an_invented_game_checks(tmp_path: Path) -> None:
    """So that what is played below is what was invented."""
    game, _ = checked(invention(0, ANSWERS), tmp_path / "invented.yaml")
    assert len(game.answers) > ANSWERS / 2 and len(game.rules) >= 2
    assert invention(0, ANSWERS) == invention(0, ANSWERS)


@pytest.mark.parametrize("about", KNOWN)
def test_expressions_that_were_wrong(about: str, tmp_path: Path) -> None:
    """Each of them checks, and comes to the same everywhere: a value or a fault, several times."""
    answers = tuple(f"[{{set: '{target}', to: '{expression}'}}]" for target, expression in KNOWN[about])
    game, found = checked(Invention((), (*answers, TURN)), tmp_path / "invented.yaml")
    assert game.answers == (*answers, TURN)
    told = Told()
    for seed in range(4):
        play(game, found, seed, told)
    assert told.differences == []
    assert told.counts["C"] > told.counts["handed over"]


@pytest.mark.parametrize("seed", SEEDS)
def test_all_back_ends_play_an_invented_game_alike(seed: int, tmp_path: Path) -> None:
    game, found = checked(invention(seed, ANSWERS, 2 + seed % 2), tmp_path / "invented.yaml")
    assert Game(found, players=2, backend="native")  # what is written as C compiles
    told = Told()
    play(game, found, seed, told)
    assert told.differences == []
    assert told.counts["C"], told.counts
