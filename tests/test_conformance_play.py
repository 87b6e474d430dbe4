"""Constructs of the language, each in a small game with cases: played straight, saved at each decision, taken back at each."""

from __future__ import annotations

import pytest

import interpreter
from tests.helpers.games import WAYS, failures, loaded, suite_of, walk
from tests.helpers.places import PLAY


@pytest.mark.parametrize("mode, backend", WAYS)
@pytest.mark.parametrize("file", PLAY, ids=lambda f: f.stem)
def test_cases(file, mode, backend):
    assert suite_of(file).cases
    failed = failures(file, mode, backend)
    assert not failed, "\n".join(failed)


@pytest.mark.parametrize("file", PLAY, ids=lambda f: f.stem)
def test_random_games(file):
    found = loaded(file)
    for players in found.players:
        game = interpreter.Game(found, players=players)
        for seed in range(2):
            try:
                walk(game, seed)
            except interpreter.Fault as fault:
                # a construct's game may be about a fault; its cases say which
                assert fault.diagnostic.code in file.read_text(), str(fault)
