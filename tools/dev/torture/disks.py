"""Disks and folders that refuse: the error is told, and what was there before is there afterwards."""

from __future__ import annotations

import os
import resource
import signal
from collections.abc import Callable
from pathlib import Path

from interpreter import Game

from .writer import WrittenFiles, forked, numbers, write

NOBODY = 65534  # a user without rights, where this one has all


def full_disk(game: Game, folder: Path) -> list[str]:
    """No file may grow beyond some bytes: fewer than a save, then half of one."""
    faults: list[str] = []
    where = ready(game, folder)
    before = where.save.read_bytes()
    for limit in (1, len(before) // 2):

        def work(told: Callable[[int], None], limit: int = limit) -> None:
            signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
            resource.setrlimit(resource.RLIMIT_FSIZE, (limit, limit))
            told(refused(game, where))

        outcome(faults, work, f"a file of more than {limit} bytes")
        unharmed(faults, where, before)
    return faults


def read_only_folder(game: Game, folder: Path) -> list[str]:
    """A folder in which nobody may write."""
    faults: list[str] = []
    where = ready(game, folder)
    before = where.save.read_bytes()
    folder.chmod(0o555)
    try:

        def work(told: Callable[[int], None]) -> None:
            if os.getuid() == 0:
                os.setgid(NOBODY)
                os.setuid(NOBODY)
            told(refused(game, where))

        outcome(faults, work, "a folder that is read only")
    finally:
        folder.chmod(0o755)
    unharmed(faults, where, before)
    return faults


def ready(game: Game, folder: Path) -> WrittenFiles:
    """A game that has been saved a few times."""
    folder.mkdir(mode=0o755)
    where = WrittenFiles(folder / "game.save.json", folder / "game.jsonl")
    write(game, where, 1, lambda _: None, answers=5)
    return where


def refused(game: Game, where: WrittenFiles) -> int:
    """1 if saving one more answer raises OSError, and the position can be played on; else 0."""
    try:
        write(game, where, 2, lambda _: None, answers=1)
    except OSError:
        return 1
    return 0


def outcome(faults: list[str], work: Callable[[Callable[[int], None]], None], title: str) -> None:
    """Run a writer that has to be refused."""
    with forked(work) as (child, reading):
        _, status = os.waitpid(child, 0)
        told = numbers(reading)
    if os.waitstatus_to_exitcode(status) != 0:
        faults.append(f"{title}: the writer died")
    elif told != [1]:
        faults.append(f"{title}: was written")


def unharmed(faults: list[str], where: WrittenFiles, before: bytes) -> None:
    """What was there is there, and nothing else."""
    if where.save.read_bytes() != before:
        faults.append("a save that could not be written has changed")
    left = sorted(set(os.listdir(where.save.parent)) - {where.save.name, where.script.name})
    if left:
        faults.append(f"left over: {', '.join(left[:5])}")
