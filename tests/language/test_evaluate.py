"""How much is known of expressions: sharpness, since to know nothing would be sound, too (`facts_of_expressions.yaml`)."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
import yaml

from rulespec.analysis.domain import ANY, Fact
from rulespec.analysis.evaluate import Declared, Evaluator
from tests.helpers.assembler import assemble

CASES = yaml.safe_load(Path(__file__).with_name("facts_of_expressions.yaml").read_text(encoding="utf-8"))


def shown(fact: Fact) -> str:
    """A fact in words."""
    if fact == ANY:
        return "anything"
    bounds = (
        ""
        if fact.low is fact.high is None
        else f" {'' if fact.low is None else fact.low}..{'' if fact.high is None else fact.high}"
    )
    text = f"number{bounds}" if fact.what == "int" else fact.what
    if fact.what == "items":
        most = "" if fact.size is None else f" at most {fact.size}"
        text = f"{'ascending ' if fact.ordered else ''}items of {shown(fact.item or ANY)}{most}"
    return f"{text} or none" if fact.none else text


@pytest.mark.parametrize("case", CASES, ids=lambda case: case["of"])
def test_what_an_expression_may_be(case: dict[str, Any]) -> None:
    many = case["locals"].count("L")
    program = assemble(f'procedure 0 "main" ({many} of {many})\n  locals {case["locals"]}\n   0  return {case["of"]}\n')
    (code,) = program.procedures
    value = code.code[0].value  # type: ignore[union-attr]
    for kind in (Evaluator, Declared):
        wanted = case["plain"] if kind is Evaluator else case.get("declared", case["plain"])
        evaluator = kind(program)
        assert shown(evaluator.fact(value, evaluator.locals(code.locals))) == wanted, kind.__name__
