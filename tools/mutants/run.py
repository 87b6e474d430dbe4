"""A run: what each case comes to, then the changes, shared out to several processes."""

from __future__ import annotations

import gc
import multiprocessing
import signal
import tempfile
import time
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from dataclasses import field
from itertools import islice
from pathlib import Path
from typing import Any

from rulespec.cases.data import Suite
from rulespec.system.records import dataclass

from .changes import Change, changes, in_turn
from .reach import CaseReach, Reach
from .trial import Verdict, Workbench, late

AT_ONCE = 12  # cases whose reach is measured in one piece
SPARE = 4  # times as many changes are looked at as are wanted: some the checker refuses


@dataclass(slots=True)
class MutantRun:
    """What came of a run: the verdicts of the changes that were tried, in their order, and what was not tried."""

    seed: int
    wanted: int
    possible: int = 0  # changes that there are
    failing: list[str] = field(default_factory=list)  # cases that fail without any change; then nothing is tried
    verdicts: list[Verdict] = field(default_factory=list)
    unreached: dict[str, int] = field(default_factory=dict)  # by rule: changes that were drawn where no case comes
    seconds: float = 0.0

    def told(self, *hows: str) -> list[Verdict]:
        """The verdicts of these kinds."""
        return [one for one in self.verdicts if one.how in hows]

    @property
    def counted(self) -> int:
        """How many changes a case could have noticed: those that make a difference."""
        return len(self.told("noticed", "endless", "survived"))

    @property
    def late(self) -> int:
        """How many changes were left when the time was up."""
        return len(self.told("late"))


def run(
    suite: Suite,
    file: Path,
    names: frozenset[str],
    sample: int,
    seed: int,
    processes: int,
    budget: float | None,
    progress: Callable[[str, int, int], None] = lambda _what, _done, _of: None,
) -> MutantRun:
    """Try changes of a game's rules until so many made a difference, or the time is up.

    `file` is the game's main file, `names` the cases that are to notice.  The verdicts do not depend on the number of processes; with a
    `budget` no change is begun later than so many seconds after all cases were looked at, which takes its time in a game of many.
    """
    began = time.time()
    result = MutantRun(seed, sample)
    every = changes(suite.game)
    result.possible = len(every)
    with workers(file, processes) as mapped:
        reached = list(measured(mapped, sorted(names), lambda done: progress("cases looked at", done, len(names))))
        result.failing = sorted(case.name for case in reached if not case.passed)
        if result.failing:
            return result
        reach = Reach(suite.game, reached)
        deadline = None if budget is None else time.time() + budget
        drawn = in_turn(every, seed, lambda one: reachable(result, reach, one))
        while result.counted < sample and not result.late:
            batch = list(islice(drawn, sample - result.counted))
            if not batch or len(result.verdicts) >= SPARE * sample:
                break
            tasks = [(one, reach.of(one.file, one.start), deadline) for one in batch]
            for verdict in mapped(try_change, tasks):
                result.verdicts.append(verdict)
                progress("changes tried", result.counted, sample)
    result.seconds = time.time() - began
    return result


def reachable(result: MutantRun, reach: Reach, one: Change) -> bool:
    """Whether some case comes to a change; those to which none comes are counted."""
    if reach.of(one.file, one.start):
        return True
    result.unreached[one.rule] = result.unreached.get(one.rule, 0) + 1
    return False


def measured(mapped: Mapped, names: list[str], progress: Callable[[int], None]) -> Iterator[CaseReach]:
    """What each case comes to."""
    pieces = [frozenset(names[at : at + AT_ONCE]) for at in range(0, len(names), AT_ONCE)]
    done = 0
    for piece in mapped(reach_of, pieces):
        done += len(piece)
        progress(done)
        yield from piece


# --- processes --------------------------------------------------------------------------------------------------------
Mapped = Callable[[Callable[[Any], Any], Iterable[Any]], Iterator[Any]]


@contextmanager
def workers(file: Path, processes: int) -> Iterator[Mapped]:
    """What applies a function of this module to tasks, in order, in processes that each have a copy of the game; one is this one."""
    with tempfile.TemporaryDirectory(prefix="mutants-") as place:
        folders = [Path(tempfile.mkdtemp(dir=place)).resolve() for _ in range(processes)]
        if processes == 1:
            ready(folders[0], file)
            yield map
            return
        context = multiprocessing.get_context("spawn")
        queue = context.SimpleQueue()
        for folder in folders:
            queue.put((folder, file))
        with context.Pool(processes, initializer=from_queue, initargs=(queue,)) as pool:
            yield pool.imap


def from_queue(queue: Any) -> None:
    """Make a process ready with a copy of its own.  An interruption is the first process's to answer; what fails here is told by the
    first task, as a pool would begin such a process again and again."""
    global UNREADY
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    try:
        ready(*queue.get())
    except Exception as error:
        UNREADY = error


def ready(folder: Path, file: Path) -> None:
    """Copy the game."""
    global BENCH
    BENCH = Workbench(folder, file)
    settle()


def settle() -> None:
    """Let the garbage collector pass over what stays: full collections of a large game took seconds."""
    gc.collect()
    gc.freeze()


BENCH: Workbench
UNREADY: Exception | None = None


def bench() -> Workbench:
    """The copy of this process; raises what went wrong when it was made."""
    if UNREADY is not None:
        raise UNREADY
    return BENCH


def reach_of(names: frozenset[str]) -> list[CaseReach]:
    """What some cases come to, in a process that is ready."""
    reached = bench().reached(names)
    settle()
    return reached


def try_change(task: tuple[Change, tuple[str, ...], float | None]) -> Verdict:
    """Try a change in a process that is ready, unless the time is up."""
    change, names, deadline = task
    return Verdict(change, "late") if late(deadline) else bench().judge(change, names)
