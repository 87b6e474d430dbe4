"""Chance: the distinct outcomes of a draw, their exact weights, and drawing one."""

from __future__ import annotations

from collections import Counter
from fractions import Fraction
from typing import Any

from interpreter.runtime import rng
from interpreter.runtime.faults import Problem


class Lottery:
    """Distinct outcomes in the order they are first met, with whole-number weights above 0.

    Equal items are one outcome, with the sum of their weights; those of weight 0 are left out.
    Raises Problem R009 for weights that are negative or not one an item, and for no outcome.
    """

    __slots__ = ("total", "values", "weights")

    def __init__(self, items: tuple[Any, ...], weights: tuple[int, ...] | None) -> None:
        if weights is None:
            self.values, self.total = tuple(dict.fromkeys(items)), len(items)
            each = None if self.total == len(self.values) else tuple(Counter(items).values())
        else:
            if len(weights) != len(items) or min(weights, default=0) < 0:
                raise Problem("R009", "a draw needs one weight, 0 or more, for each item")
            table: dict[Any, int] = {}
            for item, weight in zip(items, weights, strict=True):
                if weight:
                    table[item] = table.get(item, 0) + weight
            self.values, self.total = tuple(table), sum(weights)
            each = None if self.total == len(table) else tuple(table.values())
        if not self.values:
            raise Problem("R009", "there is nothing to draw from")
        self.weights = each  # None where all are 1

    def outcomes(self) -> list[tuple[int, Fraction]]:
        """(action, probability) of every outcome; the probabilities add up to 1."""
        weights = self.weights or (1,) * len(self.values)
        return [(i, Fraction(w, self.total)) for i, w in enumerate(weights)]

    def draw(self, seed: int, counter: int) -> tuple[int, int]:
        """The action that falls, and the generator's counter after it."""
        n, counter = rng.below(seed, counter, self.total)
        if self.weights is None:
            return n, counter
        action = 0
        while n >= self.weights[action]:
            n -= self.weights[action]
            action += 1
        return action, counter
