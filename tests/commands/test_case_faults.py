"""What is wrong in cases themselves: refusals of words that mean nothing, cases that check nothing, faults of one among others."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from interpreter.testing.cases import run_cases
from rulespec.cases.compiler import load_cases
from tests.helpers.commands import run

GAME = """\
rulespec: 1
id: inn
title: An inn
players: 2
types:
  Meal: [soup, bread, cake]
pieces:
  Coin: {rows: {penny: {}, groat: {}, crown: {}}}
zones:
  purse: {of: Coin, per: Player, seen by: all}
  till: {of: Coin, starts with: all, seen by: all}
state:
  eaten: {is: Meal or none}
  room: 0..9
phases:
  game:
    do:
      - choose: meal
        by: p1
        from: Meal
        only:
          - if: meal != cake
            why: The cake is gone
        or none: Nothing
      - set: eaten
        to: meal
      - choose: number
        by: p2
        from: 1..3
      - may: Light?
        by: p2
        do: []
      - offer: drink
        by: p1
        options: {ale: {say: Ale, do: []}, wine: {say: Wine, do: []}}
      - choose: coins
        count: 1..2
        by: p2
        from: till
end of game:
  winners: players
"""
HEAD = "cases:\n"


def written(tmp_path: Path, cases: str) -> Path:
    file = tmp_path / "inn.yaml"
    file.write_text(GAME + HEAD + cases, encoding="utf-8")
    return file


def outcomes(file: Path) -> list[tuple[str, str]]:
    """Of each case its name, and what does not hold, without the place."""
    suite, found = load_cases(file)
    assert suite is not None and not any(one.severity == "error" for one in found), found
    return [(one.name, one.message.partition(": ")[2]) for one in run_cases(suite)]


@pytest.mark.parametrize(
    ("word", "near"),
    [("misspelt", None), ("blah blah", None), ("cakes", "cake"), ("weine", "wine"), ("peny", "penny"), ("12", None)],
)
def test_a_refused_word_that_no_question_has(
    word: str, near: str | None, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    file = written(tmp_path, f"  one:\n    play:\n      - refuse: {{p1: {word}}}\n")
    _, (own,) = load_cases(file)
    assert own.code == "K008" and own.message == f"there is no answer named `{word}`" and own.span is not None
    assert own.span.text == word
    assert own.help[0] == f"did you mean `{near}`?" if near else not own.help[0].startswith("did you mean")
    for command in ("lint", "test"):
        code, out, err = run(capsys, command, str(file))
        assert code == 1 and "error[K008]" in out + err


@pytest.mark.parametrize(
    ("word", "said"),
    [
        ("ale", "`ale` is no answer to this question, at no time; it could be soup, bread, cake, none"),
        ("penny", "`penny` is no answer to this question, at no time; it could be soup, bread, cake, none"),
        ("2", "`2` is no answer to this question, at no time; it could be soup, bread, cake, none"),
        ("soup", "p1 may answer `soup`"),
        ("cake", ""),
    ],
)
def test_a_refused_word_of_another_question(word: str, said: str, tmp_path: Path) -> None:
    file = written(tmp_path, f"  one:\n    play:\n      - refuse: {{p1: {word}}}\n")
    assert outcomes(file) == [("one", said)]


def test_a_refused_word_that_is_no_candidate_now(tmp_path: Path) -> None:
    """A coin that lies elsewhere, by its name, however it is written, and a number that could be chosen at another time."""
    coins = "      - refuse: {p2: [penny, Penny]}\n        why: not one of the options\n"
    cases = (
        "  one:\n    given: [{move: penny, to: p1.purse}]\n    play:\n      - p1: none\n"
        "      - refuse: {p2: [soup]}\n"
        "  two:\n    given: [{move: penny, to: p1.purse}]\n    play:\n      - p1: soup\n      - p2: [1, no]\n      - p1: ale\n"
        + coins
    )
    assert outcomes(written(tmp_path, cases)) == [
        ("one", "`soup` is no answer to this question, at no time"),
        ("two", ""),
    ]


def test_a_case_that_checks_nothing(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    cases = (
        "  answers:\n    play:\n      - p1: soup\n      - p2: 1\n"
        "  facts:\n    play:\n      - p1: soup\n    expect: [eaten == soup]\n"
        "  steps:\n    run:\n      - check: room == 0\n        why: Nobody sleeps here\n"
        "  whole:\n    finish: random\n"
        "  asked:\n    play:\n      - p1: soup\n      - asks: p2\n"
    )
    file = written(tmp_path, cases)
    suite, found = load_cases(file)
    assert suite is not None and len(suite.cases) == 5
    assert [(one.code, one.severity, one.message) for one in found] == [
        ("K007", "warning", "the case `answers` checks nothing")
    ]
    for command in ("lint", "test"):
        code, out, err = run(capsys, command, str(file))
        assert code == 1 and "warning[K007]" in out + err


def test_cases_that_would_hold_whatever_the_rules_do(tmp_path: Path) -> None:
    cases = (
        "  bounds:\n    play:\n      - p1: soup\n      - expect: [room >= 0]\n    expect: [eaten == soup, size(p1.purse) <= 3]\n"
        "  itself:\n    play:\n      - p1: soup\n    expect: [eaten == eaten]\n"
        "  data:\n    expect: [number(cake) == 3, 7 in 1..9, room < 9]\n"
        "  laid:\n    given: [{set: room, to: 7}]\n    expect: room  == 7\n"
        "  more:\n    given: [{set: room, to: 7}]\n    expect: [room == 7, eaten is none]\n"
        "  run:\n    about: A night\n    given: [{set: room, to: 7}]\n    run: [skip]\n    expect: [room == 7]\n"
        "  copy:\n    about: Another night\n    given: [{set: room, to: '7'}]\n    run: [skip]\n    expect: [room == 7]\n"
    )
    suite, found = load_cases(written(tmp_path, cases))
    assert suite is not None and [r.message for r in run_cases(suite) if not r.passed] == []
    assert [(one.code, one.severity, one.message) for one in found] == [
        ("K014", "warning", "`room >= 0` holds whatever the rules do"),
        ("K014", "warning", "`size(p1.purse) <= 3` holds whatever the rules do"),
        ("K014", "warning", "`eaten == eaten` holds whatever the rules do"),
        ("K015", "warning", "the case `laid` only expects what it lays under `given` itself"),
        ("K016", "warning", "the case `copy` is a copy of `run`"),
    ]


def test_a_game_without_cases_says_so(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    alone = written(tmp_path, "  fed:\n    play:\n      - p1: soup\n    expect: [eaten == soup]\n")
    assert "K017" not in run(capsys, "lint", str(alone), "--notes")[1]
    alone.write_text(alone.read_text(encoding="utf-8").partition("cases:")[0], encoding="utf-8")
    assert "K017" not in run(capsys, "lint", str(alone))[1]
    out = run(capsys, "lint", str(alone), "--notes")[1]
    assert "note[K017]: the game has no cases" in out and "rulespec new case" in out


def test_a_script_that_stops_while_somebody_is_asked(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    cases = (
        "  stops:\n    play:\n      - p1: soup\n    expect: [eaten == soup]\n"
        "  says_so:\n    play:\n      - p1: soup\n      - asks: p2\n      - expect: eaten == soup\n"
        "  ends:\n    run: []\n    expect: [room == 0]\n"
    )
    file = written(tmp_path, cases)
    assert run(capsys, "test", str(file)) == (0, "", "3 passed, 0 failed\n")
    code, out, err = run(capsys, "test", str(file), "--notes")
    assert (code, err) == (0, "3 passed, 0 failed, 1 note\n")
    assert out == f"note: stops stops while p2 is asked for `number`  {file}:{GAME.count(chr(10)) + 2}\n"
    sarif = json.loads(run(capsys, "test", str(file), "--notes", "--format", "sarif")[1])
    assert [(one["ruleId"], one["level"]) for one in sarif["runs"][0]["results"]] == [("K011", "note")]
    data = json.loads(run(capsys, "test", str(file), "--json")[1])
    assert [case["asked"] for case in data["cases"]] == ["p2 is asked for `number`", "", ""]


FAULTS = {
    "an unknown name": "    play:\n      - p1: soup\n    expect: [eatn == soup]\n",
    "a key that is not there": "    plays:\n      - p1: soup\n    expect: [room == 0]\n",
    "no mapping": "    - p1: soup\n",
    "a source that is not listed": "    cites: [Z9]\n    expect: [room == 0]\n",
    "a position that is not there": "    position: nowhere\n    expect: [room == 0]\n",
    "a winner who does not play": "    winners: p7\n",
    "a step among the answers": "    play:\n      - set: room\n        to: 3\n    expect: [room == 3]\n",
    "steps that are none": "    run:\n      - gobble: 3\n    expect: [room == 0]\n",
}


@pytest.mark.parametrize("fault", FAULTS)
@pytest.mark.parametrize("apart", [False, True])
def test_a_fault_in_one_case_leaves_the_others(
    fault: str, apart: bool, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    cases = f"  bad:\n{FAULTS[fault]}  good:\n    expect: [room == 0]\n  wrong:\n    expect: [room == 1]\n"
    file = written(tmp_path, "  first:\n    expect: [room == 0]\n" if apart else cases)
    if apart:
        (tmp_path / "cases").mkdir()
        (tmp_path / "cases" / "more.yaml").write_text(HEAD + cases, encoding="utf-8")
    code, out, err = run(capsys, "test", str(file))
    passed = 2 if apart else 1
    assert code == 1 and "FAILED wrong" in out
    assert err.endswith(f"\n{passed} passed, 1 failed, 1 with errors\n") and "error[" in err
    code, _, err = run(capsys, "test", str(file), "-k", "good")
    assert code == 1 and err.endswith("\n1 passed, 0 failed\n")
    code, _, err = run(capsys, "test", str(file), "-k", "bad")
    assert code == 1 and err.endswith("\n0 passed, 0 failed, 1 with errors\n")
    data = json.loads(run(capsys, "test", str(file), "--json")[1])
    assert [one["name"] for one in data["faulty"]] == ["bad"] and data["diagnostics"]
    assert run(capsys, "play", str(file), "--bots", "--seed", "1")[0] == 0  # the rules are sound


def test_two_cases_of_one_name(tmp_path: Path) -> None:
    file = written(tmp_path, "  one:\n    expect: [room == 0]\n")
    (tmp_path / "cases").mkdir()
    (tmp_path / "cases" / "more.yaml").write_text(f"{HEAD}  one:\n    expect: [room == 1]\n", encoding="utf-8")
    suite, found = load_cases(file)
    assert suite is not None and [one.code for one in found] == ["K002"]
    assert [case.span.source.name for case in suite.cases] == [str(file)] and len(suite.faulty) == 1


def test_positions_of_all_files_are_shared_and_each_is_used(tmp_path: Path) -> None:
    (tmp_path / "cases").mkdir()
    file = written(tmp_path, "  one:\n    position: full\n    run: []\n    expect: [room == 9]\n")
    more = "positions:\n  full: {set: room, to: 9}\n  idle: {set: room, to: 1}\n"
    (tmp_path / "cases" / "more.yaml").write_text(more, encoding="utf-8")
    suite, found = load_cases(file)
    assert suite is not None and all(result.passed for result in run_cases(suite))
    assert [(one.code, one.severity, one.message) for one in found] == [
        ("K013", "warning", "no case begins with the position `idle`")
    ]
    (tmp_path / "cases" / "again.yaml").write_text("positions:\n  full: {set: roon, to: 8}\n", encoding="utf-8")
    suite, found = load_cases(file)
    assert suite is not None and {one.code for one in found} == {"E100", "K002", "K013"}


def test_a_fault_in_a_position_is_that_of_its_cases(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    cases = "  bad:\n    position: torn\n    expect: [room == 0]\n  good:\n    expect: [room == 0]\n"
    file = written(tmp_path, f"{cases}positions:\n  torn: {{set: roon, to: 9}}\n")
    code, out, err = run(capsys, "test", str(file))
    assert (
        code == 1
        and out == ""
        and "did you mean `room`?" in err
        and err.endswith("\n1 passed, 0 failed, 1 with errors\n")
    )


@pytest.mark.parametrize("main", ["game.yaml", "inn.yaml"])
def test_one_file_of_cases(
    main: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    written(tmp_path, "  first:\n    expect: [room == 0]\n").rename(tmp_path / main)
    folder = tmp_path / "cases"
    folder.mkdir()
    for name, fact in (("one", "eaten is none"), ("two", "till is not empty")):
        (folder / f"{name}.yaml").write_text(f"{HEAD}  in_{name}:\n    expect: [{fact}]\n", encoding="utf-8")
    (folder / "torn.yaml").write_text("cases: [\n", encoding="utf-8")
    assert run(capsys, "test", str(folder / "one.yaml")) == (0, "", "1 passed, 0 failed\n")
    monkeypatch.chdir(folder)
    assert run(capsys, "test", "two.yaml", "--case", "in_two") == (0, "", "1 passed, 0 failed\n")
    assert run(capsys, "test", "two.yaml", "--case", "in_one")[0] == 2
    assert run(capsys, "test", "torn.yaml")[0] == 1


def test_nothing_to_test(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """A variant has cases of its own, or none; what runs the game's is said."""
    (tmp_path / "game.yaml").write_text(f"{GAME}{HEAD}  one:\n    expect: [room == 0]\n", encoding="utf-8")
    (tmp_path / "variants").mkdir()
    variant = f"extends: {tmp_path.name}\nid: dear\ntitle: Dear\nchanges:\n  - set: title\n    to: A dear inn\n"
    (tmp_path / "variants" / "dear.yaml").write_text(variant, encoding="utf-8")
    code, out, err = run(capsys, "test", str(tmp_path), "--variant", "dear")
    assert (code, out) == (2, "") and "error[K009]: there are no cases in the variant `dear`" in err
    assert f"`rulespec diff {tmp_path} dear`" in err
    code, _, err = run(capsys, "test", str(tmp_path), "-k", "ona")
    assert code == 2 and "did you mean `one`?" in err


