"""Broken texts of every kind that strangers write are answered with findings, never with an exception.

The same edits every time; `make fuzz` looks further for as long as it is let.  A text that was once not answered lies in
`tests/hostile`, below the name of its reader.
"""

from __future__ import annotations

from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from tests.helpers.fuzz.mutate import mutated
from tests.helpers.fuzz.targets import TARGETS
from tests.helpers.places import ROOT

EXAMPLES = {
    "yaml": 300,
    "game": 200,
    "expression": 300,
    "csv": 200,
    "cases": 100,
    "variant": 100,
    "bot": 100,
    "save": 100,
    "transcript": 100,
}
HOSTILE = sorted(path for path in (ROOT / "tests" / "hostile").glob("*/*") if path.is_file())


@pytest.mark.parametrize("name", TARGETS)
def test_a_sound_text(name: str) -> None:
    read, seeds = TARGETS[name]
    for text in seeds():
        read(text)


@pytest.mark.parametrize("name", TARGETS)
def test_broken_texts(name: str) -> None:
    read, seeds = TARGETS[name]
    texts = seeds()

    @settings(
        max_examples=EXAMPLES[name],
        derandomize=True,
        deadline=None,
        database=None,
        suppress_health_check=list(HealthCheck),
    )
    @given(st.binary(min_size=7, max_size=25))
    def check(data: bytes) -> None:
        read(mutated(texts, data))

    check()


@pytest.mark.parametrize("path", HOSTILE, ids=lambda path: f"{path.parent.name}/{path.name}")
def test_a_text_that_was_once_not_answered(path: Path) -> None:
    read, _ = TARGETS[path.parent.name]
    read(path.read_bytes().decode("utf-8", "surrogatepass"))
