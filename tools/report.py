"""Findings, as the formats that people and programs read."""

from __future__ import annotations

import sys
from collections.abc import Sequence
from typing import TYPE_CHECKING

from rulespec.diagnostics import Diagnostic, render, to_json

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


def as_github(diagnostics: Sequence[Diagnostic]) -> None:
    """Findings as commands of GitHub's workflows, which show them beside the changed lines."""
    for d in diagnostics:
        entry = to_json(d)
        place = entry["range"] or {}
        names = {"line": "line", "endLine": "end_line", "col": "column", "endColumn": "end_column"}
        properties = {"file": d.file, **{k: place.get(v) for k, v in names.items()}}
        given = [f"{k}={_property(v)}" for k, v in properties.items() if v is not None]
        text = "\n".join([d.message, *(f"help: {line}" for line in d.help)])
        console.data(f"::{d.severity} {','.join([*given, f'title={d.code}'])}::{_data(text)}")


def _data(text: str) -> str:
    return text.replace("%", "%25").replace("\r", "%0D").replace("\n", "%0A")


def _property(value: object) -> str:
    return _data(str(value)).replace(":", "%3A").replace(",", "%2C")


def counted(number: int, what: str, many: str | None = None) -> str:
    """`1 game`, `2 games`, `no games`."""
    return f"{number or 'no'} {what if number == 1 else many or what + 's'}"


def summary(games: int, diagnostics: Sequence[Diagnostic]) -> str:
    """The last line of a check."""
    errors = sum(d.severity == "error" for d in diagnostics)
    warnings = len(diagnostics) - errors
    found = [
        text
        for number, text in [
            (errors, counted(errors, "error")),
            (warnings, counted(warnings, "warning")),
        ]
        if number
    ]
    return f"{counted(games, 'game')}, {' and '.join(found) or 'no findings'}"
