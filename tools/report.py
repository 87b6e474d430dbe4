"""Findings, as people read them; `formats` has what programs read."""

from __future__ import annotations

import sys
from collections.abc import Sequence
from typing import TYPE_CHECKING

from rulespec.text.diagnostics import Diagnostic, render

from . import console

if TYPE_CHECKING:
    from interpreter import Fault


def to_stderr(diagnostics: Sequence[Diagnostic]) -> None:
    """Findings that kept a command from its work."""
    colour = console.colours(sys.stderr)
    for diagnostic in diagnostics:
        console.message(render(diagnostic, colour=colour))


def fault(found: Fault, again: str | None = None) -> None:
    """A fault of the rules, with where it was running and the command that comes there again."""
    to_stderr([found.diagnostic])
    told = f"  after {counted(found.answers, 'answer')}"
    if again is not None:
        told += f"; to see it again: {again}"
    elif found.seed is not None:
        told += f", with seed {found.seed}"
    console.message(told)


def as_text(diagnostics: Sequence[Diagnostic]) -> None:
    """Findings as what was asked for, one paragraph each."""
    colour = console.colours(sys.stdout)
    for number, diagnostic in enumerate(diagnostics):
        if number:
            console.data()
        console.data(render(diagnostic, colour=colour))


def counted(number: int, what: str, many: str | None = None) -> str:
    """`1 game`, `2 games`, `no games`."""
    return f"{number or 'no'} {what if number == 1 else many or what + 's'}"


def summary(games: int, diagnostics: Sequence[Diagnostic]) -> str:
    """The last line of a check."""
    found = [
        counted(number, severity)
        for severity in ("error", "warning", "note")
        if (number := sum(d.severity == severity for d in diagnostics))
    ]
    listed = f"{', '.join(found[:-1])} and {found[-1]}" if len(found) > 1 else "".join(found)
    return f"{counted(games, 'game')}, {listed or 'no findings'}"
