"""`rulespec lint`: every fault of some games."""

import click

from .. import console, formats
from ..framework import Command
from ..parameters import complete_game


@click.command(
    "lint",
    cls=Command,
    examples=[
        "rulespec lint {game}",
        "rulespec lint games/*",
        "rulespec lint my_game.yaml --format json",
        "rulespec lint games/* --format sarif > findings.sarif",
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
def command(games: tuple[str, ...], form: str) -> int:
    """Check games, by their id, folder or file, and show every fault with its place.

    The code is 1 if there is any finding, in every format.
    """
    from rulespec.cases import load_cases
    from rulespec.diagnostics import to_json

    from .. import report

    unique = tuple(dict.fromkeys(games))
    found = [finding for game in unique for finding in load_cases(game)[1]]
    if form == "json":
        console.data_json({"games": list(unique), "diagnostics": [to_json(finding) for finding in found]})
    elif form == "sarif":
        console.data_json(formats.sarif([to_json(finding) for finding in found]))
    elif form == "github":
        formats.github(to_json(finding) for finding in found)
    else:
        report.as_text(found)
    console.message(report.summary(len(unique), found))
    return 1 if found else 0
