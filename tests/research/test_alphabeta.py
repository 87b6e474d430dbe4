"""Exact play, held against games whose worth is known and against plain minimax."""

from __future__ import annotations

import json
from functools import reduce
from operator import xor
from pathlib import Path
from typing import Any

import pytest

import rulespec
from interpreter import Game, State
from interpreter.bots import AlphaBetaBot, RandomBot, Solver
from rulespec.bots.data import Policy
from rulespec.text.diagnostics import RulespecError
from tests.helpers.commands import run
from tests.helpers.games import loaded
from tests.helpers.places import ROOT
from tools.bots import policy_of, seating

NIM = ROOT / "tests/conformance/play/nim.yaml"
EXACT = Policy("alphabeta", "alphabeta", "", solves=True)


def game_of(name: str | Path, variant: str | None = None, **options: Any) -> Game:
    checked = loaded(name) if variant is None else rulespec.load(str(name), variant=variant)
    return Game(checked, options=options, backend="python")


def heaps(state: State) -> list[int]:
    return [count for name, count in state.observation(None)["state"].items() if name.startswith("matches.")]


def minimax(state: State, known: dict[Any, int]) -> int:
    """What the first seat gets more than the second, by looking at everything."""
    if state.is_terminal():
        first, second = state.returns()
        return int(first - second)
    key = state.key()
    if key not in known:
        values = [minimax(state.child(action), known) for action in state.legal_actions()]
        known[key] = max(values) if state.current_player() == 0 else min(values)
    return known[key]


@pytest.mark.parametrize(
    "name, variant, worth", [("tic_tac_toe", None, 0), ("tic_tac_toe", "misere", 0), ("tic_tac_toe", "wild", 2)]
)
def test_worths_of_tic_tac_toe(name, variant, worth):
    game = game_of(name, variant)
    assert Solver(game).worth(game.new_state(1)) == worth


def test_connect_three_on_a_small_board_is_worth_what_minimax_says():
    game = game_of("connect_four", columns="4", rows="3", connect="3")
    state = game.new_state(1, undo=False, record=False)
    known: dict[Any, int] = {}
    assert Solver(game).worth(state) == minimax(state, known) == 2
    assert Solver(game).looked < len(known)


@pytest.mark.parametrize("last", ["wins", "loses"])
def test_nim_is_played_as_bouton_says(last):
    """By the sum of the heaps without carrying; where who takes the last match loses, other than that only while no heap has two."""
    game, rng = game_of(NIM, last=last), RandomBot(1)
    solver = Solver(game)
    for seed in range(12):
        state = game.new_state(seed)
        while not state.is_terminal():
            left = heaps(state)
            if state.decision().site == "heap":
                ahead = reduce(xor, left) != 0
                if last == "loses" and max(left) < 2:
                    ahead = not ahead
                assert solver.worth(state) == (2 if ahead == (state.current_player() == 0) else -2), left
            state.apply_action(rng.choose(state))


def test_all_answers_that_are_worth_most_are_found():
    game = game_of(NIM)
    state, known = game.new_state(1), {}
    for _ in range(4):
        values = {action: minimax(state.child(action), known) for action in state.legal_actions()}
        best = max(values.values()) if state.current_player() == 0 else min(values.values())
        assert Solver(game).best(state) == [action for action, value in values.items() if value == best]
        state.apply_action(state.legal_actions()[-1])


@pytest.mark.parametrize("seat", [0, 1])
def test_it_never_loses_a_game_that_is_a_draw(seat):
    game = game_of("tic_tac_toe")
    solver = Solver(game)
    ends = []
    for seed in range(40):
        state, others = game.new_state(seed), RandomBot(seed)
        exact = AlphaBetaBot(EXACT, solver, seed)
        while not state.is_terminal():
            state.apply_action((exact if state.current_player() == seat else others).choose(state))
        ends.append(state.returns()[seat])
    assert min(ends) >= 0 < sum(ends)


def test_a_few_decisions_ahead_it_wins_at_once_and_stops_a_win():
    game = game_of("tic_tac_toe")
    state = game.new_state(1)
    for cell in ("a1", "b1", "a2"):
        state.apply_action(state.string_to_action(cell))
    solver = Solver(game)
    assert [state.action_to_string(action) for action in solver.best(state, 2)] == ["a3"]
    state.apply_action(state.string_to_action("b2"))
    assert [state.action_to_string(action) for action in solver.best(state, 1)] == ["a3"]


def test_in_seconds_it_looks_as_far_as_it_can():
    game = game_of("connect_four")
    state = game.new_state(1)
    assert set(Solver(game).in_time(state, 0.2)) <= set(state.legal_actions())
    small = game_of(NIM)
    assert Solver(small).in_time(small.new_state(1), 60) == Solver(small).best(small.new_state(1))


