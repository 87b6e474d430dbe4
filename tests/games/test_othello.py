"""Othello on every back end against the published numbers of paths of legal moves (perft).

They are those that many engines agree on; a pass counts as a move.
"""

from __future__ import annotations

import os

import pytest

from interpreter import Game, State
from tests.helpers.games import loaded
from tests.helpers.native import NEEDS_C, native_on, pair  # noqa: F401

PERFT = (4, 12, 56, 244, 1_396, 8_200, 55_092, 390_216)
MOST = {"python": 8_200, "reference": 244}  # paths that every run of the tests counts
CASES = [
    (backend, depth, number)
    for backend, most in MOST.items()
    for depth, number in enumerate(PERFT, 1)
    if number <= most
]


def paths(state: State, depth: int) -> int:
    """The paths of so many moves; a game that is over has none."""
    legal = state.legal_actions() if not state.is_terminal() else []
    return len(legal) if depth == 1 else sum(paths(state.child(action), depth - 1) for action in legal)


@pytest.mark.parametrize(("backend", "depth", "number"), CASES)
def test_perft(backend: str, depth: int, number: int) -> None:
    """As many paths as others have counted."""
    game = Game(loaded("othello"), players=2, backend=backend)
    assert paths(game.new_state(seed=0, undo=False, record=False), depth) == number


@pytest.mark.skipif("EQUALITY_GAMES" not in os.environ, reason="minutes: run by `make equality`")
def test_perft_deeper() -> None:
    """The same, deeper."""
    test_perft("python", 7, PERFT[6])
    test_perft("reference", 6, PERFT[5])


@NEEDS_C
@pytest.mark.parametrize(("depth", "number"), list(enumerate(PERFT, 1)))
def test_perft_as_c(depth: int, number: int) -> None:
    """All of them as C; nothing is left to Python."""
    native, _ = pair("othello", 2)
    assert paths(native.new_state(seed=0, undo=False, record=False), depth) == number
    assert native.handed_over == 0
