"""Options that are for some numbers of players only: with others they keep their default, and nothing else is accepted."""

from __future__ import annotations

from pathlib import Path

import pytest

import rulespec
from rulespec import RulespecError
from rulespec.cases.compiler import load_cases
from rulespec.checker import rows
from rulespec.text.diagnostics import Diagnostic
from tests.helpers.places import ROOT

GAME = """\
rulespec: 1
id: seats
title: Seats
players: 2..4
options:
  ahead_2: {values: 0..2}
  ahead_3: {values: 0..2, players: 3..4}
  ahead_4: {values: 0..2, players: 4}
phases:
  game:
    do: []
end of game:
  returns: if this == p2 then ahead_2 else if this == p3 then ahead_3 else ahead_4
"""

CASES = """\
cases:
  two:
    options: {ahead_3: 0, ahead_2: 1}
    run: [skip]
    expect: [ahead_2 == 1]
  three:
    players: 3
    options: {ahead_3: 2, ahead_4: 1}
    run: [skip]
    expect: [ahead_3 == 2]
"""


@pytest.fixture
def file(tmp_path: Path) -> Path:
    (tmp_path / "game.yaml").write_text(GAME)
    return tmp_path / "game.yaml"


def refused(file: Path, players: int | None, options: dict[str, int], cache: bool = False) -> list[Diagnostic]:
    with pytest.raises(RulespecError) as caught:
        rulespec.load(file, cache=cache).program(players=players, options=options)
    return list(caught.value.diagnostics)


@pytest.mark.parametrize("cache", [False, True])
def test_an_option_is_refused_where_it_is_not_for_so_many(file: Path, cache: bool) -> None:
    rulespec.load(file, cache=cache).program(players=2)
    [fault] = refused(file, 2, {"ahead_4": 1}, cache)
    assert (fault.code, fault.message) == ("P011", "the option ahead_4 is for 4 players, not 2")
    [fault] = refused(file, None, {"ahead_3": 2}, cache)
    assert fault.message == "the option ahead_3 is for 3 or 4 players, not 2"
    [fault] = refused(file, 3, {"ahead_3": 2, "ahead_4": 1}, cache)
    assert fault.message == "the option ahead_4 is for 4 players, not 3"


@pytest.mark.parametrize(
    "players, asked, told",
    [("2", 3, "2 players, not 3"), ("2..4", 5, "2 to 4 players, not 5"), ("3..4", 2, "3 to 4 players, not 2")],
)
def test_a_number_of_players_that_is_refused_is_told_what_would_do(
    tmp_path: Path, players: str, asked: int, told: str
) -> None:
    game = tmp_path / "game.yaml"
    game.write_text(
        f"rulespec: 1\nid: row\ntitle: Row\nplayers: {players}\nphases:\n  game:\n    do: []\nend of game:\n  returns: 0\n"
    )
    [fault] = refused(game, asked, {})
    assert (fault.code, fault.message) == ("P010", f"Row is for {told}")


@pytest.mark.parametrize("cache", [False, True])
def test_its_default_is_accepted_with_any_number(file: Path, cache: bool) -> None:
    game = rulespec.load(file, cache=cache)
    assert game.program(players=2, options={"ahead_4": 0}) == game.program(players=2)
    assert dict(game.program(players=4, options={"ahead_4": 2}).settings)["ahead_4"] == "2"
    assert [own.players for own in game.options] == [(2, 3, 4), (3, 4), (4,)]


def test_a_wrong_number_of_players_is_the_only_fault(file: Path) -> None:
    assert [fault.code for fault in refused(file, 9, {"ahead_4": 1})] == ["P010"]


def test_a_case_with_such_an_option_is_a_fault_at_its_line(file: Path) -> None:
    folder = file.parent / "cases"
    folder.mkdir()
    (folder / "setups.yaml").write_text(CASES)
    suite, [fault] = load_cases(file)
    assert suite is not None and [case.name for case in suite.cases] == ["two"]
    assert fault.code == "P011" and fault.message == "the option ahead_4 is for 4 players, not 3"
    assert fault.span is not None and CASES[: fault.span.start].endswith("ahead_4: ")


def test_a_shipped_game_refuses_the_handicap_of_nobody() -> None:
    game = rulespec.load("hobbit_board_game")
    for players in game.players:
        for seat in range(1, 6):
            options = {f"handicap_p{seat}": 1}
            if seat <= players:
                assert dict(game.program(players=players, options=options).settings)[f"handicap_p{seat}"] == "1"
            else:
                with pytest.raises(RulespecError, match="players, not"):
                    game.program(players=players, options=options)


def test_a_board_that_is_too_large_in_one_size_is_known_before_the_rows_of_all_others(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """Sizes of 5 to 24 have 330,000 pairs of places; the largest is looked at first, and after it few of each."""
    looked = 0

    def counted(self: rows.RowsByRule, *args: object) -> object:
        nonlocal looked
        looked += 1
        return worked_out(self, *args)  # type: ignore[arg-type]

    worked_out = rows.RowsByRule.worked_out
    monkeypatch.setattr(rows.RowsByRule, "worked_out", counted)
    game, findings = rulespec.check(ROOT / "tests/conformance/errors/too_many_by_size.yaml")
    assert game is None
    [fault] = findings
    assert fault.code == "E216" and "so it is with size = 18" in fault.help
    assert looked < 60_000
