"""pydraughts as a judge: legal moves, ends and results of a position.

A move is compared by all squares that the man comes to: `c3-e5-c7`.  There kings of Turkish draughts pass over men where they capture
nobody; such moves are left out, since a king goes over empty squares alone.
"""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass
from functools import cache
from importlib import import_module
from typing import Any, Self

from interpreter import Game

from .judge import End
from .moves import Board

WHITE, BLACK = 2, 1
Steps = list[list[int]]  # from one number of a square to the next


def first(name: str) -> Draughts:
    """The first position."""
    return Draughts(import_module("draughts.core.game").Game(name))


def board(game: Game) -> Board:  # noqa: ARG001 - squares are called alike in all
    """How the moves of our game are written."""
    return Squares()


class Squares(Board):
    """Squares alone."""

    def written(self, answers: tuple[str, ...]) -> str:
        """A move by its answers."""
        return "-".join(answers)


@dataclass(frozen=True, slots=True)
class Draughts:
    """A position of a game there, which is never changed."""

    game: Any

    def after(self, move: Steps) -> Self:
        """The position after a move."""
        game = self.game.copy()
        game.push(move)
        return type(self)(game)

    def legal(self) -> dict[str, Steps]:
        """The legal moves."""
        found = zip(*self.game.legal_moves(), strict=True)
        open_to = [steps for steps, taken in found if taken[0] is not None or not self.passes(*steps[0])]
        return {"-".join(map(self.square, [steps[0][0], *(to for _, to in steps)])): steps for steps in open_to}

    def passes(self, start: int, to: int) -> bool:
        """Whether a move along a row or column passes over a man."""
        if self.game.variant != "turkish":
            return False
        low, high = sorted((start, to))
        between = range(low, high, 1 if high - low < self.game.board.width else self.game.board.width)[1:]
        return any(number in self.game.board.searcher.filled_positions for number in between)

    def square(self, number: int) -> str:
        """What we call a square."""
        columns, rows = self.game.board.width, self.game.board.height
        return square(number, columns, rows, self.game.variant == "turkish", self.game.variant == "italian")

    def end(self, legal: Collection[str], closely: bool) -> End:  # noqa: ARG002 - it is quick to be asked
        """Whether the game is over here.  The same position three times is a draw wherever anything is."""
        for player, white in ((WHITE, 1), (BLACK, -1)):
            if self.game.has_player_won(player):
                return End(True, white, "no move" if not legal else "aim")
        if self.game.is_draw() or self.game.is_threefold():
            return End(True, 0, "draw")
        return End(False)


@cache
def square(number: int, columns: int, rows: int, every: bool, light: bool) -> str:
    """A square by its number, which are counted from White's far left, on `every` square or on those of one colour."""
    row, column = divmod(number - 1, columns)
    if not every:
        column = 2 * column + ((row + light) % 2 == 0)
    return f"{chr(ord('a') + column)}{rows - row}"
