"""The page of the family: each game with its lines, what it is made from, and what came of playing it."""

from __future__ import annotations

from pathlib import Path
from statistics import median
from typing import NamedTuple

from rulespec.text.quoting import ticked

from ..pages import table
from .beside import Beside
from .games import FOLDER, ROOT, Member

PAGE = ROOT / "docs" / "family.md"
HEAD, TABLE = (Path(__file__).parent / "page.md").read_text(encoding="utf-8").split("<!-- the table -->\n")


class Row(NamedTuple):
    """What is known of a game."""

    member: Member
    found: Beside | None
    speed: float


def page(rows: list[Row]) -> str:
    """The whole page."""
    heads = ("game", "what it is", "lines", "from", "games", "positions", "moves", "differences", "decisions a second")
    variants = [row.member.lines for row in rows if row.member.extends]
    judged = sum(row.found is not None for row in rows if row.member.extends)
    told = f"There are {len(variants)} variants, {judged} of them with a judge; half have at most {median(variants):g} lines.\n"
    return "\n".join([HEAD, told, *table(map(cells, rows), *heads), TABLE]).rstrip() + "\n"


def cells(row: Row) -> tuple[str, ...]:
    """A row of the table."""
    member, found = row.member, row.found
    base = member.extends if member.extends not in ("", FOLDER.name) else ""
    counts = (
        ["-"] * 4
        if found is None
        else [f"{n:,}" for n in (found.games, found.positions, found.moves, len(found.differences))]
    )
    speed = f"{row.speed:,.0f}" if row.speed else "-"
    return ticked(member.id), member.about, str(member.lines), base and ticked(base), *counts, speed
