"""The page of the family: each game with its lines, what it is made from, and what came of playing it."""

from __future__ import annotations

from statistics import median
from typing import NamedTuple

from ..pages import table
from .beside import Beside
from .games import ROOT, Member

PAGE = ROOT / "docs" / "family.md"
HEAD = """<!-- Written by `python -m tools.dev.family`; do not edit. -->

# A family of chess games

One base, `games/chess_family/game.yaml`, says how chess is played, with men, boards and aims as data. Each game below is a
[variant](variants.md) of some lines: `rulespec play chess_family --variant makruk`. Those that Fairy-Stockfish has too were played in
step with it, by random moves: at each position the same moves, at the end the same result. `make family` does it again.
"""
TABLE = """
*Lines* are those of the variant's file. *From* is the variant that it extends, if it is one. *Games*, *positions* and *moves* are those
that were compared, *differences* those that were found; `-` stands where the library does not have the game, or nothing was measured.
*Decisions a second* are those of whole random games in one call, as C, on one core.

Claims (repetition, moves without a capture) and positions in which neither side can mate are asked for where our game is over, and at
each tenth position. What is not as there: the counting rules of Makruk and its kin are left out, and in Shogi a position that comes
three times is a draw, whoever gave check; a pawn may be dropped for mate.
"""


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
    base = member.extends if member.extends not in ("", "chess_family") else ""
    counts = (
        ["-"] * 4
        if found is None
        else [f"{n:,}" for n in (found.games, found.positions, found.moves, len(found.differences))]
    )
    speed = f"{row.speed:,.0f}" if row.speed else "-"
    return f"`{member.id}`", member.about, str(member.lines), base and f"`{base}`", *counts, speed
