"""A study on a Dask cluster of this machine: the same figures, with workers that are killed and a scheduler that goes away."""

from __future__ import annotations

import os
import re
import signal
import sqlite3
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from rulespec.text.diagnostics import RulespecError
from tests.helpers.places import ROOT
from tests.helpers.waiting import said_until
from tools.lab.crews import Cluster, Pool
from tools.lab.opening import open_study
from tools.lab.run import Run
from tools.lab.store import Store

pytest.importorskip("distributed", reason="`make lab-test` installs the extra `lab`")
from rulespec.studies.reading import read_study

STUDY = """study: small
games: 3000
arms:
  usual: {game: leduc_poker, players: 2}
  larger: {game: kuhn_poker, players: 3}
measure: {followed: 200, watched: 20}
"""


def started(*words: str) -> subprocess.Popen[str]:
    environment = {**os.environ, "PYTHONPATH": str(ROOT), "DASK_DISTRIBUTED__COMM__TIMEOUTS__CONNECT": "5s"}
    return subprocess.Popen([sys.executable, "-m", *words], stderr=subprocess.PIPE, text=True, env=environment)


class Dask:
    """A scheduler and workers, each a process."""

    def __init__(self) -> None:
        self.scheduler = started(
            "distributed.cli.dask_scheduler", "--port", "0", "--no-dashboard", "--host", "127.0.0.1"
        )
        assert self.scheduler.stderr is not None
        said = said_until(self.scheduler, self.scheduler.stderr, "tcp://")
        found = re.search(r"tcp://[\d.]+:\d+", said)
        assert found is not None, said
        self.address = found.group()
        self.workers: list[subprocess.Popen[str]] = []
        self.hire()
        self.hire()

    def hire(self) -> None:
        words = ("distributed.cli.dask_worker", self.address, "--nthreads", "1", "--no-nanny", "--no-dashboard")
        self.workers.append(started(*words))
        worker = self.workers[-1]
        assert worker.stderr is not None
        said_until(worker, worker.stderr, "Registered to")

    def close(self) -> None:
        for process in (*self.workers, self.scheduler):
            process.kill()
            process.communicate()


@pytest.fixture
def dask() -> Iterator[Dask]:
    cluster = Dask()
    yield cluster
    cluster.close()


def play(folder: Path, name: str, crew_of: Any) -> dict[str, list[Any]]:
    path = folder / "small.yaml"
    path.write_text(STUDY, encoding="utf-8")
    study = read_study(path)
    places = open_study(study)
    store = Store(folder / f"{name}.sqlite")
    crew = crew_of([place.table for place in places])
    try:
        work = Run(study, places, store)
        work.enter(anew=False)
        work.play(crew)
    finally:
        crew.close()
        store.close()
    return contents(folder / f"{name}.sqlite")


def contents(file: Path) -> dict[str, list[Any]]:
    base = sqlite3.connect(file)
    tables = {name: base.execute(f"SELECT * FROM {name}").fetchall() for name in ("games", "followed", "uses")}
    base.close()
    return tables


def test_a_cluster_gives_what_a_pool_gives(dask: Dask, tmp_path: Path) -> None:
    pool = play(tmp_path, "pool", lambda tables: Pool(tables, 2))
    assert len(pool["games"]) == 6000
    assert play(tmp_path, "cluster", lambda tables: Cluster(tables, dask.address)) == pool


def test_a_killed_worker_loses_nothing(dask: Dask, tmp_path: Path) -> None:
    class Losing(Cluster):
        lost = False

        def results(self):
            yield from super().results()
            if not self.lost:
                self.lost = True
                dask.workers[0].send_signal(signal.SIGKILL)

    crew = play(tmp_path, "cluster", lambda tables: Losing(tables, dask.address))
    assert dask.workers[0].wait(10) == -signal.SIGKILL
    assert crew == play(tmp_path, "pool", lambda tables: Pool(tables, 2))


def test_a_scheduler_that_goes_away_is_told(dask: Dask, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("tools.lab.crews.PATIENCE", 3.0)

    class Leaving(Cluster):
        gone_at = 0.0

        def results(self):
            yield from super().results()
            if not self.gone_at:
                self.gone_at = time.monotonic()
                dask.scheduler.send_signal(signal.SIGKILL)

    with pytest.raises(RulespecError) as refused:
        play(tmp_path, "cluster", lambda tables: Leaving(tables, dask.address))
    assert refused.value.diagnostics[0].code == "X007"
    kept = contents(tmp_path / "cluster.sqlite")["games"]
    assert len(kept) < 6000
    monkeypatch.undo()
    assert play(tmp_path, "cluster", lambda tables: Pool(tables, 2)) == play(
        tmp_path, "pool", lambda tables: Pool(tables, 2)
    )


def test_no_scheduler_is_told(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("tools.lab.crews.PATIENCE", 1.0)
    with pytest.raises(RulespecError) as refused:
        play(tmp_path, "cluster", lambda tables: Cluster(tables, "tcp://127.0.0.1:1"))
    assert refused.value.diagnostics[0].code == "X007"
