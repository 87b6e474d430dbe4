"""How each other library plays a whole random game, in a worker's process.

Every loop is as fast as a user of the library could write it, but for those named as documented: they are as the library's own
pages show them.  All choose by `legal[bits(30) % len(legal)]`, which takes half the time of `random.random`, so that the libraries are
measured and not the dice.  The libraries are found by name: they need not be installed where this file is read.
"""

from __future__ import annotations

import random
from collections.abc import Callable
from importlib import import_module
from itertools import count
from typing import Any

from .positions import children, clones, collect
from .slices import Played, Work, Works

SEED = 20_000
CHANCE = -1
TERMINAL = -4


def openspiel(settings: dict[str, Any]) -> Works:
    """A game of OpenSpiel; `module` registers those that are written in Python."""
    pyspiel = import_module("pyspiel")
    if "module" in settings:
        import_module(settings["module"])
    game = pyspiel.load_game(settings["load"])
    new_state, dice, bits = game.new_initial_state, random.random, random.getrandbits

    def call() -> Played:
        state = new_state()
        decisions = 0
        while (player := state.current_player()) != TERMINAL:
            if player == CHANCE:
                rest = dice()
                for action, probability in state.chance_outcomes():  # noqa: B007 (it is used below)
                    rest -= probability
                    if rest < 0.0:
                        break
            else:
                legal = state.legal_actions()
                decisions += 1
                action = legal[bits(30) % len(legal)]
            state.apply_action(action)
        return decisions, state.returns()

    # With one seed for all, the players would choose alike.
    bots = [pyspiel.make_uniform_random_bot(player, SEED + player) for player in range(game.num_players())]
    seeds, evaluate = count(SEED), pyspiel.evaluate_bots

    def one_call() -> Any:
        return evaluate(new_state(), bots, next(seeds))

    return {
        "playouts": lambda: Work(one_call, read=lambda returns: (None, returns)),
        "steps": lambda: Work(call, read=lambda result: result),
        "clones": lambda: clones(collect(lambda _: new_state())),
        "children": lambda: children(collect(lambda _: new_state())),
    }


def openspiel_documented(settings: dict[str, Any]) -> Works:
    """A game of OpenSpiel by the loop of its documentation: `numpy.random.choice` for chance, `random.choice` for players."""
    pyspiel, numpy = import_module("pyspiel"), import_module("numpy")
    if "module" in settings:
        import_module(settings["module"])
    game = pyspiel.load_game(settings["load"])

    def call() -> Played:
        state = game.new_initial_state()
        decisions = 0
        while not state.is_terminal():
            if state.is_chance_node():
                actions, probabilities = zip(*state.chance_outcomes(), strict=True)
                action = numpy.random.choice(actions, p=probabilities)
            else:
                action = random.choice(state.legal_actions(state.current_player()))
                decisions += 1
            state.apply_action(action)
        return decisions, state.returns()

    return {"steps": lambda: Work(call, read=lambda result: result)}


def rlcard(settings: dict[str, Any]) -> Works:
    """An environment of RLCard; `points` are our coins in one of its payoffs."""
    library = import_module("rlcard")
    env = library.make(settings["load"], config={"seed": SEED})
    scale, bits = settings.get("points", 1), random.getrandbits
    reset, step, is_over, payoffs = env.reset, env.step, env.is_over, env.get_payoffs

    def call() -> Played:
        state, _ = reset()
        decisions = 0
        while not is_over():
            legal = list(state["legal_actions"])
            decisions += 1
            state, _ = step(legal[bits(30) % len(legal)])
        return decisions, payoffs()

    def one_call() -> Work:
        agent = import_module("rlcard.agents").RandomAgent(num_actions=env.num_actions)
        env.set_agents([agent] * env.num_players)
        return Work(lambda: env.run(is_training=False), read=lambda result: (None, scaled(result[1], scale)))

    return {
        "playouts": one_call,
        "steps": lambda: Work(call, read=lambda result: (result[0], scaled(result[1], scale))),
    }


def rlcard_game(settings: dict[str, Any]) -> Works:
    """The game inside an environment of RLCard, which encodes nothing."""
    library = import_module("rlcard")
    game = library.make(settings["load"], config={"seed": SEED}).game
    scale, bits = settings.get("points", 1), random.getrandbits
    start, step, is_over, payoffs = game.init_game, game.step, game.is_over, game.get_payoffs

    def call() -> Played:
        state, _ = start()
        decisions = 0
        while not is_over():
            legal = state["legal_actions"]
            decisions += 1
            state, _ = step(legal[bits(30) % len(legal)])
        return decisions, payoffs()

    return {"steps": lambda: Work(call, read=lambda result: (result[0], scaled(result[1], scale)))}


def pettingzoo(settings: dict[str, Any]) -> Works:
    """An environment of PettingZoo, by the module that offers it."""
    env = import_module(settings["module"]).raw_env()
    env.reset(seed=SEED)
    scale, bits = settings.get("points", 1), random.getrandbits
    agents = list(env.possible_agents)
    reset, last, step = env.reset, env.last, env.step

    def call() -> tuple[int, dict[str, float]]:
        reset()
        decisions = 0
        while True:
            observation, _, terminated, truncated, _ = last()
            if terminated or truncated:
                return decisions, env.rewards
            legal = [action for action, allowed in enumerate(observation["action_mask"].tolist()) if allowed]
            decisions += 1
            step(legal[bits(30) % len(legal)])

    def read(result: tuple[int, dict[str, float]]) -> Played:
        decisions, rewards = result
        return decisions, scaled([rewards[agent] for agent in agents], scale)

    return {"steps": lambda: Work(call, read=read)}


def scaled(returns: Any, factor: float) -> list[float]:
    """Returns in our coins."""
    return [float(value) * factor for value in returns]


DRIVERS: dict[str, Callable[[dict[str, Any]], Works]] = {
    "openspiel": openspiel,
    "openspiel_documented": openspiel_documented,
    "rlcard": rlcard,
    "rlcard_game": rlcard_game,
    "pettingzoo": pettingzoo,
}
