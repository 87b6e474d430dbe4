"""Fairy-Stockfish as a judge: legal moves, ends and results of a position.

Moves are written as there: `e2e4`, `e7e8q`, `N@f3`, `e2e4,e4d5`.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Collection
from dataclasses import dataclass
from functools import cache
from importlib import import_module
from pathlib import Path
from typing import Any, Self

from interpreter import Game

from .judge import End
from .moves import Board

MATE = 30_000  # values beyond it are wins and losses
FROM_TO = re.compile(r"([a-l]\d+){2}")


def first(name: str) -> Fairy:
    """The first position."""
    library = fairy()
    return Fairy(library, name, library.start_fen(name))


def board(game: Game) -> Board:
    """How the moves of our game are written."""
    return Letters(game)


class Letters(Board):
    """Squares and letters of men."""

    def __init__(self, game: Game) -> None:
        members = {kind.name: kind for kind in game.program.kinds}
        self.squares = frozenset(members["Square"].members)
        kinds = members["Kind"]
        letters = next(field.values for field in kinds.fields if field.name == "letter")
        self.letters = dict(zip(kinds.members, letters, strict=True))

    def written(self, answers: tuple[str, ...]) -> str:
        """A move by its answers; the words that only choose between moving and dropping are left out."""
        match [one for one in answers if one in self.squares or one in self.letters]:
            case [kind, square] if kind in self.letters:
                return f"{self.letters[kind].upper()}@{square}"
            case [a, b, *rest] if (
                len(rest) == 2 and rest[0] in self.squares
            ):  # one more man enters, on one of two squares
                return f"{a}{b}{self.letters[rest[1]]}" if rest[0] == a else f"{rest[0]}{a}{self.letters[rest[1]]}"
            case [a, b, *rest]:
                signs = [self.letters[one] for one in rest if one in self.letters]
                walls = [f",{b}{one}" for one in rest if one in self.squares]
                return "".join([a, b, *("+" if sign.startswith("+") else sign for sign in signs), *walls])
            case said:
                raise ValueError(f"no move is written by {said}")

    def shortened(self, moves: Collection[str]) -> dict[str, str]:
        """From where to where, if nothing else is open then."""
        return shortened(moves)


def shortened(moves: Collection[str]) -> dict[str, str]:
    """Moves by what is asked of a player: from where to where, if nothing else is open then."""
    stems = {move: found[0] if (found := FROM_TO.match(move)) else move for move in moves}
    many = Counter(stems.values())
    return {stem if many[stem] == 1 else move: move for move, stem in stems.items()}


@cache
def fairy() -> Any:
    """The library, which has read how those games are said that it does not know by name."""
    library = import_module("pyffish")
    library.load_variant_config((Path(__file__).parent / "rules.ini").read_text(encoding="utf-8"))
    return library


@dataclass(frozen=True, slots=True)
class Fairy:
    """A position of a game by its name there: the first one, and the moves since.

    Each question to the library costs it ten milliseconds of preparation, so that as few as possible are asked.
    """

    library: Any
    name: str
    fen: str
    moves: tuple[str, ...] = ()

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
