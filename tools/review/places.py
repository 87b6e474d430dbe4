"""What places in the rules are called, so that they keep their names while lines move: `procedures.move, branch 2`."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable

from rulespec.cases.coverage import Item
from rulespec.text.source import Source

KEY = re.compile(r"^(?P<indent> *)(?:- )?(?P<key>[A-Za-z_][\w ]*):")


def units(source: Source) -> list[str]:
    """For each line, from 1: the section that it stands in and the name below it (line 0 is nothing)."""
    names = [""]
    section, name, depth = "", "", 0
    for line in source.text.removeprefix("\ufeff").splitlines():
        if match := KEY.match(line):
            indent, key = len(match["indent"]), match["key"].strip()
            if indent == 0:
                section, name, depth = key, "", 0
            elif not depth or indent <= depth:
                name, depth = key, indent
        names.append(f"{section}.{name}" if name else section)
    return names


def labels(items: Iterable[Item]) -> dict[Item, str]:
    """A name for each item, by what it stands in and which of its kind it is there."""
    lines: dict[Source, list[str]] = {}
    counts: Counter[tuple[str, str]] = Counter()
    found = {}
    for item in items:
        source = item.where.source
        known = lines.get(source)
        if known is None:
            known = lines[source] = units(source)
        unit = known[min(item.where.line, len(known) - 1)]
        kind = item.group.removesuffix("s") if item.group != "branches" else "branch"
        counts[unit, kind] += 1
        title = f" {item.title}" if item.group in ("choices", "rows") and item.title else ""
        found[item] = f"{unit}, {kind}{title} {counts[unit, kind]}"
    return found
