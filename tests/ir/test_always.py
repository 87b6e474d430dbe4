"""Invariants are not worked out again where nothing that they read has changed, and are wherever it has."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

import interpreter
from interpreter.runtime.faults import FAILED
from interpreter.testing.always import Always, readers
from interpreter.testing.cases import run_cases
from rulespec.cases.compiler import load_cases
from tests.helpers.games import Dice, random_step, suite_of
from tests.helpers.places import GAMES

GAME = """\
rulespec: 1
id: broken
title: Broken
players: 1
pieces: {Stone: {rows: {red: {}, blue: {}}}}
zones:
  bag: {of: Stone, starts with: all}
  row: {of: Stone}
state: {steps: 0..9, idle: 0..9}
functions:
  left: size(bag)
  gap: {takes: {n: 0..9}, is: steps - n}
procedures:
  walk: {do: [{add: 1, to: steps}]}
phases:
  game:
    do:
      - repeat: 3
        do:
          - choose: stone
            by: p1
            from: bag + row
          - {add: 1, to: idle}
          - if: idle == 2
            then: [{move: stone, to: row}, {add: 1, to: steps}]
end of game: {winners: players}
cases:
  one:
    play: [p1: red, p1: red, p1: red]
    invariants: ["%s"]
"""
BREAK = ["left() == 2", "gap(0) < 1", "bag includes red", "row is empty", "after(walk(), steps) == 1"]


@pytest.mark.parametrize("fact", BREAK)
def test_what_holds_twice_and_breaks_then_is_noticed(fact: str, tmp_path: Path) -> None:
    """After the second answer, whatever it is read by: a function, a place, a look ahead."""
    file = tmp_path / "broken.yaml"
    file.write_text(GAME % fact, encoding="utf-8")
    suite, diagnostics = load_cases(file)
    assert suite is not None, "\n".join(map(str, diagnostics))
    (result,) = run_cases(suite)
    assert f"`{fact}` does not hold" in result.message
    file.write_text((GAME % fact).replace(", p1: red, p1: red", ""), encoding="utf-8")
    suite, _ = load_cases(file)
    assert suite is not None
    (result,) = run_cases(suite)
    assert result.passed, result.message


@pytest.mark.parametrize("folder", GAMES, ids=lambda folder: folder.name)
def test_what_is_read_alike_is_worth_the_same(folder: Path) -> None:
    """In a random game of each, for the facts of its cases; an invariant that is passed over holds."""
    suite = suite_of(folder)
    [case, *_] = [case for case in suite.cases if not case.options]
    facts = {fact.function: fact for one in suite.cases if suite.setup(one) == suite.setup(case) for fact in one.facts}
    must = suite.always({})
    game = interpreter.Game.from_program(suite.program(case), backend="reference")
    always, reader = Always(game, must), readers(game)
    state, dice = game.new_state(3), Dice(5)
    known: dict[tuple[int, Any], Any] = {}
    looked = 0
    for _ in range(40):
        doubtful = {fact.function for fact in always.doubtful(state.slots)}
        for fact in (*must, *list(facts.values())[:: len(facts) // 40 + 1]):
            take = reader.reader(fact.function)
            if take is None or fact.over(state.slots) is not None:
                continue
            value = worth(game, fact.function, state.slots)
            key = fact.function, take(state.slots)
            assert known.setdefault(key, value) == value, fact.text
            if fact in must:
                looked += fact.function in doubtful
                assert value is True or value == 1, fact.text
        if state.is_terminal():
            break
        state.apply_action(*random_step(state, dice))
    assert known and (not must or looked)


def worth(game: interpreter.Game, function: int, slots: list[Any]) -> Any:
    """What a function gives, or that it has no value."""
    compiler = game.machine.compiler
    compiler.refuel()
    try:
        return compiler.function(function)(slots)
    except FAILED:
        return "no value"
