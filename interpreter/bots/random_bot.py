"""A player that chooses uniformly among the legal actions."""

from __future__ import annotations

from interpreter.game import State
from interpreter.runtime import rng


class RandomBot:
    """Chooses uniformly among the legal actions, by its own generator: the same seed plays the same game.

    Raises ValueError for a seed that is no whole number of at most 64 bits.
    """

    def __init__(self, seed: int) -> None:
        self.seed = rng.mix(rng.check_seed(seed) ^ rng.GAMMA)
        self.counter = 0

    def choose(self, state: State, player: int | None = None) -> int:
        """An action for a player who is asked, or the current one."""
        legal = state.legal_actions(player)
        if len(legal) == 1:
            return legal[0]
        n, self.counter = rng.below(self.seed, self.counter, len(legal))
        return legal[n]
