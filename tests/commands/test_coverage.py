"""Coverage: exactly what ran and what did not, in words, as data and as a page; and that watching changes nothing."""

from __future__ import annotations

import json
from dataclasses import replace
from html.parser import HTMLParser
from pathlib import Path

import jsonschema
import pytest
from referencing import Registry

import interpreter
import rulespec
from interpreter.testing.coverage import Recorder, WatchedGame
from rulespec.cases.compiler import load_cases
from rulespec.cases.coverage import items, rows
from rulespec.cases.data import Suite
from tests.helpers.games import loaded, suite_of
from tests.helpers.places import GAMES, ROOT
from tools import cli
from tools.coverage.measure import Coverage, Measure, percent
from tools.coverage.page import page
from tools.coverage.report import data
from tools.playouts import game_seed

TINY = """\
rulespec: 1
id: tiny
title: Tiny <script>alert("&")</script>
players: 2

options:
  long: {values: Yes or no, default: "no", about: Play on}

state:
  level: 0..9
  per Player:
    coins: {is: 0..9, starts: 1}

tables:
  bonus: {by: players, gives: 0..9, rows: {1: 4, 2: 3}}
  price:
    by: 1..3
    gives: 0..9
    rows:
      1: 1
      2: 5
      3: 7

events:
  raised: {takes: {amount: 0..9}}

rules:
  applause:
    after: raised
    where: amount > 1
    do:
      - add: 1
        to: p1.coins
  boo:
    after: raised
    where: amount > 8
    do:
      - lose: 1
        from: p1.coins

functions:
  word: if level > 1 then 2 else 1
  unused: {takes: {n: 1..3}, is: n + 1}

phases:
  game:
    do:
      - offer: move
        by: p1
        options:
          up:
            say: Up
            if: level < 9
            why: It is the top
            do:
              - announce: raised
                with: {amount: 2}
                do:
                  - set: level
                    to: level + price(word)
          jump:
            say: Jump
            if: level > 5
            why: You stand too low
            do:
              - set: level
                to: 9
          stay: {say: Stay}
      - if: level > 0
        then:
          - add: bonus
            to: p2.coins
        else:
          - lose: 1
            from: p2.coins
      - if: long
        then:
          - set: level
            to: 0

end of game:
  returns: this.coins
"""
CASES = """\
cases:
  up:
    play:
      - refuse: {p1: jump}
        why: too low
      - p1: up
    expect:
      - level == 1 and p1.coins == 2
"""


@pytest.fixture
def tiny(tmp_path: Path) -> Path:
    """A game with one case."""
    (tmp_path / "game.yaml").write_text(TINY, encoding="utf-8")
    (tmp_path / "cases").mkdir()
    (tmp_path / "cases/one.yaml").write_text(CASES, encoding="utf-8")
    return tmp_path


def measured(folder: Path | str, random: int = 0, options: bool = False, must: bool = True) -> Coverage:
    """The coverage of a game by its cases and random games; with `must` what must always hold is looked at as well."""
    suite, findings = load_cases(folder)
    assert suite is not None, "\n".join(map(str, findings))
    measure = measured_cases(suite if must else replace(suite, invariants=()), random)
    return with_games(measure, options) if random else measure.finish()


def measured_cases(suite: Suite, random: int) -> Measure:
    """What measures a game, when all its cases have been played."""
    measure = Measure(suite, 1, random)
    for case in suite.cases:
        result = measure.case(case)
        assert result.passed, result.message
    return measure


def with_games(measure: Measure, options: bool = False) -> Coverage:
    """The coverage with random games besides."""
    for players, settings in measure.setups(options):
        measure.random_games(players, settings)
    assert not measure.faults
    return measure.finish()


def line_of(text: str, source: str = TINY) -> int:
    """The number of the only line with a text."""
    found = [n for n, line in enumerate(source.splitlines(), 1) if text in line]
    assert len(found) == 1, (text, found)
    return found[0]


