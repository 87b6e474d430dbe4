"""Small classic games against numbers that others have computed.

The sources: OpenSpiel 2.0.2, Kuhn 1950, plain counting for dice; for Connect Four also OEIS A212693, and a plain board of its own here.
"""

from __future__ import annotations

import json
from collections import Counter, defaultdict
from fractions import Fraction

import pytest

import interpreter
import rulespec
from tests.helpers.games import Dice, loaded
from tests.helpers.places import ROOT


# --- exploitability: a best response sees only information states, so a leak or a merged state shows as a wrong number ---
class Tree:
    """The whole tree of a game of two by the public door: who acts with what information, and what follows."""

    def __init__(self, name: str) -> None:
        self.game = interpreter.Game(rulespec.load(name), players=2)
        self.root = self.node(self.game.new_state(chance="explicit"))

    def node(self, state):
        if state.is_terminal():
            return ("end", [Fraction(x) for x in state.returns()])
        player = state.current_player()
        if player == interpreter.CHANCE:
            return ("chance", [(p, self.node(state.child(a))) for a, p in state.chance_outcomes()])
        branches = [(state.action_to_string(a), self.node(state.child(a))) for a in state.legal_actions()]
        return (player, state.information_state(player), branches)


def value(node, policy):
    """The returns of both players when all follow a policy: information state and action -> probability."""
    if node[0] == "end":
        return node[1]
    branches = node[1] if node[0] == "chance" else [(policy(node, a), child) for a, child in node[2]]
    parts = [(p, value(child, policy)) for p, child in branches if p]
    return [sum(p * v[i] for p, v in parts) for i in (0, 1)]


def best_response(root, player, policy):
    """What a player gets at best against the others' policy, choosing by information state alone."""
    sets = defaultdict(list)

    def reach(node, weight):
        if node[0] == "end":
            return
        if node[0] == player:
            sets[node[1]].append((node, weight))
        branches = (
            node[1]
            if node[0] == "chance"
            else [(Fraction(1) if node[0] == player else policy(node, a), c) for a, c in node[2]]
        )
        for p, child in branches:
            reach(child, weight * p)

    reach(root, Fraction(1))
    best: dict[str, str] = {}

    def worth(node):
        if node[0] == "end":
            return node[1][player]
        if node[0] == "chance":
            return sum(p * worth(c) for p, c in node[1])
        if node[0] != player:
            return sum(policy(node, a) * worth(c) for a, c in node[2])
        if node[1] not in best:
            scores: dict[str, Fraction] = defaultdict(Fraction)
            for member, weight in sets[node[1]]:
                for action, child in member[2]:
                    scores[action] += weight * worth(child)
            best[node[1]] = max(scores, key=lambda a: scores[a])
        return next(worth(c) for a, c in node[2] if a == best[node[1]])

    return worth(root)


def nash_conv(root, policy):
    on = value(root, policy)
    return sum(best_response(root, player, policy) - on[player] for player in (0, 1))


def uniform(node, _action):
    return Fraction(1, len(node[2]))


def test_uniform_play_of_kuhn_poker_is_as_exploitable_as_it_should_be():
    assert nash_conv(Tree("kuhn_poker").root, uniform) == Fraction(11, 12)


def test_uniform_play_of_leduc_poker_is_as_exploitable_as_it_should_be():
    assert abs(float(nash_conv(Tree("leduc_poker").root, uniform)) - 4.747222222) < 1e-9


