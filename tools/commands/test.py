"""`rulespec test`: runs the cases of some games, and measures what they cover."""

from __future__ import annotations

import shlex
from dataclasses import field
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from rulespec.system.records import dataclass
from rulespec.text.quoting import ticked

from .. import console, formats
from ..framework import MISNAMED, MISUSE, Command, Decimal, Misuse, Whole, did_you_mean, nearest
from ..parameters import complete_game, json_option, most_option, seed_option, variant_option

if TYPE_CHECKING:
    from interpreter import Game
    from interpreter.testing.cases import CaseResult
    from rulespec.cases.data import Case, Suite
    from rulespec.text.diagnostics import Diagnostic
    from rulespec.text.source import Span

    from ..coverage.measure import Coverage, Measure
    from ..playouts import FaultyGame


@click.command(
    "test",
    cls=Command,
    examples=[
        "rulespec test {game}",
        "rulespec test games/*",
        "rulespec test my_game/cases/moves.yaml",
        'rulespec test my_game -k "two players"',
        "rulespec test my_game --case a_name --trace",
        "rulespec test my_game --case a_name --explain",
        "rulespec test {game} --coverage --random 100 --html coverage.html",
        "rulespec test {game} --mutants --sample 50",
    ],
)
@click.argument("games", nargs=-1, required=True, metavar="GAME...", shell_complete=complete_game)
@click.option("-k", "only", metavar="TEXT", help="Only cases with this text in their name.")
@click.option("--case", "name", metavar="NAME", help="Only the case of this name.")
@click.option("--trace", is_flag=True, help="Show what runs, step by step, in lines of the rules.")
@click.option("--explain", is_flag=True, help="Show what each case covers, and what no other case does.")
@click.option("--coverage", is_flag=True, help="Show what of the rules was reached, and what was not.")
@click.option(
    "--random",
    "number",
    type=Whole(1),
    metavar="NUMBER",
    help="Also play so many random games with each number of players.",
)
@click.option("--options", is_flag=True, help="Play them with each value of each option, too; with --random.")
@seed_option(1)
@click.option(
    "--html",
    type=click.Path(dir_okay=False, writable=True, path_type=Path),
    metavar="FILE",
    help="Write the coverage as a page.",
)
@click.option(
    "--fail-under",
    type=Decimal(0, 100),
    metavar="PERCENT",
    help="Fail if a game's coverage is lower.",
)
@click.option("--mutants", is_flag=True, help="Change the rules in small ways, and show what no case notices.")
@click.option("--sample", type=Whole(1), metavar="NUMBER", help="How many changes; 200, if not said.")
@click.option(
    "--budget",
    type=Decimal(1),
    metavar="SECONDS",
    help="Begin no change later than so long after the cases were looked at; 600, if not said.",
)
@click.option("--processes", type=Whole(1, 64), help="How many work side by side; one for each core, if not said.")
@most_option
@click.option(
    "--notes", is_flag=True, help="Show also which cases stop while somebody is asked; notes do not change the code."
)
@click.option("--format", "form", type=click.Choice(formats.FORMS), default="text", help=formats.FORMS_HELP)
@variant_option
@json_option
def command(
    games: tuple[str, ...],
    only: str | None,
    name: str | None,
    trace: bool,
    explain: bool,
    coverage: bool,
    number: int | None,
    options: bool,
    seed: int,
    html: Path | None,
    fail_under: float | None,
    mutants: bool,
    sample: int | None,
    budget: float | None,
    processes: int | None,
    most: int | None,
    notes: bool,
    form: str,
    variants: tuple[str, ...],
    as_json: bool,
) -> int:
    """Run the cases of games, given by their id, folder or file, or those of one file of a folder `cases`; a variant has cases
    of its own.

    The code is 1 if any case fails or has errors, the rules fail in a random game or it breaks an invariant, or a game's
    coverage is lower than wanted, or no case notices a mutant; 2 if a game, a variant or a case is not there, or there is nothing to test.
    """
    from rulespec.cases.compiler import load_cases

    form = "json" if as_json else form
    beside_mutants(mutants, sample, budget, processes)
    if mutants:
        from ..mutants.command import Wanted, try_mutants

        alone(coverage or explain or html is not None or fail_under is not None, number, trace, variants, form)
        return try_mutants(games, Wanted(only, name, sample, seed, budget, processes, notes, form == "json"))
    fit_together(number, options, most, trace or explain, form)
    if trace and explain:
        raise Misuse("--trace and --explain each tell a case in its own way", "leave one of them out")
    wanted = coverage or html is not None or fail_under is not None
    seen = Seen()
    for game in dict.fromkeys(games):
        suite, diagnostics = load_cases(game, variants)
        seen.findings += diagnostics
        if suite is None:
            seen.unread += 1
            continue
        cases = seen.select(game, suite, only, name)
        if wanted or explain or number is not None:
            measure, results = measuring(suite, cases, seed, number or 0, options, most)
            seen.measured.append(measure)
            seen.unlucky = told_faults(game, measure, most) or seen.unlucky
        else:
            results = traced(suite, cases) if trace else plainly(suite, cases)
        seen.results += [(game, result) for result in results]
    if not (seen.results or seen.faulty or seen.findings) and number is None:
        nothing(games, variants, only, name, seen.names)
        return MISUSE
    reports = [measure.finish() for measure in seen.measured] if wanted else []
    if explain:
        tell_covered(seen.measured)
    show(seen, reports, form, notes)
    low = told_low(reports, fail_under)
    if html is not None:
        write_page(html, reports)
    bad = seen.bad()
    console.message(console.paint_message(seen.summary(notes), "red" if bad else "green"))
    if any(finding.code in MISNAMED for finding in seen.findings):
        return MISUSE
    return 1 if bad or low else 0


