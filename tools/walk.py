"""Walks a whole game tree: its nodes, its information sets, and the expected returns of uniformly random play.

Where nothing is hidden, a position is solved once however often it is met (its key tells all that
can follow), so that trees far larger than the number of their positions are counted exactly.  Where
something is hidden every path is walked, since what a player knows depends on the path.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterator
from fractions import Fraction

from interpreter import CHANCE, Game, InformationTracker, State
from rulespec import ir
from rulespec.system.records import dataclass

CHANCE_NODE, DECISION_NODE, STAGE_NODE, TERMINAL_NODE, CUT_NODE = range(
    5
)  # a stage: a decision that goes on with a move
KINDS = 5

Counts = tuple[int, ...]  # nodes of each kind


@dataclass(frozen=True, slots=True)
class Subtree:
    """The subtree of a node: the numbers of its nodes by moves, from itself on, and the expected return of each seat.

    The stages of a move stand with the node at which it begins.  `returns` is None where the walk was cut off.
    """

    levels: tuple[Counts, ...]
    returns: tuple[Fraction, ...] | None

    def total(self, kind: int) -> int:
        """How many nodes of a kind there are."""
        return sum(level[kind] for level in self.levels)


@dataclass(frozen=True, slots=True)
class Walk:
    """A walked tree; `information_sets` is None where nothing is hidden."""

    tree: Subtree
    positions: int
    information_sets: int | None


class TreeTooLarge(Exception):
    """Raised where a tree has more nodes than allowed."""


def hides_something(program: ir.Program) -> bool:
    """Whether players may know different things."""
    return program.hides or any(
        isinstance(instruction, ir.Fork) or (isinstance(instruction, ir.Say) and instruction.seats is not None)
        for procedure in program.procedures
        for instruction in procedure.code
    )


def walk(
    game: Game,
    depth: int | None = None,
    limit: int | None = None,
    progress: Callable[[int], None] = lambda _: None,
) -> Walk:
    """Walk the tree of a game, chance included, to its leaves or down to a depth.

    `progress` is told now and then how many nodes were met.  Raises TreeTooLarge beyond `limit`
    nodes, and Fault.  A depth counts moves: the stages of one are one (`stages: one move`), any other answer is one.
    """
    return Walker(game, depth, limit, progress).walk()


@dataclass(slots=True)
class PathNode:
    """A node on the path from the root to where the walk is."""

    state: State
    key: Hashable
    weight: Fraction  # how likely its parent leads here
    moves: int  # before it; the stages of one are one
    kind: int
    player: int
    edges: Iterator[tuple[int, Fraction]]
    levels: list[list[int]]
    returns: list[Fraction] | None
    tracker: InformationTracker | None

    def add(self, child: Subtree, weight: Fraction, moved: bool) -> None:
        """Count a child's subtree in, which a move leads to or a stage of one."""
        for level, counts in enumerate(child.levels, int(moved)):
            if level == len(self.levels):
                self.levels.append([0] * KINDS)
            for kind, count in enumerate(counts):
                self.levels[level][kind] += count
        if child.returns is None:
            self.returns = None
        elif self.returns is not None:
            pairs = zip(self.returns, child.returns, strict=True)
            self.returns = [mine + weight * its for mine, its in pairs]

    def subtree(self) -> Subtree:
        """What has been counted."""
        levels = tuple(map(tuple, self.levels))
        return Subtree(levels, None if self.returns is None else tuple(self.returns))


class Walker:
    """The walk of one tree: depth first, with its own stack, so that no tree is too deep."""

    def __init__(self, game: Game, depth: int | None, limit: int | None, progress: Callable[[int], None]) -> None:
        self.game = game
        self.depth = depth
        self.limit = limit
        self.progress = progress
        self.met = 0
        self.positions: set[Hashable] = set()
        self.solved: dict[Hashable, Subtree] = {}  # by position, moves that are left, and whether it is a stage
        self.hidden = hides_something(game.program)
        self.information_sets: set[tuple[int, str]] = set()

    def walk(self) -> Walk:
        """Walk it."""
        state = self.game.new_state(chance="explicit", undo=False)
        tracker = InformationTracker.start(state) if self.hidden else None
        path = [self.node(state, Fraction(1), 0, tracker)]
        while True:
            node = path[-1]
            edge = next(node.edges, None)
            if edge is not None:
                self.descend(path, *edge)
                continue
            path.pop()
            done = node.subtree()
            stage = bool(path) and node.moves == path[-1].moves
            if not self.hidden:
                self.solved[node.key, self.left(node.moves), stage] = done
            if not path:
                sets = len(self.information_sets) if self.hidden else None
                return Walk(done, len(self.positions), sets)
            path[-1].add(done, node.weight, not stage)

    def descend(self, path: list[PathNode], action: int, weight: Fraction) -> None:
        """Follow an edge, or reuse the subtree of a position that is solved already."""
        node = path[-1]
        state = node.state.child(action, node.player)
        stage = state.goes_on(node.state)
        moves = node.moves + (not stage)
        known = self.solved.get((state.key(), self.left(moves), stage))
        if known is not None:
            node.add(known, weight, not stage)
            return
        tracker = None if node.tracker is None else node.tracker.after(node.state, state)
        path.append(self.node(state, weight, moves, tracker, stage))

    def left(self, moves: int) -> int | None:
        """How many moves the walk goes on after so many."""
        return None if self.depth is None else self.depth - moves

    def node(
        self, state: State, weight: Fraction, moves: int, tracker: InformationTracker | None, stage: bool = False
    ) -> PathNode:
        """A node that is met."""
        self.met += 1
        if self.limit is not None and self.met > self.limit:
            raise TreeTooLarge
        if self.met % 1000 == 0:
            self.progress(self.met)
        key = state.key()
        self.positions.add(key)
        player = state.current_player()
        edges: list[tuple[int, Fraction]] = []
        returns: list[Fraction] | None = [Fraction(0)] * self.game.num_players
        if state.is_terminal():
            kind = TERMINAL_NODE
            returns = [Fraction(number) for number in state.returns()]
        elif moves == self.depth:
            kind, returns = CUT_NODE, None
        elif player == CHANCE:
            kind, edges = CHANCE_NODE, state.chance_outcomes()
        else:
            kind = STAGE_NODE if stage else DECISION_NODE
            legal = state.legal_actions(player)
            edges = [(action, Fraction(1, len(legal))) for action in legal]
            if tracker is not None:
                self.information_sets.add((player, tracker.information_state(player)))
        level = [0] * KINDS
        level[kind] = 1
        return PathNode(state, key, weight, moves, kind, player, iter(edges), [level], returns, tracker)
