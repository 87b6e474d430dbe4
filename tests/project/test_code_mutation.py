"""Mutation of the code: the same mutants for the same code and seed, none where nothing runs, and each is put right again."""

from __future__ import annotations

import ast
import json
import mmap
from pathlib import Path

import pytest

from tests.helpers.places import ROOT
from tools.dev.code_mutation import children, plan, results, run, traces
from tools.dev.code_mutation.children import Mutated
from tools.dev.code_mutation.plan import Part, Targets
from tools.dev.code_mutation.run import Verdict

CODE = """\
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    LIMIT = 1


def most(a: int | None, b: int = 3) -> int | None:
    if a is not None and a > b:
        return a
    return 7
"""
TESTS = """\
from rulespec.code import most


def test_most():
    assert most(4) == 4 and most(1) == 7
"""
PART = Part("small", 50, ("rulespec/code.py",))
ASKED = Targets(("tests/test_small.py",))


@pytest.fixture
def checkout(tmp_path: Path) -> Path:
    """A folder laid out like this project, with one module and one test."""
    for name in run.COPIED:
        (tmp_path / name).mkdir()
    (tmp_path / "rulespec" / "code.py").write_text(CODE)
    (tmp_path / "rulespec" / "__init__.py").write_text("")
    (tmp_path / "tests" / "test_small.py").write_text(TESTS)
    (tmp_path / "pyproject.toml").write_text("[tool.pytest.ini_options]\n")
    return tmp_path


def test_every_row_of_the_table_names_what_is_there() -> None:
    parts, tests = plan.table()
    assert {part.name: (part.mutants, part.aim) for part in parts}["machine"] == (300, 95)
    for part in parts:
        assert all(list(ROOT.glob(pattern)) for pattern in part.modules), part.name
        assert {*part.oracles} <= {*part.tests}, part.name
    assert [file for file in plan.asked_by(parts, tests).files if not (ROOT / file).is_file()] == []


def test_tests_are_those_of_the_parts_that_are_tried() -> None:
    own, asked = Part("own", 1, (), ("a.py",), 0, ("a.py", "b.py")), Targets(("c.py", "a.py"), "not slow")
    assert plan.asked_by([own], asked) == Targets(("a.py", "b.py"), "not slow")
    assert plan.asked_by([own, PART], asked) == Targets(("a.py", "b.py", "c.py"), "not slow")


def test_what_never_runs_is_not_mutated() -> None:
    assert sorted(plan.unread(CODE)) == [((3, 0), (4, 13)), ((7, 12), (7, 22)), ((7, 27), (7, 30)), ((7, 39), (7, 49))]


def test_bars_between_patterns_are_no_operators(checkout: Path) -> None:
    pytest.importorskip("cosmic_ray", reason="cosmic-ray is an extra")
    text = "def f(a):\n    match a:\n        case 1 | 2:\n            return a | 4\n"
    (checkout / "rulespec" / "code.py").write_text(text)
    specs = [item.mutations[0] for item in plan.sample(PART, checkout, 50, 1)]
    assert {spec.start_pos for spec in specs if "BinaryOperator" in spec.operator_name} == {(4, 21)}
    assert {spec.start_pos for spec in specs} > {(3, 13), (3, 17)}
    for spec in specs:
        compile(plan.text_of(text, spec), "code.py", "exec")


def test_what_is_said_of_survivors_is_said_once_and_of_code_that_is_there() -> None:
    for (module, was, became), note in results.notes().items():
        assert note.why and was != became
        lines = {line.strip() for line in (ROOT / module).read_text(encoding="utf-8").splitlines()}
        assert was in lines, f"{module} has no line `{was}` any more"


def test_the_page_counts() -> None:
    made = [
        Verdict("small", "a.py", 1, "f", "a < b", "a <= b", "x", True),
        Verdict("small", "a.py", 2, "f", "a | b", "a & b", "x", False, seconds=3, at_first=False),
        Verdict("small", "b.py", 1, "", "1", "2", "x", True, "tests/test_b.py::test_it", 1, at_first=False),
    ]
    run_ = results.Results("2026-01-31", 1, (PART,), tuple(made), {"small": 4})
    found = results.document(run_)
    assert results.rows(found) == [
        ("small", "3", "2", "66.6 %"), ("a.py", "2", "1", "50.0 %"), ("b.py", "1", "1", "100.0 %"), ("all", "3", "2", "66.6 %"),
    ]  # fmt: skip
    assert f"| `a.py` f | `` a \\| b `` | `` a & b `` | {results.UNJUDGED} |" in results.page(found)
    assert "| `b.py` | `` 1 `` | `` 2 `` | `tests/test_b.py::test_it` |" in results.page(found)
    row = found["parts"]["small"]
    assert row["survivors"][0]["was"] == "a | b" and row["killed_at_first"] == 1
    assert row["seconds"] == {"total": 4, "median": 1}
    assert results.summary("small", row).endswith("66.6 %; 1 of the sample of 4 not tried")
    assert "| small | 2 of 3 (sample: 4) | 66.6 % |  | 66.6 % of 3 | 1 | 2026-01-31 |" in results.page(found)