def test_kuhns_equilibrium():
    """Kuhn's solution with the first player never betting first: the value is -1/18 and nobody can gain."""
    chances = {
        ("p1", "jack", "action"): {"bet": 0},
        ("p1", "queen", "action"): {"bet": 0},
        ("p1", "king", "action"): {"bet": 0},
        ("p1", "jack", "answer"): {"call": 0},
        ("p1", "queen", "answer"): {"call": Fraction(1, 3)},
        ("p1", "king", "answer"): {"call": 1},
        ("p2", "jack", "action"): {"bet": Fraction(1, 3)},
        ("p2", "queen", "action"): {"bet": 0},
        ("p2", "king", "action"): {"bet": 1},
        ("p2", "jack", "answer"): {"call": 0},
        ("p2", "queen", "answer"): {"call": Fraction(1, 3)},
        ("p2", "king", "answer"): {"call": 1},
    }

    def policy(node, action):
        last = json.loads(node[1])[-1]
        seat = last["you"]
        card = last["zones"][f"hand.{seat}"][0]
        ((name, chance),) = chances[seat, card, last["asked"]["at"]].items()
        return Fraction(chance) if action == name else 1 - Fraction(chance)

    root = Tree("kuhn_poker").root
    assert value(root, policy) == [Fraction(-1, 18), Fraction(1, 18)]
    assert nash_conv(root, policy) == 0


# --- dice -------------------------------------------------------------------------------------------------------------
RISK = [
    # attacker's and defender's dice; out of how many: defender loses all, split, attacker loses all
    (3, 2, 7776, 2890, 2611, 2275), (2, 2, 1296, 295, 420, 581), (3, 1, 1296, 855, 0, 441),
    (2, 1, 216, 125, 0, 91), (1, 2, 216, 55, 0, 161), (1, 1, 36, 15, 0, 21),
]  # fmt: skip


@pytest.mark.parametrize(("attack", "defence", "total", "lost", "split", "won"), RISK)
def test_an_exchange_of_dice(attack, defence, total, lost, split, won):
    """All outcomes of one exchange by explicit chance, with exact probabilities."""
    found = rulespec.load(ROOT / "tests/conformance/play/dice_exchange.yaml")
    game = interpreter.Game(found, options={"attack": attack, "defence": defence})
    outcomes: dict[int, Fraction] = defaultdict(Fraction)
    merged = {game.new_state(chance="explicit").key(): (game.new_state(chance="explicit"), Fraction(1))}
    while merged:
        following: dict[object, tuple[interpreter.State, Fraction]] = {}
        for state, weight in merged.values():
            if state.is_terminal():
                outcomes[state.returns()[0]] += weight
                continue
            for action, p in state.chance_outcomes():
                child = state.child(action)
                before = following.get(child.key(), (child, Fraction(0)))[1]
                following[child.key()] = (child, before + weight * p)
        merged = following
    size = min(attack, defence)
    assert outcomes[size] == Fraction(lost, total)
    assert outcomes[-size] == Fraction(won, total)
    assert outcomes.get(0, 0) == Fraction(split, total)


# --- Connect Four -----------------------------------------------------------------------------------------------------
POSITIONS = [1, 7, 49, 238, 1120, 4263, 16422, 54859]  # after so many moves, where games stop at a win: OEIS A212693
SEQUENCES = [1, 7, 49, 343, 2401, 16807, 117649, 823536]  # of exactly so many moves: OpenSpiel


class Played:
    """A position of the spec, behind the same door as `Plain`."""

    def __init__(self, state):
        self.state = state
        self.key = state.key()

    def result(self):
        return tuple(self.state.returns()) if self.state.is_terminal() else None

    def moves(self):
        return self.state.legal_actions()

    def after(self, move):
        return Played(self.state.child(move))


class Plain:
    """Connect Four once more, without the spec: columns of discs, and every line of the board is looked at."""

    def __init__(self, columns, rows, connect, discs=None):
        self.size = (columns, rows, connect)
        self.key = discs or ((),) * columns

    def moves(self):
        return [c for c, column in enumerate(self.key) if len(column) < self.size[1]]

    def after(self, move):
        player = sum(map(len, self.key)) % 2
        return Plain(*self.size, tuple((*column, player) if c == move else column for c, column in enumerate(self.key)))

    def result(self):
        columns, rows, connect = self.size
        cells = {(c, r): player for c, column in enumerate(self.key) for r, player in enumerate(column)}
        for (c, r), player in cells.items():
            for across, up in ((1, 0), (0, 1), (1, 1), (1, -1)):
                if all(cells.get((c + n * across, r + n * up)) == player for n in range(connect)):
                    return (1, -1) if player == 0 else (-1, 1)
        return (0, 0) if len(cells) == columns * rows else None


