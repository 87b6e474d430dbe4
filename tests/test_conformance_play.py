"""Constructs of the language, each in a small game with cases: played straight, saved at each decision, taken back at each."""

from __future__ import annotations

import pytest
from support import PLAY, WAYS, walk

import interpreter
import rulespec
from interpreter.cases import run_cases
from rulespec.cases import load_cases


@pytest.mark.parametrize("mode, backend", WAYS)
@pytest.mark.parametrize("file", PLAY, ids=lambda f: f.stem)
def test_cases(file, mode, backend):
    suite, diagnostics = load_cases(file)
    assert suite is not None, "\n".join(map(str, diagnostics))
    assert suite.cases
    failed = [
        f"{case.file}:{case.line} {case.name}: {case.message}"
        for case in run_cases(suite, mode=mode, backend=backend)
        if not case.passed
    ]
    assert not failed, "\n".join(failed)


@pytest.mark.parametrize("file", PLAY, ids=lambda f: f.stem)
def test_random_games(file):
    found = rulespec.load(file)
    for players in found.players:
        game = interpreter.Game(found, players=players)
        for seed in range(2):
            try:
                walk(game, seed)
            except interpreter.Fault as fault:
                # a construct's game may be about a fault; its cases say which
                assert fault.diagnostic.code in file.read_text(), str(fault)
