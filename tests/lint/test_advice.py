"""Advice about leaks, followed: what lint says to write leaks nothing, for lint and in play."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

import pytest
import yaml

import interpreter
import rulespec
from interpreter.testing.properties.trial import Budget
from rulespec.lint.flow import findings
from tests.helpers.games import ALL, trial_of
from tests.helpers.places import ROOT
from tools.linting import look_through

TABLE: dict[str, dict[str, Any]] = yaml.safe_load((ROOT / "tests/advice.yaml").read_text(encoding="utf-8"))
BASE = (ROOT / "tests/advice_game.yaml").read_text(encoding="utf-8")
STEPS = "      # the steps\n"
SEEDS = range(12 if ALL else 3)
BUDGET = Budget(checked=40, twins=6, life=20, longest=1000)
CURES = [
    pytest.param(case, cure, id=f"{name}: {cure['says']}") for name, case in TABLE.items() for cure in case["cures"]
]


def written(folder: Path, steps: str, declare: dict[str, str]) -> Path:
    """The game with some steps, and other declarations."""
    text = BASE.replace(STEPS, "".join(f"      {line}\n" for line in steps.splitlines()))
    for old, new in declare.items():
        assert text.count(old) == 1, old
        text = text.replace(old, new)
    file = folder / "advised.yaml"
    file.write_text(text, encoding="utf-8")
    return file


def found(file: Path) -> list[rulespec.Diagnostic]:
    """What lint says of a game."""
    return [*look_through(str(file), (), alone=True).all()]


def advice(case: dict[str, Any], folder: Path) -> set[str]:
    """What the findings of a leaking game advise."""
    said = {
        text
        for d in found(written(folder, case["steps"], case.get("declare", {})))
        if d.code == case["code"]
        for text in d.help
    }
    assert said, "it is not found"
    return said


@pytest.mark.parametrize(("case", "cure"), CURES)
def test_what_is_advised_leaks_nothing(case: dict[str, Any], cure: dict[str, Any], tmp_path: Path) -> None:
    """No leak is left for lint, and positions that a player cannot tell apart stay so in play."""
    said = advice(case, tmp_path)
    assert any(cure["says"] in text for text in said), said
    file = written(tmp_path, cure.get("steps", case["steps"]), cure.get("declare", {}))
    left = [d for d in found(file) if d.code[0] == "F" or d.severity == "error"]
    assert not left, "\n".join(map(rulespec.render, left))
    game = interpreter.Game(rulespec.load(file))
    for seed in SEEDS:
        trial, failure = trial_of(game, seed, BUDGET)
        assert failure is None, failure
        assert trial.state.is_terminal()


@pytest.mark.parametrize("name", TABLE)
def test_all_that_is_advised_is_tried(name: str, tmp_path: Path) -> None:
    tried = [cure["says"] for cure in TABLE[name]["cures"]]
    said = advice(TABLE[name], tmp_path)
    assert not [text for text in said if not any(words in text for words in tried)]


def templates() -> set[str]:
    """All pieces of advice that lint knows."""
    helps = {text for table in (findings.HELP, findings.HELP_OF_OTHERS) for texts in table.values() for text in texts}
    return helps | {
        findings.SHOW_BEFORE, findings.DECLARED, findings.ASKED_OF_A_ZONE, findings.TOLD, findings.TOLD_ONE, findings.ADDRESSED,
        findings.READERS, findings.ACTS,
        findings.NAMED.format(kind="{kind}", variable="{variable}"),
    }  # fmt: skip


def test_each_piece_of_advice_is_in_the_table(tmp_path: Path) -> None:
    said = {text for case in TABLE.values() for text in advice(case, tmp_path)}
    patterns = [re.sub(r"\\\{\w+\\\}", ".*", re.escape(text)) for text in templates()]
    assert not [p for p in patterns if not any(re.fullmatch(p, text) for text in said)]
