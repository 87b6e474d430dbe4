"""How deep procedures and rules may run within each other: one limit, which every back end keeps alike."""

from __future__ import annotations

import sys
from pathlib import Path

import pytest

import interpreter
import rulespec
from interpreter.runtime.faults import Fault
from interpreter.runtime.limits import MAX_DEPTH

CHAIN = """
rulespec: 1
id: fuse
players: 2
state: {left: {is: 0..9999, seen by: all}}
events:
  spark: {takes: {p: Player}}
rules:
  burns_on:
    after: spark
    where: left > 0
    me: p1
    do:
      - announce: spark
        with: {p: p1}
        do: [{lose: 1, from: left}]
phases:
  game:
    do:
      - choose: length
        by: p1
        from: 1..9999
      - {set: left, to: length}
      - announce: spark
        with: {p: p1}
      - {win: p1}
"""


def ends(game: interpreter.Game, number: int) -> bool | str:
    """Whether the game is over after one answer; the code of the fault, if there is one."""
    state = game.new_state()
    try:
        state.apply_action(state.string_to_action(str(number)))
    except Fault as fault:
        assert "endless" not in str(fault)
        return fault.diagnostic.code
    return state.is_terminal()


@pytest.mark.parametrize("backend", ["reference", "python"])
def test_a_chain_is_as_long_on_both_back_ends(tmp_path: Path, backend: str) -> None:
    (tmp_path / "game.yaml").write_text(CHAIN, encoding="utf-8")
    game = interpreter.Game(rulespec.load(tmp_path), backend=backend)
    found = [ends(game, number) for number in (150, 512, 600, 1000, MAX_DEPTH - 1, MAX_DEPTH)]
    assert found == [True] * 5 + ["R006"]


def test_pythons_own_limit_decides_nothing(tmp_path: Path) -> None:
    (tmp_path / "game.yaml").write_text(CHAIN, encoding="utf-8")
    game = interpreter.Game(rulespec.load(tmp_path), backend="python")
    usual = sys.getrecursionlimit()
    sys.setrecursionlimit(100_000)
    try:
        found = [ends(game, number) for number in (MAX_DEPTH - 1, MAX_DEPTH, 100)]
    finally:
        sys.setrecursionlimit(usual)
    assert found == [True, "R006", True]