SETUPS = """\
cases:
  two:
    position: nearly_over
    run: []
    play: [{given: [{set: room, to: 3}]}]
    expect: [room == 3, count(p1.purse) + count(till) == 3]
  three:
    players: 3
    position: nearly_over
    run: []
    expect: [count(p in players) == 3, count(till) == 3 - count(p1.purse)]
positions:
  nearly_over:
    - {move: crown, from: till, to: p1.purse}
"""


def test_a_program_of_cases_has_what_those_with_its_setup_run(tmp_path):
    """What the others run does nothing there, so that nothing is spent on it; numbers stay, and all cases pass."""
    (tmp_path / "game.yaml").write_text(GAME.replace("players: 2", "players: 2..3") + SETUPS, encoding="utf-8")
    suite, findings = load_cases(tmp_path)
    assert suite is not None and [str(finding) for finding in findings] == []
    two, three = suite.cases
    for case, other in ((two, three), (three, two)):
        run, idle = case.roots(), other.roots()
        assert run.functions and idle.functions and not run.functions & idle.functions
        for optimise in (False, True):
            program = suite.program(case, optimise)
            assert all(len(program.procedures[number].code) > 1 for number in run.procedures)
            assert {program.procedures[number].name for number in idle.procedures} == {"nothing"}
            assert {program.functions[number].name for number in idle.functions} == {"nothing"}
            assert all(program.functions[number].name != "nothing" for number in run.functions)
    assert [result.message for result in run_cases(suite)] == ["", ""]
