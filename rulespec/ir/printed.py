"""Which fields of a component people read, and by which name: those that look closely at it, or have it read out."""

from __future__ import annotations

from rulespec.ir.table import Look

UNREAD = frozenset({"name", "source", "id", "code", "origin", "image"})  # a `name` is what it is called
WRITTEN_FROM = "_from"  # the end of names of fields that say where another is known from
COLUMN, ROW = ("x", "column", "col"), ("y", "row")  # of a place: where it is drawn


def title(field: str, look: Look | None) -> str | None:
    """What a field is called for people; None where they do not read it.  What the game says of it comes first."""
    said = dict(() if look is None else look.facts).get(field)
    if said is not None:
        return said or None
    return None if field in UNREAD or field.endswith(WRITTEN_FROM) else field.replace("_", " ")
