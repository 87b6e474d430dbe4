"""`python -m tools.dev.load`: measure a server of tables, and do harm to it."""

from __future__ import annotations

import asyncio
import sys
import tempfile
import time
from collections.abc import Awaitable, Callable
from pathlib import Path

import click

from rulespec.system.resources import games_dir

from ... import console
from ...cli import main as run_command
from ...framework import FINDINGS, HELP, Command

SMALL = 4  # games, those with the quickest views, are played at many tables


@click.command(
    "python -m tools.dev.load",
    cls=Command,
    examples=[
        "python -m tools.dev.load",
        "python -m tools.dev.load --tables 20 --sockets 50 --seconds 5 --messages 500 --connections 100",
    ],
    context_settings=HELP,
)
@click.option("--tables", type=click.IntRange(1), default=200, show_default=True, help="Tables of bots.")
@click.option("--sockets", type=click.IntRange(1), default=500, show_default=True, help="Connections that watch them.")
@click.option("--seconds", type=click.IntRange(1), default=30, show_default=True, help="How long they are watched.")
@click.option("--pace", type=float, default=2.0, show_default=True, help="Seconds that a bot waits.")
@click.option(
    "--messages", type=click.IntRange(1), default=10_000, show_default=True, help="Messages of those who mean harm."
)
@click.option(
    "--connections", type=click.IntRange(1), default=1000, show_default=True, help="Connections that they hold at once."
)
@click.option("--kills", type=click.IntRange(1), default=20, show_default=True, help="Servers that are killed in play.")
@click.option(
    "--answers", type=click.IntRange(10), default=100, show_default=True, help="Answers and positions of each game."
)
def command(
    tables: int, sockets: int, seconds: int, pace: float, messages: int, connections: int, kills: int, answers: int
) -> int:
    """Measure a server in a process of its own, with clients in this one, against the bounds that it has to keep.

    The code is 1 if one is not kept.
    """
    from ...serve.server import room_for_connections
    from .measure import Figure, views

    room_for_connections()
    start = time.perf_counter()
    figures: list[Figure] = []

    def told(more: list[Figure]) -> None:
        figures.extend(more)
        for figure in more:
            console.data(figure.told())

    shipped = sorted(path.parent.name for path in games_dir().glob("*/game.yaml"))
    quick: list[tuple[float, str]] = []
    for name in shipped:
        measured = views(name, answers)
        quick.append((measured[0].value, name))
        told(measured)
    small = [name for _, name in sorted(quick)[:SMALL]]

    async def served() -> None:
        from .child import Child, child
        from .kills import killed
        from .measure import answers_seen, carried
        from .siege import besieged

        parts: list[Callable[[Child], Awaitable[list[Figure]]]] = [
            lambda server: answers_seen(server, shipped, answers),
            lambda server: carried(server, small, tables, sockets, seconds, pace),
            lambda server: besieged(server, small[-1], messages, connections),
        ]
        for part in parts:
            with tempfile.TemporaryDirectory(prefix="rulespec-load-") as folder:
                async with child(Path(folder), shipped) as server:
                    told(await part(server))
        with tempfile.TemporaryDirectory(prefix="rulespec-load-") as folder:
            told(await killed(Path(folder), small[-1], kills))

    asyncio.run(served())
    console.message(f"{time.perf_counter() - start:.0f} s")
    return 0 if all(figure.kept for figure in figures) else FINDINGS


if __name__ == "__main__":
    sys.exit(run_command(sys.argv[1:], command, "python -m tools.dev.load"))
