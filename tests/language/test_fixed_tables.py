"""Tables of what depends on fixed data alone: the same games with less work, whatever way they are written."""

from __future__ import annotations

import pytest

from interpreter import Game
from rulespec import ir
from rulespec.checker.program import CheckedGame
from rulespec.ir.walk import within
from rulespec.loading.reading import read_tree
from rulespec.text.diagnostics import Diagnostics
from rulespec.text.source import Source
from rulespec.text.yaml_tree import parse
from tests.helpers.games import BACKENDS

WALK = """\
rulespec: 1
id: walk
title: A walk
players: {first: First, second: Second}
types:
  Pace: [slow, fast]
boards:
  Square: {square: 5 x 5, forward: {first: n, second: s}}
state:
  active: Player
  man: {is: Player or none, by: Square, starts: if this.row < 3 then first else if this.row > 3 then second else none}
functions:
  goals: {takes: {p: Player, s: Square, pace: Pace}, gives: set of Square, is: GOALS}
  can_go: {takes: {p: Player, s: Square}, is: "any(t in goals(p, s, fast) where t.man is none)"}
phases:
  game:
    do:
      - until: not any(s in Square where s.man == active and can_go(active, s))
        do:
          - choose: s
            by: active
            from: s in Square where s.man == active
            only:
              - if: can_go(active, s)
                why: stuck
          - choose: t
            by: active
            from: those(t in Square where t in goals(active, s, fast))
            only:
              - if: t.man is none
                why: taken
          - set: s.man
            to: none
          - set: t.man
            to: active
          - set: active
            to: rival(active)
end of game:
  winners: set(rival(active))
"""
BY_SCAN = """|
      those(t in Square where (if p == first then t.row - s.row else s.row - t.row) in 1..(if pace == fast then 2 else 1)
        and t.column == s.column)"""
BY_STEPS = """first(ray(s, forward(p)), if pace == fast then 2 else 1)"""


def game(goals: str, backend: str = "generated") -> Game:
    """The game with its goals written in one way."""
    diagnostics = Diagnostics()
    scan = goals.startswith("|")
    line = "  goals: {takes: {p: Player, s: Square, pace: Pace}, gives: set of Square, is: GOALS}\n"
    block = "  goals:\n    takes: {p: Player, s: Square, pace: Pace}\n    gives: set of Square\n    is: " + goals + "\n"
    assert line in WALK, scan
    root = parse(Source("walk", WALK.replace(line, block)), diagnostics)
    checked = None if root is None else read_tree(root, None, diagnostics)
    assert isinstance(checked, CheckedGame), [d.message for d in diagnostics]
    return Game(checked, players=2, backend=backend)


def loops(program: ir.Program) -> int:
    """The loops of a program over fixed items."""
    parts = (program.functions, program.procedures, program.sites)
    return sum(isinstance(e, ir.Comp | ir.Fold) and isinstance(e.source, ir.Const) for e in within(parts))


@pytest.mark.parametrize("seed", range(3))
def test_written_in_either_way_it_is_the_same_game(seed: int) -> None:
    """By scanning all squares or step by step, on both back ends."""
    games = [game(goals, backend) for goals in (BY_SCAN, BY_STEPS) for backend in BACKENDS]
    states = [own.new_state(seed=seed) for own in games]
    turns = 0
    while not states[0].is_terminal():
        legal = states[0].legal_actions()
        assert all(state.legal_actions() == legal for state in states)
        for state in states:
            state.apply_action(legal[(seed + turns) % len(legal)])
        turns += 1
    assert turns > 6
    assert len({tuple(state.returns()) for state in states}) == 1


def test_whose_turn_it_is_may_choose_the_table() -> None:
    """What reads a variable of the state that is a member of a type is a table by it as well."""
    goals = BY_SCAN.replace("p == first", "active == first")
    first, second = game(BY_SCAN), game(goals)
    body = next(own.body for own in second.program.functions if own.name == "goals")
    assert [e.base for e in within(body) if isinstance(e, ir.Load)]
    assert not any(isinstance(e, ir.Comp) for e in within(body))
    states = [own.new_state(seed=1) for own in (first, second)]
    while not states[0].is_terminal():
        assert states[0].legal_actions() == states[1].legal_actions()
        for state in states:
            state.apply_action(state.legal_actions()[-1])


def test_a_function_of_members_is_a_table() -> None:
    """A scan of all squares is a look-up by player, square and pace, and loops over what is left read slots."""
    program = game(BY_SCAN).program
    goals = next(own for own in program.functions if own.name == "goals")
    assert isinstance(goals.body, ir.Op)
    assert goals.body.name == "get"
    assert not any(isinstance(e, ir.Comp) for e in within(goals.body))
    assert loops(program) == loops(game(BY_STEPS).program)
