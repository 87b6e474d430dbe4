"""Planted leaks: what static analysis finds of those in `tests/leaks`, and how it says where a secret has come from."""

from __future__ import annotations

from pathlib import Path

import pytest

import rulespec
from rulespec.checker.program import CheckedGame
from rulespec.lint.flow import leaks
from tests.helpers.leaks import Planted, planted

LEAKS = planted()
LEAST = 40  # there are, of which static analysis finds 34 at least
FOUND = 34


def found_in(path: Path) -> set[str]:
    """The codes of what leaks in a game."""
    game, findings = rulespec.check(path)
    assert isinstance(game, CheckedGame), "\n".join(map(rulespec.render, findings))
    return {d.code for d in leaks(game)}


@pytest.mark.parametrize("leak", LEAKS, ids=[own.name for own in LEAKS])
def test_a_planted_leak_is_found(leak: Planted, tmp_path: Path) -> None:
    """By its code, where static analysis can find it; the others are legal games to lint."""
    codes = found_in(leak.written_to(tmp_path))
    if leak.found_by_lint:
        assert codes & leak.codes
    else:
        assert not codes


def test_there_are_enough() -> None:
    """Of every kind at least one, and static analysis finds most."""
    assert len(LEAKS) >= LEAST
    assert sum(leak.found_by_lint for leak in LEAKS) >= FOUND
    kinds = {"view", "order", "log", "reason", "prompt", "error", "undo", "ids", "counts", "timing", "candidates"}
    assert {leak.entry["kind"] for leak in LEAKS} == kinds
