"""Parts of a board: its edges and its corners, as types of their own that have what touches them as fields."""

from __future__ import annotations

from rulespec.checker import symbols
from rulespec.checker.context import CheckContext
from rulespec.checker.kinds import add_member, check_name, new_kind, room
from rulespec.language.types import SetType
from rulespec.library.parts import Part, Rows, parts, sharing
from rulespec.text.yaml_tree import MapNode, ScalarNode

EDGES, CORNERS, CELLS = (
    ("edges", "sides"),
    ("corners",),
    "cells",
)  # the words by which they are declared, and by which they are had


def declare(context: CheckContext, node: MapNode, board: symbols.Board) -> None:
    """The types of the edges and corners of a board, and the fields by which they, and its cells, know each other."""
    said = [(word, key) for word in (*EDGES, *CORNERS) if (key := node.key(word)) is not None]
    if len([word for word, _ in said if word in EDGES]) > 1:
        twice = said.pop(1)[1]
        context.error(
            "E607", "a board has `edges` or `sides`, which are the same", twice.span, help=["take one of them away"]
        )
    if not said:
        return
    of = parts(board.value)
    context.used.add(board.kind.name)
    names: dict[str, str] = {}  # which of the two has which word
    for word, _ in said:
        written = node.get(word)
        which, layout = ("edges", of.edges) if word in EDGES else ("corners", of.corners)
        if not isinstance(written, ScalarNode) or not check_name(context, written, "a type"):
            continue
        kind = new_kind(context, written.value, "part", written.span)
        touching = (of.ends, of.meeting) if which == "edges" else (of.meeting, of.ends)
        part = symbols.Part(kind, board, which, sharing(*touching))  # type: ignore[arg-type]
        for name in named(layout, board.kind.members, which):
            if room(context, kind) <= 0:
                add_member(context, kind, name, name, written.span)  # says so
                break
            add_member(context, kind, name, name.replace("_", "-"), written.span)
        kind.other_names = {
            f"{cell}_{way}": kind.members[number]
            for cell, own in zip(board.kind.members, layout.of_cells, strict=True)
            for way, number in zip(layout.names, own, strict=True)
            if number < len(kind.members)
        }
        context.parts[kind.name] = board.parts[which] = part
        names[which] = word
    cells = board.kind
    for which, part in board.parts.items():
        layout = of.edges if which == "edges" else of.corners
        has(cells, names[which], part.kind, tuple(tuple(sorted(set(row))) for row in layout.of_cells))
        has(part.kind, CELLS, cells, layout.cells)
    if len(board.parts) == 2:
        edges, corners = board.parts["edges"].kind, board.parts["corners"].kind
        has(edges, names["corners"], corners, of.ends)
        has(corners, names["edges"], edges, of.meeting)


def has(kind: symbols.Kind, name: str, others: symbols.Kind, rows: Rows) -> None:
    """Give a type a field that names what touches each of its members."""
    field = symbols.Field(name, SetType(others.type), list(rows), kind.span)
    kind.fields[name] = kind.attributes[name] = field


def named(part: Part, cells: list[str], which: str) -> list[str]:
    """The names of edges, after the two cells that each lies between, or of corners; where that is none, after one and the direction."""
    pairs = [row if which == "edges" and len(row) == 2 else () for row in part.cells]
    return [
        "_".join(cells[cell] for cell in pair) if pair and pairs.count(pair) == 1 else f"{cells[cell]}_{part.names[n]}"
        for pair, (cell, n) in zip(pairs, part.first, strict=True)
    ]
