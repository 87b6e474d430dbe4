"""The second set of mutants: mistakes of meaning, as data, and how they are counted."""

from __future__ import annotations

import pytest

from tests.helpers.places import ROOT
from tools.dev.mutation import reviewing, slips
from tools.dev.mutation.families import Mutant
from tools.dev.mutation.leading import leads
from tools.dev.mutation.ledger import Ledger
from tools.dev.mutation.meaning import MeaningResults, document, page
from tools.dev.mutation.reviewing import OTHERS, Reviews, ReviewVerdict, run
from tools.dev.mutation.slips import CLASSES, BadSlip, Slip, read, slip
from tools.dev.mutation.trial import MutantVerdict

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
    def one(line: int, game: str, how: str, cases_only: bool = False) -> tuple[Slip, MutantVerdict]:
        mutant = Mutant(game, "copy", "game.yaml", line, 0, 1, "a", "b")
        return Slip(mutant, "because"), MutantVerdict(mutant, how, "L093", cases_only=cases_only)

    verdicts = (
        one(3, "x", "static"),
        one(4, "x", "static", True),
        one(5, "x", "survived"),
        one(6, "y", "static"),
        one(7, "y", "by_cases"),
    )
    told = (ReviewVerdict(asks="is it?", named=True), ReviewVerdict(problem="no end"), ReviewVerdict(differs="1 -> 2"))
    missed = [slip.mutant for slip, _ in (verdicts[1], verdicts[2], verdicts[4])]
    unbroken = (("x", 2, ReviewVerdict()), ("y", 2, ReviewVerdict(differs="2 -> 3")))
    reviews = Reviews(dict(zip(missed, told, strict=True)), unbroken)
    results = MeaningResults(verdicts, frozenset("x"), {"x": "games/x", "y": "tests/y.yaml"}, (), reviews)
    data = document(results)
    assert (data["total"], data["lint"], data["in_games_with_cases"], data["with_cases"]) == (5, 2, 3, 2)
    assert (data["with_questions"], data["with_review"], data["named_by_review"]) == (3, 4, 1)
    assert data["unbroken_reviews_that_tell"] == ["tests/y.yaml, seed 2: 2 -> 3"]
    assert [row["place"] for row in data["unseen"]] == ["games/x/game.yaml:5"]
    assert data["unnoticed"][0]["place"] == "games/x/game.yaml:5" and "because" in page(results)
    assert slips.CLASSES["copy"] in page(results)


def test_a_review_tells_of_a_mistake_and_nothing_of_the_game_as_it_is(tmp_path, monkeypatch):
    """What it found is kept: the second run asks nobody."""
    monkeypatch.setattr(reviewing, "GAMES", 12)
    game = ROOT / "tests/legitimate/nim.yaml"
    chosen = [one.mutant for one in SLIPS if one.mutant.game == "nim" and one.why.startswith("One match is taken")]
    file = tmp_path / "verdicts.jsonl"
    reviews = run([game], chosen, 1, lambda _: None, Ledger(file), None)
    assert [(name, seed, one.tells) for name, seed, one in reviews.unbroken] == [("nim", s, False) for s in OTHERS]
    (verdict,) = reviews.verdicts.values()
    assert verdict.differs.startswith("rounds: ") and verdict.named
    monkeypatch.setattr(reviewing, "told_of", None)
    assert run([game], chosen, 1, lambda _: None, Ledger(file), None) == reviews


@pytest.mark.parametrize(
    ("place", "said", "how"),
    [
        (5, "one thing", "line"),
        (6, "one thing", ""),
        (9, "nothing changes `left`", "name"),
        (9, "it is as on line 5", "line"),
        (9, "`right` is what it is", ""),
    ],
)
def test_a_finding_leads_to_the_changed_line_or_name(place: int, said: str, how: str):
    entry = {"code": "L1", "message": said, "file": "x/game.yaml", "range": {"line": place, "end_line": place}}
    entry |= {"expected": None, "found": None, "help": [], "related": []}
    mutant = Mutant("x", "copy", "game.yaml", 5, 0, 1, "set: left", "set: up")
    assert leads(entry, mutant) == how
