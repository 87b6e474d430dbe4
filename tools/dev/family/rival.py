"""The other library: legal moves, ends and results of a position."""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass
from functools import cache
from importlib import import_module
from pathlib import Path
from typing import Any, NamedTuple, Self

from .moves import shortened

MATE = 30_000  # values beyond it are wins and losses


class End(NamedTuple):
    """What a position is: whether the game is over, what white gets, and why."""

    over: bool
    white: int = 0
    why: str = ""


@cache
def fairy() -> Any:
    """The library, which has read how those games are said that it does not know by name."""
    library = import_module("pyffish")
    library.load_variant_config((Path(__file__).parent / "rules.ini").read_text(encoding="utf-8"))
    return library


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
        library = fairy()
        return cls(library, name, library.start_fen(name))

    def after(self, move: str) -> Self:
        """The position after a move, which is written in full."""
        return type(self)(self.library, self.name, self.fen, (*self.moves, move))

    def legal(self) -> dict[str, str]:
        """The legal moves: as short as ours are written, and in full."""
        return shortened(self.library.legal_moves(self.name, self.fen, [*self.moves]))

    def end(self, legal: Collection[str], closely: bool) -> End:
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
