"""`make new-verb`, `new-function` and `new-code`: what they write is valid at once, and its marks say what to fill in."""

from __future__ import annotations

import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from tests.helpers.places import ROOT
from tools.dev.new_part import new_code, new_function, new_verb

LOOK = """
import rulespec
from rulespec.codes.catalogue import CATALOGUE
from rulespec.language.registry import functions, verbs
assert verbs()["lose turn"].group == verbs()["return"].group and functions()["halved_sum"].examples
assert any(entry.title.startswith("FILL IN") for entry in CATALOGUE.values())
game, faults = rulespec.check("tests/conformance/play/lose_turn.yaml")
assert game is not None, list(faults)
game, faults = rulespec.check("tests/conformance/errors/lose_turn.yaml")
print(*(f"{fault.code} in line {fault.span.line}" for fault in faults))
"""


def test_what_is_written_is_valid_and_says_what_to_fill_in(tmp_path: Path) -> None:
    for folder in ("rulespec", "schemas"):
        shutil.copytree(ROOT / folder, tmp_path / folder, ignore=shutil.ignore_patterns("__pycache__"))
    for folder in ("play", "errors"):
        (tmp_path / "tests/conformance" / folder).mkdir(parents=True)
    shutil.copy(ROOT / "pyproject.toml", tmp_path)
    written = [
        *new_verb(tmp_path, "lose turn", "leaving"),
        *new_function(tmp_path, "halved_sum"),
        *new_code(tmp_path, "steps"),
    ]
    marks = {path.name: path.read_text(encoding="utf-8").count("FILL IN") for path in written}
    assert marks == {"leaving.py": 4, "lose_turn.yaml": 1, "numbers.py": 4, "steps.yaml": 5, "catalogue.json": 3}
    told = subprocess.run([sys.executable, "-c", LOOK], cwd=tmp_path, capture_output=True, text=True, timeout=100)
    assert told.stdout == "E100 in line 8\n", told.stdout + told.stderr
    for command in (["check"], ["format", "--check"]):
        python = [str(path) for path in written if path.suffix == ".py"]
        told = subprocess.run(
            [sys.executable, "-m", "ruff", *command, *python], cwd=tmp_path, capture_output=True, text=True
        )
        assert told.returncode == 0, told.stdout + told.stderr


@pytest.mark.parametrize(
    ("make", "arguments", "why"),
    [
        (new_verb, ("Move",), "cannot be a name"),
        (new_verb, ("move",), "a word of the language already"),
        (new_verb, ("lose turn", "nowhere"), "there is no verbs/nowhere.py"),
        (new_verb, ("every verb",), "is there already"),
        (new_function, ("two words",), "one word"),
        (new_function, ("size",), "a word of the language already"),
        (new_code, ("nothing",), "there is no codes/nothing.yaml"),
    ],
)
def test_misuse(make: object, arguments: tuple[str, ...], why: str) -> None:
    with pytest.raises(ValueError, match=why):
        make(ROOT, *arguments)  # type: ignore[operator]
