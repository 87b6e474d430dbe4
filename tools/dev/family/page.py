"""The page of the family: each game with its lines, what it is made from, and what came of playing it."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from statistics import median
from typing import NamedTuple

from rulespec.text.quoting import ticked

from ..pages import table
from .beside import Beside
from .games import FOLDER, ROOT, Member

PAGE = ROOT / "docs" / "family.md"
FIGURES = 5  # cells of a row that are found by playing
HEAD, TABLE = (Path(__file__).parent / "page.md").read_text(encoding="utf-8").split("<!-- the table -->\n")


class Row(NamedTuple):
    """What is known of a game."""

    member: Member
    found: Beside | None
    speed: float


def page(every: list[Member], rows: dict[str, Row], before: str) -> str:
    """The whole page: new rows, and of other games what the page before says of them."""
    heads = ("game", "what it is", "lines", "from", "games", "positions", "moves", "differences", "decisions a second")
    variants = [one.lines for one in every if one.extends]
    judged = sum(one.there is not None for one in every if one.extends)
    said = f"There are {len(variants)} variants, {judged} of them with a judge; half have at most {median(variants):g} lines.\n"
    known = dict(told(before)) | {name: figures(row) for name, row in rows.items()}
    cells = ((*heading(one), *known.get(one.id, ("-",) * FIGURES)) for one in every)
    return "\n".join([HEAD, said, *table(cells, *heads), TABLE]).rstrip() + "\n"


def told(page: str) -> Iterator[tuple[str, tuple[str, ...]]]:
    """The figures of each game in a page."""
    for line in page.splitlines():
        if line.startswith("| `"):
            cells = [cell.strip() for cell in line.strip("|").split("|")]
            yield cells[0].strip("`"), tuple(cells[-FIGURES:])


def heading(member: Member) -> tuple[str, ...]:
    """What a game is."""
    below = [ticked(one) for one in member.extends.split() if one != FOLDER.name]
    return ticked(member.id), member.about, str(member.lines), ", ".join(below)


def figures(row: Row) -> tuple[str, ...]:
    """What came of playing it."""
    found = row.found
    counts = (
        ["-"] * 4
        if found is None
        else [f"{n:,}" for n in (found.games, found.positions, found.moves, len(found.differences))]
    )
    return *counts, f"{row.speed:,.0f}" if row.speed else "-"
