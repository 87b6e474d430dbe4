"""The files in which each code is described: where they stand, and what is told of a mistake in one."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
import yaml

from rulespec.lint.linter import RULES
from rulespec.text.diagnostics import RulespecError
from tests.helpers.places import ROOT
from tools.dev import codes, generate

WHOLE = "C900:\n  title: It fails\n  cause: It is broken.\n  fix: Mend it.\n"
CASES = yaml.safe_load((ROOT / "tests/language/code_files.yaml").read_text(encoding="utf-8"))


def checkout(folder: Path, **files: str) -> Path:
    """A folder with these files of codes in it."""
    for name, text in files.items():
        path = folder / "rulespec/codes" / f"{name}.yaml"
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, encoding="utf-8")
    return folder


def test_a_rule_has_its_text_beside_it() -> None:
    files = (ROOT / "rulespec/lint/rules").glob("*.yaml")
    written = {file.stem: re.findall(r"(?m)^(\w+):", file.read_text(encoding="utf-8")) for file in files}
    assert written == {check.__module__.rpartition(".")[2]: [rule.code] for rule, check in RULES}


@pytest.mark.parametrize("name", CASES)
def test_a_mistake_is_told_once_and_where(name: str, tmp_path: Path) -> None:
    case = CASES[name]
    with pytest.raises(RulespecError) as raised:
        codes.entries(checkout(tmp_path, **case["files"]))
    told = [f"{one.span.label()} {one.code}: {one.message}" for one in raised.value.diagnostics if one.span is not None]
    assert told == [case["told"]]
    assert case.get("and", "") in str(raised.value)


def test_what_is_there_twice_names_the_first_place(tmp_path: Path) -> None:
    with pytest.raises(RulespecError) as raised:
        codes.entries(checkout(tmp_path, first=WHOLE, second=WHOLE))
    (found,) = raised.value.diagnostics
    assert [span.source.name for span, _ in found.related] == ["rulespec/codes/first.yaml"]


def test_empty_lines_around_an_example_are_left_out(tmp_path: Path) -> None:
    shown = "  bad: |\n\n    - win: p3\n\n  good: |\n    - win: p1\n"
    (found,) = codes.entries(checkout(tmp_path, own=WHOLE + shown)).values()
    assert (found.bad, found.good) == ("- win: p3", "- win: p1")


def test_nothing_is_generated_of_a_mistake(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    def mistaken() -> None:
        raise RulespecError([])

    monkeypatch.setattr(codes, "entries", mistaken)
    assert generate.main([]) == generate.main(["--check"]) == 1
    assert capsys.readouterr().out == ""


def test_a_code_that_was_given_is_never_given_again() -> None:
    assert codes.next_free("L136", {"L136", "L138"}) == "L137"
    assert codes.next_free("L136", {"L136", "L137"}) == "L138"
