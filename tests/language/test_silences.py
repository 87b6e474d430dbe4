"""What is left out because it is said elsewhere is said somewhere: no broken game is taken for a good one."""

from __future__ import annotations

from pathlib import Path

import pytest

import rulespec
from rulespec.checker.program import check
from rulespec.text.diagnostics import Diagnostics
from rulespec.text.source import Source
from rulespec.text.yaml_tree import MapNode, parse

GAME = "rulespec: 1\nid: odd\nplayers: 2\nstate: {n: 0..50}\nphases: {game: {do: [{set: n, to: zorp}]}}\n"


@pytest.mark.parametrize("silence", ["refused", "incomplete", "neither"])
def test_a_silence_without_any_error_is_broken(silence: str) -> None:
    """Whatever says that a name is reported already: where nothing is, the name is."""
    diagnostics = Diagnostics()
    root = parse(Source("odd.yaml", GAME), diagnostics)
    assert isinstance(root, MapNode) and not diagnostics.has_errors
    diagnostics.refused |= {"zorp"} if silence == "refused" else set()
    diagnostics.incomplete = silence == "incomplete"
    assert check(root, {}, diagnostics) is None
    assert [(d.code, d.span.line if d.span else 0) for d in diagnostics] == [("E100", 5)]


@pytest.mark.parametrize("part", ["- a\n", "3\n", "some words\n"])
def test_a_part_that_has_no_sections_is_reported(part: str, tmp_path: Path) -> None:
    """And what it may have declared is not."""
    (tmp_path / "more.yaml").write_text(part, encoding="utf-8")
    (tmp_path / "game.yaml").write_text(GAME + "parts: [more.yaml]\n", encoding="utf-8")
    found, diagnostics = rulespec.check(tmp_path / "game.yaml")
    assert found is None and [(d.code, Path(d.file or "").name) for d in diagnostics] == [("S001", "more.yaml")]