def gaps(coverage: Coverage) -> set[tuple[int, str, tuple[str, ...]]]:
    """What is not covered: line, group, outcomes."""
    return {(i.where.line, i.group, coverage.open(i)) for i in coverage.items if coverage.open(i)}


# --- exactly what ran -------------------------------------------------------------------------------------------------
def test_a_case_covers_exactly_what_it_reaches(tiny: Path) -> None:
    assert gaps(measured(tiny)) == {
        (line_of("applause:"), "rules", ("does not apply",)),
        (line_of("boo:"), "rules", ("applies", "runs")),
        (line_of("boo:") + 4, "steps", ("done",)),
        (line_of("word: if"), "branches", ("holds",)),
        (line_of("unused:"), "functions", ("called",)),
        (line_of("2: 5"), "rows", ("read",)),
        (line_of("3: 7"), "rows", ("read",)),
        (line_of("if: level < 9"), "conditions", ("refuses",)),
        (line_of("jump:"), "choices", ("offered", "taken")),
        (line_of("if: level > 5"), "conditions", ("allows",)),
        (line_of("to: 9") - 1, "steps", ("done",)),
        (line_of("stay:"), "choices", ("taken",)),
        (line_of("- if: level > 0"), "branches", ("fails",)),
        (line_of("else:") + 1, "steps", ("done",)),
        (line_of("- if: long"), "branches", ("holds",)),
        (line_of("to: 0") - 1, "steps", ("done",)),
        (line_of("rows: {1: 4, 2: 3}"), "rows", ("read",)),
    }


def test_random_games_and_options_add_what_they_reach(tiny: Path) -> None:
    left = {line for line, _, _ in gaps(measured(tiny, 20))}
    assert line_of("stay:") not in left and line_of("else:") + 1 not in left
    assert line_of("- if: long") in left and line_of("to: 0") - 1 in left
    with_options = {line for line, _, _ in gaps(measured(tiny, 20, options=True))}
    assert left - with_options == {line_of("- if: long"), line_of("to: 0") - 1}


def test_counts_and_who_counted(tiny: Path) -> None:
    coverage = measured(tiny, 10)
    [offer] = [i for i in coverage.items if i.where.line == line_of("- offer: move") and i.group == "steps"]
    assert [coverage.hit(key) for key in offer.counted()] == [11]
    assert [(run.name, run.hits[key]) for run in coverage.runs for key in offer.counted()] == [
        ("up", 1),
        ("10 random games, 2 players", 10),
    ]


def test_what_facts_ask_for_is_not_counted(tiny: Path) -> None:
    text = CASES.replace("- level == 1", "- unused(2) == 3 and price(2) == 5 and level == 1")
    (tiny / "cases/one.yaml").write_text(text, encoding="utf-8")
    assert {(line_of("unused:"), "functions", ("called",)), (line_of("2: 5"), "rows", ("read",))} <= gaps(
        measured(tiny)
    )


def test_a_loop_that_cannot_end_has_one_way(tmp_path: Path) -> None:
    game = tmp_path / "loop.yaml"
    game.write_text(
        "rulespec: 1\nid: loop\ntitle: Loop\nplayers: 2\n\nphases:\n  game:\n    do:\n      - while: yes\n"
        "        do:\n          - win: p1\n\ncases:\n  end: {returns: [1, -1]}\n",
        encoding="utf-8",
    )
    coverage = measured(game)
    assert gaps(coverage) == set() and percent(coverage.tally()) == 100
    [loop] = [i for i in coverage.items if i.group == "branches"]
    assert loop.outcomes == ("goes on",)


@pytest.mark.parametrize("folder", GAMES, ids=lambda folder: folder.name)
def test_shipped_games_are_covered(folder: Path) -> None:
    """Every rule of every game is reached by its cases, or by these and a few random games."""
    measure = measured_cases(replace(suite_of(folder), invariants=()), 4)
    coverage = measure.finish()
    if gaps(coverage):
        coverage = with_games(measure)
    open_ = [f"{i.where.label()} {i.group}: {', '.join(coverage.open(i))}" for i in coverage.items if coverage.open(i)]
    assert open_ == [] and coverage.findings == ()


