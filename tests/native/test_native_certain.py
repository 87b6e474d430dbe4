"""What looking ahead shows for one candidate and so for many, as C: the same questions and the same ends as in Python."""

from __future__ import annotations

import re

from interpreter.native.emitter.program import source
from tests.helpers.games import Dice, loaded
from tests.helpers.native import NEEDS_C, native_on, pair  # noqa: F401
from tests.helpers.places import ROOT

pytestmark = NEEDS_C
FENCES, QUORIDOR = ROOT / "tests/native/fences.yaml", ROOT / "tools/dev/bench/data/quoridor.yaml"


def test_candidates_of_every_question_are_those_of_python() -> None:
    """Answer by answer, in whole games: fences laid, pulled and moved, what is reached by colours, candidates that a value asks of."""
    native, python = pair(FENCES, 2)
    refused = 0
    for seed in range(3):
        one, two = (game.new_state(seed, undo=False, record=False) for game in (native, python))
        dice = Dice(seed)
        while not one.is_terminal():
            legal = one.legal_actions()
            assert legal == two.legal_actions()
            refused += len(legal) < 60
            action = legal[dice.below(len(legal))]
            one.apply_action(action)
            two.apply_action(action)
        assert one.slots == two.slots
    assert native.handed_over == 0 and refused > 100


def test_few_positions_are_looked_at_where_procedures_only_store() -> None:
    """Where the value asks of the candidate, or for what cannot be reached, or where the procedure may be a fault, each is."""
    text = source(loaded(FENCES).program(players=2)).text
    questions = re.findall(r"^static int legal\d+\(RsState\*S,uint8_t[^{]*\{(.*)", text, re.M)
    assert ["=S->scratch.fuel" in body for body in questions] == [True] * 4 + [False] * 2
    steps = [line for line in text.split("\n") if re.match(" I.*Kept", line)]
    assert ["=S->scratch.fuel" in line for line in steps] == [True, False, True, True]


def test_walls_leave_both_a_way_and_no_others_are_refused() -> None:
    """Quoridor as its rules read: what may be built is worked out here by going from square to square."""
    native = pair(QUORIDOR, 2)[0]
    state, dice, refused = native.new_state(3, undo=False, record=False), Dice(8), 0
    walls: set[tuple[int, bool]] = set()  # the corner of each, and whether it lies along
    while len(walls) < 14:
        legal = state.legal_actions()
        if legal[-1] == 128:
            legal.pop()
        pawns = [int(state.slots[slot]) for slot in (10, 11)]
        fitting = {k for k in range(128) if fits(walls, wall_of(k))}
        may = {k for k in fitting if both_arrive({*walls, wall_of(k)}, pawns)}
        assert may == set(legal)
        refused += len(fitting - may)
        action = legal[dice.below(len(legal))]
        walls.add(wall_of(action))
        state.apply_action(action)
    assert refused


def wall_of(number: int) -> tuple[int, bool]:
    """The corner of a wall, as a square counted from 0 in rows of nine, and whether it lies along."""
    corner, along = divmod(number, 2)
    return corner // 8 * 9 + corner % 8, bool(along)


def blocked(wall: tuple[int, bool]) -> set[tuple[int, int]]:
    """The two pairs of squares that a wall stands between, the lower one first."""
    corner, along = wall
    return (
        {(corner, corner + 9), (corner + 1, corner + 10)}
        if along
        else {(corner, corner + 1), (corner + 9, corner + 10)}
    )


def fits(walls: set[tuple[int, bool]], wall: tuple[int, bool]) -> bool:
    """Whether a wall neither crosses another nor lies over half of it."""
    return all(other[0] != wall[0] and not blocked(other) & blocked(wall) for other in walls)


def both_arrive(walls: set[tuple[int, bool]], pawns: list[int]) -> bool:
    """Whether both pawns can come to the other side, step by step."""
    shut = set[tuple[int, int]]().union(*map(blocked, walls))
    for pawn, goal in zip(pawns, (8, 0), strict=True):
        seen, todo = {pawn}, [pawn]
        while todo:
            a = todo.pop()
            beside = [a + 1] * (a % 9 < 8) + [a - 1] * (a % 9 > 0) + [a + 9] * (a < 72) + [a - 9] * (a > 8)
            new = [b for b in beside if b not in seen and (min(a, b), max(a, b)) not in shut]
            seen.update(new)
            todo += new
        if not any(x % 9 == goal for x in seen):
            return False
    return True
