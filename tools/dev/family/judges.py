"""The judges by name: another library that is asked at each position, or judges that are asked game by game."""

from __future__ import annotations

from dataclasses import dataclass
from importlib import import_module
from typing import Any, NamedTuple, Protocol

from interpreter import Game

from . import deals, tricks
from .beside import Beside, paths, paths_there, played
from .judge import Library
from .recorded import recorded, replayed


class Bounds(NamedTuple):
    """How much is looked at: games, moves of a game at most, moves whose paths are counted."""

    games: int
    plies: int
    depth: int


class Judge(Protocol):
    """What judges a family; each game by its name here, and by its name there."""

    def beside(self, game: Game, name: str, there: str, bounds: Bounds) -> Beside:
        """What came of playing a game in step."""

    def kept(self, game: Game, name: str, there: str, plies: int) -> list[str]:
        """Games of the other library for the tests; none where it has not this one."""

    def replayed(self, game: Game, text: str) -> str:
        """A kept game as ours tells it, up to the first difference."""


@dataclass(frozen=True, slots=True)
class ByPositions:
    """A library that is asked for the legal moves of each position."""

    library: Library

    def beside(self, game: Game, name: str, there: str, bounds: Bounds) -> Beside:  # noqa: ARG002 - it goes by names there
        """See `Judge`; the paths from the first position are counted, too."""
        board, rival = self.library.board(game), self.library.first(there)
        found = played(game, board, rival, bounds.games, bounds.plies)
        depth = bounds.depth
        if depth and (ours := paths(game, board, depth)) != (theirs := paths_there(rival, depth)):
            found.differences.append(f"{ours} paths of {depth} moves, and there {theirs}")
        return found

    def kept(self, game: Game, name: str, there: str, plies: int) -> list[str]:  # noqa: ARG002 - the library plays them
        """See `Judge`."""
        return recorded(self.library.first(there), plies)

    def replayed(self, game: Game, text: str) -> str:
        """See `Judge`."""
        return replayed(game, self.library.board(game), text)


class ByGames:
    """Games that are dealt are judged whole."""

    def beside(self, game: Game, name: str, there: str, bounds: Bounds) -> Beside:  # noqa: ARG002 - it goes by our names
        """See `Judge`."""
        return tricks.beside(game, name, bounds.games)

    def kept(self, game: Game, name: str, there: str, plies: int) -> list[str]:  # noqa: ARG002 - a deal is played to its end
        """See `Judge`."""
        return tricks.recorded(game, name)

    def replayed(self, game: Game, text: str) -> str:
        """See `Judge`."""
        return deals.replayed(game, text)


BY_GAMES: dict[str, Judge] = {"tricks": ByGames()}


def judge(name: str) -> Judge:
    """A judge by its name: that of the module of this package which speaks to a library."""
    if name in BY_GAMES:
        return BY_GAMES[name]
    module: Any = import_module(f".{name}", __package__)  # a module with the two functions of a library
    return ByPositions(module)
