"""How the figures of both sets are laid out: as JSON, as tables of a page, and as a table for a terminal."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from typing import Any

Rows = list[list[str]]


def to_json(data: Mapping[str, Any]) -> str:
    """The file for programs."""
    return json.dumps(data, ensure_ascii=False, indent=2) + "\n"


def rows(title: str, keys: Sequence[str], data: Mapping[str, Any]) -> Rows:
    """A table of counts, the sums last."""
    cells = [[name, *(str(row[key]) for key in keys)] for name, row in data[title].items()]
    return [*cells, ["all", *(str(data[key]) for key in keys)]]


def markdown(head: str, heads: Sequence[str], cells: Rows) -> str:
    """A table of a page."""
    lines = [f"| {head} | " + " | ".join(heads) + " |", "|---" + "|--:" * len(heads) + "|"]
    return "\n".join([*lines, *("| " + " | ".join(row) + " |" for row in cells)])


def table(heads: Sequence[str], groups: Mapping[str, Rows]) -> Rows:
    """The groups below each other, with a line between them, for a terminal."""
    cells: Rows = []
    for head, group in groups.items():
        cells += [[""] * (len(heads) + 1)] if cells else []
        cells += [[head, *heads], *group]
    return cells


def page(title: str, intro: str, summary: Sequence[str], sections: Mapping[str, str]) -> str:
    """A page: what it is about, its figures, and its sections by their headings."""
    parts = ["<!-- Written by `make mutation`; do not edit. -->", f"# {title}", intro, listed(summary)]
    for heading, text in sections.items():
        parts += [f"## {heading}", text]
    return "\n\n".join(parts) + "\n"


def listed(lines: Sequence[str]) -> str:
    """Lines as a list."""
    return "\n".join(f"- {line}" for line in lines)
