"""Planted leaks: what static analysis finds of those in `tests/leaks`, and how it says where a secret has come from."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.helpers.leaks import BY_LINT, LEAST, Planted, codes_in, planted
from tests.helpers.places import ROOT

LEAKS = planted()


@pytest.mark.parametrize("leak", LEAKS, ids=[own.name for own in LEAKS])
def test_a_planted_leak_is_found(leak: Planted, tmp_path: Path) -> None:
    """By its code, where static analysis can find it; the others are legal games to lint."""
    codes = codes_in(leak.written_to(tmp_path))
    if leak.found_by_lint:
        assert codes & leak.codes
    else:
        assert not codes


def test_there_are_enough() -> None:
    """Of every kind at least one, and static analysis finds most, as the page of guarantees counts them."""
    assert len(LEAKS) >= LEAST
    found = sum(leak.found_by_lint for leak in LEAKS)
    assert found >= BY_LINT
    assert f"{found} of {len(LEAKS)} leaks that were planted" in (ROOT / "docs/guarantees.md").read_text(
        encoding="utf-8"
    )
    kinds = {"view", "order", "log", "reason", "prompt", "error", "undo", "ids", "counts", "timing", "candidates"}
    assert {leak.entry["kind"] for leak in LEAKS} == kinds
