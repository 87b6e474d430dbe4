"""Which places are near: the same as networkx finds."""

from __future__ import annotations

import random

import networkx
import pytest

from rulespec.library.maps import graph, reach


def test_what_is_near_is_what_networkx_finds():
    dice = random.Random(1)
    for n in (1, 2, 5, 9):
        for _ in range(8):
            rows = tuple(tuple(sorted({dice.randrange(n) for _ in range(dice.randrange(4))})) for _ in range(n))
            for place in range(n):
                for steps in (-1, 0, 1, 2, 100):
                    found = networkx.single_source_shortest_path_length(graph(rows), place, cutoff=max(0, steps))
                    assert reach(place, steps, rows) == tuple(sorted(found))


def test_what_is_no_place_has_none_near():
    with pytest.raises(LookupError):
        reach(-1, 1, ((),))
