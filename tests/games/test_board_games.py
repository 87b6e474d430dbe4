"""Board games beside others, move for move: boards written here from the rules, published counts, OpenSpiel where it is installed.

A move of two stages is one move here, with both answers in its name.
"""

from __future__ import annotations

from collections.abc import Callable
from itertools import product
from typing import Any, Protocol

import pytest

import interpreter
from tests.helpers.games import Dice, loaded
from tests.helpers.places import ROOT

FIRST_STAGES = ("start", "mover")  # choices that another one of the same move follows


def new_game(name: str, **options: Any) -> interpreter.State:
    """A shipped game at its beginning."""
    return interpreter.Game(loaded(name), options=options).new_state(seed=0, undo=False)


def moves(state: interpreter.State) -> dict[str, interpreter.State]:
    """Each move with what follows."""
    following: dict[str, interpreter.State] = {}
    for action in () if state.is_terminal() else state.legal_actions():
        name, child = state.action_to_string(action), state.child(action)
        if state.question(None).site.name in FIRST_STAGES:
            following.update({f"{name} {goal}": after for goal, after in moves(child).items()})
        else:
            following[name] = child
    return following


def perft(state: interpreter.State, plies: int) -> int:
    """In how many ways so many moves can be played."""
    following = moves(state)
    return len(following) if plies == 1 else sum(perft(after, plies - 1) for after in following.values())


class Plain(Protocol):
    """A board written from the rules, without the spec."""

    def moves(self) -> dict[str, Any]:
        """Each move with the board after it; none at the end."""
        ...

    def returns(self) -> list[int]: ...


def plain_perft(board: Plain, plies: int) -> int:
    following = board.moves()
    return len(following) if plies == 1 else sum(plain_perft(after, plies - 1) for after in following.values())


def beside(state: interpreter.State, board: Plain, seed: int) -> interpreter.State:
    """A random game on both: the same moves all the way, the same end; the last position."""
    dice = Dice(seed)
    while True:
        ours, theirs = moves(state), board.moves()
        assert sorted(ours) == sorted(theirs)
        if not ours:
            assert state.returns() == board.returns()
            return state
        name = sorted(ours)[dice.below(len(ours))]
        state, board = ours[name], theirs[name]


# --- Breakthrough -------------------------------------------------------------------------------------------------------
class Breakthrough:
    """Pawns by column and row; whose turn it is."""

    def __init__(self, size: int, pawns: dict[tuple[int, int], str] | None = None, mover: str = "black") -> None:
        rows = {1: "white", 2: "white", size - 1: "black", size: "black"}
        self.size = size
        self.pawns = pawns or {(c, r): who for c in range(1, size + 1) for r, who in rows.items()}
        self.mover = mover
        self.other = "white" if mover == "black" else "black"

    def won(self) -> bool:
        """Whether the one who moved last has won."""
        far = 1 if self.other == "black" else self.size
        return any(r == far and who == self.other for (_, r), who in self.pawns.items()) or (
            self.mover not in self.pawns.values()
        )

    def moves(self) -> dict[str, Breakthrough]:
        following: dict[str, Breakthrough] = {}
        for (c, r), who in () if self.won() else self.pawns.items():
            for d in (-1, 0, 1) if who == self.mover else ():
                to = (c + d, r + (1 if who == "white" else -1))
                there = self.pawns.get(to)
                if 1 <= to[0] <= self.size and (there is None or (there == self.other and d)):
                    pawns = {place: pawn for place, pawn in self.pawns.items() if place != (c, r)} | {to: who}
                    following[f"{cell(c, r)} {cell(*to)}"] = Breakthrough(self.size, pawns, self.other)
        return following

    def returns(self) -> list[int]:
        return [1, -1] if self.other == "black" else [-1, 1]


def cell(column: int, row: int) -> str:
    return f"{chr(96 + column)}{row}"


@pytest.mark.parametrize(("size", "counts"), [(6, (16, 256, 4308)), (8, (22, 484, 11132))])
def test_breakthrough_has_as_many_ways_as_a_plain_board(size: int, counts: tuple[int, ...]) -> None:
    assert tuple(plain_perft(Breakthrough(size), plies) for plies in (1, 2, 3)) == counts
    assert tuple(perft(new_game("breakthrough", size=size), plies) for plies in (1, 2, 3)) == counts


