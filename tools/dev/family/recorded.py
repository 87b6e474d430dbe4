"""Short games of another library, kept as text: how many moves were legal, and the one that was played.

`20:e2e4 20:e7e5` are two moves of White and Black, each from twenty.
"""

from __future__ import annotations

import random
from collections.abc import Iterator
from typing import Any

from interpreter import Game

from .judge import Rival
from .moves import Board

GAMES = 12


def recorded(rival: Rival, plies: int) -> list[str]:
    """Some games of so many moves, drawn by seed."""
    return [" ".join(one_game(rival, plies, random.Random(seed))) for seed in range(GAMES)]


def one_game(rival: Rival, plies: int, dice: random.Random) -> Iterator[str]:
    """Its moves, each after the number of those that were legal."""
    for _ in range(plies):
        legal = rival.legal()
        if not legal:
            return
        move = dice.choice(sorted(legal))
        yield f"{len(legal)}:{move}"
        rival = rival.after(legal[move])


def replayed(game: Game, board: Board, text: str) -> str:
    """The same game as ours tells it: up to the first move that it does not have, which is left out."""
    told = list[str]()
    state: Any = game.new_state(seed=0, undo=False, record=False)
    for entry in text.split():
        _, _, move = entry.partition(":")
        children = dict(board.moves(state))
        if move not in children:
            break
        told.append(f"{len(children)}:{move}")
        state = children[move]
    return " ".join(told)
