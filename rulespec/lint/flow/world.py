"""The hidden things of a program: which slots they are, and who may know them."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from rulespec import ir
from rulespec.library.errors import DomainError
from rulespec.lint.flow.labels import ANY, Atom, Label, Term
from rulespec.passes.fold import simplify
from rulespec.passes.inline import substitute
from rulespec.passes.rewrite import rewrite

EVERYBODY: Term = ("everybody",)
Grants = frozenset[tuple[Any, Term]]  # (what has been shown, to whom): a token, or the base of a secret; `EVERYBODY` or a player


class World:
    """A program's zones and variables by their slots, with their declared viewers."""

    def __init__(self, program: ir.Program) -> None:
        self.program = program
        self.zones = {zone.base + i: (zone, i) for zone in program.zones for i in range(zone.size)}
        self.variables = {own.base + i: (own, i) for own in program.variables for i in range(own.size)}
        self.locations: dict[int, ir.Kind] = {}
        for kind in program.kinds:
            if kind.location is not None:
                self.locations |= dict.fromkeys(range(kind.location, kind.location + len(kind.members)), kind)
        self.hidden_kinds = {zone.kind for zone in program.zones if zone.seen.who != "all"}
        self.hides = bool(self.hidden_kinds) or any(own.seen.who != "all" for own in program.variables)
        self.viewers: dict[tuple[ir.Viewers, Term], tuple[bool, tuple[Term, ...]]] = {}

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
        if index[0] == "c" or not function.parameters:
            values = [index[1] if index[0] == "c" else 0]
        else:
            values = list(range(self.program.players))
        sets = [self.worked_out(function, value) for value in values]
        everybody = all(own is not None and set(own) >= set(range(self.program.players)) for own in sets)
        if len(sets) == 1 and sets[0] is not None:
            return everybody, tuple(("c", seat) for seat in sets[0])
        return everybody, () if index == ANY else self.members(function.body, index, sets)

    def worked_out(self, function: ir.Function, value: int) -> tuple[int, ...] | None:
        """The seats that a function gives for an index, None where they depend on the position."""
        body = substitute(function.body, {0: ir.Const(value)}) if function.parameters else function.body
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

    def members(self, body: ir.Expr, index: Term, sets: list[tuple[int, ...] | None]) -> tuple[Term, ...]:
        """The players named one by one in a set of viewers, for an index that is not known."""
        found: list[Term] = []
        if isinstance(body, ir.Op) and body.name in ("set_of", "pack", "list_of"):
            for part in body.args:
                found += [term] if (term := named(part, index)) is not None else []
        elif all(own is not None and value in own for value, own in enumerate(sets)):
            found.append(index)
        return tuple(found)

    # --- what a label hides ------------------------------------------------------------------------------------
    def hidden(self, label: Iterable[Atom], seat: Term, grants: Grants) -> Label:
        """The secrets that a player may not know, or, for `EVERYBODY`, that somebody may not."""
        return frozenset(atom for atom in label if not self.known(atom, seat, grants))

    def known(self, atom: Atom, seat: Term, grants: Grants) -> bool:
        """Whether a player may know a secret, by what is declared or since it has been shown."""
        if atom.base[0] != "place" and self.may_know(atom.base, seat):
            return True
        whole = (atom.base[0], atom.base[1], ANY)
        content = ("zone", *atom.base[1:]) if atom.base[0] in ("count", "top") else atom.base
        for shown, to in grants:
            if (shown in (atom.base, whole, content, ("zone", *whole[1:])) or (shown == atom.token and shown is not None)) and (
                to == EVERYBODY or (to == seat and seat != ANY)
            ):
                return True
        return False


def named(part: ir.Expr, index: Term) -> Term | None:
    """The term of a player that is named in a set of viewers by the index that they are for."""
    if isinstance(part, ir.Local):
        return index
    if isinstance(part, ir.Const):
        return ("c", part.value)
    if isinstance(part, ir.Op):
        parts = [named(own, index) for own in part.args]
        if None not in parts:
            return ("o", part.name, *parts)
    return None