def connect_four(columns=7, rows=6, connect=4):
    options = {"columns": columns, "rows": rows, "connect": connect}
    game = interpreter.Game(loaded("connect_four"), players=2, options=options)
    return Played(game.new_state(seed=0, undo=False))


def positions_by_ply(position, plies):
    """For each number of moves the positions by their keys: ways to get there, how it ended (or None), and what follows."""
    found = []
    level = {position.key: (position, 1)}
    while level:
        entries, following = {}, {}
        for key, (position, ways) in level.items():
            result = position.result()
            moves = position.moves() if result is None and len(found) < plies else []
            children = [position.after(move) for move in moves]
            for child in children:
                same, others = following.get(child.key, (child, 0))
                following[child.key] = (same, others + ways)
            entries[key] = (ways, result, [child.key for child in children])
        found.append(entries)
        level = following
    return found


def counts(found):
    """For each number of moves: distinct positions, sequences of moves, and how the games that are over there have ended."""
    return [
        (len(level), sum(ways for ways, _, _ in level.values()), Counter(end for _, end, _ in level.values() if end))
        for level in found
    ]


def worth(found):
    """What the first player gets if both play as well as can be."""
    later = {}
    for ply in reversed(range(len(found))):
        best = max if ply % 2 == 0 else min
        later = {
            key: end[0] if end else best(later[child] for child in children)
            for key, (_, end, children) in found[ply].items()
        }
    return next(iter(later.values()))


def test_positions_of_connect_four():
    found = counts(positions_by_ply(connect_four(), 7))
    assert [positions for positions, _, _ in found] == POSITIONS
    assert [sequences for _, sequences, _ in found] == SEQUENCES
    assert [dict(ends) for _, _, ends in found] == [{}] * 7 + [{(1, -1): 728}]  # by the plain board


SMALL = [  # columns, rows, how many to connect; the value for the first player, positions (by the plain board)
    (4, 3, 3, 1, 7157), (3, 4, 3, 0, 2715), (2, 6, 4, 0, 1571), (5, 2, 4, 0, 4688), (3, 4, 2, 1, 127), (1, 8, 5, 0, 9),
]  # fmt: skip


@pytest.mark.parametrize(("columns", "rows", "connect", "value", "positions"), SMALL)
def test_every_position_of_a_small_board(columns, rows, connect, value, positions):
    """Positions, sequences, wins and draws after each move, and the value of the game, as by the plain board."""
    played = positions_by_ply(connect_four(columns, rows, connect), columns * rows)
    plain = positions_by_ply(Plain(columns, rows, connect), columns * rows)
    assert counts(played) == counts(plain)
    assert worth(played) == worth(plain) == value
    assert sum(map(len, played)) == positions


@pytest.mark.parametrize(
    ("columns", "rows", "connect"), [(7, 6, 4), (9, 8, 4), (9, 8, 5), (4, 4, 4), (5, 4, 4), (8, 3, 3), (9, 1, 2)]
)
def test_random_games_of_connect_four(columns, rows, connect):
    """Move for move as by the plain board: what is legal, who has won."""
    results = set()
    for seed in range(10):
        played, plain, dice = connect_four(columns, rows, connect), Plain(columns, rows, connect), Dice(seed)
        while plain.result() is None:
            assert played.result() is None
            assert played.moves() == plain.moves()
            move = plain.moves()[dice.below(len(plain.moves()))]
            played, plain = played.after(move), plain.after(move)
        assert played.result() == plain.result()
        results.add(plain.result())
    assert len(results) >= 2
