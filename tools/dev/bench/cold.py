"""New processes, started again for each measurement: checking, loading with and without the cache, memory, compiling, threads."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from collections.abc import Iterator, Sequence
from pathlib import Path
from time import perf_counter

from rulespec.system.records import dataclass

from .crew import OBJECTS, PATIENCE, ROOT, NotMeasured, environment
from .measure import Pace, Tell
from .plan import IN_PYTHON, ONCE, compiles, document
from .results import Fresh

NATIVE = {
    "build": "builds",
    "threads": "threads",
}  # what is measured of compiled C, and where the games for it are named
FIRST_ONLY = ("memory", *NATIVE)


@dataclass(frozen=True, slots=True)
class Task:
    """A process to be started and looked at."""

    game: str
    players: int
    what: str
    backend: str


def tasks(games: Sequence[tuple[str, int]]) -> list[Task]:
    """All tasks for (game, players): `lint` needs no back end."""
    todo = []
    for game, players in games:
        todo.append(Task(game, players, "lint", ""))
        todo += [
            Task(game, players, quantity, backend) for quantity in ("load", "cached", "memory") for backend in IN_PYTHON
        ]
        if compiles():
            todo += [
                Task(game, players, quantity, "native") for quantity in NATIVE if game in document()[NATIVE[quantity]]
            ]
    return todo


def measure(todo: Sequence[Task], pace: Pace, cache: Path, tell: Tell) -> list[Fresh]:
    """Run each task in every round, one after the other; memory and some back ends once.  `cache` is a new folder for compiled games."""
    stages: dict[Task, dict[str, list[float]]] = {task: {} for task in todo}
    failed: dict[Task, str] = {}
    for task, counts in order(todo, pace.fresh):
        tell()
        if task in failed:
            continue
        try:
            samples = run(task, cache)
        except NotMeasured as error:
            failed[task] = str(error)
            continue
        if counts:
            for stage, value in samples.items():
                stages[task].setdefault(stage, []).append(value)
    return [
        Fresh(
            task.game, task.players, task.what, task.backend, {} if task in failed else stages[task], failed.get(task)
        )
        for task in todo
    ]


def order(todo: Sequence[Task], rounds: int) -> Iterator[tuple[Task, bool]]:
    """The tasks in their order, and whether each is measured: the first that uses the cache only fills it."""
    yield from ((task, False) for task in todo if task.what == "cached")
    for number in range(rounds):
        yield from (
            (task, True) for task in todo if number == 0 or not (task.what in FIRST_ONLY or task.backend in ONCE)
        )


def processes(todo: Sequence[Task], rounds: int) -> int:
    """How many processes `measure` starts."""
    return sum(1 for _ in order(todo, rounds))


def run(task: Task, cache: Path) -> dict[str, float]:
    """Run one process; returns seconds or bytes by stage.  Raises NotMeasured."""
    if task.what == "lint":
        command = [sys.executable, "-m", "rulespec", "lint", task.game]
    else:
        mode = task.what if task.what in FIRST_ONLY else "load"
        command = [sys.executable, "-m", f"{__package__}.fresh", mode, task.game, str(task.players), task.backend]
    start, used = perf_counter(), of_children()
    places = {"cached": cache, "threads": OBJECTS, "build": cache / "builds"}
    try:
        done = subprocess.run(
            command,
            cwd=ROOT,
            env=environment(None, cache=str(places.get(task.what, "off"))),
            stdin=subprocess.DEVNULL,
            capture_output=True,
            text=True,
            encoding="utf-8",
            errors="replace",
            timeout=PATIENCE,
        )
    except subprocess.TimeoutExpired:
        raise NotMeasured(f"no end within {PATIENCE} seconds") from None
    seconds = perf_counter() - start
    if done.returncode:
        raise NotMeasured(reason(f"{done.stdout}\n{done.stderr}") or f"its process ended with {done.returncode}")
    if task.what == "lint":
        return {"total": seconds, "processor": of_children() - used}
    figures: dict[str, float] = json.loads(done.stdout)
    return figures


def reason(text: str) -> str:
    """The line of an output that names the error: the first error, or else the last line."""
    lines = text.strip().splitlines() or [""]
    return next((line for line in lines if line.startswith("error")), lines[-1])[:200]


def of_children() -> float:
    """Seconds of the processor that ended children have used."""
    times = os.times()
    return times.children_user + times.children_system
