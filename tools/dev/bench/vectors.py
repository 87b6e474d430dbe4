"""How many steps a second games are stepped for a learner, many at once, beside the environments of others.

    python -m tools.dev.bench.vectors GAME GAME --games 64

plays at random with `rulespec.envs.vector.Vector`, which gives masks and what the asked seat sees, as C and in Python; with OpenSpiel's
vector environment over its own game of that id, if it has one; and with ours in PettingZoo, one game.  It prints steps a second of
processor time, the median of some rounds in turn.  Needs the extras `openspiel` and `envs`; without OpenSpiel its part is left out.
"""

from __future__ import annotations

import argparse
import random
import time
from collections.abc import Callable
from statistics import median

import numpy as np

import rulespec
from rulespec.envs.vector import Vector

SECONDS = 1.0  # of a round
ROUNDS = 3
Play = Callable[[], int]  # plays on a little; how many steps


def ours(game: rulespec.Game, games: int) -> Play:
    """Many of ours, on one thread."""
    batch, choose = Vector(game, games, seed=1, threads=1), np.random.default_rng(1)

    def play() -> int:
        batch.step((batch.masks * choose.random(batch.masks.shape)).argmax(axis=1))
        return games

    return play


def of_openspiel(name: str, games: int) -> Play | None:
    """OpenSpiel's own, in its vector environment; None where it has no such game, or is not there."""
    try:
        import pyspiel
        from open_spiel.python.rl_agent import StepOutput
        from open_spiel.python.rl_environment import Environment
        from open_spiel.python.vector_env import SyncVectorEnv
    except ImportError:
        return None
    if name not in pyspiel.registered_names():
        return None
    envs, choose = SyncVectorEnv([Environment(name) for _ in range(games)]), random.Random(1)
    shown = [envs.reset()]

    def play() -> int:
        answers = []
        for one in shown[0]:
            legal = one.observations["legal_actions"][one.observations["current_player"]]
            answers.append(StepOutput(action=choose.choice(legal), probs=None))
        shown[0], *_ = envs.step(answers, reset_if_done=True)
        return games

    return play


def in_pettingzoo(game: rulespec.Game) -> Play:
    """One of ours after the other in PettingZoo."""
    from rulespec.envs.pettingzoo import AEC

    env, choose, begun = AEC(game), np.random.default_rng(1), [0]

    def play() -> int:
        begun[0] += 1
        env.reset(seed=begun[0])
        steps = 0
        for _ in env.agent_iter():
            seen, _, over, cut, _ = env.last()
            mask = seen["action_mask"]
            env.step(None if over or cut else int((mask * choose.random(mask.shape)).argmax()))
            steps += not (over or cut)
        return steps

    return play


def rate(play: Play) -> float:
    """Steps a second of processor time, of one round."""
    play()
    begun, steps = time.process_time(), 0
    while time.process_time() - begun < SECONDS:
        steps += play()
    return steps / (time.process_time() - begun)


def main() -> None:
    """Measure the games that are named."""
    parser = argparse.ArgumentParser(description="How fast games are stepped for a learner.")
    parser.add_argument("names", nargs="+", metavar="GAME")
    parser.add_argument("--games", type=int, default=64)
    given = parser.parse_args()
    for name in given.names:
        gamedef = rulespec.load(name)
        backends = {kind: rulespec.Game(gamedef, min(gamedef.players), backend=kind) for kind in ("native", "python")}
        plays: dict[str, Play | None] = {f"Vector, {kind}": ours(game, given.games) for kind, game in backends.items()}
        plays["OpenSpiel's vector environment"] = of_openspiel(name, given.games)
        plays["ours in PettingZoo"] = in_pettingzoo(backends["native"])
        there = {what: play for what, play in plays.items() if play is not None}
        rounds = [{what: rate(play) for what, play in there.items()} for _ in range(ROUNDS)]
        for what in there:
            print(f"{name}, {what}: {median(one[what] for one in rounds):,.0f} steps a second", flush=True)


if __name__ == "__main__":
    main()
