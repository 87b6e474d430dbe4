"""`rulespec explain`: what a code means, or what the cases of a game may run."""

import re
from pathlib import Path
from typing import Any

import click

from rulespec.text.quoting import ticked

from .. import console
from ..for_cases import explain_game
from ..framework import Command, Misuse, did_you_mean, nearest
from ..parameters import complete_game

CODE = re.compile(r"[A-Za-z][0-9]+")


def complete_code(ctx: click.Context, param: click.Parameter, incomplete: str) -> list[Any]:
    codes = [code for code in all_codes() if code.startswith(incomplete.upper())]
    return codes or complete_game(ctx, param, incomplete)


def all_codes() -> list[str]:
    from rulespec.codes.catalogue import CATALOGUE

    return sorted(CATALOGUE)


def near(code: str, known: list[str]) -> str | None:
    """The nearest code of the same family, or else what it may be a misspelling of."""
    family, number = code[:1].upper(), code[1:]
    alike = [name for name in known if name.startswith(family)]
    if alike and number.isdecimal():
        return min(alike, key=lambda name: abs(int(name[1:]) - int(number[:9])))
    return nearest(code, known)


@click.command(
    "explain", cls=Command, examples=["rulespec explain E204", "rulespec explain", "rulespec explain {game}"]
)
@click.argument("code", metavar="[CODE | GAME]", required=False, shell_complete=complete_code)
def command(code: str | None) -> None:
    """Say what a code means: its cause, an example, and the cure. Without a code, list all.

    Of a game, say what its cases may run: its phases and procedures, with what they take and ask for, its scopes, the positions
    with names, and the options.
    """
    from rulespec.codes import catalogue
    from rulespec.text.diagnostics import Diagnostics
    from rulespec.text.locate import find

    if code and CODE.fullmatch(code) is None and (Path(code).exists() or find(code, Diagnostics())):
        explain_game(code)
        return
    known = all_codes()
    if code is None:
        for name in known:
            console.data(f"{console.paint(name, 'bold')}  {catalogue.CATALOGUE[name].title}")
        return
    text = catalogue.explain(code)
    if text is None:
        hint = did_you_mean(near(code, known)) or "`rulespec explain` lists all codes"
        raise Misuse(f"there is no code {ticked(code)}", hint)
    title, _, rest = text.partition("\n")
    console.data(console.paint(title, "bold"))
    console.data(rest)
