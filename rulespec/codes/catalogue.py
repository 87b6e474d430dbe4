"""The catalogue of all codes: what each means, an example of it, and its cure.

Families: Y files and YAML, S shape, E names and types, F information flow, L lint, R run time, P play and answers,
T transcripts and saves, V variants, C command line, K cases, B bots,
X studies. A code is never given a second meaning.
"""

from __future__ import annotations

import re
from textwrap import indent

from rulespec.codes import (
    beside,
    bots,
    cases,
    cli,
    data,
    declarations,
    flow,
    names,
    play,
    possible,
    runtime,
    saves,
    shape,
    slips,
    steps,
    studies,
    suspicious,
    told,
    types,
    unused,
    variants,
    yaml,
)
from rulespec.codes.entry import ErrorCode

FAMILIES = {
    "Y": "files and YAML",
    "S": "shape of a file",
    "E": "names and types",
    "F": "information flow",
    "L": "lint",
    "R": "run time",
    "P": "play and answers",
    "T": "transcripts and saves",
    "V": "variants",
    "C": "command line",
    "K": "cases",
    "B": "bots",
    "X": "studies",
}

CATALOGUE: dict[str, ErrorCode] = {}


def enter(entry: ErrorCode) -> None:
    """Add an entry; ValueError if it is malformed or taken."""
    if not re.fullmatch(r"[YSEFLRPTVCKBX]\d{3}", entry.code) or entry.code in CATALOGUE:
        raise ValueError(f"the code {entry.code} is malformed or taken")
    CATALOGUE[entry.code] = entry


for _table in (
    yaml,
    shape,
    names,
    types,
    declarations,
    steps,
    unused,
    suspicious,
    data,
    slips,
    possible,
    flow,
    runtime,
    play,
    saves,
    variants,
    cli,
    cases,
    beside,
    told,
    bots,
    studies,
):
    for _own in _table.CODES:
        enter(_own)


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
