"""Chess against the published numbers of paths of legal moves (perft).

The positions and numbers are those of the chess programming wiki, https://www.chessprogramming.org/Perft_Results.  A move is
two answers, from where and to where, and a third where a pawn becomes something else; a path counts once.
"""

from __future__ import annotations

import os

import pytest

from interpreter import Game, State
from rulespec import ir
from tests.helpers.games import loaded

POSITIONS = {
    "start": "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq -",
    "kiwipete": "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq -",
    "position 3": "8/2p5/3p4/KP5r/1R3p1k/8/4P1P1/8 w - -",
    "position 4": "r3k2r/Pppp1ppp/1b3nbN/nP6/BBP1P3/q4N2/Pp1P2PP/R2Q1RK1 w kq -",
    "position 5": "rnbq1k1r/pp1Pbppp/2p5/8/2B5/8/PPP1NnPP/RNBQK2R w KQ -",
    "position 6": "r4rk1/1pp1qppp/p1np1n2/2b1p1B1/2B1P1b1/P1NP1N2/1PP1QPPP/R4RK1 w - -",
}
PERFT = {
    "start": (20, 400, 8_902, 197_281, 4_865_609),
    "kiwipete": (48, 2_039, 97_862),
    "position 3": (14, 191, 2_812, 43_238),
    "position 4": (6, 264, 9_467),
    "position 5": (44, 1_486, 62_379),
    "position 6": (46, 2_079, 89_890),
}
MANY = 10_000  # paths that every run of the tests counts, at most
MOST = 200_000  # the same of `make equality`
KINDS = {"k": "king", "q": "queen", "r": "rook", "b": "bishop", "n": "knight", "p": "pawn"}
CORNERS = {"K": "h1", "Q": "a1", "k": "h8", "q": "a8"}


class Board:
    """The state of a game, set to a position in Forsyth-Edwards notation."""

    def __init__(self, game: Game) -> None:
        self.game = game
        self.base = {own.name: own.base for own in game.program.variables}
        members = {kind.name: kind.members for kind in game.program.kinds}
        self.squares, self.men = members["Square"], members["Man"]

    def state(self, fen: str) -> State:
        """A state in which the side to move is asked."""
        state = self.game.new_state(seed=1, undo=False, record=False)
        placed, side, castling, passed = fen.split()
        slots, base = state.slots, self.base
        slots[base["man"] : base["man"] + 64] = [None] * 64
        for row, written in zip(range(8, 0, -1), placed.split("/"), strict=True):
            column = 0
            for sign in written:
                if sign.isdigit():
                    column += int(sign)
                    continue
                square = self.squares.index("abcdefgh"[column] + str(row))
                white = sign.isupper()
                slots[base["man"] + square] = self.men.index(f"{'white' if white else 'black'}_{KINDS[sign.lower()]}")
                if sign in "Kk":
                    slots[base["king_at"] + (0 if white else 1)] = square
                column += 1
        slots[base["active"]] = "wb".index(side)
        slots[base["unmoved"]] = tuple(sorted(self.squares.index(CORNERS[sign]) for sign in castling.strip("-")))
        slots[base["passed"]] = None if passed == "-" else self.squares.index(passed)
        return state

    def paths(self, state: State, depth: int) -> int:
        """The paths of so many moves."""
        if state.is_terminal():
            return 0
        return sum(
            self.moved(moved, depth) for start in state.legal_actions() for moved in self.after_each(state.child(start))
        )

    def moved(self, state: State, depth: int) -> int:
        """The same after a move, which is not over yet where a pawn becomes something else."""
        if not state.is_terminal() and self.asked(state) == "kind":
            return sum(self.moved(own, depth) for own in self.after_each(state))
        return 1 if depth == 1 else self.paths(state, depth - 1)

    def asked(self, state: State) -> str:
        """What is asked, without the labels of all options."""
        site = self.game.sites[state.slots[ir.CONTROL][0]]
        return "" if site is None else site.name

    def after_each(self, state: State) -> list[State]:
        return [state.child(action) for action in state.legal_actions()]


def cases(most: int, least: int = 0) -> list[tuple[str, int, int]]:
    """Positions with depths and how many paths there are."""
    return [
        (name, depth, number)
        for name, numbers in PERFT.items()
        for depth, number in enumerate(numbers, 1)
        if least < number <= most
    ]


@pytest.mark.parametrize(("name", "depth", "number"), cases(MANY))
def test_perft(name: str, depth: int, number: int) -> None:
    """As many paths as others have counted."""
    board = Board(Game(loaded("chess"), players=2))
    assert board.paths(board.state(POSITIONS[name]), depth) == number


@pytest.mark.skipif("EQUALITY_GAMES" not in os.environ, reason="minutes: run by `make equality`")
@pytest.mark.parametrize(("name", "depth", "number"), cases(MOST, MANY))
def test_perft_deeper(name: str, depth: int, number: int) -> None:
    """The same, deeper."""
    test_perft(name, depth, number)


@pytest.mark.parametrize(("name", "depth", "number"), cases(300))
def test_perft_on_the_reference_machine(name: str, depth: int, number: int) -> None:
    """The same on the other back end."""
    board = Board(Game(loaded("chess"), players=2, backend="reference"))
    assert board.paths(board.state(POSITIONS[name]), depth) == number
