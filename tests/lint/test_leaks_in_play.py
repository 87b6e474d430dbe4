"""Planted leaks that no static analysis can find are found by play; those that lint finds are mostly seen there too."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.helpers.games import ALL
from tests.helpers.leaks import BY_LINT, LEAST, SHOWN, Planted, planted, seen_in_play, seen_without_lint

BY_PLAY = [one for one in planted() if not one.found_by_lint]
BOTH = [one for one in planted() if one.entry.get("seen in play")]
SMALL = [
    one
    for one in planted()
    if one.found_by_lint
    and not {"legitimate", "overlay"} & one.entry.keys()
    and one.entry.get("game") in (None, "kuhn_poker", "leduc_poker")
]


def test_forty_leaks_are_planted() -> None:
    """Lint finds its own (`test_flow_planted`), play finds the others: all of them."""
    assert len(planted()) >= LEAST
    assert sum(one.found_by_lint for one in planted()) >= BY_LINT and BY_PLAY


@pytest.mark.parametrize("leak", BY_PLAY, ids=lambda leak: leak.name)
def test_what_lint_cannot_see_is_seen_in_play(leak: Planted, tmp_path: Path) -> None:
    failure = seen_without_lint(leak, tmp_path)
    assert failure is not None
    assert len(failure.script) <= 20


@pytest.mark.parametrize("leak", BOTH, ids=lambda leak: leak.name)
def test_what_a_frame_keeps_is_seen_in_play(leak: Planted, tmp_path: Path) -> None:
    """A hidden value lies in a local while somebody is asked, and is told then."""
    assert leak.found_by_lint and seen_in_play(leak, tmp_path, SHOWN) is not None


@pytest.mark.long
def test_most_of_what_lint_sees_is_seen_in_play(tmp_path: Path) -> None:
    seen, sample = [], SMALL if ALL else SMALL[::2]
    for leak in sample:
        folder = tmp_path / leak.name
        folder.mkdir()
        if seen_in_play(leak, folder, SHOWN) is not None:
            seen.append(leak.name)
    assert len(seen) * 3 >= len(sample) * 2, sorted({leak.name for leak in sample} - set(seen))
