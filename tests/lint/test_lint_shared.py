"""What a game and its variants share is worked out once, and nothing is found otherwise than from nothing."""

from __future__ import annotations

from pathlib import Path

import pytest

from rulespec.cases.compiler import load_cases
from rulespec.lint.game import LintGame
from rulespec.lint.linter import everything
from rulespec.lint.shared import Shared
from tests.helpers.games import suite_of
from tests.helpers.places import ROOT
from tools.linting import Games, written_beside

VARIANTS = ("tic_tac_toe/variants/misere", "tic_tac_toe/variants/wild", "leduc_poker/variants/more_ranks")
FILES = [ROOT / "games" / f"{name}.yaml" for name in (*VARIANTS, "hobbit_card_game/variants/more_pipes")]

COUNTER = """\
rulespec: 1
id: counter
title: Counter
about: A game of two that ends when the counter is full.
players: 2
state: {count: {is: 0..9, starts: 0}}
functions: {far: {is: count > FAR, about: Whether it is far.}}
phases:
  game:
    do:
      - repeat: 9
        do:
          - choose: n
            by: p1
            from: 1..3
          - if: far
            then: [{set: count, to: 0}]
            else: [{set: count, to: LEFT}]
"""
EDITS = ({"FAR": "3", "LEFT": "1"}, {"FAR": "9", "LEFT": "1"}, {"FAR": "3", "LEFT": "n"}, {"FAR": "0", "LEFT": "n"})


@pytest.mark.parametrize("file", FILES, ids=lambda file: file.stem)
def test_next_to_its_game_a_variant_has_what_is_shown_of_it_when_it_is_looked_through_alone(file: Path) -> None:
    games = Games(False)
    games.found(file.parent.parent)
    some, whole = games.found(file, next_to=True), Games(False).found(file)
    assert some.faults == whole.faults
    wanted = [one for one in whole.findings if written_beside(file, one.diagnostic()) or one.rule.severity == "error"]
    assert [one for one in some.findings if one in wanted] == wanted


def test_what_a_variant_does_not_change_is_not_worked_out_again() -> None:
    shared = Shared()
    game = ROOT / "games" / "tic_tac_toe"
    assert LintGame(suite_of(game).game, shared).ranges
    before = len(shared.flows)
    anew, _ = load_cases(game)
    assert anew is not None and anew is not suite_of(game)
    again = LintGame(anew.game, shared)
    assert again.ranges.flows and len(shared.flows) == before
    assert any(flow.before is kept for flow in again.ranges.flows.values() for kept in shared.flows.values())


def test_after_an_edit_the_same_is_found_as_from_nothing(tmp_path: Path) -> None:
    shared, told = Shared(), set()
    for number, edit in enumerate((*EDITS, *EDITS[::-1])):
        text = COUNTER
        for name, value in edit.items():
            text = text.replace(name, value)
        file = tmp_path / f"edit_{number}.yaml"
        file.write_text(text, encoding="utf-8")
        game = suite_of(file).game
        found = [(one.rule, one.message, one.span) for one in everything(game, shared=shared)]
        assert found == [(one.rule, one.message, one.span) for one in everything(game)]
        told.add(tuple(rule.code for rule, _, _ in found))
    assert len(told) > 1  # the edits make a difference
