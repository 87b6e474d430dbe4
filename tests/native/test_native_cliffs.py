"""Constructs that one place of C without code, or one bound of it, would play in Python for whole games: each is played in C to its end."""

from __future__ import annotations

from pathlib import Path

import pytest

import interpreter
from interpreter import Game
from tests.helpers.games import Dice, loaded, random_step
from tests.helpers.native import NEEDS_C, native_on, pair  # noqa: F401
from tests.helpers.places import ROOT

SPECS = (
    "added",
    "asked_again",
    "berths",
    "bygone",
    "crossed",
    "guarded",
    "lengthy",
    "nobody",
    "outcomes",
    "possible",
    "stakes",
    "strings",
)
SMALL = {
    "asked_again": {"size": 6},
    "crossed": {"size": 5},
    "strings": {"size": 7},
}  # a board that is a set of bits; the other way it is played as it stands


def path_of(name: str) -> Path:
    """The file of a spec."""
    return ROOT / "tests/native" / f"{name}.yaml"


def all_in_c(name: str, **options: int) -> tuple[Game, Game]:
    """A game as C, no place of which is left to Python, and in Python; some whole games end alike."""
    native, python = pair(path_of(name), 2, **options)
    assert native.switch is not None and native.switch.loaded is not None and native.switch.loaded.built.left == ()
    for seed in range(4):
        one, two = native.playout(seed), python.playout(seed)
        assert one.slots == two.slots and one.decisions == two.decisions, seed
    assert native.handed_over == 0
    return native, python


@NEEDS_C
@pytest.mark.parametrize("name", SPECS)
def test_it_is_played_in_c_as_in_python(name: str) -> None:
    """Whole games in one call, and answer by answer with chance as a player: the same questions, the same positions."""
    native, python = all_in_c(name)
    states = [game.new_state(chance="explicit") for game in (native, python)]
    dice = Dice(3)
    for _ in range(40):
        if states[0].is_terminal():
            break
        action, _seat = random_step(states[0], dice)
        if states[0].is_chance_node():
            assert states[0].chance_outcomes() == states[1].chance_outcomes()
        else:
            assert states[0].legal_actions() == states[1].legal_actions()
        for state in states:
            state.apply_action(action)
        assert states[0].slots == states[1].slots
    assert native.handed_over == 0


@NEEDS_C
@pytest.mark.parametrize("name", SMALL)
def test_it_is_played_in_c_where_sets_are_bits(name: str) -> None:
    """The same on a board that is small enough."""
    all_in_c(name, **SMALL[name])


@pytest.mark.parametrize("name", SPECS)
def test_the_reference_machine_plays_it_alike(name: str) -> None:
    """What these specs mean is what the reference machine does."""
    options = SMALL.get(name, {})
    games = [
        interpreter.Game(loaded(path_of(name)), players=2, options=options, backend=backend)
        for backend in ("python", "reference")
    ]
    ends = [game.playout(5) for game in games]
    assert ends[0].slots == ends[1].slots
