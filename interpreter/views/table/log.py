"""The log by turns: who acted, and what was said then, with the things that it names as things."""

from __future__ import annotations

from typing import Any

from interpreter.position import Position
from interpreter.runtime.texts import MOST_LISTED
from interpreter.runtime.values import CHANCE
from interpreter.runtime.visibility import Mask, Viewer, sees, told_to
from interpreter.views.table.table import Data, Tabletop
from rulespec import ir

RECENT = 40  # lines of the log that a view has


def turns(table: Tabletop, position: Position, viewer: Viewer, most: int | None = RECENT) -> list[Data]:
    """The last lines that a viewer may read, as turns: {by, lines}; `by` is a seat, None where all answered at once.

    A line is a list of parts: text, a number, or {text, thing} and {text, seat} for what it names.
    """
    entries = readable(position, viewer, most)
    out: list[Data] = []
    number = -1
    seats = position.setup.seats
    says = position.setup.machine.says
    bits = position.setup.machine.sight.bits(viewer)
    for procedure, pc, _, values, masks, (turn, actor) in entries:
        by = None if actor == CHANCE else seats[actor]
        if not out or (turn != number and by != out[-1]["by"]):
            out.append({"by": by, "lines": []})
        number = turn
        out[-1]["lines"].append(parts(table, says[procedure, pc].parts, values, masks, bits))
    return out


def readable(position: Position, viewer: Viewer, most: int | None) -> list[Any]:
    """The last entries of the log that a viewer may read, the oldest first."""
    out: list[Any] = []
    at = position.log
    while at is not None and (most is None or len(out) < most):
        entry, at = at
        if told_to(entry[2], viewer):
            out.append(entry)
    out.reverse()
    return out


def count(position: Position, viewer: Viewer, since: int = 0) -> int:
    """How many lines a viewer may read; only those written when so many decisions or more had been answered."""
    number, at = 0, position.log
    while at is not None:
        entry, at = at
        if entry[5][0] < since:
            break
        number += told_to(entry[2], viewer)
    return number


def parts(table: Tabletop, template: list[Any], values: tuple[Any, ...], masks: Mask, bits: int) -> list[Any]:
    """A line with its values, neighbouring texts as one."""
    out: list[Any] = []
    hole = 0
    for part in template:
        if isinstance(part, str):
            said: list[Any] = [part]
        else:
            said = filled(table, part[1], values[hole], masks[hole] if masks else None, bits)
            hole += 1
        for one in said:
            if isinstance(one, str) and out and isinstance(out[-1], str):
                out[-1] += one
            elif one != "":
                out.append(one)
    return out


def filled(table: Tabletop, t: ir.Type, value: Any, mask: Mask, bits: int) -> list[Any]:
    """A value in parts."""
    program = table.program
    if value is None:
        return ["none"]
    match t.what:
        case "option":
            return filled(table, t.parts[0], value, mask, bits)
        case "entity":
            kind = program.kinds[t.kind or 0]
            if not sees(mask, bits):
                return [table.faces.printing.label(t, value, mask, bits)]
            label = kind.labels[value]
            if kind.index == program.player_kind:
                return [{"seat": kind.members[value], "text": label}]
            one = table.faces.meant(kind)[value]
            if one is None:
                return [label]
            member = kind.members[one]
            if table.faces.form(kind) == "word" and table.faces.face(kind.name, member).keys() <= PLAIN:
                return [label]
            return [{"thing": table.thing(kind.name, member), "text": label}]
        case "int":
            return [value]
        case "text" if value.__class__ is not str:
            out: list[Any] = []
            for i, part in enumerate(value):
                of = mask and mask[i]
                out += [part] if part.__class__ is str else filled(table, program.printers[part[0]], part[1], of, bits)
            return out
        case "set" | "list" if 0 < len(value) < MOST_LISTED and mask is None:
            items = [filled(table, t.parts[0], item, None, bits) for item in value]
            return listed(items)
        case "bag" if any(value):
            kind = program.kinds[t.kind or 0]
            counted = [(n, kind.members[i], kind.counted(n, i).partition(" ")[2]) for i, n in enumerate(value) if n]
            return listed([[n, " ", {"thing": table.thing(kind.name, m), "text": label}] for n, m, label in counted])
    return [table.faces.printing.label(t, value, mask, bits)]


PLAIN = {"label", "form", "sign"}


def listed(items: list[list[Any]]) -> list[Any]:
    """`a, b and c` of parts."""
    out: list[Any] = []
    for number, item in enumerate(items):
        out += [*([] if not number else [" and " if number == len(items) - 1 else ", "]), *item]
    return out
