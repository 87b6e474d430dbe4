"""Names for copies: what a viewer reads tells nothing of which of several equal pieces it sees.

A copy that is shuffled back out of sight may come again: then nobody knows whether this is the one that was seen before.  A name of
its own would tell.  So where copies of a piece may lie hidden, those that a viewer sees are named anew in each
position: by where they lie and what mentions them, the first `ruby_1`, the next `ruby_2`, whichever they are.

Pieces are copies if they look alike and nothing that the rules say sets one apart.  Kinds of which nothing is ever hidden keep their
names, and so do those that something is counted or kept for: there every one can be followed.
"""

from __future__ import annotations

from interpreter.copies import within
from interpreter.position import Position
from interpreter.runtime.renaming import Renaming
from interpreter.runtime.visibility import EVERYTHING, Viewer, sees
from interpreter.setup import Setup, once_for_each
from rulespec import ir


class Alike:
    """The copies of a program: for each kind with such, the groups of pieces that nobody can tell apart."""

    def __init__(self, setup: Setup) -> None:
        program = setup.program
        self.groups: dict[int, tuple[tuple[int, ...], ...]] = {}
        self.first: dict[int, dict[int, int]] = {}  # for each kind of each copy the first of its group
        self.names: dict[int, dict[str, str]] = {}  # the same by their names
        followed = {kind for zone in program.zones for kind in zone.per}
        followed |= {kind for variable in program.variables for kind in variable.per}
        followed |= {t.kind or 0 for v in program.variables for t in parts(v.type) if t.what == "bag"}
        hidden = {zone.kind for zone in program.zones if zone.seen.who != "all"}
        for kind in program.kinds:
            if kind.location is not None and kind.index in hidden - followed and (groups := copies(program, kind)):
                self.groups[kind.index] = groups
                self.first[kind.index] = first = {piece: group[0] for group in groups for piece in group}
                self.names[kind.index] = {kind.members[a]: kind.members[b] for a, b in first.items()}


def copies(program: ir.Program, kind: ir.Kind) -> tuple[tuple[int, ...], ...]:
    """The groups of two and more pieces of a kind that look alike and that the rules treat alike."""
    groups: dict[tuple[object, ...], list[int]] = {}
    carried = [rule.pieces for rule in program.rules if rule.kind == kind.index]
    for piece in range(len(kind.members)):
        if piece not in kind.named:
            printed = tuple(field.values[piece] for field in kind.fields)
            rules = tuple(piece in pieces for pieces in carried)
            groups.setdefault((kind.labels[piece], printed, rules), []).append(piece)
    return tuple(tuple(group) for group in groups.values() if len(group) > 1)


def parts(t: ir.Type) -> list[ir.Type]:
    """A type and all that it is made of."""
    return [t, *(inner for part in t.parts for inner in parts(part))]


alike = once_for_each(Alike)


def names(position: Position, viewer: Viewer) -> Renaming:
    """Under which copy's name a viewer reads each copy that it sees; pieces that are not there keep their names."""
    groups = alike(position.setup).groups
    if not groups or viewer == EVERYTHING:
        return {}
    S, program, sight = position.slots, position.setup.program, position.setup.machine.sight
    bits = sight.bits(viewer)
    renaming: dict[int, dict[int, int]] = {}
    for number, of_kind in groups.items():
        kind = program.kinds[number]
        assert kind.location is not None
        mentions = mentioned(position, kind, bits)
        renaming[number] = own = {}
        for group in of_kind:
            seen = []
            for piece in group:
                if sees(sight.piece(S, number, piece), bits):
                    at = S[kind.location + piece]
                    place = S[at].index(piece) if at >= 0 and sight.places[at][0].order == "pile" else -1
                    seen.append((at, place, mentions.get(piece, []), piece))
            own.update({piece: stands for (*_, piece), stands in zip(sorted(seen), group, strict=False)})
    return renaming


def mentioned(position: Position, kind: ir.Kind, bits: int) -> dict[int, list[str]]:
    """Where each piece is mentioned in the variables that a viewer sees."""
    S, program, sight = position.slots, position.setup.program, position.setup.machine.sight
    places: dict[int, list[str]] = {}
    for variable in program.variables:
        if not any(t.kind == kind.index for t in parts(variable.type)):
            continue
        if variable.scope is None or S[variable.scope]:
            for slot, indices, _ in sight.entries(variable):
                if sees(sight.of(S, variable, indices), bits):
                    for where, piece in within(program, variable.type, S[slot], kind.index, slot):
                        places.setdefault(piece, []).append(repr(where))
    return {piece: sorted(where) for piece, where in places.items()}
