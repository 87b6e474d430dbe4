"""What is told of two cells that touch: a line from one to the other, as a fence, a road or the side of a box.

    state: {road: {is: Player or none, by: [Square, Square]}}

It lies at the first of them, as all that is told of a cell, and says where its line leads.  Of cells that do not touch it is told in
words alone: lines across a board could not be told apart.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence

from interpreter.views.table.faces import bare
from rulespec import ir

SIMPLE = ("entity", "bool", "int")  # values that a sign or the look of a line says
Place = tuple[float, int]  # a column from the left, a row from above


def leads_to(
    what: ir.Zone | ir.Variable, keys: Sequence[tuple[ir.Kind, int]], places: Mapping[int, Place]
) -> str | None:
    """The cell to which a line leads from the first of two; None where it is no line.  `places` are those of the board of the first."""
    if not isinstance(what, ir.Variable) or bare(what.type).what not in SIMPLE or len(keys) != 2:
        return None
    (kind, one), (other_kind, other) = keys
    if kind != other_kind or one == other or not {one, other} <= places.keys():
        return None
    (x, y), (column, row) = places[one], places[other]
    return f"{kind.name}/{kind.members[other]}" if abs(x - column) <= 1 and abs(y - row) <= 1 else None


def by_member(places: Iterable[tuple[int, float, int]]) -> dict[int, Place]:
    """Where the members of a board lie."""
    return {member: (x, y) for member, x, y in places}
