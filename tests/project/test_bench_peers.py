"""The games that are written for comparisons are those of the peer: both are played in step, the same answers all the way, the same end."""

from __future__ import annotations

from collections.abc import Callable
from math import factorial
from typing import Any

import pytest
import yaml

import interpreter
from interpreter import State
from tests.helpers.games import ALL, Dice, loaded
from tests.helpers.native import COMPILES, native_on  # noqa: F401
from tools.dev.bench.plan import DATA

GAMES, LONGEST = (300, 10_000) if ALL else (2, 40)  # games, and answers of one that are looked at
BACKEND = "native" if ALL and COMPILES else "python"
Answers = dict[int, tuple[int, ...]]  # for each action of the peer ours, which may be several in a row


def same(state: State, other: Any) -> Answers:
    """Actions of both are numbered alike."""
    _ = other
    return {action: (action,) for action in state.legal_actions()}


def square(number: int) -> str:
    """The name of a square of a chessboard."""
    return f"{'abcdefgh'[number // 8]}{number % 8 + 1}"


def piece_and_place(state: State, other: Any) -> Answers:
    """A move is two answers here."""
    _ = other
    theirs = {other.action_to_string(action).replace("x", "-"): action for action in other.legal_actions()}
    found: Answers = {}
    for first in state.legal_actions():
        after = state.child(first)
        for second in after.legal_actions():
            found[theirs.get(f"{square(first)}-{square(second)}", -1)] = (first, second)
    return found


def pawns_and_walls(state: State, other: Any) -> Answers:
    """Rows are numbered from the other side there; a move of the pawn is two answers here, where there is a wall to be built instead."""
    theirs = {}
    for action in other.legal_actions():
        column, row, way = (*other.action_to_string(action), "")[:3]
        theirs[
            f"{column}{9 - int(row)}_{'along' if way == 'v' else 'across'}" if way else f"{column}{10 - int(row)}"
        ] = action
    found: Answers = {}
    for first in state.legal_actions():
        name = state.action_to_string(first)
        if name != "none":
            found[theirs.get(name, -1)] = (first,)
        else:
            after = state.child(first)
            for second in after.legal_actions():
                found[theirs.get(after.action_to_string(second), -1)] = (first, second)
    return found


def stakes(state: State, other: Any) -> Answers:
    """The first stake is a call there, and no stake to fold; a raise is the number of coins."""
    _ = other
    least = int(state.action_to_string(state.legal_actions()[0]))
    return {
        1 if action == 0 else 0 if action == 20_001 - least else least + action: (action,)
        for action in state.legal_actions()
    }


def calls_and_cards(state: State, other: Any) -> Answers:
    """Calls stand behind the cards there."""
    behind = 52 if other.legal_actions()[0] >= 52 else 0
    return {behind + action: (action,) for action in state.legal_actions()}


def melds(state: State, other: Any) -> Answers:
    """A card is its suit and rank there, a meld the cards of it."""
    theirs: dict[str | frozenset[str], int] = {}
    for action in other.legal_actions():
        name = other.action_to_string(action).rpartition(": ")[2]
        cards = [name[k : k + 2] for k in range(0, len(name), 2)]
        theirs[frozenset(cards) if action < 52 or action > 55 else name] = action
    words = {"take": "Draw upcard", "upcard": "Draw upcard", "stock": "Draw stock", "pass": "Pass", "knock": "Knock"}
    words["none"] = "Knock" if "Knock" in theirs else "Pass"
    found: Answers = {}
    for answer in state.legal_actions():
        name = state.action_to_string(answer)
        cards = [f"{'A23456789TJQK'[int(c.rpartition('_')[2]) - 1]}{c[0]}" for c in name.split("+") if "_" in c]
        found[theirs.get(frozenset(cards) if cards else words[name], -1)] = (answer,)
    return found


def trades(state: State, other: Any) -> Answers:
    """What is given and what is wanted are one action there, in letters; they are two answers here."""
    theirs = {other.action_to_string(action).rpartition(": ")[2]: action for action in other.legal_actions()}
    if other.current_player() == 2:
        return {theirs[f"trade with proposer {n}"]: (n,) for n in (0, 1)} | {
            theirs["No Deal!"]: (state.legal_actions()[-1],)
        }

    def letters(bag: str) -> str:
        return "".join(int(n) * colour[0].upper() for n, colour in (part.split() for part in bag.split(" + ")))

    found: Answers = {}
    for first in state.legal_actions():
        given = state.action_to_string(first)
        if given == "none":
            found[theirs["Pass trade."]] = (first,)
            continue
        after = state.child(first)
        for second in after.legal_actions():
            found[theirs.get(f"{letters(given)} for {letters(after.action_to_string(second))}", -1)] = (first, second)
    return found