@pytest.mark.parametrize("size", [6, 8])
def test_random_games_of_breakthrough(size: int) -> None:
    ends = [beside(new_game("breakthrough", size=size), Breakthrough(size), seed).returns() for seed in range(12)]
    assert [1, -1] in ends and [-1, 1] in ends


# --- Hex ----------------------------------------------------------------------------------------------------------------
class Hex:
    """Stones by column and row; a chain is looked for from each stone of the first side."""

    AROUND = ((0, 1), (1, 0), (1, -1), (0, -1), (-1, 0), (-1, 1))

    def __init__(self, size: int, stones: dict[tuple[int, int], int] | None = None, mover: int = 0) -> None:
        self.size, self.stones, self.mover = size, stones or {}, mover

    def joined(self, player: int) -> bool:
        """Whether a chain leads from the first row (player 0) or column (1) to the last one."""
        along = 1 - player
        mine = {place for place, who in self.stones.items() if who == player}
        todo = [place for place in mine if place[along] == 1]
        seen = set(todo)
        while todo:
            c, r = todo.pop()
            if (c, r)[along] == self.size:
                return True
            near = {(c + dc, r + dr) for dc, dr in self.AROUND} & mine - seen
            seen |= near
            todo += near
        return False

    def moves(self) -> dict[str, Hex]:
        if self.joined(0) or self.joined(1):
            return {}
        free = [p for p in product(range(1, self.size + 1), repeat=2) if p not in self.stones]
        return {cell(*p): Hex(self.size, {**self.stones, p: self.mover}, 1 - self.mover) for p in free}

    def returns(self) -> list[int]:
        return [1, -1] if self.joined(0) else [-1, 1]


@pytest.mark.parametrize("size", [3, 4, 5, 7])
def test_random_games_of_hex(size: int) -> None:
    for seed in range(4):
        beside(new_game("hex", size=size), Hex(size), seed)


@pytest.mark.parametrize("size", [3, 6, 9, 11, 13])
def test_hex_has_exactly_one_winner(size: int) -> None:
    """Nash's theorem: however a full board looks, one side is joined and only one."""
    game = interpreter.Game(loaded("hex"), options={"size": size})
    winners = set()
    for seed in range(20):
        returns = game.playout(seed).returns()
        assert sorted(returns) == [-1, 1]
        winners.add(returns[0])
    assert winners == {-1, 1}


# --- Go -----------------------------------------------------------------------------------------------------------------
Stones = dict[tuple[int, int], int]


class Go:
    """Stones by column and row, all positions that have been, prisoners; superko, by area or by territory."""

    def __init__(self, size: int, territory: bool) -> None:
        self.size, self.territory = size, territory
        self.stones: Stones = {}
        self.been: frozenset[frozenset[tuple[tuple[int, int], int]]] = frozenset({frozenset()})
        self.taken = (0, 0)
        self.mover = self.passes = self.turns = 0

    def near(self, point: tuple[int, int]) -> list[tuple[int, int]]:
        c, r = point
        around = ((c + 1, r), (c - 1, r), (c, r + 1), (c, r - 1))
        return [p for p in around if 1 <= p[0] <= self.size and 1 <= p[1] <= self.size]

    def region(self, stones: Stones, point: tuple[int, int]) -> tuple[set[tuple[int, int]], set[int | None]]:
        """All that hangs together with a point, and what it touches: a colour, or None for a free point."""
        mine, inside, touched, todo = stones.get(point), {point}, set(), [point]
        while todo:
            for p in self.near(todo.pop()):
                if stones.get(p) != mine:
                    touched.add(stones.get(p))
                elif p not in inside:
                    inside.add(p)
                    todo.append(p)
        return inside, touched

    def after(self, point: tuple[int, int] | None) -> Go | None:
        """The board after a stone or a pass; None where the stone may not be placed."""
        board = Go(self.size, self.territory)
        board.stones, board.taken, board.mover = dict(self.stones), self.taken, 1 - self.mover
        board.passes, board.been, board.turns = self.passes + 1, self.been, self.turns + 1
        if point is None:
            return board
        board.stones[point], board.passes = self.mover, 0
        for p in self.near(point):
            if board.stones.get(p) == 1 - self.mover:
                chain, touched = self.region(board.stones, p)
                if None not in touched:
                    board.stones = {q: who for q, who in board.stones.items() if q not in chain}
                    mine = board.taken[self.mover] + len(chain)
                    board.taken = (mine, board.taken[1]) if self.mover == 0 else (board.taken[0], mine)
        now = frozenset(board.stones.items())
        if None not in self.region(board.stones, point)[1] or now in self.been:
            return None
        board.been = self.been | {now}
        return board

    def moves(self) -> dict[str, Go]:
        if self.passes == 2 or self.turns == 3 * self.size**2:
            return {}
        points: list[tuple[int, int] | None] = [
            p for p in product(range(1, self.size + 1), repeat=2) if p not in self.stones
        ]
        ways = {point: self.after(point) for point in [*points, None]}
        return {"none" if p is None else cell(*p): board for p, board in ways.items() if board is not None}

    def returns(self) -> list[int]:
        points = [0, 1]
        for p in product(range(1, self.size + 1), repeat=2):
            if p in self.stones:
                points[self.stones[p]] += not self.territory
            else:
                around = self.region(self.stones, p)[1]
                for who in (0, 1):
                    points[who] += around == {who}
        black, white = (points[who] + self.taken[who] * self.territory for who in (0, 1))
        return [1, -1] if black > white else [-1, 1]


