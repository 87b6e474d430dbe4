"""Values of a position as expressions of the language, by their types."""

from __future__ import annotations

from typing import Any

from rulespec import ir

MOST_ITEMS = 40  # of a collection that is written out


def written(program: ir.Program, t: ir.Type, value: Any) -> str | None:
    """A value as an author writes it; None for one that has no short form."""
    match t.what:
        case "bool":
            return "yes" if value else "no"
        case "int":
            return str(value) if value >= 0 else f"0 - {-value}"
        case "entity":
            member: str = program.kinds[t.kind or 0].members[value]
            return member
        case "option":
            return "none" if value is None else written(program, t.parts[0], value)
        case "set" | "list":
            items = [written(program, t.parts[0], item) for item in value[: MOST_ITEMS + 1]]
            if len(items) > MOST_ITEMS or None in items:
                return None
            return f"{t.what}({', '.join(map(str, items))})" if items else "empty"
        case "bag":
            return bag(program.kinds[t.kind or 0], value)
    return None


def bag(kind: ir.Kind, counts: tuple[int, ...]) -> str:
    """So many of each member."""
    return " + ".join(f"{n} of {kind.members[i]}" for i, n in enumerate(counts) if n) or "empty"


def pieces(kind: ir.Kind, chosen: list[int] | tuple[int, ...]) -> str:
    """One piece, or several in their order."""
    names = [kind.members[piece] for piece in chosen]
    return names[0] if len(names) == 1 else f"list({', '.join(names)})"


def place(program: ir.Program, what: ir.Variable | ir.Zone, indices: tuple[int, ...]) -> str | None:
    """A variable or zone as an expression: `coins`, `p1.coins`; None where it has more than one index, or numbers as one."""
    if not indices:
        return what.name
    kind = program.kinds[what.per[0]]
    member = kind.members[indices[0]]
    return f"{member}.{what.name}" if len(indices) == 1 and member[:1].isalpha() else None
