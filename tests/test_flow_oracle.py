"""Play as a judge of the static check: what a seat is shown otherwise in games that it cannot tell apart, lint must have found."""

from __future__ import annotations

from functools import cache

import pytest

import interpreter
from interpreter.testing.properties.trial import LEAKS, Bench, Budget, Trial
from rulespec.loading.reading import read_tree
from rulespec.text.diagnostics import Diagnostics
from rulespec.text.source import Source
from rulespec.text.yaml_tree import parse
from tests.helpers.flow import completed, found_in, marked, snippets
from tests.helpers.games import bench_of

GAMES = 4  # of each snippet; the judge has twice as many, for it must see by itself what lint sees without play
SNIPPETS = [*snippets("leaks.yaml"), *snippets("clean.yaml")]
LEAKING = {name for name, steps in snippets("leaks.yaml") if marked(completed(steps))}


def bench(steps: str) -> Bench:
    """The game of a snippet, ready to be tried."""
    diagnostics = Diagnostics()
    root = parse(Source("game", completed(steps)), diagnostics)
    found = None if root is None else read_tree(root, None, diagnostics)
    assert found is not None
    return bench_of(interpreter.Game(found))


@cache
def tells(steps: str, games: int = GAMES) -> str | None:
    """What a seat is shown that it may not know, in some random games."""
    ready = bench(steps)
    for seed in range(games):
        failure = Trial(ready, seed, Budget(checked=60), only=LEAKS).at_random()
        if failure is not None and failure.property == LEAKS:
            return failure.message
    return None


@pytest.mark.parametrize("steps", [steps for _, steps in SNIPPETS], ids=[name for name, _ in SNIPPETS])
def test_what_play_tells_is_found(steps: str) -> None:
    """A leak that is seen in play is found by the check; what does not leak is shown alike in all games."""
    told = tells(steps)
    if told is not None:
        assert {code for _, code in found_in(completed(steps))}, told


def test_the_judge_is_not_blind() -> None:
    """It sees most of the planted leaks by itself: of a sample, as each is played in many games."""
    named, sample = dict(snippets("leaks.yaml")), sorted(LEAKING)[::6]
    seen = [name for name in sample if tells(named[name], 2 * GAMES) is not None]
    assert len(seen) * 3 >= len(sample) * 2, sorted(set(sample) - set(seen))
