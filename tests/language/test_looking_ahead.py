"""Looking ahead: both back ends agree, nothing stays, faults and bounds are those of the question, and what is kept follows the slots."""

from __future__ import annotations

import pytest

from interpreter import Game
from interpreter.python.backend import Generated
from interpreter.runtime.faults import Fault
from rulespec.checker.program import CheckedGame
from rulespec.ir.ahead import Ahead
from rulespec.loading.reading import read_tree
from rulespec.text.diagnostics import Diagnostics
from rulespec.text.source import Source
from rulespec.text.yaml_tree import parse
from tests.helpers.games import BACKENDS, walk


def loaded(text: str) -> CheckedGame:
    """A game from its text."""
    diagnostics = Diagnostics()
    root = parse(Source("game", text), diagnostics)
    assert root is not None
    game = read_tree(root, None, diagnostics)
    assert game is not None, [d.message for d in diagnostics]
    return game


HEAD = """\
rulespec: 1
id: ahead
title: Ahead
players: 2
boards:
  Square: {square: 6 x 6}
state:
  active: Player
  number: 0..9
  weight: {is: 0..99, by: Square}
"""
GROWING = (
    HEAD
    + """\
procedures:
  add_to:
    takes: {s: Square}
    do:
      - add: 1
        to: s.weight
        log: It grows
      - if: number > 3
        then:
          - for: t in neighbours(s)
            do:
              - add: 2
                to: t.weight
functions:
  heavy: {takes: {s: Square}, is: "after(add_to(s), sum(t.weight for t in Square))"}
  heaviest: highest(heavy(s) for s in Square)
phases:
  game:
    do:
      - repeat: 12
        do:
          - choose: s
            by: active
            from: Square
            only:
              - if: heavy(s) >= heaviest - 12
                why: "{s} would make {heavy(s)} of {heaviest}"
          - add_to: s
          - add: 1
            to: number
            if: number < 9
          - set: active
            to: rival(active)
end of game:
  rank: ranking(p in players by heaviest)
"""
)


@pytest.mark.parametrize("seed", range(3))
def test_back_ends_agree_and_nothing_stays(seed: int) -> None:
    """The same legal answers and positions at every decision, however often results were kept in between; no line of the log."""
    games = [Game(loaded(GROWING), players=2, backend=backend) for backend in BACKENDS]
    states = [game.new_state(seed=seed) for game in games]
    turns = 0
    while not states[0].is_terminal():
        legal = [state.legal_actions() for state in states]
        assert legal[0] == legal[1]
        before = [list(state.slots) for state in states]
        assert [state.legal_actions() for state in states] == legal
        assert [list(state.slots) for state in states] == before
        for state in states:
            state.apply_action(legal[0][(seed + 7 * turns) % len(legal[0])])
        turns += 1
        assert states[0].slots == states[1].slots
        assert [len(state.log_lines(0)) for state in states] == [turns, turns]
    assert turns == 12
    assert isinstance(games[0].backend, Generated)
    assert games[0].backend.again == 0
    assert states[0].to_json() == states[1].to_json()


FAILING = (
    HEAD
    + """\
procedures:
  raise_by:
    takes: {n: 0..9}
    do:
      - add: n
        to: number
phases:
  game:
    do:
      - choose: n
        by: p1
        from: 1..9
      - choose: m
        by: p1
        from: 1..n
        only:
          - if: after(raise_by(4), after(raise_by(m), number)) < 20
            why: too much
"""
)


@pytest.mark.parametrize("backend", BACKENDS)
def test_a_fault_is_one_of_the_question(backend: str) -> None:
    """It stands at its step, and says who asked; the position before it is untouched."""
    state = Game(loaded(FAILING), players=2, backend=backend).new_state(seed=1)
    with pytest.raises(Fault) as raised:
        state.apply_action(8)
    fault = raised.value
    assert fault.diagnostic.code == "R004"
    assert fault.diagnostic.message == "`number` would become 10; it may be at most 9"
    assert fault.diagnostic.span is not None
    assert fault.diagnostic.span.label() == "game:15:9"
    assert [caller.name for caller in fault.stack] == ["raise_by", "game", "the game"]
    state.apply_action(2)
    assert state.legal_actions() == [0, 1, 2]


ENDLESS = (
    HEAD
    + """\
procedures:
  spin:
    do:
      - while: number < 9
        do:
          - set: number
            to: 0
  step_up:
    do:
      - repeat: 9
        do:
          - set: number
            to: 1
phases:
  game:
    do:
      - choose: s
        by: p1
        from: Square
        only:
          - if: TEST
            why: no
"""
)
OFTEN = "count(t in Square where after(step_up, number + s.weight + t.weight) == 1) == 36"


@pytest.mark.parametrize("backend", BACKENDS)
@pytest.mark.parametrize(("test", "code"), [("after(spin, number) < 9", "R005"), (OFTEN, "R014")])
def test_what_does_not_end_is_a_fault(backend: str, test: str, code: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """Of a procedure by its steps, of many that end by the items that are looked at: each step is one."""
    monkeypatch.setattr("interpreter.reference.expressions.FUEL", 20_000)
    monkeypatch.setattr("interpreter.python.backend.BUDGET", 10_000)
    game = Game(loaded(ENDLESS.replace("TEST", test)), players=2, backend=backend)
    with pytest.raises(Fault) as raised:
        game.new_state(seed=1, undo=False, record=False).legal_actions()
    assert raised.value.diagnostic.code == code


def test_what_is_not_too_much_is_no_fault() -> None:
    """The same within the bounds, which the generated code keeps by itself."""
    game = Game(loaded(ENDLESS.replace("TEST", OFTEN)), players=2)
    state = game.new_state(seed=1, undo=False, record=False)
    assert len(state.legal_actions()) == 36
    assert isinstance(game.backend, Generated)
    assert game.backend.again == 0


def test_what_is_kept_depends_on_what_the_procedure_reads() -> None:
    """The slots that an expression depends on are those that its procedure reads, through calls and rules, and what it moves."""
    program = loaded(GROWING).program(players=2)
    number = next(i for i, own in enumerate(program.procedures) if own.name == "add_to")
    ahead = Ahead(program)
    assert ahead.procedures(number) == (number,)
    slot = next(v.base for v in program.variables if v.name == "number")
    backend = Game(loaded(GROWING), players=2).backend
    assert isinstance(backend, Generated)
    assert slot in backend.library.pool.memo.slots(program.functions[0].body)


def test_random_games_hold_what_must_hold() -> None:
    """Copies, saves, undo and both back ends."""
    walk(Game(loaded(GROWING), players=2), 1)
