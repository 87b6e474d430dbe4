"""The beginning of games one after another.  Needs numpy."""

from __future__ import annotations

from typing import Any

import numpy as np

import rulespec

MOST_EMPTY = 1000  # games in which nobody decides anything, one after the other


def nodes(game: rulespec.Game) -> int:
    """How many nodes of players a game has at most.  Where an answer may be several of them, what is worked out of answers is no bound."""
    single = all(site.base is not None for site in game.actions.sites)
    return game.max_game_length if single else game.most_decisions


class Games:
    """Games one after another, each with a seed of its own that follows from the first."""

    def __init__(self, game: rulespec.Game) -> None:
        self.game = game
        self.random: Any = np.random.default_rng()

    def begin(self, seed: int | None) -> rulespec.Numbered:
        """The next game in which somebody decides something; a seed begins the row again.  Raises Fault."""
        if seed is not None:
            self.random = np.random.default_rng(seed)
        for _ in range(MOST_EMPTY):
            state = self.game.new_state(int(self.random.integers(2**63)), undo=False, record=False)
            if not state.is_terminal():
                break
        return state.numbered()
