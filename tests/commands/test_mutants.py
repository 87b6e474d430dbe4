"""`rulespec test --mutants`: which changes are tried, what becomes of them, and what is told."""

from __future__ import annotations

import time
from pathlib import Path
from typing import Any

import pytest

from rulespec.cases.compiler import load_cases
from tools.mutants import run as run_module
from tools.mutants import trial
from tools.mutants.changes import Change, changes, in_turn
from tools.mutants.limits import TooLong
from tools.mutants.reach import Reach
from tools.mutants.report import data, lines
from tools.mutants.run import run
from tools.mutants.trial import Workbench

GAME = """\
rulespec: 1
id: wells
title: Wells
players: 2
types:
  Well: [deep, dry]
state:
  turns: 0..9
  per Player:
    coins: {is: 0..9, starts: 2}
    stones: {is: 0..9, starts: 2}
phases:
  game:
    do:
      - turn: p1
      - {set: turns, to: 1}
      - if: turns > 1
        then:
          - never
procedures:
  turn:
    takes: {p: Player}
    do:
      - choose: well
        by: p
        from: Well
        only:
          - if: well != dry or p.coins >= 2
      - add: 3
        to: p.coins
      - add: 1
        to: p.stones
  never:
    do:
      - {set: turns, to: 5}
end of game:
  winners: p1
cases:
  it_ends:
    play:
      - p1: deep
    expect: p1.coins == 5
    winners: p1
"""


@pytest.fixture
def file(tmp_path: Path) -> Path:
    path = tmp_path / "wells.yaml"
    path.write_text(GAME, encoding="utf-8")
    return path


@pytest.fixture
def bench(file: Path) -> Workbench:
    folder = file.parent / "copy"
    folder.mkdir()
    return Workbench(folder.resolve(), file)


def all_changes(file: Path) -> list[Change]:
    suite, _ = load_cases(file)
    assert suite is not None
    return changes(suite.game)


def called(file: Path, said: str, line: str = "") -> Change:
    """The change of which this is said, on a line that holds a text."""
    fitting = [c for c in all_changes(file) if c.said == said and line in GAME.splitlines()[c.line - 1]]
    assert len(fitting) == 1, [c.said for c in all_changes(file)]
    return fitting[0]


def test_what_is_changed(file: Path) -> None:
    said = {(one.rule, one.said) for one in all_changes(file)}
    assert said >= {
        ("turn", "`4` for `3`"),
        ("turn", "`>` for `>=` in `p.coins >= 2`"),
        ("turn", "`==` for `!=` in `well != dry`"),
        ("turn", "`and` for `or` in `well != dry or p.coins >= 2`"),
        ("turn", "`p.coins >= 2` left out"),
        ("turn", "`deep` for `dry`"),
        ("turn", "`stones` for `coins`"),
        ("turn", "`left_of(p)` for `p`"),
        ("turn", "`add: 3` left out"),
        ("turn", "`add: 1` before `add: 3`"),
        ("turn", "`only: - if: well != dry or p.coins >= 2` left out"),
        ("game", "`not (turns > 1)` for `turns > 1`"),
        ("end of game", "`p2` for `p1`"),
    }
    assert not {one.rule for one in all_changes(file)} & {"cases", "it_ends", "title", "players"}


def test_what_becomes_of_a_change(file: Path, bench: Workbench) -> None:
    def verdict(said: str, line: str = "") -> tuple[str, str]:
        judged = bench.judge(called(file, said, line), ("it_ends",))
        return judged.how, judged.by

    assert verdict("`4` for `3`") == ("noticed", "it_ends")
    assert verdict("`add: 1` left out") == ("survived", "")
    assert verdict("`>` for `>=` in `p.coins >= 2`") == ("survived", "")
    assert verdict("`2` for `1`", "add: 1") == ("survived", "")
    assert verdict("`add: 1` before `add: 3`") == ("equal", "")
    assert bench.file.read_text(encoding="utf-8") == GAME


def test_a_change_that_is_refused_or_endless(file: Path, bench: Workbench, monkeypatch: pytest.MonkeyPatch) -> None:
    one = called(file, "`4` for `3`")
    nonsense = Change(one.file, one.line, one.start, one.end, one.old, "many", one.rule, "nonsense")
    assert bench.judge(nonsense, ("it_ends",)).how == "refused"

    def wait(*_: object) -> bool:
        raise TooLong

    monkeypatch.setattr(trial, "passes", wait)
    assert bench.judge(one, ("it_ends",)).how == "endless"
    assert bench.file.read_text(encoding="utf-8") == GAME


def test_only_cases_that_come_there(file: Path, bench: Workbench) -> None:
    """What no case reaches is not tried; what is nobody's step, such as a start, concerns all."""
    suite, _ = load_cases(file)
    assert suite is not None
    reach = Reach(suite.game, bench.reached(frozenset({"it_ends"})))
    unreached = called(file, "`6` for `5`")
    assert reach.of(unreached.file, unreached.start) == ()
    started = called(file, "`3` for `2`", "coins: {")
    assert reach.of(started.file, started.start) == ("it_ends",)


def test_a_run_and_its_report(file: Path) -> None:
    suite, _ = load_cases(file)
    assert suite is not None
    result = run(suite, file, frozenset({"it_ends"}), 12, 1, 1, None)
    assert result.counted == 12 and result.unreached == {"never": 2}
    told = list(lines(result, "Wells", notes=False))
    survivors = result.told("survived")
    assert survivors and told[0].startswith(f"Wells: cases notice {12 - len(survivors)} of 12 changes")
    for one in survivors:
        assert any(f"`{one.change.rule}` " in line and f":{one.change.line}: " in line for line in told)
    assert data(result, "wells")["survived"] == len(survivors)
    assert [c.said for c in in_turn(all_changes(file), 1, bool)] == [
        c.said for c in in_turn(all_changes(file), 1, bool)
    ]


def test_the_budget_begins_with_the_first_change(file: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """To look at the cases of a large game takes longer than many a budget, and left no time for a change."""
    suite, _ = load_cases(file)
    assert suite is not None
    clock, look, now = [0.0], run_module.measured, time.time

    def slowly(*given: Any) -> Any:
        clock[0] += 1000
        return look(*given)

    monkeypatch.setattr(time, "time", lambda: now() + clock[0])
    monkeypatch.setattr(run_module, "measured", slowly)
    result = run(suite, file, frozenset({"it_ends"}), 2, 1, 1, 60)
    assert (result.counted, result.late) == (2, 0)
