"""Mutation of the code: the same mutants for the same code and seed, none where nothing runs, and each is put right again."""

from __future__ import annotations

import sys
from pathlib import Path

import pytest

from tests.helpers.places import ROOT
from tools.code_mutation import plan, results, run
from tools.code_mutation.plan import Part
from tools.code_mutation.run import Verdict

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
from small.code import most


def test_most():
    assert most(4) == 4 and most(1) == 7
"""
PART = Part("small", 50, ("small/*.py",), ("tests/test_small.py",))


@pytest.fixture
def checkout(tmp_path: Path) -> Path:
    """A folder laid out like this project, with one module and one test."""
    for name in run.COPIED:
        (tmp_path / name).mkdir()
    (tmp_path / "rulespec" / "code.py").write_text(CODE)
    (tmp_path / "tests" / "test_small.py").write_text(TESTS.replace("small.code", "code"))
    (tmp_path / "pyproject.toml").write_text('[tool.pytest.ini_options]\npythonpath = ["rulespec"]\n')
    return tmp_path


def test_every_row_of_the_table_names_what_is_there() -> None:
    table = plan.parts()
    assert sum(part.mutants for part in table) == 500
    for part in table:
        assert all(list(ROOT.glob(pattern)) for pattern in part.modules), part.name
        files = [target.partition("::")[0] for target in part.tests]
        assert all((ROOT / file).is_file() for file in files), part.name


def test_what_never_runs_is_not_mutated() -> None:
    assert sorted(plan.unread(CODE)) == [((3, 0), (4, 13)), ((7, 12), (7, 22)), ((7, 27), (7, 30)), ((7, 39), (7, 49))]


def test_what_is_said_of_survivors_is_said_once_and_of_code_that_is_there() -> None:
    for (module, was, became), note in results.notes().items():
        assert note.why and was != became
        lines = {line.strip() for line in (ROOT / module).read_text(encoding="utf-8").splitlines()}
        assert was in lines, f"{module} has no line `{was}` any more"


def test_the_page_counts() -> None:
    made = [
        Verdict("small", "a.py", 1, "f", "a < b", "a <= b", "x", True),
        Verdict("small", "a.py", 2, "f", "a | b", "a & b", "x", False),
        Verdict("small", "b.py", 1, "", "1", "2", "x", True),
    ]
    found = results.Results(1, (PART,), tuple(made), 4)
    assert results.rows(found) == [
        ("small", "3", "2", "66.6 %"), ("a.py", "2", "1", "50.0 %"), ("b.py", "1", "1", "100.0 %"), ("all", "3", "2", "66.6 %"),
    ]  # fmt: skip
    assert f"| `a.py` f | `` a \\| b `` | `` a & b `` | {results.UNJUDGED} |" in results.page(found)
    assert results.document(found)["survivors"][0]["was"] == "a | b"
    assert results.summary(found).endswith("; 1 of the sample of 4 not tried")


def test_mutants_are_tried_and_what_was_tried_is_kept(checkout: Path, tmp_path_factory: pytest.TempPathFactory) -> None:
    pytest.importorskip("cosmic_ray", reason="cosmic-ray is an extra")
    part = Part("small", 50, ("rulespec/*.py",), ("tests/test_small.py",))
    again = [plan.sample(part, checkout, 3, 1), plan.sample(part, checkout, 3, 1), plan.sample(part, checkout, 3, 2)]
    assert again[0] == again[1] != again[2]
    assert len({(item.mutations[0].module_path, item.mutations[0].start_pos) for item in again[0]}) == 3
    build = tmp_path_factory.mktemp("build")
    assert sys.executable in run.COMMAND
    verdicts = run.run(checkout, build, [(part, 4)], 1)
    assert len(verdicts) == 4 and any(v.killed for v in verdicts)
    assert all(v.was != v.became and v.was in CODE for v in verdicts)
    assert (build / "tree" / "rulespec" / "code.py").read_text() == CODE
    tried: list[int] = []
    assert run.run(checkout, build, [(part, 4)], 1, tried.append, 0) == verdicts and tried == [1, 2, 3, 4]
    ledger = build / "verdicts.jsonl"
    whole = ledger.read_text()
    ledger.write_text(whole[:-9])
    assert run.run(checkout, build, [(part, 4)], 1, seconds=0) == [v for v in verdicts if v != verdicts[-1]]
    assert run.run(checkout, build, [(part, 4)], 1) == verdicts
    weaker = (checkout / "tests" / "test_small.py").read_text() + "\n\ndef test_more():\n    assert True\n"
    (checkout / "tests" / "test_small.py").write_text(weaker)
    assert run.run(checkout, build, [(part, 4)], 1, seconds=0) == verdicts, "survivors count until they are tried again"
    (checkout / "tests" / "test_small.py").write_text("def test_nothing():\n    assert False\n")
    with pytest.raises(run.Broken):
        run.run(checkout, build, [(part, 1)], 1)


@pytest.mark.parametrize(
    ("program", "waits", "killed"),
    [
        ("while True: pass", run.WAITS, True),
        ("import time; time.sleep(600)", 3, False),
        ("1 / 0", run.WAITS, True),
        ("", run.WAITS, False),
    ],
)
def test_a_mutant_that_loops_is_killed_and_one_that_only_waits_is_not(
    program: str, waits: int, killed: bool, checkout: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    pytest.importorskip("cosmic_ray", reason="cosmic-ray is an extra")
    monkeypatch.chdir(checkout)
    monkeypatch.setattr(run, "WAITS", waits)
    (item,) = plan.sample(Part("small", 1, ("rulespec/*.py",), ()), Path(), 1, 1)
    assert run.killed(run.attempt(item, [sys.executable, "-c", program], 1)) is killed
