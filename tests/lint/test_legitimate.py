"""Small games of many kinds with nothing wrong in them, though they look unusual: lint finds nothing, and they can be played."""

from __future__ import annotations

import pytest

import interpreter
import rulespec
from tests.helpers.places import ROOT
from tools.linting import look_through

GAMES = sorted((ROOT / "tests/legitimate").glob("*.yaml"))


def test_there_are_many():
    assert len(GAMES) >= 30


@pytest.mark.parametrize("path", GAMES, ids=lambda path: path.stem)
def test_nothing_is_found(path):
    found = look_through(str(path), (), alone=True)
    assert not [*found.all()], "\n".join(map(rulespec.render, found.all()))


@pytest.mark.parametrize("path", GAMES, ids=lambda path: path.stem)
def test_random_games_come_to_an_end(path):
    game_def = rulespec.load(path)
    for players in game_def.players:
        game = interpreter.Game(game_def, players=players)
        assert all(game.playout(seed).is_terminal() for seed in range(5))
