"""Entries of vectors for what a seat sees of one zone or variable: their names and bounds, and which of them its JSON data fills.

Vectors are made of what is shown and of nothing else, so that they tell as much.
"""

from __future__ import annotations

from collections.abc import Callable
from math import inf
from typing import Any, NamedTuple

from interpreter.runtime.texts import HIDDEN
from rulespec import ir

MOST_LISTED = 4  # items of a list that have entries by their place
LARGEST_LISTED = 64  # entries of such an item
Sparse = list[tuple[int, float]]
Filled = tuple[tuple[int, float], ...]  # a Sparse to which nothing is added any more
Fill = Callable[[Any, int, Sparse], None]  # data, the first entry, where (entry, value) are added


class Named(NamedTuple):
    """One entry: what it means, and between which values it lies."""

    name: str
    low: float
    high: float


class Block(NamedTuple):
    """Some entries in a row, and how data fill them; what is not filled is 0."""

    entries: tuple[Named, ...]
    fill: Fill


def flags(names: list[str]) -> tuple[Named, ...]:
    """Entries of 0 or 1."""
    return tuple(Named(name, 0, 1) for name in names)


def of_type(program: ir.Program, t: ir.Type, what: str) -> Block:
    """The entries of a value.  A text has none; of a list what its first items are, and how often each thing is in it."""
    match t.what:
        case "bool":
            return Block(flags([what]), lambda data, at, out: out.append((at, float(bool(data)))))
        case "int":
            low = -inf if t.low is None else t.low
            high = inf if t.high is None else t.high
            entry = Named(what, min(low, 0), max(high, 0))
            return Block((entry,), lambda data, at, out: None if data is None else out.append((at, float(data))))
        case "entity":
            return members(program, t.kind or 0, what)
        case "option":
            return optional(of_type(program, t.parts[0], what), what)
        case "set" | "list":
            return several(program, t, what)
        case "bag":
            return counts(program, t.kind or 0, what)
        case "record":
            parts = [of_type(program, part, f"{what}.{name}") for name, part in zip(t.names, t.parts, strict=True)]
            return record(t.names, parts)
    return Block((), lambda data, at, out: None)  # noqa: ARG005


def places(program: ir.Program, kind: int) -> dict[str, int]:
    """The place of each member of a kind by its name, that of hidden ones last."""
    names = program.kinds[kind].members
    return {**{name: n for n, name in enumerate(names)}, HIDDEN: len(names)}


def hides(program: ir.Program, kind: int) -> bool:
    """Whether members of a kind may be hidden."""
    return program.kinds[kind].location is not None


def named_members(program: ir.Program, kind: int, what: str) -> list[str]:
    """A name for each member, and one for those that are hidden where there may be any."""
    return [f"{what}={name}" for name in (*program.kinds[kind].members, *([HIDDEN] if hides(program, kind) else []))]


def members(program: ir.Program, kind: int, what: str) -> Block:
    """One of a kind: 1 for which it is."""
    place = places(program, kind)

    def fill(data: Any, at: int, out: Sparse) -> None:
        if data is not None:
            out.append((at + place[data], 1.0))

    return Block(flags(named_members(program, kind, what)), fill)


def counts(program: ir.Program, kind: int, what: str) -> Block:
    """How many of each member there are; `?` how many of unknown ones."""
    place = places(program, kind)
    names = [f"{what}={name}" for name in place]

    def fill(data: Any, at: int, out: Sparse) -> None:
        for name, count in (data or {}).items():
            out.append((at + place[name], float(count)))

    return Block(tuple(Named(name, 0, inf) for name in names), fill)


def optional(inner: Block, what: str) -> Block:
    """A value that may be missing: a flag that it is there, then its own entries."""

    def fill(data: Any, at: int, out: Sparse) -> None:
        if data is not None:
            out.append((at, 1.0))
            inner.fill(data, at + 1, out)

    return Block((Named(f"{what} is there", 0, 1), *inner.entries), fill)


def record(names: tuple[str, ...], parts: list[Block]) -> Block:
    """The entries of its parts."""

    def fill(data: Any, at: int, out: Sparse) -> None:
        if data is None:
            return
        for name, part in zip(names, parts, strict=True):
            part.fill(data[name], at, out)
            at += len(part.entries)

    return Block(tuple(entry for part in parts for entry in part.entries), fill)


def listing(t: ir.Type, width: int) -> tuple[int, int]:
    """Of a set or list whose items have so many entries: which of its own is the first of an item by its place, and how many have such."""
    item = t.parts[0]
    first = 1 + (width if item.what == "entity" else 0)  # behind its size, and how often each thing is in it
    listed = min(MOST_LISTED, MOST_LISTED if t.capacity is None else t.capacity)
    if (item.what == "entity" and t.what == "set") or width > LARGEST_LISTED:
        listed = 0
    return first, listed


def several(program: ir.Program, t: ir.Type, what: str) -> Block:
    """How many items there are; of things which; of a list, and of a set of values, also each of the first few."""
    item = t.parts[0]
    number = Named(f"{what} size", 0, inf if t.capacity is None else t.capacity)
    things = item.what == "entity"
    entries: list[Named] = [number]
    place: dict[str, int] = {}
    if things:
        kind = item.kind or 0
        place = places(program, kind)
        most = 1 if t.what == "set" else inf
        own = [Named(f"{what}={name}", 0, most) for name in program.kinds[kind].members]
        entries += [*own, *([Named(f"{what}={HIDDEN}", 0, inf)] if hides(program, kind) else [])]
    one = of_type(program, item, what)
    first, listed = listing(t, len(one.entries))
    for n in range(listed):
        entries += [entry._replace(name=f"{what}[{n + 1}]{entry.name.removeprefix(what)}") for entry in one.entries]

    def fill(data: Any, at: int, out: Sparse) -> None:
        items = data or []
        out.append((at, float(len(items))))
        if things:
            found: dict[str, int] = {}
            for name in items:
                found[name] = found.get(name, 0) + 1
            out.extend((at + 1 + place[name], float(count)) for name, count in found.items())
        for n, value in enumerate(items[:listed]):
            one.fill(value, at + first + n * len(one.entries), out)

    return Block(tuple(entries), fill)


def pieces(program: ir.Program, kind: int, what: str, pile: bool) -> Block:
    """Which pieces lie somewhere: 1 for each, in a pile its height as a part of all pieces there are, the lowest first."""
    place = places(program, kind)
    total = len(place) - 1

    def fill(data: Any, at: int, out: Sparse) -> None:
        if isinstance(data, list):
            for n, name in enumerate(data):
                if name != HIDDEN:
                    out.append((at + place[name], (n + 1) / total if pile else 1.0))

    return Block(flags([f"{what}={name}" for name in program.kinds[kind].members]), fill)


def size(what: str, most: float) -> Block:
    """How many pieces lie somewhere."""

    def fill(data: Any, at: int, out: Sparse) -> None:
        out.append((at, float(sum(data.values()) if isinstance(data, dict) else len(data))))

    return Block((Named(f"{what} size", 0, most),), fill)