# --- nothing changes ----------------------------------------------------------------------------------------------------
@pytest.mark.parametrize("name", ["leduc_poker", "smaugs_treasure", "hobbit_card_game"])
def test_watching_changes_no_game(name: str) -> None:
    found = loaded(name)
    plain = interpreter.Game(found)
    program = found.program(optimise=False)
    unwatched = interpreter.Game.from_program(program, backend="reference")
    watched = WatchedGame.watched(program, Recorder(rows(found)))
    for number in range(3):
        seed = game_seed(1, number)
        one, two, three = (game.playout(seed, record=True) for game in (plain, unwatched, watched))
        assert two.slots == three.slots
        assert list(one.answers()) == list(two.answers()) == list(three.answers())
        assert one.log_lines(None) == two.log_lines(None) == three.log_lines(None)
        assert one.returns() == three.returns()
        assert one.observation(0) == three.observation(0)


def test_every_item_can_be_counted(tiny: Path) -> None:
    """What is listed is what a watched machine has a place for, and every listed outcome has exactly one."""
    found = rulespec.load(tiny)
    recorder = Recorder(rows(found))
    game = WatchedGame.watched(found.program(optimise=False), recorder)
    assert game.machine.compiler.function(0) is not None
    listed = [key for item in items(found) for key in item.counted()]
    assert len(listed) == len(set(listed))
    made = {key[:3] for key in recorder.counts}
    lazily = {"choice", "function"}  # counted when they first happen
    assert {key[:3] for key in listed if key[0] not in lazily} <= made


# --- marks --------------------------------------------------------------------------------------------------------------
def marked(folder: Path, old: str, why: str) -> Coverage:
    text = TINY.replace(old, f"{old}  # coverage: unreachable because {why}")
    assert text != TINY
    (folder / "game.yaml").write_text(text, encoding="utf-8")
    return measured(folder)


def test_a_mark_excuses_what_stands_on_its_line(tiny: Path) -> None:
    before = measured(tiny).tally()
    coverage = marked(tiny, "unused: {takes: {n: 1..3}, is: n + 1}", "nobody calls it")
    assert coverage.findings == () and coverage.tally() == (before[0], before[1] - 1)
    assert {mark.why for mark in coverage.excused.values()} == {"nobody calls it"}


def test_a_mark_of_a_step_that_never_runs_excuses_what_is_within(tmp_path: Path) -> None:
    game = tmp_path / "deep.yaml"
    game.write_text(
        "rulespec: 1\nid: deep\ntitle: Deep\nplayers: 2\n\nstate:\n  level: 0..9\n\nphases:\n  game:\n    do:\n"
        "      - if: level > 5\n        then:\n          # coverage: unreachable because level is 0\n"
        "          - if: level > 6\n            then:\n              - win: p1\n            else:\n              - win: p2\n"
        "\ncases:\n  end: {expect: [level == 0]}\n",
        encoding="utf-8",
    )
    coverage = measured(game)
    assert gaps(coverage) == {(12, "branches", ("holds",))}
    assert coverage.findings == () and len(coverage.excused) == 5


@pytest.mark.parametrize(
    ("old", "comment", "code"),
    [
        ("- offer: move", "coverage: unreachable because it is", "K006"),
        ("players: 2", "coverage: unreachable because it is", "K006"),
        ("- offer: move", "coverage: ignore", "K005"),
        ("- offer: move", "coverage: unreachable", "K005"),
    ],
)
def test_marks_that_are_wrong_are_findings(tiny: Path, old: str, comment: str, code: str) -> None:
    (tiny / "game.yaml").write_text(TINY.replace(old, f"{old}  # {comment}"), encoding="utf-8")
    [finding] = measured(tiny).findings
    assert finding.code == code and finding.span is not None and finding.span.line == line_of(old)


