"""The mutation harness on a handful of mutants, and what docs/reports/mutation.json says of the last whole run."""

from __future__ import annotations

import json
from collections import Counter
from dataclasses import replace
from functools import cache

import pytest

from rulespec.text.diagnostics import Diagnostics
from rulespec.text.source import Source
from rulespec.text.yaml_tree import parse
from tests.helpers.places import ROOT
from tools.dev.mutation import trial
from tools.dev.mutation.families import FAMILIES, Mutant, mutants, typo
from tools.dev.mutation.ledger import Ledger
from tools.dev.mutation.plan import plan
from tools.dev.mutation.results import AIMS, CAUGHT, HOWS, MutationResults, document, page
from tools.dev.mutation.run import Unfinished, run
from tools.dev.mutation.texts import GameText, read_csv, read_game, read_yaml

SMALL = ROOT / "games" / "kuhn_poker"
FOLDERS = sorted(path.parent for path in (ROOT / "games").glob("*/game.yaml"))


@cache
def planned() -> list[Mutant]:
    """The mutants that are tried, planned where a test looks at them."""
    return plan(FOLDERS)


# A map, which no shipped game has.
MAP = """\
map:
  nodes: {Place: {rows: {ford: {}, hill: {}}}}
  links: {Road: {fields: {a: Place, b: Place, one_way: Yes or no}, rows: [[ford, hill, yes], [hill, ford, no]]}}
"""


@pytest.fixture(scope="module")
def data():
    return json.loads((ROOT / "docs" / "reports" / "mutation.json").read_text(encoding="utf-8"))


def game_of(text: str) -> GameText:
    file = read_yaml(Source("game.yaml", text))
    return GameText("sample", ROOT, (file,), ("Place", "Road", "ford", "hill"), ())


# --- what is tried --------------------------------------------------------------------------------
def test_a_plan_is_the_same_each_time_and_another_with_another_seed():
    assert plan([SMALL], 60) == plan([SMALL], 60)
    assert plan([SMALL], 60) != plan([SMALL], 60, seed=2)


def test_a_plan_has_300_mutants_of_every_game_and_family_and_none_equals_another_or_the_original():
    assert len(planned()) >= 300
    assert {mutant.game for mutant in planned()} == {folder.name for folder in FOLDERS}
    assert {mutant.family for mutant in planned()} == set(FAMILIES)
    made = set()
    for mutant in planned():
        original = (ROOT / "games" / mutant.game / mutant.file).read_text(encoding="utf-8")
        assert original[mutant.start : mutant.end] == mutant.old
        assert mutant.text(original) != original
        made.add((mutant.game, mutant.file, mutant.text(original)))
    assert len(made) == len(planned())


def test_families_have_mutants_by_weight():
    found = Counter(mutant.family for mutant in planned())
    assert found["misspelt name"] > found["wrong comparison"] > found["missing reason"] > 0


def test_a_line_taken_out_leaves_yaml():
    for mutant in mutants(read_game(SMALL), "missing key"):
        diagnostics = Diagnostics()
        text = mutant.text((SMALL / mutant.file).read_text(encoding="utf-8"))
        assert parse(Source(mutant.file, text), diagnostics) is not None, mutant
        assert not diagnostics.has_errors, mutant


def test_the_ends_of_a_link_are_swapped():
    (border,) = mutants(game_of(MAP), "reversed border")
    assert (border.old, border.new, border.line) == ("ford, hill", "hill, ford", 3)


def test_the_ends_of_a_link_in_a_file_are_swapped_where_it_goes_one_way():
    yaml = read_yaml(
        Source(
            "game.yaml", "map:\n  links: {Road: {fields: {a: Place, b: Place, one_way: Yes or no}, table: roads.csv}}\n"
        )
    )
    csv = read_csv(Source("roads.csv", "id,a,b,one_way\nup,ford,hill,yes\nby,ford,mill,no\n"))
    (road,) = mutants(GameText("sample", ROOT, (yaml, csv), ("ford", "hill", "mill"), ()), "reversed border")
    assert (road.file, road.old, road.new, road.line) == ("roads.csv", "ford,hill", "hill,ford", 2)


@pytest.mark.parametrize(("word", "wrong"), [("deck", "dcek"), ("to", "ot"), ("aa", "aae"), ("p", "pe")])
def test_a_typo(word, wrong):
    assert typo(word) == wrong


# --- who notices ----------------------------------------------------------------------------------
def broken(old: str, new: str) -> Mutant:
    text = (SMALL / "game.yaml").read_text(encoding="utf-8")
    start = text.index(old)
    line = text.count("\n", 0, start) + 1
    return Mutant(SMALL.name, "by hand", "game.yaml", line, start, start + len(old), old, new)


