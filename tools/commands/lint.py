"""`rulespec lint`: all findings in some games."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

import click

from .. import console, formats
from ..framework import MISNAMED, MISUSE, Command, Misuse
from ..parameters import complete_game, variant_option

if TYPE_CHECKING:
    from rulespec.lint.finding import Finding
    from rulespec.text.diagnostics import Diagnostic


@click.command(
    "lint",
    cls=Command,
    examples=[
        "rulespec lint {game}",
        "rulespec lint games/*",
        "rulespec lint my_game.yaml --notes",
        "rulespec lint my_game.yaml --format json",
        "rulespec lint games/* --format sarif > findings.sarif",
        "rulespec lint my_game.yaml --fix --diff",
    ],
)
@click.argument("games", nargs=-1, required=True, shell_complete=complete_game)
@click.option(
    "--format",
    "form",
    type=click.Choice(formats.FORMS),
    default="text",
    help=formats.FORMS_HELP,
)
@click.option("--fix", is_flag=True, help="Mend in the files what can be mended safely.")
@click.option("--diff", is_flag=True, help="With --fix: show the changes instead of writing them.")
@click.option("--notes", is_flag=True, help="Show also what may be so and is not sure; notes do not change the code.")
@click.option(
    "--no-variants", "alone", is_flag=True, help="Leave out the variants beside the games, which takes less time."
)
@variant_option
def command(
    games: tuple[str, ...], form: str, fix: bool, diff: bool, notes: bool, alone: bool, variants: tuple[str, ...]
) -> int:
    """Check games, by their id, folder or file, and show every fault with its place.

    Games without faults are looked through for what is allowed and yet most likely a mistake; a comment allows it in its place:
    `# lint: allow L012 because ...`. The variants beside a game are looked through with it: of each only what the game does not
    have. The code is 1 if there is any finding but notes, in every format, and 2 if a game or variant is not there.
    """
    from rulespec.text.diagnostics import to_json

    from .. import report
    from ..linting import look_through

    if diff and not fix:
        raise Misuse("--diff shows what --fix would write", "add --fix")
    if diff and form != "text":
        raise Misuse(f"--diff has no format {form}", "leave out --format")
    unique = tuple(dict.fromkeys(games))
    findings: list[Diagnostic] = []
    would_mend = False
    for game in unique:
        seen = look_through(game, variants, notes, alone)
        if fix:
            mend(seen.findings, diff)
            if diff:
                would_mend |= any(finding.fix for finding in seen.findings)
                seen = replace(seen, findings=tuple(finding for finding in seen.findings if not finding.fix))
            else:
                seen = look_through(game, variants, notes, alone)
        findings += seen.all()
    if form == "json":
        console.data_json({"games": list(unique), "diagnostics": [to_json(finding) for finding in findings]})
    elif form == "sarif":
        console.data_json(formats.sarif([to_json(finding) for finding in findings]))
    elif form == "github":
        formats.github(to_json(finding) for finding in findings)
    else:
        report.as_text(findings)
    console.message(report.summary(len(unique), findings))
    if any(finding.code in MISNAMED for finding in findings):
        return MISUSE
    return 1 if would_mend or any(finding.severity != "note" for finding in findings) else 0


def mend(findings: tuple[Finding, ...], diff: bool) -> None:
    """Write the fixed files, or show the difference."""
    import codecs
    import difflib
    from pathlib import Path

    from rulespec.lint.fixes import fixed

    for source, text in fixed(findings):
        if diff:
            lines = difflib.unified_diff(
                source.text.splitlines(), text.splitlines(), source.name, source.name, lineterm=""
            )
            for line in lines:
                console.data(line)
        else:
            data = Path(source.name).read_bytes()
            mark = codecs.BOM_UTF8 if data.startswith(codecs.BOM_UTF8) else b""
            if data.removeprefix(mark) != source.text.encode("utf-8"):
                raise Misuse(f"{source.name} has changed meanwhile", "run the command again")
            Path(source.name).write_bytes(mark + text.encode("utf-8"))
            console.message(f"mended {source.name}")
