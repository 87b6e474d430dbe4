"""In how many files a fact of the language is written down: the numbers only fall."""

from __future__ import annotations

import ast

from tools.dev.places import INSTRUCTIONS, counted, matched

MOST = {"instruction": 6, "expression": 20, "transfer": 1, "cost": 4}


def test_no_fact_is_written_down_in_more_files() -> None:
    files = counted()
    found = {fact: len(named) for fact, named in files.items()}
    assert all(found[fact] <= most for fact, most in MOST.items()), f"say it where it is said already: {files}"
    assert "rulespec/analysis/transfer.py" in files["transfer"] and "rulespec/ir/show.py" in files["instruction"]


def test_what_a_match_speaks_of() -> None:
    (match,) = ast.parse(
        "match i:\n    case ir.Move(x) | ir.Ask():\n        pass\n    case ir.Let(value=Other()):\n        pass\n"
    ).body
    assert isinstance(match, ast.Match)
    assert matched(match) == {"Move", "Ask", "Let", "Other"} and matched(match) & INSTRUCTIONS == {"Move", "Ask", "Let"}
