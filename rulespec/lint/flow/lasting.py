"""Lasting effects: what their arguments depend on, from where they begin to where their rules run.

    - begin: echo
      with: {who: p2, strength: p2.role}

In the rules of `echo` the strength depends on the role of whoever `who` is: who that is in one effect is not known there, but that it
is the same player is.

What was read of a zone has the name `Kept` from then on, since effects last while zones change: `Departed` says of it, wherever it is
known that an effect may have begun (`Keeps`), that what lies there now is not what it was given.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import NamedTuple

from rulespec import ir
from rulespec.lint.flow.contexts import renamed
from rulespec.lint.flow.labels import NONE, PUBLIC, Atom, Label, Val
from rulespec.lint.flow.secrecy import IN_ZONES
from rulespec.lint.flow.terms import (
    ANY,
    Argument,
    Carrier,
    Constant,
    Effects,
    Instance,
    Kept,
    Made,
    Named,
    Parts,
    Term,
    Token,
)


class Begun(NamedTuple):
    """What is known of all effects of a rule: the secrets that each argument depends on, those of them that are pieces which lie there, and
    the secrets that decide whether one begins.

    Whose secret it is is known if it is that of another argument.
    """

    args: tuple[Label, ...]
    idents: tuple[Label, ...]
    decided: Label = NONE

    def labels(self) -> Iterable[Label]:
        """All labels in it."""
        return *self.args, self.decided


class Lasting:
    """The lasting effects of a program, as far as they have been looked at.

    `revealed` are the zones of which it matters what leaves them.  `settled` is what values are worked out with: it is `begun` as it was
    when the program was begun to be looked at.
    """

    def __init__(self, program: ir.Program, revealed: frozenset[int]) -> None:
        self.program = program
        self.revealed = revealed
        self.begun: dict[int, Begun] = {}
        self.settled: dict[int, Begun] = {}

    def begin(self, lasting: int, args: Sequence[Val], decided: Label) -> tuple[Label, bool]:
        """An effect begins, with what its arguments depend on that not all know: all secrets of it, and whether that is news."""
        names: dict[Term, Term] = {}
        for n, arg in enumerate(args):
            if arg.term != ANY:
                names.setdefault(arg.term, Named(Argument(n)))

        def kept(label: Label) -> Label:
            return frozenset([self.kept(lasting, anybodys(atom, names)) for atom in label])

        old = self.begun.get(lasting, Begun((NONE,) * len(args), (NONE,) * len(args)))
        new = Begun(
            tuple(label | kept(arg.label) for label, arg in zip(old.args, args, strict=True)),
            tuple(label | kept(arg.ident) for label, arg in zip(old.idents, args, strict=True)),
            old.decided | kept(decided),
        )
        self.begun[lasting] = new
        return NONE.union(decided, *(arg.label for arg in args)), new != old

    def kept(self, lasting: int, atom: Atom) -> Atom:
        """A secret of a zone that is revealed somewhere, by the name of what lay there when an effect began."""
        of_zone = atom.base.what in IN_ZONES and atom.base.number in self.revealed
        return atom._replace(token=Kept(lasting)) if of_zone else atom

    def settle(self) -> bool:
        """All that was found goes into what values are worked out with; whether that is news."""
        news = any(begun != self.settled.get(lasting, silent(begun)) for lasting, begun in self.begun.items())
        self.settled = dict(self.begun)
        return news

    def zones(self) -> frozenset[int]:
        """The zones that anything is told of by an effect."""
        labels = (label for begun in self.settled.values() for label in begun.labels())
        return frozenset([atom.base.number for label in labels for atom in label if atom.base.what in IN_ZONES])

    def arguments(self, lasting: int | None, tokens: Sequence[Token], word: type[Named | Carrier]) -> tuple[Val, ...]:
        """What is known of arguments of an effect that have these names."""
        begun = self.begun.get(-1 if lasting is None else lasting, Begun((), ()))
        names: dict[Token, Token] = {Argument(n): token for n, token in enumerate(tokens)}
        labels, idents = (
            [*(renamed(label, names) for label in of_each), *[NONE] * len(tokens)] for of_each in begun[:2]
        )
        return tuple(Val(word(token), labels[n], idents[n], labels[n]) for n, token in enumerate(tokens))

    def instance(self, rule: ir.Rule, at: Made | None, many: int) -> tuple[Val, ...]:
        """The arguments of an instance of a rule, as tokens: nothing else is known about them."""
        word = Carrier if rule.source == "pieces" else Named
        return self.arguments(rule.lasting, [Instance(at, rule.index, n) for n in range(many)], word)

    def ended(self, lasting: int | None, at: Made) -> Val:
        """The arguments of an effect that ends, or that there is none."""
        if lasting is None:
            return Val(ANY, NONE.union(*(label for begun in self.begun.values() for label in begun.labels())))
        count = len(self.program.lastings[lasting])
        tokens = [Instance(at, -1 - lasting, n) for n in range(count)]
        return Val(Parts(self.arguments(lasting, tokens, Named)), self.whether(lasting))

    def effects(self, lasting: int) -> Val:
        """All effects of a rule that last: which there are is known to all, but for what decided whether they began."""
        begun = self.settled.get(lasting)
        if begun is None:
            return PUBLIC
        values = (
            Val(ANY, someones(label), someones(ident)) for label, ident in zip(begun.args, begun.idents, strict=True)
        )
        decided = someones(begun.decided)
        return Val(Effects(tuple(values)), decided, NONE, decided)

    def decided(self, rule: ir.Rule) -> Label:
        """The secrets that decide whether an effect of a rule has begun, whoever's they are."""
        return NONE if rule.lasting is None else self.whether(rule.lasting)

    def whether(self, lasting: int) -> Label:
        """The secrets that decide whether an effect has begun, whoever's they are."""
        known = self.begun.get(lasting)
        return someones(known.decided) if known else NONE


def silent(begun: Begun) -> Begun:
    """That nothing is known of effects but that they begin."""
    nothing = (NONE,) * len(begun.args)
    return Begun(nothing, nothing)


def someones(label: Label) -> Label:
    """Secrets, whoever's they are."""
    return frozenset([atom._replace(base=anybodys(atom, {}).base) for atom in label])


def anybodys(atom: Atom, names: Mapping[Term, Term]) -> Atom:
    """A secret without what only those know who have it from there."""
    index = atom.base.index
    return Atom(atom.base._replace(index=names.get(index, index if isinstance(index, Constant) else ANY)))
