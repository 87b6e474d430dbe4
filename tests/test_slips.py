"""The second set of mutants: mistakes of meaning, as data, and how they are counted."""

from __future__ import annotations

import pytest

from tests.helpers.places import ROOT
from tools.mutation import slips
from tools.mutation.families import Mutant
from tools.mutation.meaning import MeaningResults, document, page
from tools.mutation.slips import CLASSES, BadSlip, Slip, read, slip
from tools.mutation.trial import MutantVerdict

GAMES, SLIPS = read()


def test_there_are_many_of_every_class_and_in_every_shipped_game():
    assert len(SLIPS) >= 200
    assert {one.mutant.family for one in SLIPS} == set(CLASSES)
    assert {path.parent for path in (ROOT / "games").glob("*/game.yaml")} <= set(GAMES)
    assert len({(one.mutant.game, one.mutant.file, one.mutant.start, one.mutant.new) for one in SLIPS}) == len(SLIPS)


def test_a_mistake_that_does_not_fit_its_game_is_refused():
    game = ROOT / "games/tic_tac_toe"
    row = {"class": "wrong name", "was": "win: active", "now": "win: rival(active)", "why": "The other wins"}
    assert slip(game, 1, row, "x.yaml").mutant.old == "win: active"
    for change in (
        {"was": "win: nobody"},
        {"now": "win: active"},
        {"class": "another"},
        {"was": "active"},
        {"why": ""},
    ):
        with pytest.raises(BadSlip):
            slip(game, 1, row | change, "x.yaml")


def test_lint_alone_counts_no_finding_of_cases_and_games_without_cases_count_apart():
    def one(game: str, how: str, cases_only: bool = False) -> tuple[Slip, MutantVerdict]:
        mutant = Mutant(game, "copy", "game.yaml", 3, 0, 1, "a", "b")
        return Slip(mutant, "because"), MutantVerdict(mutant, how, "L093", cases_only=cases_only)

    verdicts = (
        one("x", "static"),
        one("x", "static", True),
        one("x", "survived"),
        one("y", "static"),
        one("y", "by_cases"),
    )
    results = MeaningResults(verdicts, frozenset("x"), {"x": "games/x", "y": "tests/y.yaml"}, ())
    data = document(results)
    assert (data["total"], data["lint"], data["in_games_with_cases"], data["with_cases"]) == (5, 2, 3, 2)
    assert data["unnoticed"][0]["place"] == "games/x/game.yaml:3" and "because" in page(results)
    assert slips.CLASSES["copy"] in page(results)
