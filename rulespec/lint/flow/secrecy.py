"""The hidden things of a program: which slots they are, and who may know them."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from typing import Any

from rulespec import ir
from rulespec.language.facts import Origin
from rulespec.language.registry import facts
from rulespec.library.errors import DomainError
from rulespec.lint.flow.labels import ANY, Atom, Label, Term, is_answer
from rulespec.passes.fold import settled, simplify
from rulespec.passes.inline import substitute
from rulespec.passes.rewrite import rewrite

EVERYBODY: Term = ("everybody",)
Grants = frozenset[
    tuple[Any, Term]
]  # (what has been shown, to whom): a token, or the base of a secret; `EVERYBODY` or a player
Seats = tuple[int, ...]
SILENT: Grants = frozenset()


class Secrecy:
    """A program's zones and variables by their slots, with their declared viewers.

    `counts` are the numbers of players that it stands for.
    """

    def __init__(self, program: ir.Program, counts: tuple[int, ...]) -> None:
        self.program = program
        self.counts = counts
        self.zones = {zone.base + i: (zone, i) for zone in program.zones for i in range(zone.size)}
        self.variables = {own.base + i: (own, i) for own in program.variables for i in range(own.size)}
        self.locations: dict[int, ir.Kind] = {}
        for kind in program.kinds:
            if kind.location is not None:
                self.locations |= dict.fromkeys(range(kind.location, kind.location + len(kind.members)), kind)
        self.hidden_kinds = {zone.kind for zone in program.zones if zone.seen.who != "all"}
        self.hides = bool(self.hidden_kinds) or any(own.seen.who != "all" for own in program.variables)
        self.most = max(counts)
        self.firsts = dict(self.first_kinds())
        self.pieces: dict[int, frozenset[int]] = {}
        self.viewers: dict[tuple[ir.Viewers, Term], tuple[bool, tuple[Term, ...]]] = {}

    def slots_of_pieces(self, kind: int) -> frozenset[int]:
        """The slots that say where pieces of a kind lie."""
        if kind not in self.pieces:
            own = self.program.kinds[kind]
            found = {zone.base + i for zone in self.program.zones if zone.kind == kind for i in range(zone.size)}
            if own.location is not None:
                found |= set(range(own.location, own.location + len(own.members)))
            self.pieces[kind] = frozenset(found)
        return self.pieces[kind]

    # --- who sees -----------------------------------------------------------------------------------------------
    def declared(self, base: Term) -> tuple[ir.Viewers, ...]:
        """The viewers that are declared for what is hidden."""
        what, number, _ = base
        if what == "var":
            return (self.program.variables[number].seen,)
        if what == "zone":
            return (self.program.zones[number].seen,)
        if what == "count":
            zone = self.program.zones[number]
            return zone.seen, zone.counted
        if what == "top":
            zone = self.program.zones[number]
            return zone.seen, zone.top
        return ()

    def first_index(self, base: Term) -> Term:
        """The first of the indices of what is hidden: its owner, where it is a player's."""
        what, number, index = base
        own: ir.Zone | ir.Variable
        own = self.program.variables[number] if what == "var" else self.program.zones[number]
        if len(own.per) < 2:
            return index  # type: ignore[no-any-return]
        stride = own.size // len(self.program.kinds[own.per[0]].members)
        if index[0] == "c":
            return ("c", index[1] // stride)
        while index[:2] == ("o", "add"):
            index = index[2]
            if index[:2] == ("o", "mul") and index[3] == ("c", stride):
                return index[2]  # type: ignore[no-any-return]
        return ANY

    def may_know(self, base: Term, seat: Term) -> bool:
        """Whether everybody, or a player, may know what is hidden, by what is declared."""
        return any(self.sees(own, self.first_index(base), seat) for own in self.declared(base))

    def sees(self, viewers: ir.Viewers, index: Term, seat: Term) -> bool:
        """Whether everybody, or a player, is among declared viewers."""
        if viewers.who == "all":
            return True
        if viewers.who == "none":
            return False
        if viewers.who == "owner":
            return seat not in (ANY, EVERYBODY) and index == seat
        everybody, some = self.resolved(viewers, index)
        return everybody or (seat not in (ANY, EVERYBODY) and seat in some)

    def seats_of(self, viewers: ir.Viewers, index: Term) -> tuple[Term, ...]:
        """The seats that see something, as far as they can be told: `ANY` where they cannot."""
        match viewers.who:
            case "all":
                return (EVERYBODY,)
            case "none":
                return ()
            case "owner":
                return (index,)
        everybody, some = self.resolved(viewers, index)
        return (EVERYBODY,) if everybody else some or (ANY,)

    def resolved(self, viewers: ir.Viewers, index: Term) -> tuple[bool, tuple[Term, ...]]:
        """Of viewers that a function gives: whether it is always all of them, and those who surely are among them."""
        key = viewers, index
        if key not in self.viewers:
            self.viewers[key] = self.resolve(viewers, index)
        return self.viewers[key]

    def resolve(self, viewers: ir.Viewers, index: Term) -> tuple[bool, tuple[Term, ...]]:
        assert viewers.function is not None
        function = self.program.functions[viewers.function]
        sets: list[tuple[int, int, Seats | None]] = []  # for how many players, for which index, who sees
        for count in self.counts:
            sets += [
                (count, value, self.worked_out(function, value, count)) for value in self.indices(viewers, index, count)
            ]
        everybody = all(own is not None and len(own) >= count for count, _, own in sets)
        known = [frozenset(own) for _, _, own in sets if own is not None]
        if len(known) < len(sets) or (index[0] != "c" and function.parameters):
            return everybody, () if index == ANY else self.members(function.body, index, sets)
        return everybody, tuple(("c", seat) for seat in sorted(frozenset.intersection(*known)))

    def alike(self, functions: Iterable[int]) -> bool:
        """Whether these functions always give all players, or always nobody, however many play."""
        for number in functions:
            sets = [
                (count, self.worked_out(self.program.functions[number], value, count))
                for count in self.counts
                for value in self.indices(ir.Viewers("function", number), ANY, count)
            ]
            everybody = all(own is not None and len(own) >= count for count, own in sets)
            if not everybody and any(own for _, own in sets):
                return False
        return True

    def first_kinds(self) -> Iterator[tuple[int, ir.Kind]]:
        """The functions that give viewers, each with the kind of its first parameter."""
        declared: list[ir.Zone | ir.Variable] = [*self.program.zones, *self.program.variables]
        for own in declared:
            for viewers in (own.seen, own.counted, own.top) if isinstance(own, ir.Zone) else (own.seen,):
                if viewers.function is not None and own.per:
                    yield viewers.function, self.program.kinds[own.per[0]]

    def indices(self, viewers: ir.Viewers, index: Term, count: int) -> Sequence[int]:
        """What the first index of something may be."""
        kind = self.firsts.get(viewers.function or 0)
        if kind is None or index[0] == "c":
            return (index[1] if index[0] == "c" else 0,)
        return range(count if kind.index == self.program.player_kind else len(kind.members))

    def worked_out(self, function: ir.Function, value: int, count: int) -> Seats | None:
        """The seats that a function gives for an index, None where they depend on the position."""
        body = settled(function.body, {"players": count})
        if function.parameters:
            body = substitute(body, {0: ir.Const(value)})
        try:
            found = rewrite(body, simplify)
        except DomainError:
            return None
        if isinstance(found, ir.Comp) and isinstance(found.source, ir.Const):
            kept = [s for s in found.source.value if self.holds(found, s)]
            return tuple(kept) if found.value is None and found.where is not None and None not in kept else None
        return found.value if isinstance(found, ir.Const) else None

    def holds(self, comp: ir.Comp, item: int) -> bool:
        """Whether an item surely passes the test of a comprehension."""
        if comp.where is None:
            return True
        return rewrite(substitute(comp.where, {comp.index: ir.Const(item)}), simplify) == ir.Const(True)

    def members(self, body: ir.Expr, index: Term, sets: list[tuple[int, int, Seats | None]]) -> tuple[Term, ...]:
        """The players named one by one in a set of viewers, for an index that is not known."""
        found: list[Term] = []
        if isinstance(body, ir.Op) and facts(body.name).origin is Origin.ARGUMENTS:
            for part in body.args:
                found += [term] if (term := named(part, index)) is not None else []
        elif all(own is not None and value in own for _, value, own in sets):
            found.append(index)
        return tuple(found)

    # --- what a label hides ------------------------------------------------------------------------------------
    def hidden(self, label: Iterable[Atom], seat: Term, grants: Grants) -> Label:
        """The secrets that a player may not know, or, for `EVERYBODY`, that somebody may not."""
        return frozenset(atom for atom in label if not self.known(atom, seat, grants))

    def known(self, atom: Atom, seat: Term, grants: Grants) -> bool:
        """Whether a player may know a secret, by what is declared or since it has been shown.

        Of a piece in a variable it is not known who put it there, who may know it: only that not everybody may.
        """
        if atom.base[0] == "held" and seat != EVERYBODY:
            return True
        if atom.base[0] != "place" and self.may_know(atom.base, seat):
            return True
        whole = (atom.base[0], atom.base[1], ANY)
        names = (atom.token, ("of", atom.token[1], ANY)) if is_answer(atom.token) else (atom.token,)
        content = ("zone", *atom.base[1:]) if atom.base[0] in ("count", "top") else atom.base
        for shown, to in grants:
            if (
                shown in (atom.base, whole, content, ("zone", *whole[1:])) or (shown in names and shown is not None)
            ) and (to == EVERYBODY or (to == seat and seat != ANY)):
                return True
        return False


def named(part: ir.Expr, index: Term) -> Term | None:
    """The term of a player that is named in a set of viewers by the index that they are for."""
    if isinstance(part, ir.Local):
        return index
    if isinstance(part, ir.Const):
        return ("c", part.value)
    if isinstance(part, ir.Setting):
        return ("g", part.name)
    if isinstance(part, ir.Op):
        parts = [named(own, index) for own in part.args]
        if None not in parts:
            return ("o", part.name, *parts)
    return None
