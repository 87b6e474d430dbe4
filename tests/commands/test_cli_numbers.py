"""`tree` and `simulate`: the numbers that others have computed, and bytes that repeat."""

from __future__ import annotations

import json
import os
import signal
from fractions import Fraction
from pathlib import Path
from typing import Any

import pytest

import rulespec
from interpreter import Game
from tests.helpers.commands import run, shell
from tools import cli, crowds, playouts, walk
from tools.wording import rate_text

ORACLES: list[tuple[str, int, tuple[int, int, int], int | None, list[Fraction]]] = [
    ("tic_tac_toe", 2, (0, 294778, 255168), None, [Fraction(187, 630), Fraction(-187, 630)]),
    ("kuhn_poker", 2, (4, 24, 30), 12, [Fraction(1, 8), Fraction(-1, 8)]),
    (
        "kuhn_poker",
        3,
        (17, 288, 312),
        48,
        [Fraction(15, 64), Fraction(-3, 64), Fraction(-3, 16)],
    ),
    ("leduc_poker", 2, (157, 3780, 5520), 936, [Fraction(-5, 64), Fraction(5, 64)]),
]


def json_of(capsys: pytest.CaptureFixture[str], *arguments: str) -> dict[str, Any]:
    code, out, _ = run(capsys, *arguments, "--json")
    assert code == 0
    found = json.loads(out)
    assert isinstance(found, dict)
    return found


@pytest.mark.parametrize(("game", "players", "nodes", "sets", "returns"), ORACLES)
def test_trees(
    game: str,
    players: int,
    nodes: tuple[int, int, int],
    sets: int | None,
    returns: list[Fraction],
    capsys: pytest.CaptureFixture[str],
) -> None:
    found = json_of(capsys, "tree", game, "--players", str(players))
    counts = found["nodes"]
    assert (counts["chance"], counts["decision"], counts["terminal"]) == nodes
    assert counts["cut"] == 0
    assert found["information_sets"] == sets
    assert [Fraction(text) for text in found["returns"]] == returns


def test_tic_tac_toe_by_depth(capsys: pytest.CaptureFixture[str]) -> None:
    found = json_of(capsys, "tree", "tic_tac_toe")
    assert found["positions"] == 5478
    lengths = [1, 9, 72, 504, 3024, 15120, 54720, 148176, 200448, 127872]
    assert [sum(level.values()) for level in found["depths"]] == lengths


def test_trees_for_people(capsys: pytest.CaptureFixture[str]) -> None:
    code, out, err = run(capsys, "tree", "tic_tac_toe")
    assert (code, err) == (0, "")
    assert "294,778" in out and "0.2968253968" in out
    assert "information sets          –" in out
    assert "12" in run(capsys, "tree", "kuhn_poker")[1]


def test_the_top_of_a_tree(capsys: pytest.CaptureFixture[str]) -> None:
    found = json_of(capsys, "tree", "tic_tac_toe", "--depth", "2")
    assert found["nodes"] == {"chance": 0, "decision": 10, "stage": 0, "terminal": 0, "cut": 72}
    assert found["returns"] is None and found["positions"] == 82
    assert "unknown" in run(capsys, "tree", "tic_tac_toe", "--depth", "0")[1]
    # Cut positions of different depths are not taken for each other.
    deeper = json_of(capsys, "tree", "tic_tac_toe", "--depth", "7")
    assert [sum(level.values()) for level in deeper["depths"]][7] == 148176


def test_merging_changes_nothing() -> None:
    game = Game(rulespec.load("kuhn_poker"), players=2)
    plain = walk.walk(game)
    walker = walk.Walker(game, None, None, lambda _: None)
    walker.hidden = False
    merged = walker.walk()
    assert merged.tree == plain.tree and merged.positions == plain.positions


def test_a_series_repeats_and_can_be_split() -> None:
    game = Game(rulespec.load("leduc_poker"), players=2)
    whole = playouts.run(game, 20, 7)
    assert whole.to_json() == playouts.run(game, 20, 7).to_json()
    assert whole.to_json() != playouts.run(game, 20, 8).to_json()
    seeds = [playouts.game_seed(7, number) for number in range(20)]
    assert seeds[0] == 7 and len(set(seeds)) == 20 and max(seeds) < 2**48
    alone = [playouts.run(game, 1, seed).sums for seed in seeds]
    assert [sum(column) for column in zip(*alone, strict=True)] == whole.sums
    assert sum(whole.sums) == 0 and sum(whole.wins) <= whole.played == 20


@pytest.mark.parametrize("more", [(), ("--explicit",)])
def test_simulate_gives_the_same_bytes(more: tuple[str, ...]) -> None:
    arguments = ("simulate", "leduc_poker", "--games", "40", "--seed", "5", "--json", *more)
    first, second = (shell(*arguments, PYTHONHASHSEED=seed) for seed in ("0", "12345"))
    assert first.returncode == 0
    assert first.stdout == second.stdout
    found = json.loads(first.stdout)
    assert found["finished"] == found["games"] == 40 and found["faults"] == []
    assert found["chance"] == ("explicit" if more else "seeded")
    assert len(found["end_states"]) == 64
    assert 0 < found["length"]["min"] <= found["length"]["mean"] <= found["length"]["max"]