@pytest.mark.parametrize(
    "name, players, why",
    [
        ("kuhn_poker", 2, "it hides something from a player"),
        ("kuhn_poker", 3, "it is played by 3"),
        ("lotr_tarot", 2, "its players choose at the same time"),
    ],
)
def test_games_that_it_refuses(name, players, why):
    game = Game(loaded(name), players=players, backend="python")
    with pytest.raises(RulespecError, match="cannot be played exactly") as told:
        seating(game, None, name, ("alphabeta",) * players)
    assert told.value.diagnostics[0].code == "B011"
    assert why in told.value.diagnostics[0].message


HEAD = "rulespec: 1\nid: odd\nplayers: {one: One, two: Two}\nstate: {active: Player, points: {is: 0..9, by: Player}, turns: 0..9}\n"
ODD = {
    "chance has a part": "[{choose: n, by: active, from: 1..2}, {roll: 1, die: 2, as: f}, "
    "{if: 2 in f, then: [{win: one}], else: [{win: two}]}]",
    "comes back to a position": "[{while: yes, do: [{choose: n, by: active, from: 1..2}, {if: n == 2, then: [{win: active}]}, "
    "{set: active, to: rival(active)}]}]",
    "not what the other loses": "[{choose: n, by: active, from: 1..2}, {set: one.points, to: n}, {set: two.points, to: n}]",
    "a fault of the rules": "[{choose: n, by: active, from: 1..2}, {add: 5 * n, to: one.points}, {win: one}]",
}


@pytest.mark.parametrize("why", ODD)
def test_positions_that_it_refuses(why, tmp_path, capsys):
    end = "end of game: {returns: this.points}\n" if "loses" in why else ""
    (tmp_path / "odd.yaml").write_text(f"{HEAD}phases: {{game: {{do: {ODD[why]}}}}}\n{end}", encoding="utf-8")
    code, out, err = run(capsys, "simulate", str(tmp_path / "odd.yaml"), "--games", "1", "--bot", "alphabeta")
    assert code == 1
    assert "cannot be played exactly" in out + err
    assert why in out + err


@pytest.mark.parametrize(
    "name",
    [
        "alphabeta:0",
        "alphabeta:x",
        "alphabeta:0s",
        "alphabeta:201",
        "alphabeta:0p",
        "alphabeta:10000001p",
        "alphabeta::9p",
    ],
)
def test_bounds_that_it_has_not(name, capsys):
    code, out, err = run(capsys, "simulate", "tic_tac_toe", "--games", "1", "--bot", name)
    assert (code, "C001" in out + err) == (2, True)


def test_names():
    assert policy_of("alphabeta:6").depth == 6
    assert policy_of("alphabeta:1.5s").seconds == 1.5
    assert policy_of("alphabeta") == EXACT
    both = policy_of("alphabeta:4:1000p")
    assert (both.depth, both.positions) == (4, 1000)
    assert policy_of("alphabeta:1000p").positions == 1000
    assert policy_of("alphabeta:2s:1000p").seconds == 2


def test_how_many_positions_it_looks_at_can_be_said(capsys):
    game = game_of("tic_tac_toe")
    with pytest.raises(RulespecError, match="more than 50 positions"):
        Solver(game, most=50).best(game.new_state(1))
    assert Solver(game, most=5000).worth(game.new_state(1)) == 0
    code, out, err = run(capsys, "simulate", "tic_tac_toe", "--games", "1", "--bot", "alphabeta:50p")
    assert (code, "B012" in out + err, "more than 50 positions" in out + err) == (1, True, True)
    assert run(capsys, "simulate", "tic_tac_toe", "--games", "1", "--bot", "alphabeta:9000p")[0] == 0


STAGES = """
rulespec: 1
id: staged
players: {one: One, two: Two}
state: {active: Player, turns: 0..9}
phases: {game: {do: [{while: yes, do: [turn, {set: active, to: rival(active)}]}]}}
procedures:
  turn:
    stages: one move
    do:
      - {choose: a, by: active, from: 1..3}
      - {choose: b, by: active, from: 1..3}
      - {if: a == 3 and b == 3, then: [{win: active}]}
      - {add: 1, to: turns}
      - {if: turns == 4, then: [{end: game}]}
"""


def test_the_stages_of_one_move_are_one_move(tmp_path, capsys):
    path = tmp_path / "staged.yaml"
    for text, ahead, levels in ((STAGES, 1, [4, 9]), (STAGES.replace("    stages: one move\n", ""), 2, [1, 3, 9])):
        path.write_text(text, encoding="utf-8")
        game = Game(rulespec.load(str(path)), backend="python")
        state, solver = game.new_state(1), Solver(game)
        wins = [
            a
            for a in state.legal_actions()
            if any(state.child(a).child(b).is_terminal() for b in state.child(a).legal_actions())
        ]
        assert len(wins) == 1
        assert solver.best(state, ahead) == wins
        assert len(solver.best(state, ahead - 1 or 1)) == (1 if ahead == 1 else 3)
        code, out, err = run(capsys, "tree", str(path), "--depth", str(ahead), "--json")
        assert (code, err) == (0, "")
        found = json.loads(out)
        assert [sum(level.values()) for level in found["depths"]] == levels
        assert (found["nodes"]["decision"], found["nodes"]["stage"]) == ((1, 3) if ahead == 1 else (4, 0))
