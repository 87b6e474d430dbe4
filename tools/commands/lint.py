"""`rulespec lint`: all findings in some games."""

from __future__ import annotations

import gc
import sys
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING

import click

from .. import console, formats
from ..framework import MISNAMED, MISUSE, Command, Misuse
from ..parameters import complete_game, variant_option

if TYPE_CHECKING:
    from collections.abc import Callable

    from rulespec.lint.finding import Finding
    from rulespec.text.diagnostics import Diagnostic

    from ..linting import Found


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
        "rulespec lint my_game --watch",
        "rulespec lint - --stdin-name my_game/map.yaml < map.yaml",
    ],
)
@click.argument("games", nargs=-1, shell_complete=complete_game)
@click.option(
    "--format",
    "form",
    type=click.Choice(formats.FORMS),
    help=formats.FORMS_HELP,
)
@click.option("--fix", is_flag=True, help="Correct in the files what can be corrected safely.")
@click.option("--diff", is_flag=True, help="With --fix: show the changes instead of writing them.")
@click.option("--notes", is_flag=True, help="Show also what may be so and is not sure; notes do not change the code.")
@click.option(
    "--no-variants", "alone", is_flag=True, help="Leave out the variants of the games, which takes less time."
)
@click.option("--watch", "again", is_flag=True, help="Go on: after each change show findings, and the cases that fail.")
@click.option(
    "--stdin-name",
    "name",
    metavar="FILE",
    help="The file whose text comes from standard input, where the game is `-`.",
)
@variant_option
def command(
    games: tuple[str, ...],
    form: str | None,
    fix: bool,
    diff: bool,
    notes: bool,
    alone: bool,
    again: bool,
    name: str | None,
    variants: tuple[str, ...],
) -> int:
    """Check games, by their id, folder or file, and show every mistake with its place.

    Games without errors are looked through for what is allowed and yet most likely a mistake; a comment allows it in its place:
    `# lint: allow L012 because ...`. The variants of a game are looked through with it: of each only what the game does not
    have. The code is 1 if there is any finding but notes, in every format, and 2 if a game or variant is not there.

    Without a game, those are looked at that `rulespec.toml` names, or `[tool.rulespec]` in `pyproject.toml`. The game `-` is a text from
    standard input, which stands for the file of `--stdin-name` where it belongs to a game.
    """
    from rulespec.text.diagnostics import to_json

    from .. import report
    from ..linting import look_through
    from ..settings import lint_settings

    if diff and not fix:
        raise Misuse("--diff shows what --fix would write", "add --fix")
    if diff and form not in (None, "text"):
        raise Misuse(f"--diff has no format {form}", "leave out --format")
    settings = lint_settings()
    form = form or ("text" if diff else settings.format)
    notes, alone = notes or settings.notes, alone or not settings.variants
    unique = tuple(dict.fromkeys(games or settings.games))
    if not unique:
        raise Misuse("no game is named", "name a game, or write `games` into the settings of the project")
    if name is not None and "-" not in unique:
        raise Misuse("--stdin-name is about a text from standard input", "name the game `-`")

    def look(game: str) -> Found:
        return look_through(game, variants, notes, alone)

    if again:
        check_watch(unique, fix, form)
        from ..lint_watch import watch

        watch(unique, lambda game: look(game).all(), run_cases)
    findings: list[Diagnostic] = []
    owners: list[str | None] = []  # the variant that each belongs to
    would_mend = False
    for number, game in enumerate(unique):
        if number:
            gc.collect()  # what the game before has left
        if game == "-" and fix:
            raise Misuse("a text from standard input cannot be corrected in its file", "leave out --fix")
        seen = look(game) if game != "-" else from_stdin(name, look)
        if fix:
            mend(seen.findings, diff)
            if diff:
                would_mend |= any(finding.fix for finding in seen.findings)
                seen = replace(seen, findings=tuple(finding for finding in seen.findings if not finding.fix))
            else:
                seen = look(game)
        shown = list(seen.all())
        findings += shown
        owners += map(seen.variant, shown)
    if form == "json":
        console.data_json(
            {
                "games": list(unique),
                "diagnostics": [
                    {**to_json(one), "variant": owner} for one, owner in zip(findings, owners, strict=True)
                ],
            }
        )
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


def run_cases(game: str) -> tuple[int, int]:
    """Run the cases of a game, or of a file of cases; how many pass and how many fail, which are shown."""
    from rulespec.cases.compiler import load_cases

    from .test import plainly, show_failed

    suite, _ = load_cases(game)
    results = [] if suite is None else plainly(suite, list(suite.cases))
    failed = [result for result in results if not result.passed]
    for result in failed:
        show_failed(game, result)
    return len(results) - len(failed), len(failed)


def check_watch(games: tuple[str, ...], fix: bool, form: str) -> None:
    """Raise Misuse where --watch stands beside what goes against it."""
    if fix:
        raise Misuse("--watch only looks", "leave out --fix")
    if form != "text":
        raise Misuse(f"--watch has no format {form}", "leave out --format")
    if "-" in games:
        raise Misuse("a text from standard input does not change", "name a game")


def from_stdin(name: str | None, look: Callable[[str], Found]) -> Found:
    """What is found where the text from standard input stands in place of a file: in it, or in the game that it is part of."""
    from rulespec.loading.owner import owner
    from rulespec.text.disk import MAX_BYTES, unsaved

    file = Path(name or "stdin.yaml")
    data = sys.stdin.buffer.read(MAX_BYTES + 1)
    try:
        text = data.decode("utf-8-sig")
    except UnicodeDecodeError:
        raise Misuse("the text from standard input is not UTF-8", "save it as UTF-8") from None
    with unsaved({file.resolve(): text}):
        return look(str(owner(file) or file))


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
            console.message(f"corrected {source.name}")
