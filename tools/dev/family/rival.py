"""The other library: legal moves, ends and results of a position."""

from __future__ import annotations

from dataclasses import dataclass
from importlib import import_module
from typing import Any, NamedTuple, Self

MATE = 30_000  # values beyond it are wins and losses


class End(NamedTuple):
    """What a position is: whether the game is over, what white gets, and why."""

    over: bool
    white: int = 0
    why: str = ""


@dataclass(frozen=True, slots=True)
class Rival:
    """A position of a game by its name there: the first one, and the moves since.

    Each question to the library costs it ten milliseconds of preparation, so that as few as possible are asked.
    """

    library: Any
    name: str
    fen: str
    moves: tuple[str, ...] = ()

    @classmethod
    def start(cls, name: str) -> Self:
        """The first position."""
        library = import_module("pyffish")
        return cls(library, name, library.start_fen(name))

    def after(self, move: str) -> Self:
        """The position after a move."""
        return type(self)(self.library, self.name, self.fen, (*self.moves, move))

    def legal(self) -> set[str]:
        """The legal moves."""
        return set(self.library.legal_moves(self.name, self.fen, [*self.moves]))

    def end(self, legal: set[str], closely: bool) -> End:
        """Whether the game is over here: by its aim, without a legal move, or, looked at closely, by what either may claim."""
        here = (self.name, self.fen, [*self.moves])
        sign = -1 if (len(self.moves) + (self.fen.split()[1] == "b")) % 2 else 1  # values are those of who is to move
        over, value = self.library.is_immediate_game_end(*here)
        if over:
            return End(True, sign * result(value), "aim")
        if not legal:
            return End(True, sign * result(self.library.game_result(*here)), "no move")
        if closely:
            over, value = self.library.is_optional_game_end(*here)
            if over:
                return End(True, sign * result(value), "claim")
            if all(self.library.has_insufficient_material(*here)):
                return End(True, 0, "material")
        return End(False)


def result(value: int) -> int:
    """A win, a loss or a draw of a value."""
    return (value > MATE) - (value < -MATE)
