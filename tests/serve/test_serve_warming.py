"""Games that a server makes ready before they are played: nothing has to be generated in the first answers then."""

from __future__ import annotations

import threading
from collections.abc import Iterator
from pathlib import Path

import pytest

import rulespec
from interpreter import Game
from interpreter.bots.basics import Chance
from tests.helpers.games import loaded
from tools.serve import warming
from tools.serve.warming import Warming


@pytest.fixture
def warm() -> Iterator[Warming]:
    """One, whose thread is gone after the test."""
    one = Warming()
    yield one
    one.close()


def until_ready(warm: Warming) -> None:
    thread = warm.thread
    if thread is not None:
        thread.join(30)
    assert warm.thread is None and not warm.waiting


def test_a_game_is_played_without_generating_anything(warm: Warming) -> None:
    game = Game(loaded("tic_tac_toe"), backend="python")
    warm.opened(game)
    until_ready(warm)
    assert game.library is not None
    ready = set(game.library.codes)
    assert {title[0] for title in ready} >= set("pa")
    state, dice = game.new_state(seed=7), Chance(7)
    while not state.is_terminal():
        state.apply_action(dice.one_of(state.legal_actions()))
    assert set(game.library.codes) == ready


def test_a_game_whose_rules_fail_keeps_no_other_from_being_ready(warm: Warming, faulty: Path) -> None:
    bad, good = Game(rulespec.load(faulty)), Game(loaded("tic_tac_toe"), backend="python")
    for game in (bad, good):
        warm.opened(game)
    until_ready(warm)
    assert good.library is not None and good.library.codes


def test_it_rests_most_of_the_time_and_stops_at_once(warm: Warming, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(warming, "SHARE", 1e-9)
    game = Game(loaded("tic_tac_toe"), backend="python")
    warm.opened(game)
    thread = warm.thread
    assert thread is not None and thread.is_alive()
    warm.close()
    assert not thread.is_alive() and thread not in threading.enumerate()
