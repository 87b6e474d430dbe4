"""The catalogue of all codes: what each means, an example of it, and its cure.

The entries are data: those of lint rules stand beside the rules, all others in this folder. `make generate` makes one file of them
(`tools/dev/codes.py`), which is read here: quickly, since the first error of a process waits for it.

A code is never given a second meaning.
"""

from __future__ import annotations

import json
from pathlib import Path
from textwrap import indent

from rulespec.codes.entry import ErrorCode


def entries() -> dict[str, ErrorCode]:
    """All entries by their codes, in order."""
    texts = json.loads(Path(__file__).with_name("catalogue.json").read_text(encoding="utf-8"))
    return {code: ErrorCode(code, **entry) for code, entry in texts.items()}


CATALOGUE = entries()

# How a cure begins that sends its reader to the message, and so says nothing below it.
POINTING = (
    "Look at",
    "Check",
    "Put right",
    "Write what the message names",
    "Add the key that",
    "Use one of the words that",
)


def cure(code: str) -> tuple[str, ...]:
    """What to do about any finding of a code, as the help of one that has none of its own; nothing where the cure points at the message."""
    fix = CATALOGUE[code].fix
    return () if fix.startswith(POINTING) else (fix[:1].lower() + fix[1:].removesuffix("."),)


def explain(code: str) -> str | None:
    """The page of the catalogue on a code, in any case; None if there is no such code."""
    entry = CATALOGUE.get(code.strip().upper())
    if entry is None:
        return None
    parts = [
        f"{entry.code}: {entry.title}",
        entry.cause,
        entry.bad and f"Wrong:\n\n{indent(entry.bad, '    ')}",
        entry.good and f"Right:\n\n{indent(entry.good, '    ')}",
        f"What to do: {entry.fix}",
    ]
    return "\n\n".join(part for part in parts if part)
