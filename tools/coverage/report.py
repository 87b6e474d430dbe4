"""Coverage in words, and as JSON data."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from rulespec.cases.coverage import GROUPS, Item
from rulespec.text.diagnostics import to_json
from rulespec.text.quoting import ticked
from rulespec.text.source import Source

from .. import console
from ..report import counted
from .lines import SECTION, lines, missing
from .measure import Coverage, percent

FORMAT = 1  # of the JSON data


def show(coverage: Coverage) -> None:
    """A table by file and section, then what is not covered."""
    seen, wanted = tally = coverage.tally()
    console.data(console.paint(f"{console.printable(coverage.title)}: {percent(tally)} % of {wanted} covered", "bold"))
    console.data(f"  by {played(coverage)}")
    used = [group for group in GROUPS if any(item.group == group for item in coverage.items)]
    rows = [["", *used, "all"]]
    for source in coverage.sources:
        items = [item for item in coverage.items if item.where.source is source]
        if items:
            rows.append([console.printable(short(source, coverage.sources)), *numbers(coverage, items, used)])
            sections = by_section(items)
            if len(sections) > 1:
                rows += [[f"  {name}", *numbers(coverage, part, used)] for name, part in sections.items()]
    rows.append(["all", *numbers(coverage, list(coverage.items), used)])
    console.data()
    for line in console.columns(rows, right=frozenset(range(1, len(used) + 2))):
        console.data(f"  {line}")
    gaps = [(item, missing(coverage, item)) for item in coverage.items if coverage.open(item)]
    if gaps:
        console.data()
        console.data(f"  Not covered ({wanted - seen}):")
        for item, gap in gaps:
            title = f" {ticked(item.title)}" if item.title else ""
            console.data(
                f"  {console.paint(item.where.label(), 'bold')} {item.group}{title}: {console.paint(gap, 'red')}"
            )
            console.data(f"      {console.printable(item.where.source.line(item.where.line).strip())}")
    excused = {mark.where: mark for mark in coverage.excused.values()}
    if excused:
        console.data()
        console.data("  Marked as unreachable:")
        for mark in excused.values():
            console.data(f"  {mark.where.source.name}:{mark.line} because {console.printable(mark.why)}")


def played(coverage: Coverage) -> str:
    """What was played, in words."""
    cases = sum(1 for run in coverage.runs if run.place)
    setups = len(coverage.runs) - cases
    text = counted(cases, "case")
    if setups:
        each = f" for each of {setups} setups" if setups > 1 else ""
        text += f" and {counted(coverage.random, 'random game')}{each}, seed {coverage.seed}"
    return text


def short(source: Source, among: Sequence[Source]) -> str:
    """The name of a file, without the folders of the main one."""
    folder = among[0].name.rpartition("/")[0]
    return source.name.removeprefix(f"{folder}/")


def numbers(coverage: Coverage, items: list[Item], used: list[str]) -> list[str]:
    """Seen of wanted, group by group and together."""
    cells = []
    for group in [*used, None]:
        seen, wanted = coverage.tally([item for item in items if group in (None, item.group)])
        cells.append("" if not wanted and group is not None else f"{seen}/{wanted}")
    return [*cells[:-1], f"{percent(coverage.tally(items))} %"]


def by_section(items: list[Item]) -> dict[str, list[Item]]:
    """The items of a file by the section that they stand in, in the order of the file."""
    source = items[0].where.source
    starts: list[tuple[int, str]] = []
    for number, text in enumerate(source.text.removeprefix("\ufeff").splitlines(), 1):
        if match := SECTION.match(text):
            starts.append((number, match[1]))
    sections: dict[str, list[Item]] = {}
    for item in items:
        before = [name for number, name in starts if number <= item.where.line]
        sections.setdefault(before[-1] if before else "", []).append(item)
    return sections


def data(coverage: Coverage) -> dict[str, Any]:
    """Everything, as JSON data whose shape is that of `schemas/coverage.schema.json`."""
    return {
        "rulespec_coverage": FORMAT,
        "game": coverage.id,
        "title": coverage.title,
        "seed": coverage.seed,
        "random": coverage.random,
        **share(coverage, list(coverage.items)),
        "groups": {
            group: share(coverage, items)
            for group in GROUPS
            if (items := [item for item in coverage.items if item.group == group])
        },
        "files": [
            {
                "file": source.name,
                **share(coverage, [item for item in coverage.items if item.where.source is source]),
                "lines": [
                    {"line": line.number, "status": line.status, "count": line.count}
                    for line in lines(coverage, source)
                    if line.items
                ],
            }
            for source in coverage.sources
        ],
        "items": [item_data(coverage, item) for item in coverage.items],
        "runs": [{"name": run.name, "place": run.place or None} for run in coverage.runs],
        "findings": [to_json(finding) for finding in coverage.findings],
    }


def share(coverage: Coverage, items: list[Item]) -> dict[str, Any]:
    """How much of some items."""
    seen, wanted = coverage.tally(items)
    return {"covered": seen, "of": wanted, "percent": percent((seen, wanted))}


def item_data(coverage: Coverage, item: Item) -> dict[str, Any]:
    line, column = item.where.source.position(item.where.start)
    marks = {coverage.excused[key].why for key in item.counted() if key in coverage.excused}
    return {
        "file": item.where.source.name,
        "line": line,
        "column": column,
        "group": item.group,
        "title": item.title or None,
        "outcomes": {key[3]: coverage.hit(key) for key in item.counted()},
        "missing": list(coverage.open(item)),
        "unreachable": next(iter(sorted(marks)), None),
    }
