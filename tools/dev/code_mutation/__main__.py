"""`python -m tools.dev.code_mutation`: change the code, see which tests notice, write the page."""

from __future__ import annotations

import importlib.util
import json
import signal
import sys
from datetime import date
from pathlib import Path

import click

from ... import console, replacing
from ...cli import main as run_command
from ...framework import FINDINGS, HELP, Command

ROOT = Path(__file__).resolve().parents[3]
REPORTS = ROOT / "docs" / "reports"
SEED = 1


@click.command(
    "python -m tools.dev.code_mutation",
    cls=Command,
    examples=[
        "python -m tools.dev.code_mutation",
        "python -m tools.dev.code_mutation --only saves --mutants 20",
        "python -m tools.dev.code_mutation --minutes 30",
        "python -m tools.dev.code_mutation --again tests/language/test_boards.py",
    ],
    context_settings=HELP,
)
@click.option("--only", multiple=True, metavar="PART", help="Change this part only; repeat for more.")
@click.option("--mutants", type=click.IntRange(1), help="At most so many of each part, instead of what the table says.")
@click.option("--minutes", type=click.FloatRange(0), help="Begin no mutant after so many; 0: only what is known.")
@click.option(
    "--again",
    "files",
    multiple=True,
    metavar="FILE",
    help="Show only survivors, to the tests of this file; repeat for more.",
)
@click.option("--seed", type=click.IntRange(0), default=SEED, help="Another seed tries other mutants.")
@click.option("--out", type=click.Path(file_okay=False, path_type=Path), help="Write the two files in this folder.")
def command(
    only: tuple[str, ...],
    mutants: int | None,
    minutes: float | None,
    files: tuple[str, ...],
    seed: int,
    out: Path | None,
) -> int:
    """Change the Python code in small ways and count what the tests notice.

    Writes docs/reports/code_mutation.json and docs/reports/code_mutation.md, which say of each part how many mutants of the sample
    were tried, those that this run leaves out as they were; with other mutants or another seed only where `--out` says. The code is 1
    if less is noticed of a part than aimed at. A run that broke off goes on where it was.
    """
    from ...framework import Misuse
    from . import plan, run, traces
    from . import results as show

    if importlib.util.find_spec("cosmic_ray") is None or importlib.util.find_spec("coverage") is None:
        raise Misuse(
            "cosmic-ray or coverage is not installed", "`pip install -e '.[dev,mutation]'`, or `make code-mutation`"
        )
    table, tests = plan.table()
    for name in only:
        if name not in {part.name for part in table}:
            raise Misuse(f"there is no part `{name}`", "they are " + ", ".join(part.name for part in table))
    chosen = [(part, mutants or part.mutants) for part in table if not only or part.name in only]
    tests = plan.asked_by([part for part, _ in chosen], tests)
    for file in files:
        if file not in tests.files:
            raise Misuse(f"`{file}` is not asked of mutants", f"`{plan.TABLE.name}` has the files that are")
    tests = plan.Targets(files, tests.only) if files else tests
    signal.signal(signal.SIGTERM, lambda *_: sys.exit(128 + signal.SIGTERM))  # so that its child ends with it
    progress = console.Progress("mutants", sum(number for _, number in chosen))
    try:
        limit = None if minutes is None else 60 * minutes
        verdicts = run.run(ROOT, ROOT / "build" / "code_mutation", chosen, tests, seed, progress, limit, bool(files))
    except traces.Broken as error:
        raise Misuse(f"a test fails without any change: {error}", "mend it first") from None
    except KeyboardInterrupt:
        console.message("interrupted; the next run goes on from here")
        raise
    finally:
        progress.done()
    results = show.Results(
        date.today().isoformat(),
        seed,
        tuple(part for part, _ in chosen),
        tuple(verdicts),
        {part.name: number for part, number in chosen},
    )
    folder = out or (None if mutants or seed != SEED else REPORTS)
    kept = None if folder is None else folder / "code_mutation.json"
    earlier = json.loads(kept.read_text(encoding="utf-8")) if kept is not None and kept.exists() else None
    found = show.document(results, earlier)
    for part in results.parts:
        console.data(show.summary(part.name, found["parts"][part.name]))
    for v in results.survivors():
        console.data(f"{v.module}:{v.line}: {v.was}  ->  {v.became}  ({v.operator})")
    if folder is not None and kept is not None:
        replacing.write(folder, {kept.name: show.to_json(found), "code_mutation.md": show.page(found)})
        console.message(f"written: {kept}, {folder / 'code_mutation.md'}")
    return 0 if show.enough(found) else FINDINGS


def main() -> int:
    """Run it and give the exit code."""
    return run_command(command=command, name=command.name or "")


if __name__ == "__main__":
    sys.exit(main())
