"""Different states of one game may be stepped by different threads: every game ends as it does in one thread."""

from __future__ import annotations

import os
import random
import sys
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from typing import Any

import pytest

import interpreter
import rulespec
from tests.helpers.games import BACKENDS

THREADS = 8
TIMES = int(os.environ.get("RULESPEC_THREADS", "1"))  # 40 plays 10,240 games on each back end
GAMES = {
    "kuhn_poker": 160 * TIMES,
    "leduc_poker": 80 * TIMES,
    "smaugs_treasure": 16 * TIMES,
}  # games of each, and how many


@pytest.fixture
def impatient() -> Iterator[None]:
    """Threads take turns as often as they can."""
    before = sys.getswitchinterval()
    sys.setswitchinterval(1e-6)
    yield
    sys.setswitchinterval(before)


def played(game: interpreter.Game, seed: int) -> tuple[Any, ...]:
    """How a game ends by choices of the seed, asked for in every way on the way there."""
    state, dice = game.new_state(seed=seed, undo=seed % 2 == 0), random.Random(seed)
    names = []
    while not state.is_terminal() and len(names) < 60:
        player = state.current_player()
        action = dice.choice(state.legal_actions())
        names.append(state.action_to_string(action))
        if seed % 7 == 0:
            state.observation(player), state.decision()
        state.apply_action(action)
    return names, state.slots, state.log_lines(interpreter.EVERYTHING), game.playout(seed).slots


@pytest.mark.parametrize("backend", BACKENDS)
@pytest.mark.parametrize("name", GAMES)
@pytest.mark.usefixtures("impatient")
def test_threads_end_as_one_does(name: str, backend: str) -> None:
    gamedef = rulespec.load(name)
    alone, shared = (interpreter.Game(gamedef, backend=backend) for _ in range(2))
    seeds = range(GAMES[name])
    with ThreadPoolExecutor(THREADS) as pool:
        together = list(pool.map(lambda seed: played(shared, seed), seeds))
    assert together == [played(alone, seed) for seed in seeds]
