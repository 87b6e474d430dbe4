"""What another library has to tell of a game, so that ours can be played beside it."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from typing import Any, NamedTuple, Protocol, Self

from interpreter import Game

from .moves import Board


class End(NamedTuple):
    """What a position is: whether the game is over, what white gets, and why."""

    over: bool
    white: int = 0
    why: str = ""


class Rival(Protocol):
    """A position of a game there."""

    def after(self, move: Any) -> Self:
        """The position after a move, which is written as there."""

    def legal(self) -> Mapping[str, Any]:
        """The legal moves, as ours are written: how each is written there."""

    def end(self, legal: Collection[str], closely: bool) -> End:
        """Whether the game is over here: by its aim, without a legal move, or, looked at closely, by what either may claim."""


class Library(Protocol):
    """A library: one module of this package for each."""

    def first(self, name: str) -> Rival:
        """The first position of a game by its name there."""

    def board(self, game: Game) -> Board:
        """How the moves of our game are written to be compared."""
