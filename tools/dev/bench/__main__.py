"""`python -m tools.dev.bench`: measure, print the ratios, write the page."""

from __future__ import annotations

import sys
from dataclasses import replace
from pathlib import Path

import click

from ... import console
from ...cli import main as run_command
from ...framework import FINDINGS, HELP, Command, Misuse
from ...parameters import json_option


@click.command(
    "python -m tools.dev.bench",
    cls=Command,
    examples=[
        "python -m tools.dev.bench --install",
        "python -m tools.dev.bench --only {game} --rounds 3",
        "python -m tools.dev.bench --page",
    ],
    context_settings=HELP,
)
@click.option("--install", "installing", is_flag=True, help="Install the peers first, each on its own.")
@click.option("--only", multiple=True, metavar="GAME", help="Measure this game only; repeat for more.")
@click.option("--rounds", type=click.IntRange(1), help="How many rounds; 5, if not said.")
@click.option("--slice", "seconds", type=click.FloatRange(0.001, 60), help="Seconds of a slice; 0.25, if not said.")
@click.option("--quick", is_flag=True, help="Short slices: to see that all works, not for numbers.")
@click.option("--out", type=click.Path(file_okay=False, path_type=Path), help="Write the two files in this folder.")
@click.option("--add", "adding", is_flag=True, help="Put what `--only` measures into the last whole run, with its day.")
@json_option
@click.option("--page", "again", is_flag=True, help="Measure nothing; write the texts of the last run again.")
def command(
    installing: bool,
    only: tuple[str, ...],
    rounds: int | None,
    seconds: float | None,
    quick: bool,
    out: Path | None,
    adding: bool,
    as_json: bool,
    again: bool,
) -> int:
    """Measure how fast games are played, copied, saved and loaded, beside other libraries.

    A whole run writes benchmarks.json and benchmarks.md in docs/reports, and the README's table when it is done. A part of one, or a quick
    one, writes only where `--out` says; `--add` puts its rows to the last whole run. The code is 1 if somebody plays another game than
    he should.
    """
    from . import files, summary
    from .measure import QUICK, Pace
    from .results import to_json
    from .run import run

    if adding and (not only or quick or out is not None):
        raise Misuse("`--add` goes with `--only` and without `--quick` and `--out`", "--only GAME --add")
    if again:
        results = files.last(out or files.REPORTS)
        files.publish(results, files.PAGE) if out is None else files.write(results, out, files.PAGE)
        return 0
    pace = QUICK if quick else Pace()
    pace = replace(pace, rounds=rounds or pace.rounds, slice=seconds or pace.slice)
    try:
        results = run(pace, only, installing)
    except KeyboardInterrupt:
        console.message("interrupted; nothing was written")
        raise
    if as_json:
        console.data(to_json(results).rstrip("\n"))
    else:
        for line in summary.ratios(results):
            console.data(line)
    if adding:
        files.publish(files.last(files.REPORTS).adding(results), files.DATA, files.PAGE)
        out = files.REPORTS
    elif out is not None:
        files.write(results, out, files.DATA, files.PAGE)
    elif not only and not quick:
        files.publish(results, files.DATA, files.PAGE)
        out = files.REPORTS
    if out is not None:
        console.message(f"written: {out / files.DATA}, {out / files.PAGE}")
    return FINDINGS if any(row.strangers() for row in results.rows) else 0


def main() -> int:
    """Run it and give the exit code."""
    return run_command(command=command, name=command.name or "")


if __name__ == "__main__":
    sys.exit(main())
