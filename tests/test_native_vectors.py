"""Vectors that C fills are those that are made in Python, for every game where C can; and a plan that does not hold together is refused."""

from __future__ import annotations

import random
import re
from array import array
from typing import Any

import pytest

from interpreter import Batch, Fault, IllegalAction
from interpreter.batch import UNBEGUN
from interpreter.native import building
from interpreter.spaces import compiled
from interpreter.spaces.compiled import HIDDEN, NUMBER, PASS, SHOWN, node
from interpreter.spaces.tensors import layout
from tests.helpers.games import fewest, loaded
from tests.helpers.native import NEEDS_C, native_on, pair  # noqa: F401
from tests.helpers.places import GAMES, PLAY, ROOT

pytestmark = NEEDS_C
PLACES = 6
IN_PYTHON = {"five_armies", "hobbit_board_game"}  # they have copies that nobody can tell apart
CONSTRUCTS = [file for k, file in enumerate(PLAY) if k % 4 == 0 or file.stem == "not_given"]


def test_both_sides_number_nodes_alike() -> None:
    text = (ROOT / "interpreter/native/vectors.c").read_text(encoding="utf-8")
    kinds = [names.split(", ") for names in re.findall(r"^enum \{ ([A-Z_, ]+) \};", text, re.MULTILINE)]
    assert len(kinds) == 4
    for names in kinds:
        assert [getattr(compiled, name) for name in names] == list(range(len(names)))


@pytest.mark.parametrize("folder, players", fewest())
def test_vectors_are_the_same(folder: Any, players: int) -> None:
    """In every place after every step, whichever seat is asked; where no plan can be made Python fills them."""
    compare(folder, players)


@pytest.mark.parametrize(
    "file", [file for k, file in enumerate(PLAY) if k % 4 == 0 or file.stem == "not_given"], ids=lambda file: file.stem
)
def test_vectors_of_constructs(file: Any) -> None:
    """Each kind of value, place and question that the conformance games have."""
    compare(file, min(loaded(file).players))


def compare(folder: Any, players: int) -> None:
    """Play a batch at random, and make each vector anew."""
    try:
        native, _ = pair(folder, players)
    except IllegalAction:
        pytest.skip("C cannot begin it")
    try:
        batch = Batch(native, PLACES, seed=players, legal="lists", observations=True)
    except IllegalAction:
        pytest.skip("nobody decides anything")
    dice = random.Random(1)
    for _ in range(12 if batch.plans is None else 60):
        actions = []
        for place in range(PLACES):
            state = batch.state(place)
            told = layout(native).observation(state, batch.players[place])
            shown = batch.observations[place : place + 1].tobytes() if batch.observations is not None else b""
            assert shown == told.tobytes(), (place, differences(native, told, shown))
            actions.append(dice.choice(state.legal_actions()))
        try:
            batch.step(actions)
        except Fault:
            break


def differences(game: Any, told: Any, shown: bytes) -> list[tuple[str, float, float]]:
    """The entries that are not the same."""
    return [one for one in zip(layout(game).names, told, array("f", shown), strict=True) if one[1] != one[2]][:5]


@pytest.mark.parametrize(
    "folder", [folder for folder in GAMES if folder.name != "five_armies"], ids=lambda one: one.name
)
def test_which_games_have_plans(folder: Any) -> None:
    """All shipped ones in which it is settled beforehand who sees what."""
    native, _ = pair(folder, min(loaded(folder).players))
    assert (Batch(native, 1, observations=True).plans is None) == (folder.name in IN_PYTHON)


def test_nobody_asked_for_observations() -> None:
    """Then there are none."""
    native, _ = pair(GAMES[0], min(loaded(GAMES[0]).players))
    assert Batch(native, 1).observations is None


PLAN = node(2, 0, 1, parts=[node(PASS, 1)])
NO_PLANS: dict[str, Any] = {
    "no plan for one seat": (1, 0, 0, 0, False, array("i"), (array("i", PLAN),)),
    "an unknown kind of node": (1, 0, 0, 0, False, array("i"), (array("i", [9, 2]),) * 2),
    "a node longer than the plan": (1, 0, 0, 0, False, array("i"), (array("i", [PASS, 4, 1]),) * 2),
    "numbers behind the plan": (1, 0, 0, 0, False, array("i"), (array("i", [*PLAN, 0]),) * 2),
    "to go back": (1, 0, 0, 0, False, array("i"), (array("i", node(PASS, -1)),) * 2),
    "a note beyond the notes": (1, 0, 0, 1, False, array("i"), (array("i", node(NUMBER, 0, -1, -1, 1)),) * 2),
    "no entries": (0, 0, 0, 0, False, array("i"), (array("i", PLAN),) * 2),
    "looks that there are not": (1, 0, 0, 0, False, array("i"), (array("i", node(HIDDEN, 0, 0, 0, 0, 0, 0)),) * 2),
    "pieces shown that there are not": (
        1,
        0,
        0,
        0,
        False,
        array("i"),
        (array("i", node(SHOWN, 0, 0, parts=[node(PASS, 1)])),) * 2,
    ),
    "half a number": (1, 0, 0, 0, False, array("i"), (b"\0\0\0\0\0\0",) * 2),
}


@pytest.mark.parametrize("plans", NO_PLANS.values(), ids=NO_PLANS)
def test_plans_that_do_not_hold_together(plans: Any) -> None:
    """They are refused before anything is read by them."""
    native, _ = pair(GAMES[-1], 2)
    batch = Batch(native, 2)
    assert batch.core is not None and building.core is not None
    with pytest.raises(ValueError, match="plan"):
        batch.core.observe(plans, bytearray(64))


@pytest.mark.parametrize("plans", [True, False], ids=["filled in C", "filled in Python"])
def test_a_game_that_could_not_begin(plans: bool) -> None:
    """Its block means nothing: it is not read, neither by who asks for the position nor for a vector."""
    native, _ = pair(GAMES[-1], 2)
    batch = Batch(native, 2, observations=True)
    batch.plans = batch.plans if plans else None
    batch._status[1] = UNBEGUN
    batch.observe()
    with pytest.raises(IndexError, match="not begun"):
        batch.state(1)


def test_a_buffer_too_small() -> None:
    """It is refused, and so is a second one."""
    native, _ = pair(GAMES[-1], 2)
    batch = Batch(native, 2, observations=True)
    with pytest.raises(ValueError, match="already"):
        batch.core.observe(batch.plans, bytearray(1 << 20))  # type: ignore[union-attr, arg-type]
    other = Batch(native, 2)
    with pytest.raises(ValueError, match="too small"):
        other.core.observe(batch.plans, bytearray(4))  # type: ignore[union-attr, arg-type]
