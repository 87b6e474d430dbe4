"""An entry of the catalogue of codes, and the families of codes."""

from __future__ import annotations

from rulespec.system.records import dataclass

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


@dataclass(frozen=True, slots=True)
class ErrorCode:
    """One code. `bad` and `good` are example texts, empty where a text cannot show it."""

    code: str
    title: str
    cause: str
    fix: str
    bad: str = ""
    good: str = ""
