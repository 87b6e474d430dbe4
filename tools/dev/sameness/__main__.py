"""`python -m tools.dev.sameness`: play the same games in every way, and compare."""

from __future__ import annotations

import sys
import time

import click

from ... import console
from ...cli import main as run_command
from ...framework import FINDINGS, HELP, Command


@click.command(
    "python -m tools.dev.sameness",
    cls=Command,
    examples=[
        "python -m tools.dev.sameness",
        "python -m tools.dev.sameness --games 5 --hash-seeds 4",
        "python -m tools.dev.sameness --write",
    ],
    context_settings=HELP,
)
@click.option("--games", type=click.IntRange(1), default=50, show_default=True, help="How many of each shipped game.")
@click.option("--hash-seeds", type=click.IntRange(2), default=20, show_default=True, help="How many hash seeds.")
@click.option("--jobs", type=click.IntRange(1, 64), default=2, show_default=True, help="How many processes at once.")
@click.option("--only", multiple=True, metavar="GAME", help="This game only; repeat for more.")
@click.option("--write", is_flag=True, help="Write the digests that the tests compare with, and do no more.")
def command(games: int, hash_seeds: int, jobs: int, only: tuple[str, ...], write: bool) -> int:
    """Play the same games with many hash seeds, on each back end, on each Python from 3.11 up, in one process and in many.

    The code is 1 if any two come to different ends, logs or answers.
    """
    from rulespec.system import files
    from rulespec.text.locate import folders

    from . import compare, golden, pythons

    names = tuple(folder.name for folder in folders() if not only or folder.name in only)
    if write:
        files.replace(golden.FILE, golden.text(names))
        console.message(f"written: {golden.FILE.name}")
        return 0
    versions = [pythons.ready(python) for python in pythons.installed()]
    able = [python for python in versions if python.problem is None]
    for python in versions:
        console.data(f"Python {python.version}: {'plays' if python.problem is None else 'skipped: ' + python.problem}")
    problems = {name: problem for name in names if (problem := compare.not_native(name)) is not None}
    for problem in problems.values():
        console.data(f"not as C: {console.printable(' '.join(problem.split()))}")
    natively = tuple(name for name in names if name not in problems)
    todo = list(compare.ways(able, names, games, hash_seeds, natively))
    progress = console.Progress("ways", len(todo))
    start = time.perf_counter()
    try:
        comparison = compare.run(todo, jobs, progress)
    finally:
        progress.done()
    for line in comparison.differences:
        console.data(console.printable(f"differs: {line}"))
    setups = len(comparison.digests[True])
    console.data(
        f"{games} games of {len(names)} games in {setups} setups, {comparison.ways} ways to play them, "
        f"{sum(way.backend == compare.NATIVE for way in todo)} of them as C: "
        f"{len(comparison.differences) or 'no'} differences"
    )
    console.message(f"{time.perf_counter() - start:.0f} s")
    return FINDINGS if comparison.differences else 0


if __name__ == "__main__":
    sys.exit(run_command(sys.argv[1:], command, "python -m tools.dev.sameness"))
