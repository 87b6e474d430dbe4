"""Findings as text for people; `formats` has those for programs."""

from __future__ import annotations

import sys
from collections.abc import Sequence
from typing import TYPE_CHECKING

from rulespec.text.diagnostics import Diagnostic, render

from . import console

if TYPE_CHECKING:
    from interpreter import Fault


def to_stderr(diagnostics: Sequence[Diagnostic]) -> None:
    """Print findings because of which a command could not run."""
    colour = console.colours(sys.stderr)
    for diagnostic in diagnostics:
        console.message(render(diagnostic, colour=colour))


def fault(raised: Fault, again: str | None = None) -> None:
    """A fault of the rules, with where it was running and the command that comes there again."""
    to_stderr([raised.diagnostic])
    told = f"  after {counted(raised.answers, 'answer')}"
    if again is not None:
        told += f"; to see it again: {again}"
    elif raised.seed is not None:
        told += f", with seed {raised.seed}"
    console.message(told)


def as_text(diagnostics: Sequence[Diagnostic]) -> None:
    """Findings as what was asked for, one paragraph each."""
    colour = console.colours(sys.stdout)
    for number, diagnostic in enumerate(diagnostics):
        if number:
            console.data()
        console.data(render(diagnostic, colour=colour))


def counted(number: int, noun: str, many: str | None = None) -> str:
    """`1 game`, `2 games`, `no games`."""
    return f"{number or 'no'} {noun if number == 1 else many or noun + 's'}"


def summary(games: int, diagnostics: Sequence[Diagnostic]) -> str:
    """The last line of a check."""
    parts = [
        counted(number, severity)
        for severity in ("error", "warning", "note")
        if (number := sum(d.severity == severity for d in diagnostics))
    ]
    listed = f"{', '.join(parts[:-1])} and {parts[-1]}" if len(parts) > 1 else "".join(parts)
    return f"{counted(games, 'game')}, {listed or 'no findings'}"