@pytest.fixture
def bench(tmp_path):
    return trial.Workbench(tmp_path, {SMALL.name: SMALL}, {SMALL.name: []})


def test_lint_notices(bench):
    verdict = bench.judge(broken("phases:", "phsaes:"))
    assert (verdict.how, verdict.cases_only) == ("static", False)
    assert verdict.code and verdict.said


def test_a_case_notices(bench):
    mutant = next(m for m in mutants(read_game(SMALL), "wrong comparison") if bench.judge(m).how != "static")
    verdict = bench.judge(mutant)
    assert verdict.how == "by_cases" and verdict.said


def test_random_play_notices_where_there_are_no_cases(bench, monkeypatch):
    monkeypatch.setattr(trial, "by_cases", lambda _: "")
    monkeypatch.setattr(trial, "DECISIONS", 1)
    verdict = bench.judge(broken("title:", "title: "))
    assert (verdict.how, verdict.said.split()[-1]) == ("by_play", "decisions")


def test_a_change_of_no_meaning_survives_and_leaves_the_copy_as_it_was(bench):
    assert bench.judge(broken("title:", "title: ")).how == "survived"
    assert (bench.folder / SMALL.name / "game.yaml").read_bytes() == (SMALL / "game.yaml").read_bytes()


def test_a_fault_of_ours_and_a_mutant_without_end_are_not_caught(bench, monkeypatch):
    def fail(_):
        raise KeyError("ours")

    def wait(_):
        raise trial.TooLong

    monkeypatch.setattr(trial, "entries", fail)
    assert bench.judge(broken("title:", "title: ")).how == "crashed"
    monkeypatch.setattr(trial, "entries", wait)
    assert bench.judge(broken("title:", "title: ")).how == "timed_out"
    assert not {"crashed", "timed_out"} & set(CAUGHT)


def test_a_run_says_the_same_in_one_process_and_in_two():
    chosen = plan([SMALL], 25)
    one, two = run([SMALL], chosen, 1, processes=1), run([SMALL], chosen, 1, processes=2)
    assert one == two
    found = document(one)
    assert found["total"] == len(chosen) == sum(found[how] for how in HOWS)
    assert page(one).count("\n## ") == 6


def test_a_run_goes_on_where_it_was(tmp_path, monkeypatch):
    """What is kept is not tried again, and holds for the same code, game and mutant alone."""
    chosen, file = plan([SMALL], 12), tmp_path / "build" / "verdicts.jsonl"
    with pytest.raises(Unfinished, match=f"{len(chosen)} of {len(chosen)} mutants"):
        run([SMALL], chosen, 1, processes=1, ledger=Ledger(file), seconds=0)
    whole = run([SMALL], chosen, 1, processes=1, ledger=Ledger(file))
    monkeypatch.setattr(trial, "unbroken", None)
    monkeypatch.setattr(trial.Workbench, "judge", None)
    file.write_text(file.read_text(encoding="utf-8") + '{"key": "cut o', encoding="utf-8")
    assert run([SMALL], chosen, 1, processes=1, ledger=Ledger(file)) == whole
    assert Ledger(file).verdict(SMALL, replace(chosen[0], new="another")) is None
    assert Ledger(file).verdict(FOLDERS[0], chosen[0]) is None


def test_the_page_names_every_survivor():
    mutant = replace(planned()[0], old="a | b", new="c")
    text = page(MutationResults(1, (trial.MutantVerdict(mutant, "survived"),), ("game: L001: said",)))
    assert f"games/{mutant.game}/{mutant.file}:{mutant.line}" in text
    assert "a \\| b" in text and "L001" in text


# --- the last whole run ---------------------------------------------------------------------------
def test_the_last_run_adds_up(data):
    assert data["total"] >= 300
    assert data["caught"] == sum(data[how] for how in CAUGHT)
    assert data["total"] == sum(data[how] for how in HOWS)
    for table in ("families", "games"):
        for key in ("total", "caught", *HOWS):
            assert data[key] == sum(row[key] for row in data[table].values())
    assert len(data["survivors"]) == data["total"] - data["caught"]
    for one in data["survivors"]:
        name, _, line = one["place"].rpartition(":")
        assert name.startswith("games/") and int(line) > 0
        assert one["old"] != one["new"]


@pytest.mark.parametrize("key", AIMS)
def test_the_last_run_reaches_the_aims(data, key):
    assert 100 * data[key] >= AIMS[key] * data["total"]


def test_lint_finds_nothing_in_the_unbroken_games(data):
    assert data["false_alarms"] == len(data["alarms"]) == 0


def test_nothing_crashed(data):
    assert data["crashed"] == 0
