"""Odds, held against figures that are known, against random play, and where they cannot be told."""

from __future__ import annotations

import json
from fractions import Fraction
from pathlib import Path
from typing import Any

import pytest

from interpreter import Game
from interpreter.bots.basics import Chance
from interpreter.odds import TooMany, drawn, odds
from rulespec import ir
from rulespec.text.diagnostics import RulespecError
from tests.helpers.commands import run
from tests.helpers.games import loaded
from tests.helpers.places import ROOT
from tools.intervals import interval

BATTLE = "tests/conformance/play/dice_battle.yaml"
HEAD = "rulespec: 1\nid: odd\nplayers: 1\nstate: {total: 0..99, tries: 0..99}\nphases: {game: {do: [{run_it: p1}]}}\n"


@pytest.fixture(autouse=True)
def at_the_root(monkeypatch):
    monkeypatch.chdir(ROOT)


def told(capsys: Any, *arguments: str) -> dict[str, Any]:
    code, out, err = run(capsys, "odds", *arguments, "--json")
    assert code == 0, err
    return json.loads(out)["branches"][0]  # type: ignore[no-any-return]


def outcomes(branch: dict[str, Any]) -> dict[str, Fraction]:
    return {one["value"]: Fraction(one["probability"]) for one in branch["asked"][0]["outcomes"]}


def written(folder: Path, steps: str) -> Path:
    file = folder / "odd.yaml"
    file.write_text(f"{HEAD}procedures: {{run_it: {{takes: {{p: Player}}, do: {steps}}}}}\n", encoding="utf-8")
    return file


@pytest.mark.parametrize(
    "attackers, defenders, wanted",
    [  # Osborne, Markov chains for the RISK board game revisited (2003), table 2: the defender's losses
        (4, 2, {"0": (2890, 7776), "1": (2611, 7776), "2": (2275, 7776)}),
        (3, 2, {"0": (295, 1296), "1": (420, 1296), "2": (581, 1296)}),
        (2, 2, {"1": (55, 216), "2": (161, 216)}),
        (4, 1, {"0": (855, 1296), "1": (441, 1296)}),
        (3, 1, {"0": (125, 216), "1": (91, 216)}),
        (2, 1, {"0": (15, 36), "1": (21, 36)}),
    ],
)
def test_the_dice_of_risk(attackers, defenders, wanted, capsys):
    given = [f"--given={{set: {who}.armies, to: {n}}}" for who, n in (("attacker", attackers), ("defender", defenders))]
    branch = told(capsys, BATTLE, *given, "--run=throw", "--ask=defender.armies")
    assert outcomes(branch) == {name: Fraction(*share) for name, share in wanted.items()}
    assert branch["exact"]


def test_uniform_play_of_kuhn_poker(capsys):
    branch = told(capsys, "kuhn_poker", "--bot=random")
    assert branch["returns"] == {"p1": "1/8", "p2": "-1/8"}
    assert outcomes(branch) == {"Player 1": Fraction(9, 16), "Player 2": Fraction(7, 16)}


def test_odds_are_those_of_all_histories():
    """Of a small game, walked without a graph and without merging."""

    def walked(state: Any, probability: Fraction, into: dict[Any, Fraction]) -> None:
        if state.is_terminal():
            end = tuple(state.returns())
            into[end] = into.get(end, Fraction(0)) + probability
            return
        chances = state.chance_outcomes() or [
            (action, Fraction(1, len(state.legal_actions()))) for action in state.legal_actions()
        ]
        for action, share in chances:
            walked(state.child(action), probability * share, into)

    game = Game(loaded("kuhn_poker"), players=3, backend="python")
    state = game.new_state(chance="explicit", undo=False, record=False)
    wanted: dict[Any, Fraction] = {}
    walked(state, Fraction(1), wanted)
    exact = odds(state, uniform=True)
    merged: dict[Any, Fraction] = {}
    for slots, probability in exact.ends:
        merged[slots[ir.RETURNS]] = merged.get(slots[ir.RETURNS], Fraction(0)) + probability
    assert merged == wanted
    assert sum(merged.values()) == 1


@pytest.mark.parametrize(
    "steps, wanted",
    [
        ("[{while: yes, do: [{roll: 1, die: 6, as: f}, {stop when: 1 in f}]}]", {"0": 1}),
        # Until two in a row: Conway's 6 throws are a mean; with a bound of 3 tries the rest is cut.
        (
            "[{while: tries < 3, do: [{roll: 1, die: 2, as: f}, {add: 1, to: tries}, {stop when: 1 in f}]}, {set: total, to: tries}]",
            {"1": Fraction(1, 2), "2": Fraction(1, 4), "3": Fraction(1, 4)},
        ),
        # Gambler's ruin from 1 to 3 with a fair coin: 3 is reached with probability 1/3, after ways that come back.
        (
            "[{set: total, to: 1}, {while: total in 1..2, do: [{roll: 1, die: 2, as: f}, "
            "{if: 1 in f, then: [{add: 1, to: total}], else: [{lose: 1, from: total}]}]}]",
            {"0": Fraction(2, 3), "3": Fraction(1, 3)},
        ),
    ],
)
def test_ways_that_come_back(steps, wanted, tmp_path, capsys):
    file = written(tmp_path, steps)
    branch = told(capsys, str(file), "--run=run_it: p1", "--ask=total")
    assert outcomes(branch) == wanted


