"""The page of the families: each game with its lines, what it is made from, and what came of playing it."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path
from statistics import median
from typing import NamedTuple

from rulespec.text.quoting import ticked

from ..pages import table
from .beside import Beside
from .games import FAMILIES, ROOT, Family, Member

PAGE = ROOT / "docs" / "family.md"
FIGURES = 5  # cells of a row that are found by playing
UNKNOWN = ("-",) * FIGURES
FRAME = (Path(__file__).parent / "page.md").read_text(encoding="utf-8")  # where tables of families are left out


class Row(NamedTuple):
    """What is known of a game."""

    member: Member
    found: Beside | None
    speed: float


def page(rows: dict[Member, Row], before: str) -> str:
    """The whole page: new rows, and of other games what the page before says of them."""
    written = FRAME
    for family, (mark, said) in zip(FAMILIES, tables(before), strict=True):
        known = dict(told(said))
        for one, row in rows.items():
            if one.family == family:
                known[one.id] = measured(row, known.get(one.id, UNKNOWN))
        written = written.replace(mark, mark + "\n" + games(family, known))
    return written.rstrip() + "\n"


def tables(page: str) -> Iterator[tuple[str, str]]:
    """The mark of each family's table, and what a page has behind it."""
    for family in FAMILIES:
        mark = f"<!-- {family.base} -->"
        _, _, said = page.partition(mark)
        yield mark, re.split(r"(?m)^<!-- |^#", said)[0]


def games(family: Family, known: dict[str, tuple[str, ...]]) -> str:
    """The table of a family, and how many it has."""
    heads = ("game", "what it is", "lines", "from", "games", "positions", "moves", "differences", "decisions a second")
    every = [*family.members()]
    variants = [one.lines for one in every if one.extends]
    judged = sum(one.there is not None for one in every if one.extends)
    said = f"There are {len(variants)} variants, {judged} of them with a judge; half have at most {median(variants):g} lines.\n"
    cells = ((*heading(one), *known.get(one.id, UNKNOWN)) for one in every)
    return "\n".join([said, *table(cells, *heads)])


def told(page: str) -> Iterator[tuple[str, tuple[str, ...]]]:
    """The figures of each game in a page."""
    for line in page.splitlines():
        if line.startswith("| `"):
            cells = [cell.strip() for cell in line.strip("|").split("|")]
            yield cells[0].strip("`"), tuple(cells[-FIGURES:])


def heading(member: Member) -> tuple[str, ...]:
    """What a game is."""
    below = [ticked(one) for one in member.extends.split() if one != member.family.base]
    return ticked(member.id), member.about, str(member.lines), ", ".join(below)


def measured(row: Row, before: tuple[str, ...]) -> tuple[str, ...]:
    """What came of playing it; of what was not looked at, what was known before."""
    return tuple(new if new != "-" else old for new, old in zip(figures(row), before, strict=True))


def figures(row: Row) -> tuple[str, ...]:
    """What came of playing it."""
    found = row.found
    counts = (
        ["-"] * 4
        if found is None
        else [f"{n:,}" for n in (found.games, found.positions, found.moves, len(found.differences))]
    )
    return *counts, f"{row.speed:,.0f}" if row.speed else "-"