# --- as data and as a page ----------------------------------------------------------------------------------------------
def test_the_data_have_a_stable_shape(tiny: Path) -> None:
    found = data(measured(tiny, 3))
    assert json.dumps(found) == json.dumps(data(measured(tiny, 3)))
    assert list(found) == [
        "rulespec_coverage",
        "game",
        "title",
        "seed",
        "random",
        "covered",
        "of",
        "percent",
        "groups",
        "files",
        "items",
        "runs",
        "findings",
    ]
    schema = json.loads((ROOT / "schemas/coverage.schema.json").read_text(encoding="utf-8"))
    jsonschema.validate(found, schema, registry=Registry())
    assert found["covered"] == sum(sum(1 for n in i["outcomes"].values() if n) for i in found["items"])
    assert found["of"] == sum(len(i["outcomes"]) for i in found["items"])
    assert {"file", "line", "column", "group", "title", "outcomes", "missing", "unreachable"} == set(found["items"][0])


class Reader(HTMLParser):
    """Reads a page strictly: every element is closed by its own end."""

    VOID = frozenset({"meta"})

    def __init__(self) -> None:
        super().__init__()
        self.open: list[str] = []
        self.texts: dict[str, str] = {}
        self.elements: list[tuple[str, dict[str, str | None]]] = []

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.elements.append((tag, dict(attrs)))
        if tag not in self.VOID:
            self.open.append(tag)

    def handle_endtag(self, tag: str) -> None:
        assert self.open.pop() == tag

    def handle_data(self, text: str) -> None:
        tag = self.open[-1] if self.open else ""
        self.texts[tag] = self.texts.get(tag, "") + text


def test_the_page_is_well_formed_and_holds_nothing_but_itself(tiny: Path) -> None:
    text = page([measured(tiny, 3)])
    reader = Reader()
    reader.feed(text)
    reader.close()
    assert reader.open == []
    assert reader.texts["h1"] == 'Tiny <script>alert("&")</script>'
    scripts = [attributes for tag, attributes in reader.elements if tag == "script"]
    assert scripts == [{"type": "application/json", "id": "data"}, {}]
    names = {name for _, attributes in reader.elements for name in attributes}
    assert not names & {"src", "onclick", "onload", "onerror"}
    assert all(a["href"].startswith("#") for _, a in reader.elements if a.get("href"))
    rows_shown = [a for tag, a in reader.elements if tag == "tr"]
    assert len(rows_shown) == len(TINY.splitlines())
    classes = {a["id"]: (a.get("class") or "").split() for a in rows_shown}
    assert classes[f"g0f0L{line_of('unused:')}"] == ["never", "own"]
    assert classes[f"g0f0L{line_of('- offer: move')}"] == ["all", "own"]
    assert classes[f"g0f0L{line_of('if: level > 5')}"] == ["part", "own"]


def test_texts_of_a_game_cannot_leave_the_data_of_the_page(tiny: Path) -> None:
    name = "'</script><img src=x>'"
    (tiny / "cases/one.yaml").write_text(CASES.replace("  up:", f"  {name}:"), encoding="utf-8")
    text = page([measured(tiny)])
    assert "<img" not in text
    inside = text.partition('id="data">')[2].partition("</script>")[0]
    assert json.loads(inside)[0]["runs"][0][0] == "</script><img src=x>"


# --- the command line -----------------------------------------------------------------------------------------------------
def run(capsys: pytest.CaptureFixture[str], *arguments: str | Path) -> tuple[int, str, str]:
    code = cli.main([str(argument) for argument in arguments])
    out, err = capsys.readouterr()
    return code, out, err


def test_the_report(tiny: Path, capsys: pytest.CaptureFixture[str]) -> None:
    code, out, err = run(capsys, "test", tiny, "--coverage")
    assert (code, err) == (0, "1 passed, 0 failed\n")
    assert "% of" in out and f"game.yaml:{line_of('unused:')}:3 functions `unused`: never called" in out
    assert "      - if: level > 0" in out and "branches: always holds" in out
    again = run(capsys, "test", tiny, "--coverage", "--random", "5", "--seed", "3")
    assert again == run(capsys, "test", tiny, "--coverage", "--random", "5", "--seed", "3")


