"""Our games as environments of PettingZoo and Gymnasium: each passes the tests that these have for environments."""

from __future__ import annotations

import contextlib
import io
import warnings
from typing import Any

import pytest

import rulespec
from interpreter.bots import RandomBot
from tests.helpers.envs import GAMES, SEALED, game_of

WITHOUT = "the extra `envs` is not there"
gymnasium = pytest.importorskip("rulespec.envs.gymnasium", reason=WITHOUT, exc_type=ImportError)
pettingzoo = pytest.importorskip("rulespec.envs.pettingzoo", reason=WITHOUT, exc_type=ImportError)
checks = pytest.importorskip("pettingzoo.test", reason=WITHOUT)
checker = pytest.importorskip("gymnasium.utils.env_checker", reason=WITHOUT)

CYCLES = 12  # answers of each agent that are looked at


@pytest.mark.parametrize("name", GAMES)
def test_pettingzoo_and_gymnasium_accept_every_game(name: str) -> None:

    game = game_of(name)
    with warnings.catch_warnings(), contextlib.redirect_stdout(io.StringIO()):
        warnings.simplefilter("ignore")
        checks.api_test(pettingzoo.AEC(game), num_cycles=CYCLES)
        checks.seed_test(lambda: pettingzoo.AEC(game), num_cycles=CYCLES)
        checks.parallel_api_test(pettingzoo.Parallel(game), num_cycles=CYCLES)
        checker.check_env(gymnasium.Seat(game, max_steps=CYCLES))


def test_bots_do_not_see_what_the_agent_has_sealed() -> None:
    """They are asked as if they had answered first, though the agent has."""
    asked: list[tuple[int, ...]] = []

    class Spy(RandomBot):
        def choose(self, state: Any, player: int | None = None) -> int:
            if state.is_simultaneous():
                asked.append(state.pending_players())
            return super().choose(state, player)

    env = gymnasium.Seat(game_of(SEALED), bots=lambda seed, _: Spy(seed % 2**60))
    seen, _ = env.reset(seed=2)
    over = False
    while not over:
        seen, _, over, _, _ = env.step(int(seen["action_mask"].argmax()))
    assert asked and all(0 in pending for pending in asked)


def test_one_seat_against_bots() -> None:
    """Bots answer for the others, returns come at the end, and what is not legal loses or is refused."""

    game = game_of("leduc_poker")
    env = gymnasium.Seat(game, seat=1, bots=lambda seed, _: RandomBot(seed % 2**60))
    seen, info = env.reset(seed=4)
    rewards = []
    while True:
        assert (seen["action_mask"] == info["action_mask"]).all()
        seen, reward, over, cut, info = env.step(int(seen["action_mask"].argmax()))
        rewards.append(reward)
        if over or cut:
            break
    assert over and rewards[-1] != 0 and not any(rewards[:-1])
    env.reset(seed=5)
    illegal = int(env.seen()[0]["action_mask"].argmin())
    if not env.seen()[0]["action_mask"][illegal]:
        assert env.step(illegal)[1:3] == (game.min_utility, True)
    strict = gymnasium.Seat(game, illegal="raise")
    strict.reset(seed=1)
    with pytest.raises(rulespec.UnknownAction):
        strict.step(99)
