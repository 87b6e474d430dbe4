"""The rounds of a game: what there is when one begins, against the first.

A round begins where the first question of the game is put again to the seat to which it was put first, and something else was asked
between.
"""

from __future__ import annotations

from collections import Counter
from typing import Any

from .groups import WORD, Group

ROUNDS = "rounds"  # the population of the figures


class Rounds:
    """The rounds of one game."""

    def __init__(self, groups: list[Group], counts: Counter[tuple[Any, ...]]) -> None:
        self.groups = [group for group in groups if group.what != WORD]
        self.counts = counts
        self.moved: set[str] = set()  # the groups that have changed since the round began
        self.first: tuple[str, int] | None = None
        self.last: tuple[str, int] | None = None
        self.totals: dict[str, float] = {}  # at the first

    def ask(self, asked: str, seat: int, slots: list[Any]) -> dict[str, float] | None:
        """Take note of a question; where a round begins, how much more there is of each group than at the first."""
        before, self.last = self.last, (asked, seat)
        if self.first is None:
            self.first = asked, seat
            self.totals = {group.name: group.total(slots) for group in self.groups}
        if self.last != self.first or before in (None, self.first):
            return None
        more = {group.name: group.total(slots) - self.totals[group.name] for group in self.groups}
        self.counts.update(("other at a round" if number else "same at a round", name) for name, number in more.items())
        self.counts.update(("moved in a round", name) for name in self.moved)
        self.moved = set()
        return more