def test_failing_under(tiny: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert run(capsys, "test", tiny, "--fail-under", "10")[0] == 0
    code, _, err = run(capsys, "test", tiny, "--fail-under", "99.5")
    assert code == 1 and "% are covered, 99.5 % are wanted" in err


def test_data_and_page_of_the_command(tiny: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    file = tmp_path / "page.html"
    code, out, err = run(capsys, "test", tiny, "--json", "--html", file)
    assert code == 0 and f"written to {file}" in err
    assert json.loads(out)["coverage"][0]["game"] == "tiny"
    assert file.read_text(encoding="utf-8").startswith("<!DOCTYPE html>")
    assert run(capsys, "test", tiny, "--html", tmp_path / "no/where.html")[0] == 2


def test_one_case_and_its_trace(tiny: Path, capsys: pytest.CaptureFixture[str]) -> None:
    code, out, err = run(capsys, "test", tiny, "--case", "up", "--trace")
    assert (code, err) == (0, "1 passed, 0 failed\n")
    lines = (
        f"game.yaml:{line_of('- offer: move')}  - offer",
        "> p1: up",
        "- announce: raised",
        "- set: level",
        "applause:",
    )
    places = [out.index(text) for text in lines]
    assert places == sorted(places) and "boo" not in out
    code, _, err = run(capsys, "test", tiny, "--case", "upp")
    assert code == 2 and "error[K004]" in err and "did you mean `up`?" in err
    assert run(capsys, "test", tiny, "--options")[0] == 2
    assert run(capsys, "test", tiny, "--trace", "--json")[0] == 2


def test_a_fact_that_fails_shows_its_parts(tiny: Path, capsys: pytest.CaptureFixture[str]) -> None:
    text = CASES.replace(
        "- level == 1 and p1.coins == 2", "- level == 1 and all(p in players have p.coins <= price(1) + 2)"
    )
    (tiny / "cases/one.yaml").write_text(text, encoding="utf-8")
    code, out, _ = run(capsys, "test", tiny)
    assert code == 1
    assert [line.strip() for line in out.splitlines()[1:]] == [
        f"{rulespec.text.source.shown_path(tiny / 'cases/one.yaml')}:8:9: "
        "`level == 1 and all(p in players have p.coins <= price(1) + 2)` does not hold",
        "level is 1",
        "where it fails, p is p2",
        f"to see it again: rulespec test {tiny} --case up --trace",
    ]


# --- invariants -----------------------------------------------------------------------------------------------------------
def test_invariants_hold_in_every_case_and_random_game(tiny: Path, capsys: pytest.CaptureFixture[str]) -> None:
    cases = tiny / "cases/one.yaml"
    cases.write_text(f"invariants:\n  - level <= 9\n{CASES}", encoding="utf-8")
    assert run(capsys, "test", tiny, "--random", "5")[0] == 0
    cases.write_text(f"invariants:\n  - level == 0\n{CASES}", encoding="utf-8")
    code, out, _ = run(capsys, "test", tiny)
    assert code == 1 and "one.yaml:2:5: `level == 0` does not hold" in out and "level is 1" in out
    cases.write_text("invariants:\n  - p2.coins > 0\n", encoding="utf-8")
    code, _, err = run(capsys, "test", tiny, "--random", "20")
    assert code == 1 and "the invariant `p2.coins > 0` does not hold" in err and "to see it again: " in err
    cases.write_text("invariants:\n  - p2.coin > 0\n", encoding="utf-8")
    code, _, err = run(capsys, "lint", tiny)
    assert code == 1


def test_rules_without_invariants_have_the_same_digest(tiny: Path) -> None:
    before = rulespec.load(tiny).digest
    (tiny / "game.yaml").write_text(TINY + "\ninvariants:\n  - level <= 9\n", encoding="utf-8")
    assert rulespec.load(tiny).digest == before
