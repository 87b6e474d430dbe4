"""A little of `make load`: what it measures is measured, and what is too much is said."""

from __future__ import annotations

import asyncio
from pathlib import Path

from tools.dev.load.child import child
from tools.dev.load.measure import Figure, answers_seen, carried, percentile, views
from tools.dev.load.siege import besieged


def test_figures_know_their_bounds() -> None:
    assert Figure("a", 3, "ms").kept and Figure("a", 3, "ms", 3).kept and not Figure("a", 3.1, "ms", 3).kept
    assert "TOO MUCH" in Figure("a", 4, "ms", 3).told() and "TOO MUCH" not in Figure("a", 3, "ms", 3).told()
    assert percentile([3, 1, 2], 0.5) == 2 and percentile([1], 0.95) == 1


def test_views_are_small() -> None:
    time, size = views("tic_tac_toe", 5)
    assert time.value > 0 and 0 < size.value < 2 and size.kept


def test_a_server_is_measured_and_besieged(tmp_path: Path) -> None:
    """Nobody is let go, nobody stands still, nothing is told; how fast it is depends on the machine, and is not asked here."""

    async def work() -> list[Figure]:
        async with child(tmp_path, ["tic_tac_toe", "connect_four"]) as server, asyncio.timeout(60):
            return [
                *await answers_seen(server, ["connect_four"], 4),
                *await carried(server, ["connect_four"], 2, 5, 0.3, 0.1),
                *await besieged(server, "connect_four", 80, 10, 0.3),
            ]

    figures = asyncio.run(work())
    assert all(figure.kept for figure in figures if figure.most == 0), figures
    assert figures[0].value > 0 and next(f for f in figures if f.name == "bad messages sent").value >= 80
