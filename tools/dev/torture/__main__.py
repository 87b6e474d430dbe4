"""`python -m tools.dev.torture`: kill writers, fill disks, lock folders, let two write."""

from __future__ import annotations

import os
import sys
import tempfile
import time
from pathlib import Path

import click

from ... import console
from ...cli import main as run_command
from ...framework import FINDINGS, HELP, Command, Misuse
from ...parameters import game_argument, open_game

ANSWERS = 200  # of each of two writers


@click.command(
    "python -m tools.dev.torture",
    cls=Command,
    examples=["python -m tools.dev.torture {game}", "python -m tools.dev.torture {game} --kills 50"],
    context_settings=HELP,
)
@game_argument
@click.option("--kills", type=click.IntRange(1), default=1000, show_default=True, help="How many writers are killed.")
def command(game: str, kills: int) -> int:
    """Do to the writers of saves what crashes and disks do, and look whether anything acknowledged is lost.

    The code is 1 if it is.
    """
    if os.name != "posix":
        raise Misuse("this needs processes that can be forked and killed", "run it on Linux or macOS")
    from . import disks
    from .kills import kill_writers
    from .writers import two_writers

    opened = open_game(game, None, ())
    faults: list[str] = []
    start = time.perf_counter()
    with tempfile.TemporaryDirectory(prefix="rulespec-torture-") as name:
        folder = Path(name)
        folder.chmod(0o755)  # the writer of the read-only folder may be another user
        (folder / "kills").mkdir()
        progress = console.Progress("kills", kills)
        try:
            killed = kill_writers(opened, folder / "kills", kills, progress)
        finally:
            progress.done()
        console.data(
            f"{killed.kills} kills, {killed.amid} of them while a file was written, {killed.acknowledged:,} answers "
            f"acknowledged: {told(killed.faults)}"
        )
        faults += killed.faults
        for title, part in (("a full disk", disks.full_disk), ("a read-only folder", disks.read_only_folder)):
            wrong = part(opened, folder / title.replace(" ", "-"))
            console.data(f"{title}: {told(wrong)}")
            faults += wrong
        readings, wrong = two_writers(opened, folder / "two", ANSWERS)
        console.data(f"two writers, {ANSWERS} answers each, {readings:,} readings: {told(wrong)}")
        faults += wrong
    console.message(f"{time.perf_counter() - start:.0f} s")
    return FINDINGS if faults else 0


def told(faults: list[str]) -> str:
    """What was wrong, each once."""
    kinds = list(dict.fromkeys(faults))
    return "nothing lost, nothing half" if not faults else f"{len(faults)} faults: {'; '.join(kinds[:5])}"


if __name__ == "__main__":
    sys.exit(run_command(sys.argv[1:], command, "python -m tools.dev.torture"))
