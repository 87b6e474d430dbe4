"""What all bots share: the protocol by which they are asked, and a random number generator of their own."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Protocol, TypeVar

from interpreter.game import State
from interpreter.runtime import rng

T = TypeVar("T")


class Bot(Protocol):
    """A player: answers for one seat."""

    def choose(self, state: State, player: int | None = None) -> int:
        """An action for a player who is asked, or the current one."""
        ...


class Chance:
    """Random numbers of one bot, apart from those of the game: the same seed plays the same game."""

    def __init__(self, seed: int) -> None:
        self.seed = rng.mix(rng.check_seed(seed) ^ rng.GAMMA)
        self.counter = 0

    def below(self, limit: int) -> int:
        """A number from 0 to `limit` - 1, each with the same probability."""
        n, self.counter = rng.below(self.seed, self.counter, limit)
        return n

    def one_of(self, items: Sequence[T]) -> T:
        """One of several items, each with the same probability."""
        return items[0] if len(items) == 1 else items[self.below(len(items))]

    def weighted(self, items: Sequence[T], weights: Sequence[int]) -> T:
        """One of several items by weight; an item with a weight below 1 only if all are."""
        real = [max(0, weight) for weight in weights]
        if not sum(real):
            return self.one_of(items)
        n = self.below(sum(real))
        for item, weight in zip(items, real, strict=True):
            if n < weight:
                return item
            n -= weight
        raise AssertionError

    def shuffled(self, items: Sequence[T]) -> list[T]:
        """The items in random order."""
        order = list(items)
        for i in range(len(order) - 1, 0, -1):
            j = self.below(i + 1)
            order[i], order[j] = order[j], order[i]
        return order
