"""Whether what lint says of a mistake leads to the line where it is to be mended, as far as a machine can tell."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator
from typing import Any

from .families import Mutant

LINE, NAME = "line", "name"  # how it leads there: it stands there or names the line; it names what was changed
NAMED_LINE = re.compile(r"\blines? (\d+)|:(\d+)\b")
WORD = re.compile(r"[^\W\d]\w*")
QUOTED = re.compile(r"`([^`]*)`")


def leads(entry: dict[str, Any], mutant: Mutant) -> str:
    """How a finding, as JSON data of lint, leads to a mistake: LINE, NAME, or "" where a reader must tell."""
    changed = changed_lines(mutant)
    if any(file.endswith(mutant.file) and number in changed for file, number in named_lines(entry)):
        return LINE
    return "" if changed_words(mutant).isdisjoint(named_words(entry)) else NAME


def changed_lines(mutant: Mutant) -> range:
    """The lines that hold the mistake; where something was only taken out, those beside it too."""
    last = mutant.line + mutant.new.count("\n")
    return range(mutant.line, last + 1) if mutant.new.strip() else range(mutant.line - 1, last + 2)


def changed_words(mutant: Mutant) -> set[str]:
    """The words that are there more or less often than they were."""
    old, new = Counter(WORD.findall(mutant.old)), Counter(WORD.findall(mutant.new))
    return set((old - new) | (new - old))


def texts(entry: dict[str, Any]) -> Iterator[str]:
    """What a finding says, in all its parts."""
    yield from (entry["message"], *entry["help"], *(one["message"] for one in entry["related"]))
    yield from (text for text in (entry["expected"], entry["found"]) if text)


def named_lines(entry: dict[str, Any]) -> Iterator[tuple[str, int]]:
    """The lines at which a finding points, and those that it names, with their files."""
    for place in (entry, *entry["related"]):
        if place["range"] is not None:
            yield from ((place["file"], n) for n in range(place["range"]["line"], place["range"]["end_line"] + 1))
    for text in texts(entry):
        yield from ((entry["file"], int(a or b)) for a, b in NAMED_LINE.findall(text))


def named_words(entry: dict[str, Any]) -> set[str]:
    """The words that a finding quotes."""
    return {word for text in texts(entry) for quoted in QUOTED.findall(text) for word in WORD.findall(quoted)}
