"""How the lab scales on this machine: games a second by who plays, and what a batch costs beside its games.

`python -m tools.lab.scale STUDY.yaml [GAMES]` plays the first arm of a study with one process, with two, and with a Dask cluster of two
workers of one thread, each into a file of its own, and prints a table for `docs/lab.md`.
"""

from __future__ import annotations

import sys
import time
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

from rulespec.studies.data import Measures, Study
from rulespec.studies.reading import read_study

from .crews import Cluster, Crew, Order, Pool
from .opening import Place, open_study
from .playing import PLAIN, Batch, Table, play
from .run import Run
from .store import Store

EMPTY = 300  # batches of one game, for what a batch costs
WARM = 2_000  # games that every process plays first


def measured(study: Study, places: list[Place], crew: Crew, file: Path) -> tuple[float, Store]:
    """Seconds for the games of a study, once its workers are warm."""
    store = Store(file)
    for games in (WARM, WARM + study.games):
        work = Run(replace(study, games=games), places, store)
        work.enter(anew=False)
        start = time.perf_counter()
        work.play(crew)
        seconds = time.perf_counter() - start
    return seconds, store


def batch_cost(crew: Crew) -> float:
    """Seconds that a batch of one game takes on its way there and back."""
    start, given = time.perf_counter(), 0
    while given < EMPTY or crew.busy():
        while given < EMPTY and crew.busy() < 2 * crew.size:
            crew.give(Order(0, PLAIN, given, 1))
            given += 1
        if crew.busy():
            list(crew.results())
    return (time.perf_counter() - start) / EMPTY


def write_cost(store: Store, arm: int, batch: Batch) -> float:
    """Seconds to add a batch to the results."""
    start = time.perf_counter()
    for number in range(EMPTY):
        store.add(
            arm, replace(batch, first=10**9 + number, games=[(10**9 + number, *row[1:]) for row in batch.games[:1]])
        )
    return (time.perf_counter() - start) / EMPTY


LOCAL: list[Any] = []  # clusters, which live as long as somebody knows them


def cluster(tables: list[Table]) -> Crew:
    """Two workers of one thread, each a process of this machine."""
    from distributed import LocalCluster

    local = LocalCluster(n_workers=2, threads_per_worker=1, processes=True, dashboard_address=None)
    LOCAL.append(local)
    return Cluster(tables, local.scheduler_address)


def main(words: list[str]) -> int:
    study = read_study(Path(words[0]))
    study = replace(study, arms=study.arms[:1], games=int(words[1]) if len(words) > 1 else study.games)
    study = replace(study, interval=None, measures=Measures(followed=0, watched=0))
    places = open_study(study)
    tables = [place.table for place in places]
    crews: dict[str, Callable[[], Crew]] = {
        "one process": lambda: Pool(tables, 1),
        "two processes": lambda: Pool(tables, 2),
        "a Dask cluster of two workers": lambda: cluster(tables),
    }
    first = 0.0
    print(f"{study.arms[0].name}, {study.games:,} games\n")
    print("| | games/s | times one process | a batch there and back |")
    print("| --- | ---: | ---: | ---: |")
    with TemporaryDirectory() as folder:
        for name, make in crews.items():
            crew = make()
            seconds, store = measured(study, places, crew, Path(folder) / f"{name}.sqlite")
            rate = study.games / seconds
            first = first or rate
            cells = [name, f"{rate:,.0f}", f"{rate / first:.2f}", f"{1000 * batch_cost(crew):.2f} ms"]
            print(f"| {' | '.join(cells)} |", flush=True)
            crew.close()
        print(f"\nto write a batch: {1000 * write_cost(store, 1, play(tables[0], PLAIN, 0, 1)):.2f} ms")
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
