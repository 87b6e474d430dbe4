"""`rulespec explain`: what a code means."""

import click

from .. import console
from ..framework import Command, Misuse, did_you_mean, nearest


def complete_code(_ctx: click.Context, _param: click.Parameter, incomplete: str) -> list[str]:
    return [code for code in all_codes() if code.startswith(incomplete.upper())]


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


@click.command("explain", cls=Command, examples=["rulespec explain E204", "rulespec explain"])
@click.argument("code", required=False, shell_complete=complete_code)
def command(code: str | None) -> None:
    """Say what a code means: its cause, an example, and the cure. Without a code, list all."""
    from rulespec.codes import catalogue

    known = all_codes()
    if code is None:
        for name in known:
            console.data(f"{console.paint(name, 'bold')}  {catalogue.CATALOGUE[name].title}")
        return
    text = catalogue.explain(code)
    if text is None:
        hint = did_you_mean(near(code, known)) or "`rulespec explain` lists all codes"
        raise Misuse(f"there is no code `{code}`", hint)
    title, _, rest = text.partition("\n")
    console.data(console.paint(title, "bold"))
    console.data(rest)
