"""Coverage by line: the items that begin on a line, their status, and in words what is missing."""

from __future__ import annotations

import re
from dataclasses import field
from typing import Literal

from rulespec.cases.coverage import Item
from rulespec.system.records import dataclass
from rulespec.text.source import Source

from .measure import Coverage

Status = Literal["", "all", "part", "never", "excused"]
MISSING = {
    ("step", "done"): "never run",
    ("branch", "holds"): "never holds",
    ("branch", "fails"): "always holds",
    ("branch", "goes on"): "never goes round",
    ("branch", "ends"): "never ends by itself",
    ("branch", "taken"): "never taken",
    ("condition", "allows"): "never allows",
    ("condition", "refuses"): "never refuses",
    ("choice", "offered"): "never offered",
    ("choice", "taken"): "never taken",
    ("rule", "applies"): "never applies",
    ("rule", "does not apply"): "always applies",
    ("rule", "runs"): "never runs",
    ("function", "called"): "never called",
    ("row", "read"): "never read",
}
SECTION = re.compile(r"^([A-Za-z][A-Za-z ]*):")
WHOLE = (
    "rules",
    "procedures",
    "functions",
)  # their place is their name; they reach as far as what is indented below it


@dataclass(slots=True)
class Line:
    """A line of a file of rules."""

    number: int
    text: str
    section: str
    items: list[Item] = field(default_factory=list)
    status: Status = ""
    count: int | None = None


def missing(coverage: Coverage, item: Item) -> str:
    """The outcomes of an item that were not seen, in words; "" if there are none."""
    open_parts = coverage.open(item)
    if not open_parts:
        return ""
    if len(item.outcomes) > 1 and not any(map(coverage.hit, item.counted())):
        if item.what in ("branch", "condition"):
            return "never looked at"
        open_parts = ("offered",) if item.what == "choice" else ("runs",) if item.what == "rule" else open_parts
    return ", ".join(MISSING[item.what, outcome] for outcome in open_parts)


def lines(coverage: Coverage, source: Source) -> list[Line]:
    """Every line of a file with its status."""
    rows: list[Line] = []
    section = ""
    texts = source.text.removeprefix("\ufeff").splitlines()
    for number, text in enumerate(texts, 1):
        if match := SECTION.match(text):
            section = match[1]
        rows.append(Line(number, text, section))
    for item in coverage.items:
        if item.where.source is source:
            start, end = reach(item, rows)
            rows[start - 1].items.append(item)
            status = standing(coverage, [item])
            for line in rows[start - 1 : end]:  # items inside are handled later, and decide their own lines
                line.status = "all" if status == "part" else status
    for line in rows:
        if line.items:
            line.status = standing(coverage, line.items)
            line.count = count(coverage, line.items)
        if not line.text.strip() or line.text.lstrip().startswith("#"):
            line.status = ""
    return rows


def reach(item: Item, texts: list[Line]) -> tuple[int, int]:
    """The first and last line of an item."""
    start = item.where.line
    if item.group in WHOLE:
        indent = len(texts[start - 1].text) - len(texts[start - 1].text.lstrip())
        end = start
        for line in texts[start:]:
            stripped = line.text.lstrip()
            if stripped and len(line.text) - len(stripped) <= indent:
                break
            end = line.number if stripped else end
        return start, end
    last = item.where.source.position(max(item.where.start, item.where.end - 1))[0]
    return start, last if item.group == "steps" else start


def standing(coverage: Coverage, items: list[Item]) -> Status:
    """The status of several items together."""
    keys = [key for item in items for key in item.counted()]
    seen = [key for key in keys if coverage.hit(key)]
    if any(coverage.open(item) for item in items):
        return "part" if seen else "never"
    return "all" if seen else "excused"


def count(coverage: Coverage, items: list[Item]) -> int:
    """How often a line was reached."""
    counts = []
    for item in items:
        if item.what == items[0].what:
            numbers = [coverage.hit(key) for key in item.counted()]
            counts.append(max(numbers) if item.what in ("choice", "rule") else sum(numbers))
    return max(counts)
