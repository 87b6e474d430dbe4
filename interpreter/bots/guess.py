"""Determinizations: positions that a seat cannot tell from the real one; what it sees is unchanged, what is hidden is drawn anew.

Example: if a seat sees its own hand and neither the deck nor the other hand, a determinization has the cards of those two in
another order.

Pieces that the seat does not see change places with other hidden pieces of their kind.  Pieces that began in different zones do so
only if some of both lie hidden in one shuffled zone or pile: two decks of one kind of piece are not mixed.  The contents of zones
of counts that not all see are dealt anew, for each player apart where all such zones belong to players.  Variables that the seat
does not see take any value of their type, but stay none where they are none.  The random numbers to come are others.

The locals of waiting procedures are unchanged.  Not used is what follows by reasoning: which cards a player would have played, or what
a count of open cards says beyond the cards themselves.
"""

from __future__ import annotations

from typing import Any

from interpreter.bots.basics import Chance
from interpreter.game import Game, SlotState, State
from interpreter.runtime.renaming import renamed
from interpreter.runtime.visibility import Sight, sees
from rulespec import ir

Slots = list[Any]


class Guesses:
    """Makes determinizations of the positions of one game."""

    def __init__(self, game: Game) -> None:
        self.game = game
        self.program = game.program
        self.sight: Sight = game.machine.sight
        self.hides = self.program.hides
        begin = game.new_state(chance="explicit", undo=False, record=False).slots if self.hides else []
        # Where every piece lies before anything is drawn or decided: all players know that.
        self.origin: dict[int, list[int]] = {
            kind.index: begin[kind.location : kind.location + len(kind.members)]
            for kind in self.program.kinds
            if kind.location is not None and self.hides
        }
        self.ranges = ranges(self.program)

    def position(self, state: State, seat: int, chance: Chance) -> SlotState:
        """A determinization: a position that the seat cannot tell from this one, kept as slots, since it is looked at step by step."""
        S = list(state.slots)
        if self.hides:
            moved = {kind: self.shuffle(S, kind, seat, chance) for kind in self.origin}
            self.forget(S, moved)
            self.carry(S, moved)
            self.deal_counts(S, seat, chance)
            self.set_variables(state.slots, S, seat, chance, moved)
        S[ir.RANDOM] = (chance.below(1 << 48), 0)
        return SlotState(self.game, S, state.main, False, False)

    # --- pieces -----------------------------------------------------------------------------------------------------
    def shuffle(self, S: Slots, kind: int, seat: int, chance: Chance) -> dict[int, int]:
        """Deal the hidden pieces of a kind anew; returns which piece now lies where each lay.

        Pieces are dealt in the order of their places, so that what is dealt follows from what the seat sees, and not from what lies there.
        """
        declared = self.program.kinds[kind]
        assert declared.location is not None
        bit = 1 << seat
        here = set(S[declared.location : declared.location + len(declared.members)]) - self.sight.open_places
        movable = sorted(piece for at in here if at >= 0 for piece in self.sight.unseen(S, at, bit))
        if not movable:
            return {}
        hidden = set(movable)
        rank = {
            piece: (at, order)
            for at in {S[declared.location + p] for p in movable}
            for order, piece in enumerate(p for p in S[at] if p in hidden)
        }
        moved: dict[int, int] = {}
        for group in self.groups(S, kind, movable):
            moved.update(zip(sorted(group, key=rank.__getitem__), chance.shuffled(group), strict=True))
        before = {piece: S[declared.location + piece] for piece in moved}
        for piece, other in moved.items():
            S[declared.location + other] = before[piece]
        for at in set(before.values()):
            zone = self.sight.places[at][0]
            content = [moved.get(piece, piece) for piece in S[at]]
            S[at] = tuple(content if zone.order == "pile" else sorted(content))
        return moved

    def groups(self, S: Slots, kind: int, pieces: list[int]) -> list[list[int]]:
        """The hidden pieces of a kind in groups within which they may change places."""
        origin = self.origin[kind]
        location = self.program.kinds[kind].location
        assert location is not None
        if len({origin[piece] for piece in pieces}) == 1:
            return [pieces]
        same: dict[int, int] = {}  # union-find: origin -> the representative of all origins mixed with it

        def root(place: int) -> int:
            while same.get(place, place) != place:
                place = same[place]
            return place

        mixed: dict[int, int] = {}
        for piece in pieces:
            at = S[location + piece]
            if self.sight.places[at][0].order != "set":
                same[root(origin[piece])] = root(mixed.setdefault(at, origin[piece]))
        groups: dict[int, list[int]] = {}
        for piece in pieces:
            groups.setdefault(root(origin[piece]), []).append(piece)
        return sorted(groups.values())

    def forget(self, S: Slots, moved: dict[int, dict[int, int]]) -> None:
        """Who has looked at a hidden piece has looked at the piece that lies there now."""
        places: dict[int, int] = {}
        for kind, pairs in moved.items():
            location = self.program.kinds[kind].location
            assert location is not None
            places.update((location + piece, location + other) for piece, other in pairs.items())
        if places and S[ir.KNOWN]:
            S[ir.KNOWN] = tuple(sorted((places.get(slot, slot), who) for slot, who in S[ir.KNOWN]))

    def carry(self, S: Slots, moved: dict[int, dict[int, int]]) -> None:
        """What lies on a hidden piece lies on the piece that lies there now."""
        for zone in self.sight.for_pieces:
            if not isinstance(zone, ir.Zone) or (zone.scope is not None and not S[zone.scope]):
                continue
            location = self.program.kinds[zone.kind].location
            there = [(self.slot(zone, slot, of, moved), S[slot]) for slot, of, _ in self.sight.entries(zone)]
            for to, held in there:
                S[to] = held
                for piece in () if location is None or zone.counts else held:
                    S[location + piece] = to

    # --- counts -----------------------------------------------------------------------------------------------------
    def deal_counts(self, S: Slots, seat: int, chance: Chance) -> None:
        """Deal anew the contents of zones of counts that the seat does not see."""
        bits = self.sight.bits(seat)
        pools: dict[tuple[int, int], list[int]] = {}
        shared = {z.kind for z in self.program.zones if z.counts and z.seen.who != "all" and not self.of_a_player(z)}
        for zone in self.program.zones:
            if not zone.counts or (zone.scope is not None and not S[zone.scope]):
                continue
            for slot, indices, _ in self.sight.entries(zone):
                if not sees(self.sight.mask(S, zone.seen, indices), bits):
                    owner = -1 if zone.kind in shared else indices[0]
                    pools.setdefault((zone.kind, owner), []).append(slot)
        for slots in pools.values():
            pieces = chance.shuffled(
                sorted(n for slot in slots for n, count in enumerate(S[slot]) for _ in range(count))
            )
            for slot in slots:
                counts = [0] * len(S[slot])
                for _ in range(sum(S[slot])):
                    counts[pieces.pop()] += 1
                S[slot] = tuple(counts)

    def of_a_player(self, zone: ir.Zone) -> bool:
        """Whether a zone is one of each player's."""
        return bool(zone.per) and zone.per[0] == self.program.player_kind

    # --- variables --------------------------------------------------------------------------------------------------
    def set_variables(
        self, before: Slots, S: Slots, seat: int, chance: Chance, moved: dict[int, dict[int, int]]
    ) -> None:
        """Draw values for the variables that the seat does not see; one that names a hidden piece names the one that lies there now.

        What is kept for a hidden piece is kept for the one that lies there now.
        """
        bits = self.sight.bits(seat)
        for variable in self.program.variables:
            if variable.scope is not None and not before[variable.scope]:
                continue
            for slot, indices, _ in self.sight.entries(variable):
                to = self.slot(variable, slot, indices, moved)
                S[to] = renamed(self.program, variable.type, before[slot], moved)
                if not sees(self.sight.mask(before, variable.seen, indices), bits):
                    S[to] = self.guess(variable, S[to], chance)

    def slot(
        self, what: ir.Variable | ir.Zone, slot: int, indices: tuple[int, ...], moved: dict[int, dict[int, int]]
    ) -> int:
        """The slot of a variable or zone for the pieces that lie where those of a slot lay."""
        if what.base not in self.sight.of_pieces:
            return slot
        offset = 0
        for kind, index in zip(what.per, indices, strict=True):
            offset = offset * self.sight.sizes[kind] + moved.get(kind, {}).get(index, index)
        return what.base + offset

    def guess(self, variable: ir.Variable, value: Any, chance: Chance) -> Any:
        """A random value of a variable's type; a value of an unbounded type stays as it is."""
        printer = variable.type.parts[0] if variable.type.what == "option" else variable.type
        if value is None:
            return None
        match printer.what:
            case "bool":
                return bool(chance.below(2))
            case "entity" if printer.kind is not None:
                kind = self.program.kinds[printer.kind]
                if kind.location is not None:
                    return value
                return chance.below(self.program.size(printer.kind))
            case "int":
                low, high = self.ranges.get(variable.base, (None, None))
                if low is not None and high is not None:
                    return low + chance.below(high - low + 1)
        return self.program.initial[variable.base]


def ranges(program: ir.Program) -> dict[int, tuple[int | None, int | None]]:
    """The bounds of variables that hold numbers, by their first slots."""
    lengths: dict[int, tuple[int | None, int | None]] = {}
    for procedure in program.procedures:
        for i in procedure.code:
            if isinstance(i, ir.Store):
                lengths[i.base] = i.low, i.high
    return lengths
