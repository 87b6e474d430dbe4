"""Positions of random games, and the work of copying them; for ours and for any library with the same calls."""

from __future__ import annotations

import random
from collections.abc import Callable
from typing import Any

from .slices import Work

SEED = 7
POSITIONS = 400
GAMES = 40  # at most, from which they come


def collect(start: Callable[[int], Any], most: int = POSITIONS) -> list[tuple[Any, int]]:
    """At most so many decisions of players in random games, spread evenly over them, each with a random legal action.

    `start` gives a position for a seed.  The legal actions of each have been asked for, so that a library that keeps them has
    them.  The same on every run.
    """
    dice = random.Random(SEED)
    positions: list[tuple[Any, int]] = []
    for seed in range(GAMES):
        state = start(seed)
        while not state.is_terminal():
            if state.is_chance_node():
                actions, weights = zip(*state.chance_outcomes(), strict=True)
                action = dice.choices(actions, [float(weight) for weight in weights])[0]
            else:
                legal = state.legal_actions()
                action = legal[int(dice.random() * len(legal))]
                positions.append((state, action))
            state = state.child(action)
        if len(positions) >= 4 * most:
            break
    step = max(1.0, len(positions) / most)
    return [positions[int(number * step)] for number in range(min(most, len(positions)))]


def clones(positions: list[tuple[Any, int]]) -> Work:
    """Copies of positions."""

    def call() -> None:
        for state, _ in positions:
            state.clone()

    return Work(call, len(positions))


def children(positions: list[tuple[Any, int]]) -> Work:
    """Copies of positions on which an action is applied."""

    def call() -> None:
        for state, action in positions:
            state.child(action)

    return Work(call, len(positions))