def test_what_never_ends_is_said(tmp_path, capsys):
    file = written(tmp_path, "[{while: yes, do: [{roll: 1, die: 2, as: f}, {set: total, to: sum(f)}]}]")
    code, out, err = run(capsys, "odds", str(file), "--run=run_it: p1", "--ask=total")
    assert code == 1
    assert "P015" in out + err


def test_who_is_asked_and_does_not_answer_is_named(capsys):
    code, out, err = run(capsys, "odds", BATTLE, "--run=asked", "--ask=flips")
    assert code == 1
    assert "error[P014]: attacker is asked for `n`" in out + err


def test_each_answer_apart(capsys):
    code, out, _ = run(capsys, "odds", BATTLE, "--run=asked", "--ask=flips", "--bot=random", "--by-answer", "--json")
    branches = json.loads(out)["branches"]
    assert code == 0
    assert [(one["answer"], one["asked"][0]["mean"]) for one in branches] == [
        ("1", "9/2"),
        ("2", "11/2"),
        ("3", "13/2"),
    ]


def test_lots_are_near_what_is_exact(capsys):
    arguments = (BATTLE, "--run=throw", "--ask=defender.armies")
    exact = outcomes(told(capsys, *arguments))
    lots = told(capsys, *arguments, "--most=100", "--samples=400", "--seed=3")
    assert not lots["exact"]
    for one in lots["asked"][0]["outcomes"]:
        assert one["low"] <= exact[one["value"]] <= one["high"]
    assert lots == told(capsys, *arguments, "--most=100", "--samples=400", "--seed=3")


def test_other_bots_are_drawn_by_lot(capsys):
    branch = told(capsys, "tic_tac_toe", "--bot=x=random", "--bot=o=alphabeta:1", "--samples=20")
    assert (branch["exact"], branch["positions"], branch["samples"]) == (False, 0, 20)


def test_a_saved_game_goes_on_from_where_it_is(tmp_path, capsys):
    game = Game(loaded("kuhn_poker"), backend="python")
    state = game.new_state(3)
    state.save_to(tmp_path / "game.json")
    branch = told(capsys, "kuhn_poker", f"--load={tmp_path / 'game.json'}", "--bot=random")
    for word in ("bet", "call"):
        state.apply_action(state.string_to_action(word))
    better = state.returns()[0] > 0  # the first player's card, which is dealt already
    assert branch["returns"]["p1"] == ("9/8" if better else "-7/8")


@pytest.mark.parametrize(
    "arguments, code, said",
    [
        (["--run=thrwo", "--ask=flips"], 1, "throw"),
        (["--run=throw", "--ask=flipz"], 1, "flips"),
        (["--run=throw", "--given={set: attacker.armies, to: 99}", "--ask=flips"], 1, "E211"),
        (["--run=throw", "--given={set: attacker.armies, to: 2 * attacker.armies * 4}", "--ask=flips"], 1, "R0"),
        (["--run=throw", "--load=nothing.json"], 2, "C001"),
        (["--position=nowhere", "--run=throw", "--ask=flips"], 1, "K012"),
        (["--run=throw", "--by-answer", "--ask=flips"], 2, "nobody is asked"),
        (["--run=[throw", "--ask=flips"], 1, "--given, --run"),
        (["--load=nothing.json"], 2, "nothing.json"),
    ],
)
def test_what_is_wrong_is_said(arguments, code, said, capsys):
    got, out, err = run(capsys, "odds", BATTLE, *arguments)
    assert got == code
    assert said in out + err


def test_too_many_positions():
    game = Game(loaded("kuhn_poker"), backend="python")
    with pytest.raises(TooMany):
        odds(game.new_state(chance="explicit"), uniform=True, most=10)
    with pytest.raises(RulespecError, match="P014"):
        drawn(game.new_state(1).explicit(), Chance(1), None)


def test_the_interval_is_wilsons():
    """Of 10 in 20 at 95 % as in Newcombe (1998), of none, and against statsmodels: proportion_confint(7, 20, method="wilson")."""
    assert [round(bound, 4) for bound in interval(10, 20, 95.0)] == [0.2993, 0.7007]
    assert interval(0, 0, 95.0) == (0.0, 1.0)
    low, high = interval(7, 20)
    assert (round(low, 6), round(high, 6)) == (0.181192, 0.567146)
    assert interval(0, 10)[0] == pytest.approx(0, abs=1e-12)
    assert interval(10, 10)[1] == 1.0
