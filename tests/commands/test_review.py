"""`rulespec review`: faults planted in a game are told, and of a game that is as it was nothing is told, whatever the seed."""

from __future__ import annotations

import json
import shutil
from functools import cache
from math import inf
from pathlib import Path
from typing import Any

import pytest
import yaml

import rulespec
from rulespec.checker.program import CheckedGame
from tests.helpers.commands import run
from tests.helpers.places import ROOT
from tools.review import watched
from tools.review.answers import independent
from tools.review.baseline import Baseline, from_data
from tools.review.counted import Counted
from tools.review.observe import Played
from tools.review.run import Review, review
from tools.review.seats import winning_seats
from tools.review.series import Series
from tools.review.setups import Setup, setups
from tools.review.significance import at_most, binomial, fisher, level

PLANTED = yaml.safe_load((ROOT / "tests/review/planted.yaml").read_text(encoding="utf-8"))
GAMES = 100
TELLS = 60  # games that are enough where nothing is to be told


@cache
def in_order(folder: Path) -> Baseline:
    """The baseline of the game without a fault, as it is read from its file."""
    path = folder / "in_order.yaml"
    path.write_text(PLANTED["game"], encoding="utf-8")
    return from_data(json.loads(review(str(path), games=GAMES).baseline().to_json()))


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("review")


def seen(folder: Path, text: str, before: Baseline | None, **settings: object) -> Review:
    """The review of a game by its text."""
    path = folder / "game.yaml"
    path.write_text(text, encoding="utf-8")
    return review(str(path), before=before, **{"games": GAMES, **settings})  # type: ignore[arg-type]


@pytest.mark.parametrize("planted", PLANTED["faults"], ids=lambda planted: planted["name"])
def test_a_planted_fault_is_told(folder: Path, planted: dict[str, Any]) -> None:
    assert PLANTED["game"].count(planted["old"]) == 1
    text = PLANTED["game"].replace(planted["old"], planted["new"])
    more = planted.get("and", [])  # what it needs besides
    for old, new in zip(more[::2], more[1::2], strict=True):
        assert text.count(old) == 1
        text = text.replace(old, new)
    found = seen(folder, text, in_order(folder))
    kind, subject = planted["told"]
    told = [one for one in (*found.findings, *found.answered) if one.kind == kind and subject in one.subject]
    assert told, [one.id for one in found.findings]
    assert found.findings, "what is only asked of a game without a baseline differs from the baseline"


@pytest.mark.parametrize("seed", [1, 2, 3])
def test_nothing_is_told_of_an_unchanged_game(folder: Path, seed: int) -> None:
    found = seen(folder, PLANTED["game"], in_order(folder), seed=seed, games=TELLS)
    assert [one.message for one in found.findings] == []
    assert sum(len(one.games) for one in found.series) > 2 * TELLS


@pytest.mark.parametrize("path", sorted((ROOT / "tests/legitimate").glob("*.yaml"))[::4], ids=lambda path: path.stem)
def test_legitimate_games_do_not_change_by_themselves(path: Path) -> None:
    before = from_data(json.loads(review(str(path), games=20, before=None).baseline().to_json()))
    again = review(str(path), games=20, seed=7, before=before)
    assert [one.message for one in again.findings] == []


def test_watched_games_are_independent(monkeypatch: pytest.MonkeyPatch) -> None:
    """Games of several setups with the same dice would count as so many."""
    seeds: list[int] = []

    def played(_bench: object, seed: int, *_: object, **__: object) -> bool:
        seeds.append(seed)
        return True

    monkeypatch.setattr(watched, "one_game", played)
    checked = rulespec.load(ROOT / "tests/legitimate/crew.yaml")
    assert isinstance(checked, CheckedGame)
    watched.watch(checked, setups(checked, ()), 1, 12, inf)
    assert len(seeds) == len(set(seeds)) == 12


