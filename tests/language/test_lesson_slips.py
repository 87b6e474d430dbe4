"""What somebody mistypes in the first lessons: each slip brings one message, at its line, that says what to write."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

import pytest
import yaml

from rulespec.cases.compiler import load_cases
from tests.helpers.places import ROOT

SLIPS: list[dict[str, Any]] = yaml.safe_load((ROOT / "tests/lesson_slips.yaml").read_text(encoding="utf-8"))
BLOCK = r"(?ms)^```yaml\n(# (?:game|whole): {name}\n.*?)^```$"


def written(name: str) -> str:
    """The whole game of a lesson, as the page has it at last."""
    page = (ROOT / f"docs/learn/{name}.md").read_text(encoding="utf-8")
    return str(re.findall(BLOCK.format(name=name), page)[-1])


def test_there_are_many() -> None:
    assert len(SLIPS) >= 60 and {one["game"] for one in SLIPS} == {"guess", "noughts", "kuhn"}


@pytest.mark.parametrize("game", ["guess", "noughts", "kuhn"])
def test_each_brings_one_message_that_can_be_acted_on(game: str, tmp_path: Path) -> None:
    text, file = written(game), tmp_path / f"{game}.yaml"
    wrong: list[str] = []
    for slip in (one for one in SLIPS if one["game"] == game):
        assert slip["was"] in text, slip
        file.write_text(text.replace(slip["was"], slip["now"], 1), encoding="utf-8")
        _, found = load_cases(file)
        said = [(d.code, d.span and d.span.line, *d.help, d.expected or "") for d in found]
        if (
            len(said) != 1
            or said[0][:2] != (slip["code"], slip["line"])
            or not any(slip["says"] in str(one) for one in said[0][2:])
        ):
            wrong.append(f"{slip['was']} -> {slip['now']}: {said}")
    assert not wrong, "\n".join(wrong)
