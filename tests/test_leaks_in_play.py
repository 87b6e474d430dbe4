"""Planted leaks that no static analysis can find are found by play; those that lint finds are mostly seen there too."""

from __future__ import annotations

from pathlib import Path

import pytest

import interpreter
import rulespec
from interpreter.testing.properties.run import play
from interpreter.testing.properties.shrink import shrunk
from interpreter.testing.properties.trial import FAULTS, LEAKS, LENGTH, UNDO, Budget, Failure
from tests.helpers.games import bench_of
from tests.helpers.leaks import Planted, planted

GAMES = 12
SHOWN = {LEAKS, FAULTS}  # a fault that ends a game is told, with the number that led to it
BY_PLAY = [one for one in planted() if not one.found_by_lint]
BOTH = [one for one in planted() if one.entry.get("seen in play")]
SMALL = [one for one in planted() if one.found_by_lint and one.entry.get("game") in (None, "kuhn_poker", "leduc_poker")]


def seen_in_play(leak: Planted, folder: Path, wanted: set[str]) -> Failure | None:
    """How a leak shows in a few random games."""
    found = rulespec.load(leak.written_to(folder))
    for players in sorted({found.players[0], found.players[-1]}):
        bench = bench_of(interpreter.Game(found, players=players))
        for seed in range(GAMES):
            failure = play(bench, seed, Budget(checked=100, longest=2000)).failure
            if failure is not None and failure.property in wanted:
                return shrunk(bench, failure)
    return None


def test_forty_leaks_are_planted() -> None:
    """Lint finds its own (`test_flow`), play finds the others: 40 of 40."""
    assert len(planted()) >= 40
    assert sum(one.found_by_lint for one in planted()) >= 34 and BY_PLAY


@pytest.mark.parametrize("leak", BY_PLAY, ids=lambda leak: leak.name)
def test_what_lint_cannot_see_is_seen_in_play(leak: Planted, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    if leak.entry["kind"] == "undo":  # without the barrier, which is what is learnt
        (tmp_path / "barred").mkdir()
        assert seen_in_play(leak, tmp_path / "barred", {UNDO}) is None
        monkeypatch.setattr(interpreter.State, "can_take_back", last_answer_was_his)
    failure = seen_in_play(leak, tmp_path, {UNDO, *SHOWN} - {LENGTH})
    assert failure is not None
    assert len(failure.script) <= 20


@pytest.mark.parametrize("leak", BOTH, ids=lambda leak: leak.name)
def test_what_a_frame_keeps_is_seen_in_play(leak: Planted, tmp_path: Path) -> None:
    """A hidden value lies in a local while somebody is asked, and is told then."""
    assert leak.found_by_lint and seen_in_play(leak, tmp_path, SHOWN) is not None


def last_answer_was_his(state: interpreter.State, seat: int) -> bool:
    """Whether an answer could be taken back if nothing that it tells stood against it."""
    return state.past is not None and state.history[0][0] == seat and state.history[1] is state.past[0][2]


def test_most_of_what_lint_sees_is_seen_in_play(tmp_path: Path) -> None:
    seen = []
    for leak in SMALL:
        folder = tmp_path / leak.name
        folder.mkdir()
        if seen_in_play(leak, folder, SHOWN) is not None:
            seen.append(leak.name)
    assert len(seen) * 3 >= len(SMALL) * 2, sorted({leak.name for leak in SMALL} - set(seen))
