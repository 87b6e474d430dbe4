"""A board for each player: a variable by player and cell, where nothing else stands on the board.

    state: {ship: {is: Ship or none, by: [Player, Square], seen by: owner}}

Two players' ships on one square are two things, so they are drawn on two boards.  The board of which something is seen by nobody
but others is left out, and so is the plain board, as long as nothing stands there.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import field
from typing import Any

from interpreter.views.table.faces import Face, bare
from interpreter.views.table.plan import Plan
from interpreter.views.table.ties import SIMPLE
from rulespec import ir
from rulespec.system.records import dataclass

Data = dict[str, Any]
THERE = "●"


@dataclass(frozen=True, slots=True)
class OwnBoard:
    """A variable of one player: what it is called, whose it is, and its value of each cell, nothing where it is empty."""

    label: str
    owner: str
    values: dict[str, Data] = field(default_factory=dict)


def apart(plan: Plan, variable: ir.Variable) -> bool:
    """Whether a variable is drawn on boards of its own."""
    program = plan.setup.program
    if len(variable.per) != 2 or variable.per[0] != program.player_kind or bare(variable.type).what not in SIMPLE:
        return False
    board = plan.boards.get(variable.per[1])
    return board is not None and (board.number is None or program.boards[board.number].symbol is None)


def drawn_apart(
    boards: list[Data], own: Iterable[OwnBoard], seats: Mapping[str, Data], things: Mapping[str, Face]
) -> list[Data]:
    """The boards with those of players behind the one whose cells they have."""
    out: list[Data] = []
    for board in boards:
        cells = {cell["thing"] for cell in board["cells"]}
        mine = [one for one in own if not cells.isdisjoint(one.values)]
        if not mine or any(cell.keys() & {"sign", "holds", "flags"} for cell in board["cells"]):
            out.append(board)
        for one in mine:
            drawn = [
                {
                    **{key: cell[key] for key in ("thing", "x", "y")},
                    **standing(one.values.get(cell["thing"], {}), things),
                }
                for cell in board["cells"]
            ]
            out.append({**board, "title": f"{one.label}, {seats[one.owner]['label']}", "cells": drawn})
    return out


def standing(told: Data, things: Mapping[str, Face]) -> Data:
    """What stands on a cell by a value: its sign, the same in words, its colour."""
    if not told:
        return {}
    face = things[told["things"][0]] if told.get("things") else {}
    text = str(told["text"])
    sign = face.get("sign") or (THERE if text == "yes" else text[:2])
    colour = {"colour": face["colour"]} if face.get("colour") else {}
    return {"sign": sign, "label": text, **colour}
