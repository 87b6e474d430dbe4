"""Searches in C: nothing is handed over for what is not looked at, and a test ends where its answer is known."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

import interpreter
import rulespec
from interpreter.runtime.limits import FUEL
from rulespec import ir
from rulespec.passes.evaluation import Evaluation
from tests.helpers.games import loaded
from tests.helpers.native import NEEDS_C, native_on, pair, same_games  # noqa: F401
from tests.helpers.places import ROOT

SEARCHES = ROOT / "tests/native/searches.yaml"
PAIRS = """\
rulespec: 1
id: pairs
title: Pairs
players: 2
boards: {Cell: {square: 6 x 6}}
types: {Pair: {fields: {a: Cell, b: Cell}, rows: "each(a in Cell, b in Cell)", where: "b in leaps(a, 1, 2)"}}
state: {built: {is: Yes or no, by: Pair}}
phases: {game: {do: [{set: built(first(Pair)), to: yes}]}}
"""


@NEEDS_C
def test_searches_for_many_candidates_stay_in_c() -> None:
    """Of rows those that there are count, and a set that a loop makes may have more members than a list of unknown length."""
    same_games(SEARCHES, 4)


def test_any_of_several_collections_ends_at_the_first() -> None:
    """What the inner one keeps for all its items does not make it go through all of them."""
    game = interpreter.Game(loaded(SEARCHES), players=1, backend="reference")
    assert game.new_state(1, undo=False, record=False).legal_actions() == [0, 1, 2]
    assert FUEL - game.machine.compiler.fuel[0] < 3 * 150 * 40  # 147 rounds of each of 149 would count millions


def test_a_condition_on_rows_is_made_ready_once(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """However many combinations are looked at: here 1,296 pairs of cells."""
    path, made, compiled = tmp_path / "pairs.yaml", [], Evaluation.compiled

    def counted(self: Evaluation, e: ir.Expr) -> Any:
        made.append(e)
        return compiled(self, e)

    monkeypatch.setattr(Evaluation, "compiled", counted)
    path.write_text(PAIRS, encoding="utf-8")
    assert len(rulespec.load(path).program(players=2).kinds) > 1
    assert len(made) < 1_000


@NEEDS_C
def test_rules_that_set_each_other_off_have_an_end_of_the_stack() -> None:
    """What is deeper than C's own stack has room for is handed over."""
    native, python = pair(ROOT / "tests/native/deep.yaml", 1)
    ends = []
    for times in (2, 90, 600):
        states = [game.new_state(1, undo=False, record=False) for game in (native, python)]
        for state in states:
            state.apply_action(times)
        assert states[0].slots == states[1].slots
        ends.append(native.handed_over)
    assert ends == [0, 1, 2]


@NEEDS_C
@pytest.mark.parametrize("size", [14, 20])
def test_sets_of_several_words_are_what_they_are_in_python(size: int) -> None:
    """Of 196 cells and of 400: nothing is handed over, and what is saved is read again."""
    native, python = pair(ROOT / "tests/native/large_sets.yaml", 2, size=size)
    for seed in range(3):
        assert native.playout(seed).slots == python.playout(seed).slots, seed
    states = [game.new_state(9, undo=False) for game in (native, python)]
    for number in range(30):
        legal = states[0].legal_actions()
        assert legal == states[1].legal_actions()
        for state in states:
            state.apply_action(legal[number * 7 % len(legal)])
    assert native.handed_over == 0
    assert native.state_from_json(states[0].to_json()).slots == states[1].slots