def test_the_command_accepts_and_compares(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = folder / "told.yaml"
    path.write_text(PLANTED["game"], encoding="utf-8")
    words = ("review", str(path), "--games", "40")
    code, out, _ = run(capsys, *words, "--transcripts", str(folder / "odd"))
    assert code == 1 and "no piece ever comes into or leaves `sold`" in out and "rulespec play" in out
    (transcript,) = (folder / "odd").glob("*.jsonl")
    assert run(capsys, "replay", str(transcript), "--game", str(path))[0] == 0
    assert run(capsys, *words, "--accept")[0] == 0
    kept = (folder / "told.review.json").read_text(encoding="utf-8")
    assert len(kept) < 40_000
    code, out, _ = run(capsys, *words)
    assert code == 0 and "Questions: none" in out and "1 question answered before" in out
    path.write_text(
        PLANTED["game"].replace(
            "- add: 1\n                to: active.coins", "- add: 3\n                to: active.coins"
        )
    )
    code, out, _ = run(capsys, *words, "--json")
    assert code == 1
    data = json.loads(out)
    assert list(data) == [
        "rulespec_review", "game", "variants", "seed", "baseline", "setups", "differences", "questions", "answered",
        "not_looked_at",
    ]  # fmt: skip
    assert list(data["differences"][0]) == [
        "id", "kind", "message", "file", "line", "setup", "seed", "command", "details", "figures",
    ]  # fmt: skip
    told = {one["id"]: one["figures"] for one in data["differences"]}
    assert told["difference: do:action: work: coins of one's own"]["now"] > 2
    assert (folder / "told.review.json").read_text(encoding="utf-8") == kept


def test_what_follows_from_one_thing_is_asked_with_it(folder: Path) -> None:
    """A branch that never holds, what it runs, what only that runs and asks; and many of a kind as one."""
    text = PLANTED["game"].replace(
        "          - frost_comes\n",
        "          - frost_comes\n          - {if: round > 5 and p1.coins > 39, then: [thaw]}\n"
        "          - if: round > 0\n            then: [{set: round, to: round}]\n            else:\n              - {set: round, to: 1}\n",
    )
    text = text.replace(
        "  frost_comes:\n",
        "  thaw:\n    do:\n      - {for: p in players, do: [{if: poor(p), then: [alms: p]}]}\n"
        "  alms:\n    takes: {p: Player}\n    do:\n      - {add: 1, to: p.coins}\n      - {add: 1, to: p.points}\n  frost_comes:\n",
    ).replace("phases:\n", "functions:\n  poor: {takes: {p: Player}, is: p.coins < 2}\nphases:\n")
    found = seen(folder, text, None, games=40)
    asked = [one.message for one in found.questions if one.kind == "never reached"]
    assert len(asked) == 2 and all("other thing" in one for one in asked), asked
    members = {name for one in found.questions for name in one.members}
    assert {"never reached: procedures.alms, procedure 1", "never reached: functions.poor, function 1"} <= members
    assert members < set(found.baseline().answered)


def test_a_question_becomes_a_case(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (planted,) = (one for one in PLANTED["faults"] if one["name"] == "a choice that decides nothing")
    path = folder / "undecided.yaml"
    path.write_text(PLANTED["game"].replace(planted["old"], planted["new"]), encoding="utf-8")
    _, _, err = run(capsys, "review", str(path), "--games", "40", "--transcripts", str(folder / "cases"))
    line = next(text for text in err.splitlines() if text.startswith("question"))
    words = line.partition(": rulespec ")[2].replace("NAME", "which_fruit").split()
    code, out, _ = run(capsys, *words, "--print")
    assert code == 0 and "which_fruit:" in out and "- p1:" in out


def test_many_processes_give_the_same(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = folder / "alike.yaml"
    path.write_text(PLANTED["game"], encoding="utf-8")
    words = ("review", str(path), "--games", "20", "--json")
    assert run(capsys, *words)[1] == run(capsys, *words, "--jobs", "2")[1]


def test_a_file_that_is_no_baseline(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = folder / "broken.yaml"
    path.write_text(PLANTED["game"], encoding="utf-8")
    for text in (
        "",
        "[]",
        '{"rulespec_review": 2}',
        '{"rulespec_review": 1, "game": 1, "answered": [], "setups": {"a": 1}}',
        '{"rulespec_review": 1, "game": "a", "answered": [], "game": "broken", "setups": {}}',
    ):
        (folder / "broken.review.json").write_text(text, encoding="utf-8")
        code, _, err = run(capsys, "review", str(path), "--games", "1")
        assert code == 1 and "error[T001]" in err and "--accept" in err
    assert 'the key "game" stands twice in one object' in err
    assert run(capsys, "review", str(path), "--games", "1", "--accept")[0] == 0


def test_a_game_without_end_stays_within_its_budget(folder: Path) -> None:
    found = seen(folder, PLANTED["endless"], None, budget=0.1, games=50)
    assert found.seconds < 6
    assert found.questions[0].kind == "fault" and "not ended" in found.questions[0].message
    assert any("time was up" in text for text in found.skipped)


def test_a_game_that_faults_before_anybody_is_asked(folder: Path) -> None:
    text = PLANTED["game"].replace(
        "      - repeat: 6\n", "      - set: round\n        to: p1.coins\n      - repeat: 6\n"
    )
    found = seen(folder, text, in_order(folder))
    assert found.questions[0].subject.startswith("R004") and found.seconds < 10


def test_exact_tests() -> None:
    assert fisher(8, 10, 1, 6) == pytest.approx(2 * 0.024475524475524476)
    assert fisher(5, 10, 5, 10) == 1.0
    assert binomial(9, 10, 0.5) == pytest.approx(22 / 1024)
    assert binomial(560, 1000, 0.5) == pytest.approx(0.00016504987055045, rel=1e-9)
    assert binomial(2500, 10_000, 0.25) > 0.99 > 1e-9 > binomial(1, 10_000, 0.25)
    assert at_most(0, 44, 0.1) < 0.01 < at_most(0, 43, 0.1) and at_most(7, 7, 0.3) == pytest.approx(1)
    assert level([1e-9] * 10 + [0.5] * 1000) == pytest.approx(1e-4)


def won(setup: Setup, wins: list[int]) -> Series:
    """Games that each seat has won so often."""
    one = Series(setup, sum(wins))
    one.games = [
        Played(n, 9, "some", (seat,)) for n, seat in enumerate(s for s, w in enumerate(wins) for _ in range(w))
    ]
    return one


def told_of_seats(*series: Series) -> list[str]:
    return [one.subject for one in winning_seats(None, Counted(series)) if one.weight]  # type: ignore[arg-type]


def test_seats_are_told_at_one_level_for_all_seats_and_setups() -> None:
    assert told_of_seats(won(Setup(2), [72, 28])) == ["2 players"]
    assert told_of_seats(won(Setup(2), [66, 34])) == []
    assert told_of_seats(won(Setup(4), [45, 19, 18, 18])) == ["4 players"]
    even = [won(Setup(players), [25] * players) for players in (3, 4, 5, 6)]
    assert told_of_seats(won(Setup(2), [71, 29])) and not told_of_seats(won(Setup(2), [71, 29]), *even)
    frost = Setup(2, (("frost", "hard"),))
    assert told_of_seats(won(Setup(2), [50, 50]), won(frost, [0, 20])) == [frost.name]
    assert told_of_seats(won(Setup(2), [0, 100]), won(frost, [0, 20])) == ["2 players"]
    draws = Series(Setup(2), 30)
    draws.games = [Played(n, 9, "draw", ()) for n in range(30)]
    assert told_of_seats(draws, won(Setup(2), [9, 0])) == []


def test_a_choice_is_idle_where_so_many_trials_would_not_all_be_the_same_by_chance() -> None:
    counted = Counted(())
    names = ["often", "seldom", "changes", "never asked"]
    trials = {"often": (60, 60), "seldom": (30, 30), "changes": (60, 58)}
    for name, (ends, same) in trials.items():
        counted.totals["ends", name], counted.totals["same end", name] = ends, same
    assert independent(counted, names, ("ends", "same end"), 0.1) == {"often": True, "seldom": False, "changes": False}
    for name in names:
        counted.totals["ends", name], counted.totals["same end", name] = 60, 60
    assert True not in independent(counted, [*names, *map(str, range(5))], ("ends", "same end"), 0.06).values()


def test_a_variant_inherits_the_answers_and_is_compared_with_the_game(tmp_path: Path) -> None:
    """Until it has a baseline of its own: then with that, and what was answered for the game is still answered."""
    folder = tmp_path / "tic_tac_toe"
    shutil.copytree(ROOT / "games/tic_tac_toe", folder, ignore=shutil.ignore_patterns("review*.json"))
    game, few = str(folder), {"games": 60, "budget": 60.0}
    plain = review(game, before=None, **few)  # type: ignore[arg-type]
    kept = plain.baseline()
    kept.answered = (*kept.answered, "rows: of the game")
    plain.path.write_text(kept.to_json())
    seen = review(game, variants=("misere",), **few)  # type: ignore[arg-type]
    assert seen.path.name == "review.misere.json" and seen.compared == plain.path
    assert any("win" in one.message for one in seen.differences)  # the first player wins less
    assert not {one.id for one in seen.questions} & set(kept.answered)
    seen.path.write_text(seen.baseline().to_json())
    again = review(game, variants=("misere",), seed=3, **few)  # type: ignore[arg-type]
    assert again.compared == seen.path and again.differences == []
    assert again.before is not None and "rows: of the game" in again.before.answered
    assert review(str(folder / "variants/misere.yaml"), games=8).compared == plain.path
