"""Constructs of the language, each in a small game with cases: played straight, saved at each decision, taken back at each."""

from __future__ import annotations

import re

import pytest

import interpreter
from interpreter.testing.properties.trial import FAULTS, LENGTH
from tests.helpers.games import WAYS, failures, loaded, suite_of, trial_of
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
            _, failure = trial_of(game, seed)
            if failure is not None:  # a construct's game may be about a fault; its cases say which
                assert failure.property in (FAULTS, LENGTH), failure.message
                assert set(re.findall(r"R\d{3}", failure.message)) & set(re.findall(r"R\d{3}", file.read_text()))
