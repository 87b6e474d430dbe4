"""Which copy of a piece stands for which in the numbers of actions: two that a seat cannot tell apart have one number.

A piece of which no other looks alike stands for itself.  Where copies may lie hidden, those that a seat sees have the names that it
reads (`views.alike`); elsewhere each has its own.  Of copies that are the same in all that the seat sees, and that no waiting step
tells apart, the first stands for all.
"""

from __future__ import annotations

from typing import Any

from interpreter.copies import identity, mentioned
from interpreter.position import Position
from interpreter.questions import Question
from interpreter.setup import Setup, once_for_each
from interpreter.views.alike import alike, copies, names
from rulespec import ir


def looks(setup: Setup) -> dict[int, dict[int, int]]:
    """For each kind of which pieces look alike: the number of each such piece's group."""
    groups = {kind.index: copies(setup.program, kind) for kind in setup.program.kinds if kind.location is not None}
    return {
        kind: {piece: number for number, group in enumerate(of_kind) for piece in group}
        for kind, of_kind in groups.items()
        if of_kind
    }


looking_alike = once_for_each(looks)


class Standing:
    """Who stands for whom in one question, worked out when a piece with copies is asked for."""

    def __init__(self, position: Position, question: Question) -> None:
        self.position = position
        self.question = question
        self.alike = looking_alike(position.setup)
        self.kinds: dict[int, dict[int, int]] = {}

    def __call__(self, kind: int, piece: int) -> int:
        """The piece that stands for one of a kind."""
        if kind not in self.alike:
            return piece
        stands = self.kinds.get(kind)
        if stands is None:
            stands = self.kinds[kind] = self.of_kind(self.position.setup.program.kinds[kind])
        return stands.get(piece, piece)

    def of_kind(self, kind: ir.Kind) -> dict[int, int]:
        """The pieces of a kind that others stand for."""
        position, question = self.position, self.question
        S, renamed = question.slots, names(position, question.seat).get(kind.index)
        hides = kind.index in alike(position.setup).groups
        mentions = mentioned(question, kind)
        first: dict[Any, int] = {}
        stands: dict[int, int] = {}
        order = sorted(self.alike[kind.index], key=lambda piece: (renamed or {}).get(piece, piece))
        for piece in order:
            own = (renamed or {}).get(piece, piece)
            label, printed, named, at, place, known, carried, limits = identity(question, kind, piece)
            knows = tuple(seat for seat in known if seat == question.seat) if hides else known
            unseen = hides and renamed is not None and piece not in renamed and S[(kind.location or 0) + piece] >= 0
            key = (label, printed, named, at, None if unseen else place, knows, carried, limits, mentions.get(piece))
            stands[piece] = first.setdefault(key, own)
        return stands