def fit_together(number: int | None, options: bool, most: int | None, trace: bool, form: str) -> None:
    """Raise Misuse where an option says nothing without another, or goes against it."""
    for name, given in (("--options", options), ("--max-decisions", most is not None)):
        if given and number is None:
            raise Misuse(f"{name} is about random games", "add --random NUMBER")
    if trace and form != "text":
        raise Misuse(
            "--trace and --explain are for people, the other formats are for programs", "leave one of them out"
        )


def beside_mutants(mutants: bool, sample: int | None, budget: float | None, processes: int | None) -> None:
    """Raise Misuse where an option is given that says something of mutants alone."""
    given = {"--sample": sample, "--budget": budget, "--processes": processes}
    for name, value in given.items():
        if value is not None and not mutants:
            raise Misuse(f"{name} is about mutants", "add --mutants")


def alone(measured: bool, number: int | None, trace: bool, variants: tuple[str, ...], form: str) -> None:
    """Raise Misuse where mutants are asked for together with something else."""
    if measured or number is not None or trace:
        raise Misuse(
            "--mutants is a run of its own",
            "leave out --coverage, --explain, --html, --fail-under, --random and --trace",
        )
    if variants:
        raise Misuse("--mutants changes a game's own rules", "leave out --variant")
    if form not in ("text", "json"):
        raise Misuse("--mutants tells its findings as text or as JSON", "--json")


@dataclass(slots=True)
class Seen:
    """The results of a command: of each case its game and its outcome."""

    results: list[tuple[str, CaseResult]] = field(default_factory=list)
    faulty: list[tuple[str, str, Span]] = field(
        default_factory=list
    )  # cases with faults: the game, the name, where it stands
    measured: list[Measure] = field(default_factory=list)
    findings: list[Diagnostic] = field(default_factory=list)
    names: list[str] = field(default_factory=list)  # of all cases that there are
    unread: int = 0  # games with faults
    unlucky: bool = False  # a random game met a fault

    def select(self, game: str, suite: Suite, only: str | None, name: str | None) -> list[Case]:
        """The selected cases of a game; selected ones with faults are stored."""
        self.names += [case.name for case in suite.cases]
        self.faulty += [(game, *one) for one in suite.faulty if fits(one[0], only, name)]
        return chosen(suite, only, name)

    def failed(self) -> list[CaseResult]:
        """The cases that failed."""
        return [case for _, case in self.results if not case.passed]

    def open(self) -> list[CaseResult]:
        """The cases that passed and end while a question is open."""
        return [case for _, case in self.results if case.passed and case.asked]

    def bad(self) -> bool:
        """Whether the exit code is 1."""
        return bool(self.failed() or self.findings or self.faulty or self.unlucky)

    def summary(self, notes: bool) -> str:
        """The last line."""
        failed, stopped = len(self.failed()), len(self.open())
        parts = [f"{len(self.results) - failed} passed", f"{failed} failed"]
        if self.faulty:
            parts.append(f"{len(self.faulty)} with errors")
        if self.unread:
            parts.append(f"{self.unread} {'game' if self.unread == 1 else 'games'} with errors")
        if notes and stopped:
            parts.append(f"{stopped} {'note' if stopped == 1 else 'notes'}")
        return ", ".join(parts)