@pytest.mark.parametrize(("size", "scoring", "games"), [(5, "area", 3), (5, "territory", 3), (7, "territory", 1)])
def test_random_games_of_go(size: int, scoring: str, games: int) -> None:
    for seed in range(games):
        beside(new_game("game_of_go", size=size, scoring=scoring, komi=1), Go(size, scoring == "territory"), seed)


# --- Hedges -------------------------------------------------------------------------------------------------------------
Bed = tuple[int, int]
Planted = tuple[int, int, str]  # the bed to the lower left of its middle, and which way it lies


class Hedges:
    """Where both are, what is planted and still to be planted, who is asked, and whether he walks."""

    def __init__(self, size: int, each: int) -> None:
        self.size = size
        self.at = ((size // 2 + 1, 1), (size // 2 + 1, size))
        self.left = (each, each)
        self.planted: frozenset[Planted] = frozenset()
        self.mover = self.turns = 0
        self.walks = False

    def barred(self, a: Bed, b: Bed) -> bool:
        """Whether a hedge lies between two beds, one beside the other."""
        c, r = min(a, b)
        along = a[1] == b[1]
        way, others = ("along", ((c, r), (c, r - 1))) if along else ("across", ((c, r), (c - 1, r)))
        return any((*middle, way) in self.planted for middle in others)

    def beside(self, bed: Bed) -> list[Bed]:
        c, r = bed
        around = ((c + 1, r), (c - 1, r), (c, r + 1), (c, r - 1))
        return [b for b in around if min(b) >= 1 and max(b) <= self.size and not self.barred(bed, b)]

    def ways(self) -> set[Bed]:
        """Where the mover walks or leaps to."""
        me, other = self.at[self.mover], self.at[1 - self.mover]
        near = self.beside(me)
        if other not in near:
            return set(near)
        behind = (2 * other[0] - me[0], 2 * other[1] - me[1])
        past = {behind} if behind in self.beside(other) else set(self.beside(other)) - {me}
        return set(near) - {other} | past

    def arrives(self, who: int) -> bool:
        """Whether a way leads to the row opposite, as if nobody stood on it."""
        seen, todo = {self.at[who]}, [self.at[who]]
        while todo:
            new = set(self.beside(todo.pop())) - seen
            seen |= new
            todo += new
        return any(row == (self.size, 1)[who] for _, row in seen)

    def after(self, hedge: Planted | None, bed: Bed | None) -> Hedges:
        """The garden with a hedge more, or with the mover elsewhere; with neither, he is asked where he walks."""
        garden = Hedges(self.size, 0)
        garden.at, garden.left, garden.planted = self.at, self.left, self.planted
        garden.mover, garden.turns, garden.walks = self.mover, self.turns, hedge is None and bed is None
        if not garden.walks:
            garden.mover, garden.turns = 1 - self.mover, self.turns + 1
        first = self.mover == 0
        if hedge is not None:
            garden.planted |= {hedge}
            garden.left = (self.left[0] - first, self.left[1] - (not first))
        if bed is not None:
            garden.at = (bed, self.at[1]) if first else (self.at[0], bed)
        return garden

    def fits(self, hedge: Planted) -> bool:
        c, r, way = hedge
        ends = ((c - 1, r), (c + 1, r)) if way == "across" else ((c, r - 1), (c, r + 1))
        taken = {(c, r, "across"), (c, r, "along"), *((*end, way) for end in ends)}
        return not taken & self.planted and all(self.after(hedge, None).arrives(who) for who in (0, 1))

    def won(self) -> bool:
        """Whether the one who moved last is in the row opposite."""
        return self.at[1 - self.mover][1] == (1, self.size)[self.mover]

    def moves(self) -> dict[str, Hedges]:
        if self.won() or self.turns == 400:
            return {}
        middles = () if self.walks or not self.left[self.mover] else range(1, self.size)
        fitting = [hedge for hedge in product(middles, middles, ("across", "along")) if self.fits(hedge)]
        if not fitting:
            return {cell(*bed): self.after(None, bed) for bed in self.ways()}
        found = {f"{cell(c, r)}_ne_{way}": self.after((c, r, way), None) for c, r, way in fitting}
        return {"none": self.after(None, None), **found}

    def returns(self) -> list[int]:
        if not self.won():
            return [0, 0]
        return [-1, 1] if self.mover == 0 else [1, -1]


@pytest.mark.parametrize(("size", "each", "games"), [(5, 2, 2), (5, 8, 2), (7, 1, 1)])
def test_random_games_of_hedges(size: int, each: int, games: int) -> None:
    for seed in range(games):
        beside(new_game("hedges", size=size, hedges=each), Hedges(size, each), seed)


# --- Nine Men's Morris ----------------------------------------------------------------------------------------------------
Point = tuple[int, int]
SQUARES = tuple(tuple(p for p in product((-k, 0, k), repeat=2) if p != (0, 0)) for k in (1, 2, 3))
POINTS = tuple(p for square in SQUARES for p in square)  # by their distance from the middle, to the right and up
SIDES = [tuple(p for p in square if p[axis] == at) for square, axis, at in product(SQUARES, (0, 1), range(-3, 4)) if at]
SPOKES = [tuple((k * c, k * r) for k in (1, 2, 3)) for c, r in ((1, 0), (-1, 0), (0, 1), (0, -1))]
ROWS = [row for row in (*SIDES, *SPOKES) if len(row) == 3]


class Morris:
    """Men by point, how many are in hand, who moves, how many turns are left; `takes`: a mill was made."""

    def __init__(self, flying: bool, turns: int) -> None:
        self.flying, self.turns = flying, turns
        self.men: dict[Point, int] = {}
        self.hand = [9, 9]
        self.mover = 0
        self.takes = False

    def near(self, point: Point) -> set[Point]:
        """The points beside one, along the rows."""
        pairs = [pair for row in ROWS for pair in zip(sorted(row), sorted(row)[1:], strict=False)]
        return {a if b == point else b for a, b in pairs if point in (a, b)}

    def in_mill(self, point: Point) -> bool:
        return any(point in row and all(self.men.get(p) == self.men[point] for p in row) for row in ROWS)

    def after(self, taken: Point | None, placed: Point | None) -> Morris:
        """The board with a man less, a man more; then it is the other's turn, unless a man is to be taken."""
        board = Morris(self.flying, self.turns)
        board.men, board.hand, board.mover = dict(self.men), list(self.hand), self.mover
        if taken is not None:
            del board.men[taken]
        elif placed is not None:
            board.hand[self.mover] -= 1
        if placed is not None:
            board.men[placed] = self.mover
            board.takes = board.in_mill(placed)
        if not board.takes:
            board.mover, board.turns = 1 - self.mover, self.turns - 1
        return board

    def moves(self) -> dict[str, Morris]:
        return {} if self.lost() or not self.turns else self.ways()

    def ways(self) -> dict[str, Morris]:
        mine = [p for p, who in self.men.items() if who == self.mover]
        if self.takes:
            theirs = [p for p, who in self.men.items() if who != self.mover]
            outside = [p for p in theirs if not self.in_mill(p)] or theirs
            return {named(p): self.after(p, None) for p in outside}
        free = [p for p in POINTS if p not in self.men]
        if self.hand[self.mover]:
            return {named(p): self.after(None, p) for p in free}
        flies = self.flying and len(mine) == 3
        pairs = [(p, to) for p in mine for to in free if flies or to in self.near(p)]
        return {f"{named(p)} {named(to)}": self.after(p, to) for p, to in pairs}

    def lost(self) -> bool:
        """Whether the one to move has two men left, or cannot move."""
        count = sum(who == self.mover for who in self.men.values()) + self.hand[self.mover]
        return not self.takes and (count < 3 or not self.ways())

    def returns(self) -> list[int]:
        if not self.lost():
            return [0, 0]
        return [-1, 1] if self.mover == 0 else [1, -1]


def named(point: Point) -> str:
    return cell(point[0] + 4, point[1] + 4)


@pytest.mark.parametrize(("flying", "turns", "seeds"), [(True, 200, 3), (False, 200, 3), (True, 30, 3)])
def test_random_games_of_nine_mens_morris(flying: bool, turns: int, seeds: int) -> None:
    for seed in range(seeds):
        beside(new_game("nine_mens_morris", flying=flying, turns=turns), Morris(flying, turns), seed)


def test_the_first_men_of_nine_mens_morris_go_anywhere() -> None:
    state = new_game("nine_mens_morris")
    assert [perft(state, plies) for plies in (1, 2, 3)] == [24, 24 * 23, 24 * 23 * 22]


# --- OpenSpiel ------------------------------------------------------------------------------------------------------------
MORRIS = [
    "a7",
    "d7",
    "g7",
    "b6",
    "d6",
    "f6",
    "c5",
    "d5",
    "e5",
    "a4",
    "b4",
    "c4",
    "e4",
    "f4",
    "g4",
    "c3",
    "d3",
    "e3",
    "b2",
    "d2",
    "f2",
    "a1",
    "d1",
    "g1",
]


def morris_move(text: str) -> str:
    """`Point 3` and `Move 7 -> 4` in our words."""
    return " ".join(MORRIS[int(word)] for word in text.split() if word.isdecimal())


def tic_tac_toe_cell(text: str) -> str:
    """`x(0,2)`: row and column."""
    return cell(int(text[4]) + 1, int(text[2]) + 1)


Spoken = Callable[[str], str]
OTHERS: list[tuple[str, str, dict[str, int], Spoken, Spoken]] = [
    # their game, ours with options, their moves and ours in the same words
    ("breakthrough", "breakthrough", {}, lambda text: text.rstrip("*"), lambda text: text.replace(" ", "")),
    (
        "breakthrough(rows=6,columns=6)", "breakthrough", {"size": 6}, lambda text: text.rstrip("*"),
        lambda text: text.replace(" ", ""),
    ),
    ("othello", "othello", {}, lambda text: text.replace("pass", "none"), str),
    ("hex(board_size=11)", "hex", {}, str, str),
    ("hex(board_size=5)", "hex", {"size": 5}, str, str),
    ("nine_mens_morris", "nine_mens_morris", {}, morris_move, str),
    ("connect_four", "connect_four", {}, lambda text: str(int(text[1:]) + 1), str),
    ("tic_tac_toe", "tic_tac_toe", {}, tic_tac_toe_cell, str),
]  # fmt: skip


@pytest.mark.parametrize(("theirs", "ours", "options", "said", "meant"), OTHERS, ids=[other[0] for other in OTHERS])
def test_in_step_with_openspiel(theirs: str, ours: str, options: dict[str, int], said: Spoken, meant: Spoken) -> None:
    """The same moves all the way, the same player, the same end."""
    pyspiel = pytest.importorskip("pyspiel")
    for seed in range(5):
        other, state, dice = pyspiel.load_game(theirs).new_initial_state(), new_game(ours, **options), Dice(seed)
        while not state.is_terminal():
            assert other.current_player() == state.current_player()
            legal = {said(other.action_to_string(action)): action for action in other.legal_actions()}
            following = {meant(name): after for name, after in moves(state).items()}
            assert sorted(legal) == sorted(following)
            name = sorted(legal)[dice.below(len(legal))]
            other.apply_action(legal[name])
            state = following[name]
        assert other.is_terminal() and other.returns() == state.returns()


@pytest.mark.parametrize("size", [5, 9])
def test_go_in_step_with_openspiel(size: int) -> None:
    """The same moves, captures, suicides and ko, and the same end: theirs, too, has no winner where a position comes again."""
    pyspiel = pytest.importorskip("pyspiel")
    for seed in range(3):
        other, dice = pyspiel.load_game(f"go(board_size={size},komi=7.5)").new_initial_state(), Dice(seed)
        state = new_game("game_of_go", size=size, ko="simple")
        for _ in range(2 * size * size - 1):  # then theirs ends
            names = {action: other.action_to_string(action).split()[1] for action in other.legal_actions()}
            # Their columns leave out the letter i.
            legal = {name.replace("j", "i"): action for action, name in names.items()}
            following = {name.replace("none", "PASS"): after for name, after in moves(state).items()}
            assert sorted(legal) == sorted(following)
            # A pass, which is first, where it must be.
            name = sorted(legal)[1 + dice.below(len(legal) - 1) if len(legal) > 1 else 0]
            other.apply_action(legal[name])
            state = following[name]
            if state.is_terminal() or other.is_terminal():
                assert state.is_terminal() == other.is_terminal() and other.returns() == state.returns()
                break


@pytest.mark.long
def test_hedges_in_step_with_openspiel() -> None:
    """Quoridor's moves to the end; to walk is two answers here, and one there. Their rows are numbered from the north."""
    pyspiel = pytest.importorskip("pyspiel")
    for seed in range(4):
        other, dice = pyspiel.load_game("quoridor(board_size=5,wall_count=4)").new_initial_state(), Dice(seed)
        state = new_game("hedges", size=5, hedges=4)
        while not state.is_terminal() and not other.is_terminal():
            assert other.current_player() == state.current_player()
            legal = {}
            for action in other.legal_actions():
                column, row, way = (*other.action_to_string(action), "")[:3]
                name = f"{column}{5 - int(row)}_ne_{'along' if way == 'v' else 'across'}"
                legal[name if way else f"{column}{6 - int(row)}"] = action
            following = moves(state)
            following.update(moves(following.pop("none")) if "none" in following else {})
            assert sorted(legal) == sorted(following)
            name = sorted(legal)[dice.below(len(legal))]
            other.apply_action(legal[name])
            state = following[name]
        assert other.is_terminal() and other.returns() == (state.returns() if state.is_terminal() else [0, 0])


def test_draughts_with_flying_kings_have_the_moves_that_others_count() -> None:
    """Perft of Brazilian draughts: the most must be captured, by paths that nobody wrote down."""
    state = new_game(str(ROOT / "tests/conformance/play/flying_kings.yaml"))

    def perft(state: Any, depth: int) -> int:
        actions = state.legal_actions()
        return len(actions) if depth == 1 else sum(perft(state.child(action), depth - 1) for action in actions)

    assert [perft(state, depth) for depth in (1, 2, 3, 4)] == [7, 49, 302, 1469]


def test_draughts_in_step_with_openspiel() -> None:
    """The same steps and jumps to the end; how many quiet turns are a draw is another matter."""
    pyspiel = pytest.importorskip("pyspiel")
    ended = 0
    for seed in range(8):
        other, dice = pyspiel.load_game("checkers").new_initial_state(), Dice(seed)
        state = new_game(str(ROOT / "tests/conformance/play/draughts.yaml"))
        while not other.is_terminal() and not state.is_terminal():
            assert other.current_player() == state.current_player()
            goes_on = state.question(None).site.name == "further"  # the man that jumps is known
            legal = {other.action_to_string(action)[2 * goes_on :]: action for action in other.legal_actions()}
            following = {name.replace(" ", ""): after for name, after in moves(state).items()}
            assert sorted(legal) == sorted(following)
            name = sorted(legal)[dice.below(len(legal))]
            other.apply_action(legal[name])
            state = following[name]
        if other.is_terminal() and state.is_terminal() and any(state.returns()):
            assert other.returns() == state.returns()
            ended += 1
    assert ended >= 4


def test_lines_of_action_in_step_with_openspiel() -> None:
    """The same moves all the way, as far as there are stones on a line, and the same end, in a game where no position comes back."""
    other, dice = pytest.importorskip("pyspiel").load_game("lines_of_action").new_initial_state(), Dice(0)
    state = new_game(str(ROOT / "tests/conformance/play/lines_of_action.yaml"), size=8)
    while not state.is_terminal():
        assert other.current_player() == state.current_player()
        legal = {other.action_to_string(action).replace("x", "-"): action for action in other.legal_actions()}
        following = {name.replace(" ", "-"): after for name, after in moves(state).items()}
        assert sorted(legal) == sorted(following)
        name = sorted(legal)[dice.below(len(legal))]
        other.apply_action(legal[name])
        state = following[name]
    assert other.is_terminal() and other.returns() == state.returns()
