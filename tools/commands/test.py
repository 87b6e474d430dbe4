"""`rulespec test`: the cases of some games."""

import click

from .. import console, formats
from ..framework import Command
from ..parameters import complete_game, json_option, variant_option


@click.command(
    "test",
    cls=Command,
    examples=[
        "rulespec test {game}",
        "rulespec test games/*",
        'rulespec test {game} -k "two players"',
    ],
)
@click.argument("games", nargs=-1, required=True, metavar="GAME...", shell_complete=complete_game)
@click.option("-k", "only", metavar="TEXT", help="Only cases with this text in their name.")
@click.option("--format", "form", type=click.Choice(formats.FORMS), default="text", help=formats.FORMS_HELP)
@variant_option
@json_option
def command(games: tuple[str, ...], only: str | None, form: str, variants: tuple[str, ...], as_json: bool) -> int:
    """Run the cases of games, given by their id, folder or file; a variant has cases of its own.

    The code is 1 if any case fails.
    """
    from interpreter.cases import run_cases
    from rulespec.cases import load_cases
    from rulespec.diagnostics import Diagnostic, to_json

    from .. import report

    form = "json" if as_json else form
    found = []
    faults: list[Diagnostic] = []
    for game in dict.fromkeys(games):
        suite, diagnostics = load_cases(game, variants)
        if suite is None:
            faults += diagnostics
        else:
            found += [(game, case) for case in run_cases(suite, only=only)]
    failed = [case for _, case in found if not case.passed]
    findings = [to_json(fault) for fault in faults]
    findings += [formats.case_finding(str(case.file), case.line, case.name, case.message) for case in failed]
    if form == "sarif":
        console.data_json(formats.sarif(findings))
    elif form == "github":
        formats.github(findings)
    else:
        report.to_stderr(faults)
    if form == "json":
        console.data_json(
            {
                "passed": len(found) - len(failed),
                "failed": len(failed),
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
        )
    elif form == "text":
        for case in failed:
            place = f"{case.file}:{case.line}"
            head = f"{console.paint('FAILED', 'bold', 'red')} {console.printable(case.name)}"
            console.data(f"{head}  {place}")
            for line in console.printable(case.message).splitlines():
                console.data(f"    {line}")
            if case.cites:
                console.data(f"    cites {', '.join(case.cites)}")
    summary = f"{len(found) - len(failed)} passed, {len(failed)} failed"
    console.message(console.paint_message(summary, "red" if failed or faults else "green"))
    if only is not None and not found:
        console.message(f"no case has `{only}` in its name")
    return 1 if failed or faults else 0