def ships_and_shots(state: State, other: Any) -> Answers:
    """Rows are numbered from above there, and a ship lies from its upper left corner."""
    theirs = {other.action_to_string(action).rpartition(": ")[2]: action for action in other.legal_actions()}
    found: Answers = {}
    for answer in state.legal_actions():
        name = state.action_to_string(answer)
        cells = [(10 - int(cell[1:]), "abcdefghij".index(cell[0])) for cell in name.split("+")]
        row, column = min(cells)
        way = "horizontally" if all(cell[0] == row for cell in cells) else "vertically"
        placed = f"place ship {way} with top-left corner in ({row}, {column})"
        found[theirs.get(placed if len(cells) > 1 else f"shoot at ({row}, {column})", -1)] = (answer,)
    return found


def moves_of_men(state: State, other: Any) -> Answers:
    """A move is two answers here, and three where a pawn becomes another man."""
    pyspiel = pytest.importorskip("pyspiel")
    board = pyspiel.load_game("chess").new_initial_state(str(other)).board()  # of the same squares and side
    theirs = {pyspiel.chess.action_to_move(action, board).to_lan(): action for action in other.legal_actions()}
    found: Answers = {}
    for first in state.legal_actions():
        after = state.child(first)
        for second in after.legal_actions():
            move, end = state.action_to_string(first) + after.action_to_string(second), after.child(second)
            if end.current_player() == state.current_player():
                for third in end.legal_actions():
                    kind = end.action_to_string(third)
                    letter = "n" if kind == "knight" else kind[0]
                    found[theirs.get(move + letter, -1)] = (first, second, third)
            else:
                found[theirs.get(move, -1)] = (first, second)
    return found


def cubes_and_ways(state: State, other: Any) -> Answers:
    """A move is two answers here; there a cube and a way."""
    theirs = {other.action_to_string(action).rstrip("*").lower(): action for action in other.legal_actions()}
    board = [line.strip("|").split("||") for line in str(other).split()]
    places = {cube: (row, column) for row, line in enumerate(board) for column, cube in enumerate(line)}
    found: Answers = {}
    for first in state.legal_actions():
        name = state.action_to_string(first)
        cube, after = f"{name[0]}{name[-1]}", state.child(first)
        row, column = places[cube]
        for second in after.legal_actions():
            target = after.action_to_string(second)
            up, left = 5 - int(target[1:]) - row, "abcde".index(target[0]) - column
            way = "diag" if up and left else {-1: "up", 1: "down"}[up] if up else {-1: "left", 1: "right"}[left]
            found[theirs.get(f"{cube}-{way}", -1)] = (first, second)
    return found


BUGS = {"Q": "queen", "A": "ant", "G": "grasshopper", "S": "spider", "B": "beetle"}
BESIDE = {"/>": (1, -1), "->": (1, 0), "\\>": (0, 1), "</": (-1, 1), "<-": (-1, 0), "<\\": (0, -1)}
AROUND = 22  # cells from one to itself on the board that has no edge


def bug_and_cell(other: Any, action: int) -> tuple[str, tuple[int, int]]:
    """Which bug goes where, as column and row of our board: there a bug is told by one next to which, or on which, it goes."""
    at: dict[str, tuple[int, int]] = {}

    def read(text: str) -> tuple[str, tuple[int, int]]:
        bug, _, place = text.partition(" ")
        signs = "/-\\"
        beside = (
            f"<{place[0]}" if place[:1] in signs and place else f"{place[-1]}>" if place[-1:] in signs and place else ""
        )
        q, r = at[place.strip(signs)] if place else (0, 0)
        more, down = BESIDE.get(beside, (0, 0))
        return bug, (q + more, r + down)

    for text in filter(None, str(other).split(";")[3:]):
        if text != "pass":
            bug, place = read(text)
            at[bug] = place
    bug, (q, r) = read(other.action_to_string(action))
    return bug, ((q + r + 10) % AROUND, (10 - r) % AROUND)


def bugs(state: State, other: Any) -> Answers:
    """A move is two answers here; there as many actions as there are bugs next to the cell, of which one is as good as the next."""
    theirs: dict[tuple[str, str], list[int]] = {}
    for action in other.legal_actions():
        if other.action_to_string(action) == "pass":
            return {action: (state.legal_actions()[0],)}
        bug, (column, row) = bug_and_cell(other, action)
        side = "white" if bug[0] == "w" else "black"
        name = f"{side}_{BUGS[bug[1]]}_{bug[2:] or 1}"
        theirs.setdefault((name, f"{chr(ord('a') + column)}{row + 1}"), []).append(action)
    found: Answers = {}
    for first in state.legal_actions():
        after = state.child(first)
        for second in after.legal_actions():
            for action in theirs.get((state.action_to_string(first), after.action_to_string(second)), [-1]):
                found[action] = (first, second)
    return found


def by_square(names: list[str], name: str) -> int:
    """Squares are numbered by rows from above, the sides of a die from 0."""
    _ = names
    return int(name) - 1 if name.isdigit() else 5 * (5 - int(name[1:])) + "abcde".index(name[0])


CORNERS = ((0, 1, 2, 5, 6, 10), (14, 18, 19, 22, 23, 24))  # the squares where each side begins


