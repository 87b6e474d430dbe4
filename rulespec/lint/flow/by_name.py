"""Pieces that a variable names wherever they lie: taken from all pieces of a kind, and not from a zone.

    state: {tasks: {is: set of Card, seen by: all}}
    - {pick: 2, from: Card, as: drawn}
    - {set: tasks, to: set(drawn)}       # two cards, and one of them may lie in a hand
    - {choose: card, by: p1, from: tasks}

What is kept of a piece is shown to who sees the piece, and `tasks` shows no more than that.  Whoever is asked is shown each candidate, so
a choice among such pieces tells more than all that its player is shown before.  It is found without control flow: a variable counts
where anything that is ever put there comes from the pieces of a kind, through names, other variables and choices.  What is tested for
where a piece lies, and what is ever shown with `reveal` or `look`, does not count.
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import cached_property

from rulespec import ir
from rulespec.ir.walk import reached
from rulespec.language.facts import Origin
from rulespec.language.registry import facts

KIND = -1  # the source that stands for all pieces of a kind; the others are numbers of variables


class ByName:
    """The variables of a program that name pieces wherever they lie; `kinds` are those of pieces that some zone hides."""

    def __init__(self, program: ir.Program, kinds: set[int]) -> None:
        self.program = program
        self.kinds = kinds
        self.slots = {
            variable.base + n: variable.index
            for variable in program.variables
            if variable.seen.who == "all" and self.hides(variable.type)
            for n in range(variable.size)
        }

    @cached_property
    def variables(self) -> frozenset[int]:
        """Their numbers."""
        from_where: dict[int, set[int]] = {}
        for procedure in self.program.procedures if self.slots else ():
            for i in procedure.code:
                if isinstance(i, ir.Store) and i.base in self.slots:
                    sources = self.sources(procedure, i.value, frozenset())
                    from_where.setdefault(self.slots[i.base], set()).update(sources)
        found: set[int] = set()
        while more := {v for v, sources in from_where.items() if sources & (found | {KIND})} - found:
            found |= more
        return frozenset(found - self.learnt() if found else found)

    def learnt(self) -> set[int]:
        """The variables of whose pieces some are shown where they lie."""
        return {
            source
            for procedure in self.program.procedures
            for i in procedure.code
            if isinstance(i, ir.Learn) and not i.forget
            for source in self.sources(procedure, i.pieces, frozenset())
        }

    def offered(self, procedure: ir.Procedure, site: ir.Site) -> frozenset[int]:
        """The variables that name what a question offers, unless a condition looks where pieces lie."""
        if not self.variables or any(self.looks(reason.test) for reason in site.reasons):
            return frozenset()
        return frozenset(self.sources(procedure, site.items, frozenset())) & self.variables

    def sources(self, procedure: ir.Procedure, e: ir.Expr, seen: frozenset[int]) -> Iterator[int]:
        """Where pieces come from: variables and kinds, without zones."""
        match e:
            case ir.Const(tuple() as value) if len(value) > 1:
                yield KIND
            case ir.Local(index) if index not in seen and self.hides(procedure.locals[index]):
                for written in self.written(procedure, index):
                    yield from self.sources(procedure, written, seen | {index})
            case ir.Load(base) if base in self.slots:
                yield self.slots[base]
            case ir.Comp(_, source, where, None) if where is None or not self.looks(where):
                yield from self.sources(procedure, source, seen)
            case ir.Op(name, args):
                known = facts(name)
                if known.origin is Origin.FIRST:
                    yield from self.sources(procedure, args[0], seen)
                elif known.origin in (Origin.ALL, Origin.ARGUMENTS):
                    for arg in args:
                        yield from self.sources(procedure, arg, seen)
            case ir.Cond(_, then, other):
                yield from self.sources(procedure, then, seen)
                yield from self.sources(procedure, other, seen)
            case ir.Known(value, _) | ir.Once(_, value):
                yield from self.sources(procedure, value, seen)

    def written(self, procedure: ir.Procedure, index: int) -> Iterator[ir.Expr]:
        """What a local is given in its procedure: a value, or one of some items."""
        for i in procedure.code:
            match i:
                case ir.Let(number, value) if number == index:
                    yield value
                case ir.Draw(items, _, live) if live == index:
                    yield items
                case ir.Ask(site, live) if live == index:
                    yield self.program.sites[site].items
                case ir.Next(first) if first + 2 == index:
                    yield ir.Local(first)

    def hides(self, t: ir.Type) -> bool:
        """Whether a type is of pieces that some zone hides."""
        return (t.what == "entity" and t.kind in self.kinds) or (
            t.what in ("set", "list") and any(map(self.hides, t.parts))
        )

    def looks(self, e: ir.Expr) -> bool:
        """Whether an expression looks where pieces lie."""
        return any(isinstance(part, ir.Load) and part.base in self.places for part in reached(self.program, (e,)))

    @cached_property
    def places(self) -> frozenset[int]:
        """The slots of zones, and those that say where pieces lie."""
        zones = {zone.base + n for zone in self.program.zones for n in range(zone.size)}
        for kind in self.program.kinds:
            if kind.location is not None:
                zones |= set(range(kind.location, kind.location + len(kind.members)))
        return frozenset(zones)
