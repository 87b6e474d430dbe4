"""A whole run: the unbroken games, then the mutants, in two processes."""

from __future__ import annotations

import multiprocessing
import tempfile
from collections.abc import Callable, Sequence
from pathlib import Path

from . import trial
from .families import Mutant
from .results import MutationResults
from .trial import MutantVerdict, Workbench

PROCESSES = 2


class Broken(Exception):
    """A shipped game fails its own cases or random play: nothing can be measured with it."""


def run(
    folders: Sequence[Path],
    mutants: Sequence[Mutant],
    seed: int,
    processes: int = PROCESSES,
    progress: Callable[[int], None] = lambda _: None,
) -> MutationResults:
    """Try mutants; the answer does not depend on the number of processes. Raises Broken."""
    known, alarms = {}, []
    for folder in folders:
        findings, said = trial.unbroken(folder)
        if said:
            raise Broken(f"{folder.name}: {said}")
        known[folder.name] = findings
        alarms += [f"{folder.name}: {code}: {message}" for code, message, _ in findings]
    originals = {folder.name: folder for folder in folders}
    verdicts: list[MutantVerdict] = []
    with tempfile.TemporaryDirectory(prefix="mutation-") as place:
        if processes == 1:
            bench = Workbench(Path(place), originals, known)
            for mutant in mutants:
                verdicts.append(bench.judge(mutant))
                progress(len(verdicts))
        else:
            verdicts = shared_out(mutants, Path(place), originals, known, processes, progress)
    return MutationResults(seed, tuple(verdicts), tuple(alarms))


def shared_out(
    mutants: Sequence[Mutant],
    place: Path,
    originals: dict[str, Path],
    known: dict[str, list[trial.Finding]],
    processes: int,
    progress: Callable[[int], None],
) -> list[MutantVerdict]:
    """The verdicts of several processes, in the order of the mutants."""
    context = multiprocessing.get_context("spawn")
    folders = [Path(tempfile.mkdtemp(dir=place)) for _ in range(processes)]
    queue = context.SimpleQueue()
    for folder in folders:
        queue.put((folder, originals, known))
    verdicts = []
    with context.Pool(processes, initializer=from_queue, initargs=(queue,)) as pool:
        for verdict in pool.imap(trial.try_mutant, mutants, chunksize=1):
            verdicts.append(verdict)
            progress(len(verdicts))
    return verdicts


def from_queue(
    queue: multiprocessing.queues.SimpleQueue[tuple[Path, dict[str, Path], dict[str, list[trial.Finding]]]],
) -> None:
    """Make a process ready with a folder of its own."""
    trial.worker(queue.get())
