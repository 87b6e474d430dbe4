"""Closures in C: whatever they hold, and however many candidates ask for one."""

from __future__ import annotations

from pathlib import Path

import pytest

import interpreter
import rulespec
from interpreter import Fault
from interpreter.native.emitter.closures import closure_in
from interpreter.native.emitter.program import source
from interpreter.python.backend import BUDGET
from interpreter.runtime.limits import FUEL
from rulespec import ir
from rulespec.ir.walk import within
from tests.helpers.games import loaded
from tests.helpers.native import NEEDS_C, native_on, pair  # noqa: F401
from tests.helpers.places import ROOT

REACHING, WALLS = ROOT / "tests/native/reaching.yaml", ROOT / "tests/native/walls.yaml"


@NEEDS_C
def test_closures_of_numbers_sets_and_paths_end_as_in_python() -> None:
    """None is left to Python but one that goes on for ever, which is a fault on both."""
    native, python = pair(REACHING, 2)
    assert native.switch is not None and native.switch.loaded is not None and native.switch.loaded.built.left == ()
    faults = 0
    for seed in range(12):
        ends = []
        for game in (native, python):
            try:
                ends.append((game.playout(seed).slots, None))
            except Fault as fault:
                ends.append((None, str(fault)))
        assert ends[0] == ends[1], seed
        faults += ends[0][0] is None
    assert 0 < faults < 12 and native.handed_over == faults


@NEEDS_C
def test_closures_are_asked_for_by_many_candidates() -> None:
    """As many as there are: what a loop over a set counts follows from its members."""
    native, python = pair(WALLS, 2)
    assert native.playout(1).decisions == 40 and native.handed_over == 0
    one, two = native.new_state(2, undo=False, record=False), python.new_state(2, undo=False, record=False)
    for _ in range(4):
        legal = one.legal_actions()
        assert legal == two.legal_actions()
        for state in (one, two):
            state.apply_action(legal[-1])


def test_every_closure_of_lists_has_the_shape_that_c_knows() -> None:
    """As the passes leave it: in another it would be played, and slower."""
    program = loaded(REACHING).program(players=2)
    settled = [e for e in within(program) if isinstance(e, ir.Op) and e.name == "settled"]
    known = [e for e in within(program) if isinstance(e, ir.Bind) and closure_in(e)]
    assert len(settled) == len(known) == 5
    assert source(program).handed_over == ()


LARGE = """\
rulespec: 1
id: large
title: A large board
players: 2
boards: {Square: {square: 19 x 19}}
state: {stone: {is: Player or none, by: Square}}
functions: {chain: {takes: {s: Square}, is: "closure(those(t in neighbours(q) where t.stone is known) for q in set(s))"}}
phases: {game: {do: [{choose: s, by: p1, from: Square, only: [{if: size(chain(s)) == 1, why: No}]}, {set: s.stone, to: p1}]}}
"""


@pytest.mark.parametrize("backend", ["reference", "python"])
def test_rounds_that_a_closure_does_not_take_are_not_counted(backend: str, tmp_path: Path) -> None:
    """A fold that has come to its end goes through no more items: 361 rounds of each of 361 closures would count a million."""
    path = tmp_path / "large.yaml"
    path.write_text(LARGE)
    game = interpreter.Game(rulespec.load(path), players=2, backend=backend)
    fuel, most = (game.machine.compiler.fuel, FUEL) if backend == "reference" else (game.backend.fuel, BUDGET)
    assert len(game.new_state(2, undo=False, record=False).legal_actions()) == 361
    assert 361 < most - fuel[0] < 361 * 100


def test_what_is_asked_again_is_there() -> None:
    """The answer to a question does not work out again what its candidates are; rows of fixed data are bits."""
    game = interpreter.Game(loaded(ROOT / "tests/native/asked_again.yaml"), players=2, backend="python")
    text = source(game.program).text
    assert text.count("static _Thread_local struct") == 1 and ">>6)]>>(" in text