def show(seen: Seen, reports: list[Coverage], form: str, notes: bool) -> None:
    """Print all findings in one of the formats."""
    from rulespec.text.diagnostics import to_json

    from .. import report

    findings = [
        to_json(one) for one in seen.findings + [m.fault.diagnostic for one in seen.measured for _, m in one.faults]
    ]
    findings += [formats.case_finding(case.file, case.line, case.name, case.message) for case in seen.failed()]
    findings += [formats.stopping_finding(case.file, case.line, case.name, case.asked) for case in seen.open() if notes]
    findings += [to_json(one) for coverage in reports for one in coverage.findings]
    if form == "sarif":
        console.data_json(formats.sarif(findings))
    elif form == "github":
        formats.github(findings)
    else:
        report.to_stderr(seen.findings)
    if form == "json":
        as_data(seen, reports)
    elif form == "text":
        for game, case in seen.results:
            if not case.passed:
                show_failed(game, case)
            elif notes and case.asked:
                console.data(f"note: {console.printable(case.name)} stops while {case.asked}  {case.file}:{case.line}")
        show_coverage(reports)


def fits(name: str, part: str | None, whole: str | None) -> bool:
    """Whether a case of this name is selected."""
    return (part is None or part in name) and (whole is None or name == whole)


def chosen(suite: Suite, only: str | None, name: str | None) -> list[Case]:
    """The selected cases."""
    return [case for case in suite.cases if fits(case.name, only, name)]


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
    """Run cases and random games, and measure their coverage."""
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
    """Show each kind of fault that random games met; returns whether there was any."""
    from .. import report
    from ..parameters import reproduce

    kinds: dict[str, tuple[Game, FaultyGame]] = {}
    for setup, one in measure.faults:
        kinds.setdefault(str(one.fault.diagnostic), (setup, one))
    for setup, one in kinds.values():
        report.fault(one.fault, reproduce(game, setup, one.seed, most=most))
    return bool(kinds)


def nothing(
    games: tuple[str, ...], variants: tuple[str, ...], only: str | None, name: str | None, names: list[str]
) -> None:
    """Report that there is nothing to test, and why."""
    if name is not None:
        console.error("K004", f"there is no case {ticked(name)}", did_you_mean(nearest(name, names)))
    elif only is not None and names:
        console.error("K009", f"no case has {ticked(only)} in its name", did_you_mean(nearest(only, names)))
    elif variants:
        told = " and ".join(ticked(variant) for variant in variants)
        diff = ticked(shlex.join(["rulespec", "diff", games[0], variants[0]]))
        console.error(
            "K009",
            f"there are no cases in the variant {told}",
            f"the cases of the game itself are run without --variant; {diff} shows how they come out in the variant",
        )
    else:
        told = ", ".join(ticked(game) for game in games)
        console.error(
            "K009", f"there are no cases in {told}", "write some under `cases:`; --random NUMBER plays random games"
        )


def show_failed(game: str, case: CaseResult) -> None:
    """Show a case that failed: where, why, and how to run it again."""
    head = f"{console.paint('FAILED', 'bold', 'red')} {console.printable(case.name)}"
    console.data(f"{head}  {case.file}:{case.line}")
    for line in console.printable_lines(case.message):
        console.data(f"    {line}")
    if case.cites:
        console.data(f"    cites {', '.join(case.cites)}")
    again = shlex.join(["rulespec", "test", game, "--case", case.name, "--trace"])
    console.data(f"    to see it again: {again}")


def show_coverage(reports: list[Coverage]) -> None:
    """Show the coverage, and marks that are not needed."""
    from .. import report
    from ..coverage.report import show

    for number, coverage in enumerate(reports):
        if number:
            console.data()
        show(coverage)
        report.to_stderr(coverage.findings)


def tell_covered(measured: list[Measure]) -> None:
    """Show what each case covers."""
    from ..coverage.explain import explained

    for measure in measured:
        for line in explained(measure.finish()):
            console.data(line)


def told_low(reports: list[Coverage], wanted: float | None) -> bool:
    """Report a coverage lower than wanted; returns whether it is."""
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


def as_data(seen: Seen, reports: list[Coverage]) -> None:
    """The results as JSON data."""
    from rulespec.text.diagnostics import to_json

    data: dict[str, Any] = {
        "passed": sum(case.passed for _, case in seen.results),
        "failed": len(seen.failed()),
        "cases": [
            {
                "game": game,
                "name": case.name,
                "file": case.file,
                "line": case.line,
                "passed": case.passed,
                "message": case.message,
                "asked": case.asked,
                "cites": list(case.cites),
            }
            for game, case in seen.results
        ],
        "faulty": [
            {"game": game, "name": name, "file": where.source.name, "line": where.line}
            for game, name, where in seen.faulty
        ],
        "diagnostics": [to_json(one) for one in seen.findings],
    }
    if reports:
        from ..coverage.report import data as coverage_data

        data["coverage"] = [coverage_data(coverage) for coverage in reports]
    console.data_json(data)
