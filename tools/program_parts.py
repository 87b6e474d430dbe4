"""Parts of a program by their names, and the lines of the rules beside what became of them: for `rulespec ir` and `rulespec python`."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from pathlib import PurePath
from typing import Any, TypeVar

import click

from rulespec.text.quoting import ticked
from rulespec.text.source import Span

from .framework import Misuse, did_you_mean, nearest

F = TypeVar("F", bound=Callable[..., Any])


def procedure_option(function: F) -> F:
    """--procedure."""
    return click.option(
        "--procedure", "procedures", multiple=True, metavar="NAME", help="Only this procedure; repeat for more."
    )(function)


def function_option(function: F) -> F:
    """--function."""
    return click.option(
        "--function", "functions", multiple=True, metavar="NAME", help="Only this function; repeat for more."
    )(function)


def chosen(kind: str, wanted: Sequence[str], names: Sequence[str]) -> list[int]:
    """The numbers of the parts with some names; several parts may have one name.  Raises Misuse for a name that none has."""
    for name in wanted:
        if name not in names:
            listed = (
                f"there are {', '.join(ticked(n) for n in sorted(set(names)))}"
                if names
                else f"this program has no {kind}"
            )
            raise Misuse(f"no {kind} is called {ticked(name)}", did_you_mean(nearest(name, names)) or listed)
    return [number for number, name in enumerate(names) if name in wanted]


def rule_line(where: Span | None) -> str | None:
    """The line of the rules that something comes from, with its place; None for what stands nowhere."""
    if where is None:
        return None
    return f"{PurePath(where.source.name).name}:{where.line}  {where.source.line(where.line).strip()}"
