"""`rulespec test`: the cases of some games, and what they cover."""

from __future__ import annotations

import shlex
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from .. import console, formats
from ..framework import Command, Misuse
from ..parameters import complete_game, json_option, most_option, seed_option, variant_option

if TYPE_CHECKING:
    from interpreter import Game
    from interpreter.testing.cases import CaseResult
    from rulespec.cases.data import Case, Suite
    from rulespec.text.diagnostics import Diagnostic

    from ..coverage.measure import Coverage, Measure
    from ..playouts import FaultyGame


@click.command(
    "test",
    cls=Command,
    examples=[
        "rulespec test {game}",
        "rulespec test games/*",
        'rulespec test {game} -k "two players"',
        "rulespec test {game} --case a_name --trace",
        "rulespec test {game} --coverage --random 100 --html coverage.html",
    ],
)
@click.argument("games", nargs=-1, required=True, metavar="GAME...", shell_complete=complete_game)
@click.option("-k", "only", metavar="TEXT", help="Only cases with this text in their name.")
@click.option("--case", "name", metavar="NAME", help="Only the case of this name.")
@click.option("--trace", is_flag=True, help="Show what runs, step by step, in lines of the rules.")
@click.option("--coverage", is_flag=True, help="Show what of the rules was reached, and what was not.")
@click.option(
    "--random",
    "number",
    type=click.IntRange(1),
    metavar="NUMBER",
    help="Also play so many random games with each number of players.",
)
@click.option("--options", is_flag=True, help="Play them with each value of each option, too; beside --random.")
@seed_option(1)
@click.option(
    "--html",
    type=click.Path(dir_okay=False, writable=True, path_type=Path),
    metavar="FILE",
    help="Write the coverage as a page.",
)
@click.option(
    "--fail-under",
    type=click.FloatRange(0, 100),
    metavar="PERCENT",
    help="Fail if a game's coverage is lower.",
)
@most_option
@click.option("--format", "form", type=click.Choice(formats.FORMS), default="text", help=formats.FORMS_HELP)
@variant_option
@json_option
def command(
    games: tuple[str, ...],
    only: str | None,
    name: str | None,
    trace: bool,
    coverage: bool,
    number: int | None,
    options: bool,
    seed: int,
    html: Path | None,
    fail_under: float | None,
    most: int | None,
    form: str,
    variants: tuple[str, ...],
    as_json: bool,
) -> int:
    """Run the cases of games, given by their id, folder or file; a variant has cases of its own.

    The code is 1 if any case fails, a random game meets a fault of its rules or breaks an invariant,
    or a game's coverage is lower than wanted.
    """
    from rulespec.cases.compiler import load_cases
    from rulespec.text.diagnostics import to_json

    from .. import report

    if options and number is None:
        raise Misuse("--options is about random games", "add --random NUMBER")
    if most is not None and number is None:
        raise Misuse("--max-decisions is about random games", "add --random NUMBER")
    form = "json" if as_json else form
    if trace and form != "text":
        raise Misuse("--trace is for people, the other formats are for programs", "leave one of them out")
    wanted = coverage or html is not None or fail_under is not None
    found: list[tuple[str, CaseResult]] = []
    measured: list[Measure] = []
    faults: list[Diagnostic] = []
    unlucky = False
    for game in dict.fromkeys(games):
        suite, diagnostics = load_cases(game, variants)
        if suite is None:
            faults += diagnostics
            continue
        cases = chosen(suite, only, name)
        if wanted or number is not None:
            measure, results = measuring(suite, cases, seed, number or 0, options, most)
            measured.append(measure)
            unlucky = told_faults(game, measure, most) or unlucky
        else:
            results = traced(suite, cases) if trace else plainly(suite, cases)
        found += [(game, result) for result in results]
    if name is not None and not found and not faults:
        unknown_case(name, games)
        return 1
    failed = [case for _, case in found if not case.passed]
    reports = [measure.finish() for measure in measured] if wanted else []
    findings = [to_json(one) for one in faults + [m.fault.diagnostic for one in measured for _, m in one.faults]]
    findings += [formats.case_finding(str(case.file), case.line, case.name, case.message) for case in failed]
    findings += [to_json(one) for coverage_ in reports for one in coverage_.findings]
    if form == "sarif":
        console.data_json(formats.sarif(findings))
    elif form == "github":
        formats.github(findings)
    else:
        report.to_stderr(faults)
    if form == "json":
        as_data(found, reports)
    elif form == "text":
        for game, case in found:
            if not case.passed:
                show_failed(game, case)
        show_coverage(reports)
    low = told_low(reports, fail_under)
    if html is not None:
        write_page(html, reports)
    summary = f"{len(found) - len(failed)} passed, {len(failed)} failed"
    console.message(console.paint_message(summary, "red" if failed or faults or unlucky else "green"))
    if only is not None and not found:
        console.message(f"no case has `{only}` in its name")
    return 1 if failed or faults or unlucky or low else 0


