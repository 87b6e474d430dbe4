"""`python -m tools.dev.mutation`: break the games, see who notices, write the page."""

from __future__ import annotations

import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import click

from ... import console, replacing
from ...cli import main as run_command
from ...framework import FINDINGS, HELP, Command
from ...parameters import json_option

REPORTS = Path(__file__).resolve().parents[3] / "docs" / "reports"
LEDGER = "build/mutation/verdicts.jsonl"


@click.command(
    "python -m tools.dev.mutation",
    cls=Command,
    examples=[
        "python -m tools.dev.mutation",
        "python -m tools.dev.mutation --only {game} --total 50",
        "python -m tools.dev.mutation --minutes 5",
        "python -m tools.dev.mutation --meaning --only {game} --out build/mutation",
    ],
    context_settings=HELP,
)
@click.option("--only", multiple=True, metavar="GAME", help="Break this game only; repeat for more.")
@click.option("--total", type=click.IntRange(1), help="About how many mutants; 320, if not said.")
@click.option("--seed", type=click.IntRange(0), default=1, help="Another seed tries other mutants.")
@click.option("--processes", type=click.IntRange(1, 64), default=2, help="How many work side by side; 2, if not said.")
@click.option(
    "--minutes", type=click.FloatRange(0), help="Begin no mutant after so many; the next run goes on from there."
)
@click.option("--meaning", is_flag=True, help="Only the second set: mistakes of meaning that are written by hand.")
@click.option("--out", type=click.Path(file_okay=False, path_type=Path), help="Write the two files in this folder.")
@json_option
def command(
    only: tuple[str, ...],
    total: int | None,
    seed: int,
    processes: int,
    minutes: float | None,
    meaning: bool,
    out: Path | None,
    as_json: bool,
) -> int:
    """Break the shipped games in systematic ways and count who notices: lint, the cases, random play, or nobody.

    The second set are mistakes of meaning, which tests/slips lists: a whole run tries both.

    A whole run writes mutation.json, mutation.md and the same two of mutation_meaning in docs/reports; any other writes only where `--out`
    says, and `--meaning` its own two. The code is 1 if less is caught than aimed at, or lint finds anything in the unbroken games. A
    run that broke off goes on where it was, as long as neither the code nor the game has changed.
    """
    if meaning:
        return second_set(processes, minutes, out or (None if only else REPORTS), as_json, only)
    from rulespec.text.locate import folders

    from ...framework import Misuse
    from . import results as show
    from .ledger import Ledger
    from .plan import TOTAL, plan
    from .run import Broken, Unfinished, run

    games = [folder for folder in folders() if not only or folder.name in only]
    for name in only:
        if name not in {folder.name for folder in games}:
            raise Misuse(f"there is no shipped game `{name}`", "`rulespec list` shows them")
    chosen = plan(games, total or TOTAL, seed)
    progress = console.Progress("mutants", len(chosen))
    try:
        limit = None if minutes is None else 60 * minutes
        results = run(games, chosen, seed, processes, progress, Ledger(REPORTS.parent.parent / LEDGER), limit)
    except Unfinished as error:
        console.message(f"{error}; nothing was written, and the next run goes on from here")
        return FINDINGS
    except Broken as error:
        raise Misuse(f"an unbroken game fails: {error}", "mend it first") from None
    except KeyboardInterrupt:
        console.message("interrupted; nothing was written, and the next run goes on from here")
        raise
    finally:
        progress.done()
    data = show.document(results)
    tell(data, show.table(results), show.summary(results), as_json)
    folder = out or (None if only or total or seed != 1 else REPORTS)
    if folder is not None:
        write(folder, "mutation", show.to_json(results), show.page(results))
    reached = all(100 * data[key] >= aim * data["total"] for key, aim in show.AIMS.items())
    code = 0 if reached and not data["false_alarms"] else FINDINGS
    return code if folder != REPORTS else max(code, second_set(processes, minutes, REPORTS, as_json))


def second_set(
    processes: int, minutes: float | None, out: Path | None, as_json: bool, only: tuple[str, ...] = ()
) -> int:
    """Try the mistakes of meaning, of all games or some, and write their two files."""
    from ...framework import Misuse
    from . import meaning as show
    from . import reviewing
    from .ledger import Ledger
    from .run import Broken, Unfinished, run
    from .slips import BadSlip, read, title

    until = None if minutes is None else time.monotonic() + 60 * minutes
    try:
        games, slips = read()
        for name in only:
            if name not in {title(game) for game in games}:
                raise Misuse(f"there are no mistakes of a game `{name}`", "tests/slips has a file for each game")
        games = [game for game in games if not only or title(game) in only]
        slips = [slip for slip in slips if not only or slip.mutant.game in only]
        mutants = [slip.mutant for slip in slips]
        ledger = Ledger(REPORTS.parent.parent / LEDGER)
        with progress_of("mistakes", len(mutants)) as progress:
            found = run(games, mutants, 0, processes, progress, ledger, None if minutes is None else 60 * minutes)
        missed = [verdict.mutant for verdict in found.verdicts if not show.by_lint(verdict)]
        with progress_of("reviews", reviewing.size(games, missed)) as progress:
            reviews = reviewing.run(games, missed, processes, progress, ledger, until)
    except (BadSlip, Broken) as error:
        raise Misuse(str(error), "mend it first") from None
    except Unfinished as error:
        console.message(f"{error}; nothing was written, and the next run goes on from here")
        return FINDINGS
    results = show.gathered(games, slips, found, reviews)
    data = show.document(results)
    tell(data, show.table(results), show.summary(results), as_json)
    if out is not None:
        write(out, "mutation_meaning", show.to_json(results), show.page(results))
    enough = all(data[key] * 100 >= show.AIMS[key] * data["total"] for key in ("lint", "with_review"))
    enough &= data["with_cases"] * 100 >= show.AIMS["with_cases"] * data["in_games_with_cases"]
    return 0 if enough and not data["false_alarms"] and not data["unbroken_reviews_that_tell"] else FINDINGS


@contextmanager
def progress_of(what: str, number: int) -> Iterator[console.Progress]:
    """A line that says how far it is."""
    progress = console.Progress(what, number)
    try:
        yield progress
    finally:
        progress.done()


def tell(data: dict[str, Any], table: list[list[str]], summary: list[str], as_json: bool) -> None:
    """Print what was found, for people or for programs."""
    if as_json:
        console.data_json(data)
        return
    for line in [*console.columns(table, right=frozenset(range(1, len(table[0])))), *summary]:
        console.data(line)


def write(folder: Path, name: str, data: str, page: str) -> None:
    """Write the two files of a set."""
    replacing.write(folder, {f"{name}.json": data, f"{name}.md": page})
    console.message(f"written: {folder / name}.json, {folder / name}.md")


def main() -> int:
    """Run it and give the exit code."""
    return run_command(command=command, name=command.name or "")


if __name__ == "__main__":
    sys.exit(main())