def laid_out(drawn: list[int]) -> list[int]:
    """The cubes of a side are laid out at once there, by the number of their order among all orders; here the last is not drawn."""
    if len(drawn) < 10:
        return drawn
    numbers = []
    for corner, first in zip(CORNERS, (drawn[:5], drawn[5:10]), strict=True):
        squares = first + [square for square in corner if square not in first]
        order = [squares.index(square) for square in corner]
        lower = [sum(cube < one for cube in order[k + 1 :]) for k, one in enumerate(order)]
        numbers.append(sum(less * factorial(5 - k) for k, less in enumerate(lower)))
    return numbers + drawn[10:]


def by_name(names: list[str], name: str) -> int:
    """Cards are numbered as they are declared."""
    return names.index(name)


def by_face(names: list[str], name: str) -> int:
    """Cards of one face are one outcome there."""
    faces = list(dict.fromkeys(n.rpartition("_")[0] if n.count("_") == 2 else n for n in names))
    return faces.index(name.rpartition("_")[0] if name.count("_") == 2 else name)


Face = Callable[[list[str], str], int]
PEERS: dict[str, tuple[Callable[[State, Any], Answers], Face, int]] = {
    "gomoku": (same, by_name, 1),
    "lines_of_action": (piece_and_place, by_name, 1),
    "go": (same, by_name, 1),
    "quoridor": (pawns_and_walls, by_name, 1),
    "gin_rummy": (melds, by_name, 1),
    "colored_trails": (trades, by_name, 1),
    "dark_chess": (moves_of_men, by_name, 1),
    "battleship": (ships_and_shots, by_name, 1),
    "einstein": (cubes_and_ways, by_square, 0),
    "hive": (bugs, by_name, 1),
    "holdem": (stakes, by_name, 1),
    "fireworks": (same, by_face, 1),
    "bridge": (calls_and_cards, by_name, 4),
}  # the last: to how many hands the peer deals in turn, where ours gives each its cards at once; 0: it lays out a side at once
BOUNDS = {
    "hive": (1, 60 if ALL else 9)
}  # as GAMES and LONGEST; there, bugs that hold others together may go until white's queen has come


def load_of(name: str) -> str:
    """The peer's game, as the benchmark loads it."""
    document = yaml.safe_load((DATA / "peers.yaml").read_text(encoding="utf-8"))
    (entry,) = (one for one in document["comparisons"] if one.get("file") == f"{name}.yaml")
    return str(entry["against"]["openspiel"]["load"])


def deal(state: State, other: Any, dice: Dice, face: Face, hands: int, cards: list[str]) -> State:
    """Chance of both: what ours draws is what the peer draws."""
    drawn = []
    while state.is_chance_node():
        outcomes = [action for action, _ in state.chance_outcomes()]
        names = [state.action_to_string(action) for action in outcomes]
        if not cards:
            cards.extend(names)
        at = dice.below(len(outcomes))
        drawn.append(face(cards, names[at]))
        state.apply_action(outcomes[at])
    if hands > 1:
        drawn += [n for n in range(len(cards)) if n not in drawn]
        each = len(drawn) // hands
        drawn = [drawn[k % hands * each + k // hands] for k in range(len(drawn))]
    drawn = drawn if hands else laid_out(drawn)
    while drawn and not (other.is_chance_node() or other.is_terminal()):  # what cannot be refused is asked there
        (only,) = other.legal_actions()
        other.apply_action(only)
    for number in drawn:
        if not other.is_terminal():  # ours draws a last card, and then it is over
            other.apply_action(number)
    while other.is_chance_node():
        ((only, _),) = other.chance_outcomes()
        other.apply_action(only)
    return state


@pytest.mark.parametrize("name", PEERS)
def test_in_step_with_the_peer(name: str) -> None:
    """The same player, the same legal actions, the same returns."""
    pyspiel = pytest.importorskip("pyspiel")
    answers, face, hands = PEERS[name]
    theirs = pyspiel.load_game(load_of(name))
    ours = interpreter.Game(loaded(DATA / f"{name}.yaml"), backend=BACKEND)
    games, longest = BOUNDS.get(name, (GAMES, LONGEST))
    for seed in range(games):
        dice, other, cards = Dice(seed), theirs.new_initial_state(), list[str]()
        state = ours.new_state(chance="explicit", undo=False, record=False)
        state = deal(state, other, dice, face, hands, cards)
        for _ in range(longest):
            if other.is_terminal():
                break
            assert state.current_player() == other.current_player(), seed
            found = answers(state, other)
            legal = sorted(other.legal_actions())
            assert sorted(found) == legal, seed
            few = len(legal) if dice.below(2) or len(legal) < 300 else 6  # of thousands of stakes also a low one
            action = legal[dice.below(few)]
            other.apply_action(action)
            for answer in found[action]:
                state.apply_action(answer)
            state = deal(state, other, dice, face, min(hands, 1), cards)
        assert state.is_terminal() == other.is_terminal() and other.returns() == state.returns(), seed