def test_enough_is_noticed_of_each_part_with_an_aim_and_of_all_others_together() -> None:
    def found(aim: int, *killed: int) -> results.Document:
        return {
            "parts": {str(n): {"killed": k, "total": 100, "aim": aim if n == 0 else 0} for n, k in enumerate(killed)}
        }

    assert results.enough(found(95, 95, 80, 90)) and results.enough(found(0, 90, 80, 85))
    assert not results.enough(found(95, 94, 99, 99)) and not results.enough(found(95, 95, 80, 89))


def test_parts_that_a_run_leaves_out_stay_as_they_were_found() -> None:
    other = Part("other", 1, ("other.py",))
    made = Verdict("other", "other.py", 1, "", "1", "2", "x", True)
    before = results.document(results.Results("2026-01-30", 1, (other, PART), (made,)))
    after = results.document(results.Results("2026-01-31", 1, (PART,), ()), before)
    assert list(after["parts"]) == ["small", "other"] and after["parts"]["other"] == before["parts"]["other"]
    assert [row["day"] for row in after["parts"].values()] == ["2026-01-31", "2026-01-30"]


def test_the_page_is_that_of_its_data() -> None:
    found = json.loads((ROOT / "docs/reports/code_mutation.json").read_text(encoding="utf-8"))
    assert (ROOT / "docs/reports/code_mutation.md").read_text(encoding="utf-8") == results.page(found)
    assert {part.name for part in plan.table()[0]} >= {*found["parts"]}
    for row in found["parts"].values():
        assert row["total"] <= row["sample"] and row["total"] - row["killed"] == len(row["survivors"])


def test_lines_of_what_is_around_a_line() -> None:
    tree = ast.parse("@f\ndef g(\n    a=1,\n):\n    if a:\n        return 2\n\n\nB = 3\n")
    assert [traces.spans(tree, line) for line in (1, 3, 5, 6, 9)] == [
        [(1, 4), (1, 6), (1, 9)], [(1, 4), (1, 6), (1, 9)], [(5, 5), (5, 6), (1, 6), (1, 9)],
        [(6, 6), (5, 6), (1, 6), (1, 9)], [(9, 9), (1, 9)],
    ]  # fmt: skip


def test_which_tests_are_asked() -> None:
    tests = {name: traces.Test(seconds, name) for name, seconds in (("slow", 40), ("quick", 1), ("other", 10))}
    text = "A = 1\n\n\ndef f():\n    return 2\n\n\ndef g():\n    return 3\n    return 4\n"
    ran = {1: [""], 4: [""], 5: ["slow"], 8: [""], 9: ["quick"]}
    known = traces.Traces(tests, lambda module: ran if module == Path("a.py") else {1: [""]})
    asked = [known.of(Path("a.py"), text, line) for line in (1, 4, 5, 8, 10)]
    assert asked == [["quick", "slow"], ["slow", "quick"], ["slow"], ["quick", "slow"], []]
    assert known.of(Path("b.py"), text, 1) == ["quick", "other", "slow"], "nothing else is known of it"
    assert run.affordable(known, ["quick", "other", "slow"]) == ["quick", "other"]
    assert run.affordable(known, []) == []


def test_what_was_written_to_judge_a_part_is_asked_first(checkout: Path) -> None:
    pytest.importorskip("cosmic_ray", reason="cosmic-ray is an extra")
    tests = {
        name: traces.Test(seconds, name) for name, seconds in (("a.py::slow", 4), ("b.py::quick", 1), ("a.py::x", 3))
    }
    known = traces.Traces(tests, lambda _: {line: [""] for line in range(1, 30)})
    item = plan.sample(PART, checkout, 1, 1)[0]
    assert run.asked_of(PART, item, checkout, known) == ["b.py::quick", "a.py::x", "a.py::slow"]
    judged = Part("small", 50, PART.modules, ("a.py",))
    assert run.asked_of(judged, item, checkout, known) == ["a.py::x", "a.py::slow", "b.py::quick"]
    alone = Part("small", 50, PART.modules, ("a.py",), 0, ("a.py",))
    assert run.asked_of(alone, item, checkout, known) == ["a.py::x", "a.py::slow"]


