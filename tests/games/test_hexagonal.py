"""Hexagonal chess beside an oracle in cube coordinates, which knows nothing of the rules as data: the same moves at each position."""

from __future__ import annotations

import random
from collections.abc import Iterator

import rulespec
from interpreter import Game
from tests.helpers.places import ALL

Cell = tuple[int, int]  # columns and rows from the middle
Men = dict[Cell, tuple[str, str]]
FILES = "abcdefghikl"  # as Gliński calls them
BEGIN = {
    "pawn": "b1 c2 d3 e4 f5 g4 h3 i2 k1",
    "rook": "c1 i1",
    "knight": "d1 h1",
    "bishop": "f1 f2 f3",
    "queen": "e1",
    "king": "g1",
}
RIVAL = {"white": "black", "black": "white"}
FORWARD = {"white": (0, 1), "black": (0, -1)}
CAPTURES = {"white": [(-1, 1), (1, 0)], "black": [(-1, 0), (1, -1)]}
PROMOTED = ["queen", "rook", "bishop", "knight"]
GAMES, PLIES = (20, 150) if ALL else (2, 20)


def turned(x: int, y: int) -> list[Cell]:
    """A step and the five that it is turned into."""
    found = []
    for _ in range(6):
        found.append((x, y))
        x, y = -y, x + y
    return found


STRAIGHT, ASLANT, LEAPS = turned(0, 1), turned(1, 1), turned(1, 2) + turned(2, 1)
WAYS = {"king": STRAIGHT + ASLANT, "queen": STRAIGHT + ASLANT, "rook": STRAIGHT, "bishop": ASLANT, "knight": LEAPS}


def on(cell: Cell) -> bool:
    return max(abs(cell[0]), abs(cell[1]), abs(sum(cell))) <= 5


def add(one: Cell, other: Cell) -> Cell:
    return one[0] + other[0], one[1] + other[1]


def named(cell: Cell) -> str:
    return f"{'abcdefghijk'[cell[0] + 5]}{cell[1] + 6}"


def begun() -> Men:
    men: Men = {}
    for kind, places in BEGIN.items():
        for place in places.split():
            q, rank = FILES.index(place[0]) - 5, int(place[1:])
            men[q, max(-5, -5 - q) + rank - 1] = "white", kind
            men[q, min(5, 5 - q) - rank + 1] = "black", kind
    return men


FIRST = begun()


class Oracle:
    """A position: where men stand, who moves, and which pawn may be captured in passing, by its cell and the one it passed."""

    def __init__(self, men: Men, side: str, passed: tuple[Cell, Cell] | None = None) -> None:
        self.men, self.side, self.passed = men, side, passed

    def reached(self, side: str) -> Iterator[tuple[Cell, Cell]]:
        for cell, (owner, kind) in self.men.items():
            if owner != side:
                continue
            if kind == "pawn":
                yield from ((cell, to) for to in self.pawn(cell, side))
                continue
            for way in WAYS[kind]:
                to = add(cell, way)
                while on(to) and self.men.get(to, ("",))[0] != side:
                    yield cell, to
                    if to in self.men or kind in ("king", "knight"):
                        break
                    to = add(to, way)

    def pawn(self, cell: Cell, side: str) -> Iterator[Cell]:
        one = add(cell, FORWARD[side])
        two = add(one, FORWARD[side])
        if on(one) and one not in self.men:
            yield one
            if FIRST.get(cell) == (side, "pawn") and on(two) and two not in self.men:
                yield two
        for way in CAPTURES[side]:
            to = add(cell, way)
            if self.men.get(to, (side,))[0] != side or (self.passed is not None and to == self.passed[0]):
                yield to

    def after(self, a: Cell, b: Cell, promoted: str | None = None) -> Oracle:
        men = dict(self.men)
        side, kind = men.pop(a)
        if kind == "pawn" and self.passed is not None and b == self.passed[0]:
            del men[self.passed[1]]
        men[b] = side, promoted or kind
        step = add(a, FORWARD[side])
        double = kind == "pawn" and b == add(step, FORWARD[side])
        return Oracle(men, RIVAL[side], (step, b) if double else None)

    def in_check(self, side: str) -> bool:
        king = next(cell for cell, man in self.men.items() if man == (side, "king"))
        return any(to == king for _, to in Oracle(self.men, RIVAL[side]).reached(RIVAL[side]))

    def legal(self) -> dict[tuple[str, str], tuple[Cell, Cell]]:
        return {
            (named(a), named(b)): (a, b)
            for a, b in self.reached(self.side)
            if not self.after(a, b).in_check(self.side)
        }  # fmt: skip


def test_the_same_moves_at_each_position() -> None:
    game = Game(rulespec.load("chess_family", variant="glinski"), backend="python")
    assert len(Oracle(FIRST, "white").legal()) == 51
    positions = 0
    for seed in range(GAMES):
        dice, state, there = (
            random.Random(seed),
            game.new_state(seed=0, undo=False, record=False),
            Oracle(FIRST, "white"),
        )
        for _ in range(PLIES):
            legal = there.legal()
            if state.is_terminal():
                assert legal or list(state.returns()) == mated(there)
                break
            ours = {
                (state.action_to_string(a), half.action_to_string(b)): (a, b)
                for a in state.legal_actions()
                for half in [state.child(a)]
                for b in half.legal_actions()
            }
            assert ours.keys() == legal.keys()
            positions += 1
            move = dice.choice(sorted(ours))
            for action in ours[move]:
                state.apply_action(action)
            a, b = legal[move]
            side, kind = there.men[a]
            promoted = None
            if kind == "pawn" and not on(add(b, FORWARD[side])):
                promoted = dice.choice(PROMOTED)
                state.apply_action(next(x for x in state.legal_actions() if state.action_to_string(x) == promoted))
            there = there.after(a, b, promoted)
    assert positions > GAMES * PLIES / 2


def mated(there: Oracle) -> list[int]:
    """What players get where nobody can move."""
    if not there.in_check(there.side):
        return [0, 0]
    return [-1, 1] if there.side == "white" else [1, -1]
