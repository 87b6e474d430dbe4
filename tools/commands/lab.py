"""`rulespec lab`: a study, played and reported."""

from __future__ import annotations

import sys
import time
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from .. import console
from ..framework import Command, Misuse, Whole
from ..parameters import json_option

if TYPE_CHECKING:
    from rulespec.studies.data import Study

    from ..lab.crews import Crew
    from ..lab.opening import Place

FILE = click.Path(path_type=Path)
SELDOM = 30.0  # seconds between two lines about the progress where there is no terminal


@click.command(
    "lab",
    cls=Command,
    examples=[
        "rulespec lab games/my_game/studies/balance.yaml",
        "rulespec lab balance.yaml --games 50000 --jobs 4",
        "rulespec lab balance.yaml --scheduler tcp://10.0.0.1:8786",
        "rulespec lab balance.yaml --no-play --json",
    ],
)
@click.argument("file", metavar="STUDY", type=FILE)
@click.option("-n", "--games", type=Whole(1), help="How many of each arm; what the study says, if not said.")
@click.option("-j", "--jobs", type=Whole(1, 256), help="Processes; as many as there are processors, if not said.")
@click.option("--scheduler", metavar="ADDRESS", help="Play on the Dask cluster of this scheduler.")
@click.option("--results", type=FILE, help="The file of results; NAME.sqlite here, if not said.")
@click.option("--report", type=FILE, help="The report; NAME.html here, if not said.")
@click.option("--parquet", type=FILE, metavar="FOLDER", help="Also write all games and counts there, as Parquet.")
@click.option("--anew", is_flag=True, help="Where the game has changed, begin its figures anew.")
@click.option("--check", is_flag=True, help="Only look whether the study is right.")
@click.option("--no-play", is_flag=True, help="Play nothing: report what is there.")
@json_option
def command(
    file: Path,
    games: int | None,
    jobs: int | None,
    scheduler: str | None,
    results: Path | None,
    report: Path | None,
    parquet: Path | None,
    anew: bool,
    check: bool,
    no_play: bool,
    as_json: bool,
) -> int:
    """Play the games of a study in many processes, keep what they come to, and draw a report of it.

    Games that are in the file of results are not played again: a study that was stopped goes on, and one with more `--games`
    grows. The same seed gives the same figures, whatever plays them. The code is 1 if the rules failed in any game.
    """
    from dataclasses import replace

    from rulespec.studies.reading import read_study

    from ..lab.opening import open_study

    if scheduler is not None and jobs is not None:
        raise Misuse("`--jobs` and `--scheduler` exclude each other")
    study = read_study(file)
    if games is not None:
        study = replace(study, games=games)
    places = open_study(study)
    if check:
        console.message(f"{study.name}: {len(places)} arms, no findings")
        return 0
    return run(study, places, (jobs, scheduler), (results, report, parquet), anew, no_play, as_json)


def run(
    study: Study,
    places: list[Place],
    players: tuple[int | None, str | None],
    files: tuple[Path | None, Path | None, Path | None],
    anew: bool,
    no_play: bool,
    as_json: bool,
) -> int:
    """Play what is missing, and report."""
    from ..lab.figures import Source, figures
    from ..lab.needs import wanted
    from ..lab.run import Run
    from ..lab.store import Store

    results, report, parquet = files
    wanted(parquet=parquet is not None)
    store = Store(results or Path(f"{study.name}.sqlite"))
    line = Line()
    try:
        work = Run(study, places, store, line)
        work.enter(anew)
        if store.there and not anew and store.empty(work.arms):
            rest = "" if no_play else ": all of them are played now"
            console.message(f"{store.path.as_posix()} was there and holds no game of this study{rest}")
        if no_play:
            work.plan()
        else:
            start = time.monotonic()
            crew = crew_of(places, *players)
            try:
                played = work.play(crew)
            finally:
                crew.close()
                line.done()
            tell(played, time.monotonic() - start)
        sources = [
            Source(work.arms[n], place.arm.name, place.about, place.table.key, work.missing(n))
            for n, place in enumerate(places)
        ]
        told = figures(study, sources, store)
        if parquet is not None:
            from ..lab.tables import write_parquet

            write_parquet(store, parquet, study.seed)
            console.message(f"written: {parquet.as_posix()}")
        if as_json:
            console.data_json(told)
        else:
            write_report(told, report or Path(f"{study.name}.html"))
    finally:
        store.close()
    return 1 if any(arm["faults"] for arm in told["arms"]) else 0


def write_report(figures: dict[str, Any], path: Path) -> None:
    """The findings here, and the report in its file."""
    from rulespec.system import files

    from ..lab.findings import findings
    from ..lab.page import page

    files.replace(path, page(figures))
    for sentence in findings(figures):
        console.data(console.printable(sentence))
    console.message(f"written: {path.as_posix()}")


def crew_of(places: list[Place], jobs: int | None, scheduler: str | None) -> Crew:
    """Who plays."""
    from rulespec.system.machine import processors

    from ..lab.crews import Cluster, Pool

    tables = [place.table for place in places]
    return Pool(tables, jobs or processors()) if scheduler is None else Cluster(tables, scheduler)


def tell(played: int, seconds: float) -> None:
    """What was done."""
    from ..report import counted
    from ..wording import rate_text

    if played:
        console.message(f"{counted(played, 'game')} in {seconds:.1f} s, {rate_text(played, seconds)}")
    else:
        console.message("everything was played before")


class Line:
    """The progress: on a terminal a line that changes, else one from time to time."""

    def __init__(self) -> None:
        self.shown = 0.0
        self.terminal = console.is_terminal(sys.stderr)
        self.began = time.monotonic()

    def __call__(self, done: int, of: int, left: float) -> None:
        text = f"{done:,} of {of:,} games, {left_text(left)} left"
        now = time.monotonic()
        if self.terminal and now - self.shown >= 0.1:
            self.shown = now
            print(f"\r{text}\x1b[K", end="", file=sys.stderr, flush=True)
        elif not self.terminal and now - max(self.shown, self.began) >= SELDOM:
            self.shown = now
            console.message(text)

    def done(self) -> None:
        """Take the line away."""
        if self.terminal and self.shown:
            print("\r\x1b[K", end="", file=sys.stderr, flush=True)


def left_text(seconds: float) -> str:
    """`40 s`, `12 min`, `3 h 5 min`."""
    minutes = round(seconds / 60)
    if seconds < 90:
        return f"{seconds:.0f} s"
    return f"{minutes} min" if minutes < 90 else f"{minutes // 60} h {minutes % 60} min"
