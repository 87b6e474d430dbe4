"""A run: the unbroken games, then the mutants, in two processes, each verdict kept for a run that goes on."""

from __future__ import annotations

import multiprocessing
import tempfile
import time
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path

from . import trial
from .families import Mutant
from .ledger import Ledger
from .results import MutationResults
from .trial import MutantVerdict, Workbench

PROCESSES = 2


class Broken(Exception):
    """A shipped game fails its own cases or random play: nothing can be measured with it."""


class Unfinished(Exception):
    """The time was up before all mutants were tried; says how many are left."""


def run(
    folders: Sequence[Path],
    mutants: Sequence[Mutant],
    seed: int,
    processes: int = PROCESSES,
    progress: Callable[[int], None] = lambda _: None,
    ledger: Ledger | None = None,
    seconds: float | None = None,
) -> MutationResults:
    """Try mutants; the answer does not depend on the number of processes.  What the ledger knows is not tried again.

    With `seconds` no mutant begins after so long.  Raises Broken, and Unfinished where mutants are left then.
    """
    until = None if seconds is None else time.monotonic() + seconds
    ledger = ledger or Ledger()
    known, alarms = {}, []
    for folder, (findings, said) in unbroken(folders, processes, ledger):
        if said:
            raise Broken(f"{folder.name}: {said}")
        known[folder.stem] = findings
        alarms += [f"{folder.name}: {code}: {message}" for code, message, _ in findings]
    originals = {folder.stem: folder for folder in folders}
    verdicts = {mutant: ledger.verdict(originals[mutant.game], mutant) for mutant in mutants}
    left = [mutant for mutant, verdict in verdicts.items() if verdict is None]
    with tempfile.TemporaryDirectory(prefix="mutation-") as place:
        if processes == 1:
            bench = Workbench(Path(place), originals, known)
            tried: Iterator[MutantVerdict] = (
                bench.judge(mutant) for mutant in left if until is None or time.monotonic() < until
            )
        else:
            tried = shared_out(left, Path(place), originals, known, processes, until)
        for number, verdict in enumerate(tried, 1 + len(mutants) - len(left)):
            verdicts[verdict.mutant] = verdict
            ledger.keep(originals[verdict.mutant.game], verdict.mutant, verdict)
            progress(number)
    done = [verdict for verdict in verdicts.values() if verdict is not None]
    if len(done) < len(mutants):
        raise Unfinished(f"{len(mutants) - len(done)} of {len(mutants)} mutants are left")
    return MutationResults(seed, tuple(done), tuple(alarms))


def unbroken(
    folders: Sequence[Path], processes: int, ledger: Ledger
) -> Iterator[tuple[Path, tuple[list[trial.Finding], str]]]:
    """What is said of each game as it is; what the ledger knows is not asked again."""
    left = [folder for folder in folders if ledger.unbroken(folder) is None]
    judged = {folder: known for folder in folders if (known := ledger.unbroken(folder)) is not None}
    if processes == 1 or len(left) < 2:
        judged |= {folder: kept(ledger, folder, trial.unbroken(folder)) for folder in left}
    else:
        with multiprocessing.get_context("spawn").Pool(processes) as pool:
            for folder, found in pool.imap_unordered(with_folder, left):
                judged[folder] = kept(ledger, folder, found)
    yield from ((folder, judged[folder]) for folder in folders)


def with_folder(folder: Path) -> tuple[Path, tuple[list[trial.Finding], str]]:
    """What is said of a game as it is, with its folder."""
    return folder, trial.unbroken(folder)


def kept(ledger: Ledger, folder: Path, found: tuple[list[trial.Finding], str]) -> tuple[list[trial.Finding], str]:
    """The same, on the disk."""
    ledger.keep(folder, None, found)
    return found


def shared_out(
    mutants: Sequence[Mutant],
    place: Path,
    originals: dict[str, Path],
    known: dict[str, list[trial.Finding]],
    processes: int,
    until: float | None,
) -> Iterator[MutantVerdict]:
    """The verdicts of several processes, as they come; none of mutants that would begin too late."""
    context = multiprocessing.get_context("spawn")
    folders = [Path(tempfile.mkdtemp(dir=place)) for _ in range(processes)]
    queue = context.SimpleQueue()
    for folder in folders:
        queue.put((folder, originals, known))
    at_once = 4 * processes if until is not None else max(1, len(mutants))
    with context.Pool(processes, initializer=from_queue, initargs=(queue,)) as pool:
        for start in range(0, len(mutants), at_once):
            if until is None or time.monotonic() < until:
                yield from pool.imap_unordered(trial.try_mutant, mutants[start : start + at_once])


def from_queue(
    queue: multiprocessing.queues.SimpleQueue[tuple[Path, dict[str, Path], dict[str, list[trial.Finding]]]],
) -> None:
    """Make a process ready with a folder of its own."""
    trial.worker(queue.get())