def test_a_series_is_the_same_in_several_processes(faulty: str, capsys: pytest.CaptureFixture[str]) -> None:
    """With games that end in faults, tallies and questions that are counted."""
    counted = ("--tally", "winners is known", "--bot", "random")
    for game, more in ((faulty, ()), ("kuhn_poker", (*counted, "--asked", "action"))):
        asked = ("simulate", game, "--games", "60", "--json", *more)
        alone, together = (run(capsys, *asked, "--jobs", jobs) for jobs in ("1", "2"))
        assert alone[:2] == together[:2] and json.loads(alone[1])["games"] == 60


def test_a_process_that_dies_is_told(capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(crowds, "play", die)
    code, out, err = run(capsys, "simulate", "kuhn_poker", "--games", "10", "--jobs", "2")
    assert code == 1 and not out and "error[C010]" in err


def die(_: range) -> None:
    """What a process does that the system ends."""
    os.kill(os.getpid(), signal.SIGKILL)


def test_slow_games_have_a_rate_as_well() -> None:
    assert [rate_text(3, seconds) for seconds in (0.001, 10, 45)] == ["3,000 a second", "0.3 a second", "one in 15 s"]


def test_simulate_for_people(capsys: pytest.CaptureFixture[str]) -> None:
    code, out, err = run(capsys, "simulate", "kuhn_poker", "--games", "50")
    assert code == 0
    assert "50 games, seed 1" in out and "errors in play: 0" in out
    assert "a second; seed 1" in err


def test_simulate_says_that_nobody_ever_wins(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    file = tmp_path / "lost.yaml"
    file.write_text(
        "rulespec: 1\nid: lost\ntitle: Lost\nplayers: 2\nstate: {luck: 0..9}\nphases:\n  game:\n    do:\n"
        "      - choose: n\n        by: p1\n        from: 1..3\n      - {set: luck, to: n}\n"
        "      - {if: luck == 9, then: [{win: p1}]}\n      - lose game: all\n",
        encoding="utf-8",
    )
    assert "can the game be won" not in run(capsys, "simulate", str(file), "--games", "19")[2]
    assert "all lost together in each of 20 games: can the game be won?" in run(
        capsys, "simulate", str(file), "--games", "20"
    )[2]  # fmt: skip


def test_simulate_tells_faults(
    faulty: str,
    capsys: pytest.CaptureFixture[str],
) -> None:
    code, out, err = run(capsys, "simulate", faulty, "--games", "60", "--json")
    assert code == 1
    faults = json.loads(out)["faults"]
    assert faults and {fault["code"] for fault in faults} == {"R004"}
    assert faults[0]["place"].endswith("game.yaml:20:21")
    assert f"the same error in {len(faults) - 1} games more" in err
    again = next(line for line in err.splitlines() if "to see it again" in line)
    arguments = again.partition("rulespec ")[2].split()
    assert arguments[0] == "play" and str(faults[0]["seed"]) in arguments
    code, _, err = run(capsys, *arguments)
    assert code == 1 and "error[R004]" in err


def test_tree_tells_faults(
    faulty: str,
    capsys: pytest.CaptureFixture[str],
) -> None:
    code, _, err = run(capsys, "tree", faulty)
    assert code == 1 and "error[R004]" in err


def test_explicit_faults_can_be_seen_again(
    faulty: str,
    capsys: pytest.CaptureFixture[str],
) -> None:
    _, _, err = run(capsys, "simulate", faulty, "--games", "60", "--explicit")
    again = next(line for line in err.splitlines() if "to see it again" in line)
    code, _, err = run(capsys, *again.partition("rulespec ")[2].split())
    assert code == 1 and "error[R004]" in err


def test_games_that_are_too_long(capsys: pytest.CaptureFixture[str]) -> None:
    code, _, err = run(capsys, "simulate", "kuhn_poker", "--games", "3", "--max-decisions", "1")
    assert code == 1 and "error[R017]: no end after 1 decision; asked again and again: " in err
    again = next(line for line in err.splitlines() if "to see it again" in line)
    code, _, err = run(capsys, *again.partition("rulespec ")[2].split())
    assert code == 1 and "error[R017]" in err
    code, _, err = run(capsys, "test", "kuhn_poker", "--random", "3", "--max-decisions", "1")
    assert code == 1 and "error[R017]" in err and "--max-decisions 1" in err
    code, _, _ = run(capsys, "test", "kuhn_poker", "--max-decisions", "1")
    assert code == 2


def test_files_are_not_needed_from_here(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    assert cli.main(["tree", "kuhn_poker"]) == 0