def chosen(suite: Suite, only: str | None, name: str | None) -> list[Case]:
    """The cases that are meant."""
    return [case for case in suite.cases if (only is None or only in case.name) and (name is None or case.name == name)]


def plainly(suite: Suite, cases: list[Case]) -> list[CaseResult]:
    """Run cases."""
    from interpreter.testing.cases import run_case

    games: dict[tuple[Any, ...], Any] = {}
    return [run_case(suite, case, games=games) for case in cases]


def traced(suite: Suite, cases: list[Case]) -> list[CaseResult]:
    """Run cases and show each step that runs."""
    from interpreter.testing.cases import run_case
    from interpreter.testing.coverage import Recorder

    from ..coverage.trace import Trace

    results = []
    for case in cases:
        console.data(console.paint(console.printable(case.name), "bold"))
        trace = Trace()
        recorder = Recorder(trace=trace.step)
        results.append(run_case(suite, case, recorder=recorder, told=trace.answer))
        trace.done()
    return results


def measuring(
    suite: Suite, cases: list[Case], seed: int, number: int, options: bool, most: int | None
) -> tuple[Measure, list[CaseResult]]:
    """Run cases, and random games, and see what they reach."""
    from ..coverage.measure import Measure

    measure = Measure(suite, seed, number, most)
    results = [measure.case(case) for case in cases]
    if number:
        setups = measure.setups(options)
        progress = console.Progress("random games", number * len(setups))
        played = iter(range(1, number * len(setups) + 1))
        try:
            for players, settings in setups:
                measure.random_games(players, settings, lambda: progress(next(played)))
        finally:
            progress.done()
    return measure, results


def told_faults(game: str, measure: Measure, most: int | None) -> bool:
    """Whether random games met faults, each kind of which is shown once."""
    from .. import report
    from ..parameters import reproduce

    kinds: dict[str, tuple[Game, FaultyGame]] = {}
    for own, one in measure.faults:
        kinds.setdefault(str(one.fault.diagnostic), (own, one))
    for own, one in kinds.values():
        report.fault(one.fault, reproduce(game, own, one.seed, most=most))
    return bool(kinds)


def unknown_case(name: str, games: tuple[str, ...]) -> None:
    """Say that there is no such case."""
    from rulespec.cases.compiler import load_cases

    from ..framework import did_you_mean, nearest

    names = [case.name for game in games if (suite := load_cases(game)[0]) for case in suite.cases]
    console.error("K004", f"there is no case `{name}`", did_you_mean(nearest(name, names)))


def show_failed(game: str, case: CaseResult) -> None:
    """A case that failed: where, why, and how to see it again."""
    head = f"{console.paint('FAILED', 'bold', 'red')} {console.printable(case.name)}"
    console.data(f"{head}  {case.file}:{case.line}")
    for line in console.printable(case.message).splitlines():
        console.data(f"    {line}")
    if case.cites:
        console.data(f"    cites {', '.join(case.cites)}")
    again = shlex.join(["rulespec", "test", game, "--case", case.name, "--trace"])
    console.data(f"    to see it again: {again}")


def show_coverage(reports: list[Coverage]) -> None:
    """What was reached, and marks that are not needed."""
    from .. import report
    from ..coverage.report import show

    for number, coverage in enumerate(reports):
        if number:
            console.data()
        show(coverage)
        report.to_stderr(coverage.findings)


def told_low(reports: list[Coverage], wanted: float | None) -> bool:
    """Whether the coverage of a game is lower than wanted, which is said."""
    from ..coverage.measure import percent

    low = [] if wanted is None else [one for one in reports if percent(one.tally()) < wanted]
    for one in low:
        title = console.printable(one.title)
        console.message(f"{title}: {percent(one.tally())} % are covered, {wanted:g} % are wanted")
    return bool(low)


def write_page(path: Path, reports: list[Coverage]) -> None:
    """Write the page; raises OSError, which the command line tells."""
    from ..coverage.page import page

    path.write_text(page(reports), encoding="utf-8")
    console.message(f"written to {path}")


def as_data(found: list[tuple[str, CaseResult]], reports: list[Coverage]) -> None:
    """All of it for programs."""
    data: dict[str, Any] = {
        "passed": sum(case.passed for _, case in found),
        "failed": sum(not case.passed for _, case in found),
        "cases": [
            {
                "game": game,
                "name": case.name,
                "file": str(case.file),
                "line": case.line,
                "passed": case.passed,
                "message": case.message,
                "cites": list(case.cites),
            }
            for game, case in found
        ],
    }
    if reports:
        from ..coverage.report import data as coverage_data

        data["coverage"] = [coverage_data(coverage) for coverage in reports]
    console.data_json(data)
