"""How games are played for a review: every number of players, the game's bots, and each option."""

from __future__ import annotations

from typing import Any

from rulespec.checker.program import CheckedGame
from rulespec.system.records import dataclass

RANDOM = "random"


@dataclass(frozen=True, slots=True)
class Setup:
    """How a series is played: players, options that have not their default, and the bot that has all seats."""

    players: int
    options: tuple[tuple[str, str], ...] = ()
    bot: str = RANDOM

    @property
    def name(self) -> str:
        """In words: `3 players, walls=low, bot greedy`."""
        parts = [f"{self.players} player{'' if self.players == 1 else 's'}"]
        parts += [f"{name}={value}" for name, value in self.options]
        parts += [] if self.bot == RANDOM else [f"bot {self.bot}"]
        return ", ".join(parts)


def setups(checked: CheckedGame, bots: tuple[str, ...]) -> list[Setup]:
    """All numbers of players as the game is by default, then its bots, then each other value of each option by itself."""
    plain = [Setup(players) for players in checked.players]
    given = [Setup(players, (), bot) for bot in bots for players in ends(list(checked.players))]
    varied = []
    for option in checked.options:
        values = ends([value for value in option.values if value != option.default])
        counts = ends(list(option.players))
        if len(values) == 1:
            pairs = [(values[0], players) for players in counts]
        else:  # each with one number of players: many options have many values
            pairs = list(zip(values, reversed(counts) if len(counts) > 1 else counts * 2, strict=False))
        varied += [Setup(players, ((option.name, value),)) for value, players in pairs]
    return plain + given + varied


def ends(values: list[Any]) -> list[Any]:
    """The first and the last."""
    return values if len(values) < 3 else [values[0], values[-1]]
