"""Values in which some pieces stand for others of their kind."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from rulespec import ir

Renaming = Mapping[
    int, Mapping[int, int]
]  # for each kind which piece stands for which; one that is not there for itself
NO_OTHERS: Renaming = {}


def renamed(program: ir.Program, printer: ir.Type, value: Any, renaming: Renaming) -> Any:
    """A value with each piece replaced by the one that stands for it."""
    if value is None:
        return None
    match printer.what:
        case "entity":
            return renaming.get(-1 if printer.kind is None else printer.kind, {}).get(value, value)
        case "option":
            return renamed(program, printer.parts[0], value, renaming)
        case "list":
            return tuple(renamed(program, printer.parts[0], item, renaming) for item in value)
        case "set":
            return tuple(sorted(renamed(program, printer.parts[0], item, renaming) for item in value))
        case "record":
            parts = zip(printer.parts, value, strict=True)
            return tuple(renamed(program, part, item, renaming) for part, item in parts)
        case "text" if value.__class__ is tuple:
            return tuple(
                part
                if part.__class__ is str
                else (part[0], renamed(program, program.printers[part[0]], part[1], renaming))
                for part in value
            )
    return value
