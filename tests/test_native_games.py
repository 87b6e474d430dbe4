"""Games as C end and go on as they do in Python: playouts, walks, positions handed to and fro, and nothing left to Python.

`make equality` plays ten thousand games of each shipped game instead of the few here (EQUALITY_GAMES).
"""

from __future__ import annotations

import os
from collections.abc import Iterator
from typing import Any

import pytest

import interpreter
from interpreter.game import NativeState
from interpreter.native import building
from interpreter.native.compiler import find_compiler
from tests.helpers.games import CHANCE, Dice, loaded, random_step, setups

GAMES_PLAYED = int(os.environ.get("EQUALITY_GAMES", "16"))
# Written in part: what they leave to Python is counted, and is not yet nothing.
IN_PART = ("smaugs_treasure",)

pytestmark = pytest.mark.skipif(
    building.core is None or find_compiler() is None, reason="needs a C compiler, and the extension module"
)


@pytest.fixture(scope="module", autouse=True)
def native_on(tmp_path_factory: pytest.TempPathFactory) -> Iterator[None]:
    """Native play, with a folder of its own for objects."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv(building.VARIABLE, "on")
        if GAMES_PLAYED < 1000:
            patch.setenv("RULESPEC_CACHE", str(tmp_path_factory.mktemp("objects")))
        yield


def pair(folder: Any, players: int) -> tuple[interpreter.Game, interpreter.Game]:
    """One game as C and in Python."""
    found = loaded(folder)
    return tuple(interpreter.Game(found, players=players, backend=b) for b in ("native", "python"))  # type: ignore[return-value]


def chosen(whole: bool) -> list[Any]:
    """The shipped games with their numbers of players, those alone that are written as a whole if wanted."""
    every = [(folder, players) for folder, players in setups() if not whole or folder not in IN_PART]
    if GAMES_PLAYED >= 1000:
        return every
    least = dict(reversed(every))  # the smallest number of each
    return [(folder, players) for folder, players in every if least[folder] == players]


@pytest.mark.parametrize("folder, players", chosen(whole=True))
def test_playouts(folder: Any, players: int) -> None:
    """Random games end in equal positions after as many answers, and C plays them all."""
    native, python = pair(folder, players)
    for seed in range(GAMES_PLAYED):
        one, two = native.playout(seed), python.playout(seed)
        assert one.slots == two.slots, seed
        assert one.decisions == two.decisions > 0
        assert one.returns() == two.returns()
    assert native.handed_over == 0
    assert native.switch is not None and native.switch.loaded is not None and native.switch.loaded.built.handed == 0


@pytest.mark.parametrize("explicit", [False, True], ids=["seeded", "explicit"])
@pytest.mark.parametrize("folder, players", chosen(whole=True))
def test_walks(folder: Any, players: int, explicit: bool) -> None:
    """At each decision the same players are asked, the same is legal, and the slots are equal; positions go from one to the other."""
    native, python = pair(folder, players)
    chance: Any = {"chance": "explicit"} if explicit else {"seed": players}
    one, two = native.new_state(record=False, undo=False, **chance), python.new_state(**chance)
    dice = Dice(players)
    for step in range(400):
        assert isinstance(one, NativeState) and one.is_native, step
        assert one.slots == two.slots
        assert one.is_terminal() == two.is_terminal()
        if one.is_terminal():
            break
        assert one.current_player() == two.current_player() and one.pending_players() == two.pending_players()
        for seat in (CHANCE, *two.pending_players()):
            assert one.legal_actions(seat) == two.legal_actions(seat)
        assert one.chance_outcomes() == two.chance_outcomes()
        if step % 5 == 2:
            one = native.position(two.slots, two.main, undo=False)
        action, seat = random_step(two, dice)
        one.apply_action(action, seat)
        two.apply_action(action, seat)
    assert native.handed_over == 0
