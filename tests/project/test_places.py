"""In how many files a fact of the language is written down: the numbers only fall."""

from __future__ import annotations

import ast

import pytest

from rulespec.language import operators
from rulespec.language.registry import all_facts
from tools.dev.places import INSTRUCTIONS, counted, looked_for, matched, spoken_of

MOST = {"instruction": 6, "expression": 18, "transfer": 1, "cost": 2}


def test_no_fact_is_written_down_in_more_files() -> None:
    files = counted()
    found = {fact: len(named) for fact, named in files.items()}
    assert all(found[fact] <= most for fact, most in MOST.items()), f"say it where it is said already: {files}"
    assert "rulespec/analysis/transfer.py" in files["transfer"] and "rulespec/ir/show.py" in files["instruction"]


def test_no_function_is_looked_for_by_name_elsewhere() -> None:
    elsewhere = {name: files for name, files in spoken_of().items() if files}
    assert not elsewhere, f"ask for a fact of the function: {elsewhere}"


def test_an_operator_is_the_name_of_a_body() -> None:
    calls = {call for sign, call in vars(operators).items() if sign.isupper() and isinstance(call, str)}
    assert "not_" in calls and calls <= all_facts().keys()


@pytest.mark.parametrize(
    ("code", "names"),
    [
        ("match e:\n    case ir.Op('a' | 'b', (ir.Op(name='c'), 'd')): pass", "abc"),
        ("match e.name, e.args:\n    case 'a' | 'b', ('c',): pass\n    case _: pass", "ab"),
        ("isinstance(e, ir.Op) and e.name == 'a' and other.name == 'b'", "a"),
        ("match kind:\n    case 'a': pass", ""),
        ("ir.Op('a', ())", ""),
    ],
)
def test_what_is_looked_for(code: str, names: str) -> None:
    parts = [part for node in ast.walk(ast.parse(code)) for part in looked_for(node)]
    found = {one.value for part in parts for one in ast.walk(part) if isinstance(one, ast.Constant)}
    assert found == set(names)


def test_what_a_match_speaks_of() -> None:
    (match,) = ast.parse(
        "match i:\n    case ir.Move(x) | ir.Ask():\n        pass\n    case ir.Let(value=Other()):\n        pass\n"
    ).body
    assert isinstance(match, ast.Match)
    assert matched(match) == {"Move", "Ask", "Let", "Other"} and matched(match) & INSTRUCTIONS == {"Move", "Ask", "Let"}
