"""Games of ours and of the other library in step: the same moves, ends and results at each position."""

from __future__ import annotations

import random
from dataclasses import dataclass, field
from typing import Any

from interpreter import Game

from .judge import Rival
from .moves import Board

CLOSELY = 10  # each position of so many is asked for claims, besides those where ours is over


@dataclass
class Beside:
    """What came of playing a game beside the other library."""

    games: int = 0
    positions: int = 0
    moves: int = 0
    ends: dict[str, int] = field(default_factory=dict)
    differences: list[str] = field(default_factory=list)

    def differs(self, what: str, moves: list[str]) -> None:
        """Write down a difference, with the moves that lead to it."""
        self.differences.append(f"{what} after {' '.join(moves) or 'the first position'}")


def compared(found: Beside, state: Any, board: Board, rival: Rival, moves: list[str]) -> dict[str, tuple[Any, str]]:
    """The moves of a position with what follows here and how each is written there; none where the game is over or the two differ."""
    found.positions += 1
    legal = rival.legal()
    end = rival.end(legal, state.is_terminal() or len(moves) % CLOSELY == 0)
    if end.over != state.is_terminal():
        ours = "over" if state.is_terminal() else "not over"
        found.differs(f"{ours} here, and there {end.why or 'it goes on'}", moves)
        return {}
    if end.over:
        found.ends[end.why] = found.ends.get(end.why, 0) + 1
        if state.returns() != [end.white, -end.white]:
            found.differs(f"{state.returns()} here, and there {end.white} for White by {end.why}", moves)
        return {}
    children = dict(board.moves(state))
    found.moves += len(children)
    if children.keys() != legal.keys():
        less, more = sorted(legal.keys() - children.keys()), sorted(children.keys() - legal.keys())
        found.differs(f"not here: {less}; only here: {more}", moves)
        return {}
    return {move: (after, legal[move]) for move, after in children.items()}


def played(game: Game, board: Board, rival: Rival, games: int, plies: int, most: int = 3) -> Beside:
    """So many random games of so many plies at most; it ends at so many differences."""
    found = Beside()
    for seed in range(games):
        dice, moves, there = random.Random(seed), list[str](), rival
        state = game.new_state(seed=0, undo=False, record=False)
        while children := compared(found, state, board, there, moves):
            if len(moves) >= plies:
                break
            moves.append(dice.choice(sorted(children)))
            state, written = children[moves[-1]]
            there = there.after(written)
        found.games += 1
        if len(found.differences) >= most:
            break
    return found


def paths(game: Game, board: Board, depth: int) -> int:
    """How many paths of so many moves begin at the first position."""

    def below(state: Any, left: int) -> int:
        children = [after for _, after in board.moves(state)]
        return len(children) if left == 1 else sum(below(after, left - 1) for after in children)

    return below(game.new_state(seed=0, undo=False, record=False), depth)


def paths_there(rival: Rival, depth: int) -> int:
    """The same of the other library."""

    legal = rival.legal()
    if rival.end(legal, closely=False).over:
        return 0
    return len(legal) if depth == 1 else sum(paths_there(rival.after(one), depth - 1) for one in legal.values())