def test_mutants_are_tried_and_what_was_tried_is_kept(checkout: Path, tmp_path_factory: pytest.TempPathFactory) -> None:
    pytest.importorskip("cosmic_ray", reason="cosmic-ray is an extra")
    pytest.importorskip("coverage", reason="coverage is an extra")
    drawn = [plan.sample(PART, checkout, 3, 1), plan.sample(PART, checkout, 3, 1), plan.sample(PART, checkout, 3, 2)]
    assert drawn[0] == drawn[1] != drawn[2]
    assert len({(item.mutations[0].module_path, item.mutations[0].start_pos) for item in drawn[0]}) == 3
    build = tmp_path_factory.mktemp("build")
    verdicts = run.run(checkout, build, [(PART, 6)], ASKED, 1)
    assert len(verdicts) == 6 and {v.killed for v in verdicts} == {True, False}
    assert all(v.was != v.became and v.was in CODE for v in verdicts)
    assert {v.test for v in verdicts if v.killed} == {"tests/test_small.py::test_most"}
    tried: list[int] = []
    assert run.run(checkout, build, [(PART, 6)], ASKED, 1, tried.append, 0) == verdicts and tried == [*range(1, 7)]
    ledger = build / "verdicts.jsonl"
    whole = ledger.read_text()
    ledger.write_text(whole[:-9])
    assert run.run(checkout, build, [(PART, 6)], ASKED, 1, seconds=0) == [v for v in verdicts if v != verdicts[-1]]
    ledger.write_text(whole)
    stronger = TESTS + "\n\ndef test_more():\n    assert most(None) == 7 and most(3) == 7 and most(2, 1) == 2\n"
    (checkout / "tests" / "test_small.py").write_text(stronger)
    assert run.run(checkout, build, [(PART, 6)], ASKED, 1, seconds=0) == verdicts, (
        "survivors count until they are tried"
    )
    kept = ledger.read_text()
    again = run.run(checkout, build, [(PART, 7)], ASKED, 1, again=True)
    assert len(again) == 6 and sum(v.killed for v in again) > sum(v.killed for v in verdicts), "one is not tried yet"
    ledger.write_text(kept)
    later = run.run(checkout, build, [(PART, 6)], ASKED, 1)
    assert sum(v.killed for v in later) > sum(v.killed for v in verdicts)
    assert {v.at_first for v in later if v.test.endswith("test_more")} == {False}
    (checkout / "tests" / "test_small.py").write_text("def test_nothing():\n    assert False\n")
    with pytest.raises(traces.Broken, match="test_nothing"):
        run.run(checkout, build, [(PART, 1)], ASKED, 1)


@pytest.mark.parametrize(
    ("program", "noticed"),
    [
        ("while True: pass", True),
        ("import time; time.sleep(600)", False),
        ("1 / 0", True),
        ("", False),
    ],
)
def test_a_mutant_that_loops_is_killed_and_one_that_only_waits_is_not(
    program: str, noticed: bool, checkout: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    # A child of a large process needs a second and more of its time to begin: only what never ends is given little.
    monkeypatch.setattr(children, "LEAST", 1.5 if "while" in program or "sleep" in program else 20)
    if "sleep" in program:  # by the clock; what loops gets its processor time however busy the machine is
        monkeypatch.setattr(children, "WAITS", 2)
    mutated = Mutated(Path("rulespec/code.py"), f"def most(a):\n    {program}\n    return 4 if a == 4 else 7\n")
    outcome = children.attempt(checkout, mutated, {"tests/test_small.py::test_most": 0})
    assert outcome.noticed is noticed and outcome.test == "tests/test_small.py::test_most"


def test_a_child_of_a_large_process_has_room(checkout: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(children, "LEAST", 20)
    monkeypatch.setattr(children, "MEMORY", 1 << 30)
    with mmap.mmap(-1, children.MEMORY, flags=mmap.MAP_PRIVATE | mmap.MAP_ANONYMOUS):  # nothing is written to it
        outcome = children.attempt(checkout, None, {"tests/test_small.py::test_most": 0})
    assert not outcome.noticed and outcome.test == "tests/test_small.py::test_most"
