"""Play as a judge of the static check: what a seat is shown otherwise in games that it cannot tell apart, lint must have found."""

from __future__ import annotations

import pytest

import interpreter
from interpreter.testing.properties.trial import LEAKS, Bench, Budget, Trial
from rulespec.loading.reading import read_tree
from rulespec.text.diagnostics import Diagnostics
from rulespec.text.source import Source
from rulespec.text.yaml_tree import parse
from tests.helpers.flow import completed, found_in, snippets
from tests.helpers.games import ALL, bench_of

GAMES = 16 if ALL else 1  # of each snippet; the judge has eight, for it must see by itself what lint sees without play
CLEAN = snippets("clean.yaml")
LEAKING = snippets("leaks.yaml")  # that lint finds these needs no play: see `test_flow.py`


def bench(steps: str) -> Bench:
    """The game of a snippet, ready to be tried."""
    diagnostics = Diagnostics()
    root = parse(Source("game", completed(steps)), diagnostics)
    found = None if root is None else read_tree(root, None, diagnostics)
    assert found is not None
    return bench_of(interpreter.Game(found))


def tells(steps: str, games: int) -> str | None:
    """What a seat is shown that it may not know, in some random games."""
    ready = bench(steps)
    for seed in range(games):
        failure = Trial(ready, seed, Budget(checked=60), only=LEAKS).at_random()
        if failure is not None and failure.property == LEAKS:
            return failure.message
    return None


@pytest.mark.parametrize("steps", [pytest.param(steps, id=name) for name, steps in CLEAN])
def test_what_does_not_leak_is_shown_alike(steps: str) -> None:
    """What the check finds nothing in shows seats the same in all games that they cannot tell apart."""
    assert found_in(completed(steps)) == []
    assert tells(steps, GAMES) is None


def test_the_judge_is_not_blind() -> None:
    """It sees most of the planted leaks by itself: of a sample, as each is played in many games."""
    sample = dict(LEAKING if ALL else LEAKING[::24])
    seen = [name for name, steps in sample.items() if tells(steps, 8) is not None]
    assert len(seen) * 3 >= len(sample) * 2, sorted(set(sample) - set(seen))
