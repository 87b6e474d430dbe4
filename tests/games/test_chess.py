"""Chess on every back end: published numbers of paths of legal moves (perft), and games beside OpenSpiel where it is installed.

The positions and numbers are those of the chess programming wiki, https://www.chessprogramming.org/Perft_Results.  A move is
two answers, from where and to where, and a third where a pawn becomes something else; a path counts once.
"""

from __future__ import annotations

import os
from collections.abc import Iterator

import pytest

from interpreter import Game, State
from tests.helpers.games import Dice, loaded
from tests.helpers.native import NEEDS_C, native_on, pair  # noqa: F401

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
MOST = 200_000  # the same of `make equality`, and as C all that is known
KINDS = {"k": "king", "q": "queen", "r": "rook", "b": "bishop", "n": "knight", "p": "pawn"}
PROMOTED = "kqrbnp"  # letters of the kinds of pieces
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
        first = self.game.new_state(seed=1, undo=False, record=False)
        placed, side, castling, passed = fen.split()
        slots, base = list(first.slots), self.base
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
        return self.game.position(slots, first.main, undo=False)

    def paths(self, state: State, depth: int) -> int:
        """The paths of so many moves."""
        return sum(1 if depth == 1 else self.paths(after, depth - 1) for _, after in self.moves(state))

    def moves(self, state: State) -> Iterator[tuple[tuple[int, ...], State]]:
        """Each move as its answers, with what follows; it is not over yet where the mover is asked what a pawn becomes."""
        if state.is_terminal():
            return
        mover = state.current_player()
        for start in state.legal_actions():
            stage = state.child(start)
            for goal in stage.legal_actions():
                after = stage.child(goal)
                if after.is_terminal() or after.current_player() != mover:
                    yield (start, goal), after
                    continue
                for kind in after.legal_actions():
                    yield (start, goal, kind), after.child(kind)

    def written(self, move: tuple[int, ...]) -> str:
        """A move as `e2e4` and `e7e8q`."""
        start, goal, *kind = move
        return self.squares[start] + self.squares[goal] + "".join(PROMOTED[one] for one in kind)


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
    board = Board(Game(loaded("chess"), players=2, backend="python"))
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


@NEEDS_C
@pytest.mark.parametrize(("name", "depth", "number"), cases(10**7 if "EQUALITY_GAMES" in os.environ else MANY, 1_000))
def test_perft_as_c(name: str, depth: int, number: int) -> None:
    """The same as C, to the last known number in `make equality`; nothing is left to Python."""
    native, _ = pair("chess", 2)
    board = Board(native)
    assert board.paths(board.state(POSITIONS[name]), depth) == number
    assert native.handed_over == 0


def beside_openspiel(game: Game, seed: int, most: int = 10_000) -> list[float] | None:
    """A random game: the same legal moves all the way, the same player, the same returns; these, or None after so many moves."""
    other = pytest.importorskip("pyspiel").load_game("chess").new_initial_state()
    chess = pytest.importorskip("pyspiel").chess
    board, state, dice = Board(game), game.new_state(seed=0, undo=False, record=False), Dice(seed)
    for _ in range(most):
        assert other.is_terminal() == state.is_terminal()
        if state.is_terminal():
            assert other.returns()[::-1] == state.returns()
            return list(map(float, state.returns()))
        assert other.current_player() == 1 - state.current_player()  # their white is player 1
        theirs = {chess.action_to_move(action, other.board()).to_lan(): action for action in other.legal_actions()}
        ours = {board.written(move): after for move, after in board.moves(state)}
        assert theirs.keys() == ours.keys()
        name = sorted(ours)[dice.below(len(ours))]
        other.apply_action(theirs[name])
        state = ours[name]
    return None


@pytest.mark.parametrize("backend", ["python", "reference"])
def test_in_step_with_openspiel(backend: str) -> None:
    """A game's first moves."""
    beside_openspiel(Game(loaded("chess"), players=2, backend=backend), 1, 30 if backend == "python" else 4)


@NEEDS_C
def test_as_c_in_step_with_openspiel() -> None:
    """Whole games, which end in each way."""
    native, _ = pair("chess", 2)
    ends = [beside_openspiel(native, seed) for seed in range(1000 if "EQUALITY_GAMES" in os.environ else 30)]
    assert {tuple(end or ()) for end in ends} == {(0, 0), (1, -1), (-1, 1)}
    assert native.handed_over == 0
