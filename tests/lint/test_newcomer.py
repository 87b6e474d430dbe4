"""Games that were written from the handbook alone: clean, with cases and variants that hold, and played to their ends."""

from __future__ import annotations

import pytest

import interpreter
import rulespec
from interpreter.testing.cases import run_cases
from rulespec.cases.compiler import load_cases
from tests.helpers import games
from tests.helpers.games import walk
from tests.helpers.places import ROOT
from tools.linting import look_through

FOLDER = ROOT / "tests/newcomer"
PLAIN = [(folder, None) for folder in sorted(FOLDER.iterdir()) if folder.is_dir()]
ALL = [*PLAIN, *((folder, path.stem) for folder, _ in PLAIN for path in sorted(folder.glob("variants/*.yaml")))]
NAMES = [folder.name if variant is None else f"{folder.name}-{variant}" for folder, variant in ALL]


def test_each_is_whole():
    assert len(PLAIN) == 3
    assert {folder for folder, variant in ALL if variant} == {folder for folder, _ in PLAIN}


@pytest.mark.parametrize("folder, variant", ALL, ids=NAMES)
def test_nothing_is_found_and_the_cases_hold(folder, variant):
    chosen = () if variant is None else (variant,)
    found = look_through(str(folder), chosen, alone=True)
    assert not [*found.all()], "\n".join(map(rulespec.render, found.all()))
    suite, _ = load_cases(folder, chosen)
    assert suite is not None and len(suite.cases) >= (1 if variant else 8)
    for mode in ("straight", "reload", "undo"):
        failed = [f"{case.name}: {case.message}" for case in run_cases(suite, mode=mode) if not case.passed]
        assert not failed, "\n".join(failed)


@pytest.mark.parametrize("folder, variant", ALL, ids=NAMES)
def test_random_games_come_to_an_end(folder, variant):
    found = rulespec.load(folder, variant=variant)
    for players in found.players:
        game = interpreter.Game(found, players=players)
        for seed in range(10):
            assert game.playout(seed).is_terminal()
        if games.ALL or players in (found.players[0], found.players[-1]):  # as of the shipped games
            walk(game, 1)
