"""Lasting effects: what their arguments depend on, from where they begin to where their rules run.

    - begin: echo
      with: {who: p2, strength: p2.role}

In the rules of `echo` the strength depends on the role of whoever `who` is: who that is in one effect is not known there, but that it
is the same player is.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from rulespec import ir
from rulespec.lint.flow.contexts import renamed
from rulespec.lint.flow.labels import NONE, Atom, Label, Val
from rulespec.lint.flow.terms import ANY, Argument, Carrier, Constant, Instance, Made, Named, Term, Token


class Begun(NamedTuple):
    """What is known of all effects of a rule: the secrets that each argument depends on, and those that decide whether one begins.

    Whose secret it is is known if it is that of another argument; pieces tell no more than where they lie now.
    """

    args: tuple[Label, ...]
    decided: Label = NONE


class Lasting:
    """The lasting effects of a program, as far as they have been looked at."""

    def __init__(self, program: ir.Program) -> None:
        self.program = program
        self.begun: dict[int, Begun] = {}

    def begin(self, rule: int, args: Sequence[Val], labels: Sequence[Label], decided: Label) -> bool:
        """An effect begins, with the secrets of its arguments; whether that is news."""
        names: dict[Term, Term] = {}
        for n, arg in enumerate(args):
            if arg.term != ANY:
                names.setdefault(arg.term, Named(Argument(n)))
        given = [frozenset(anybodys(atom, names) for atom in label) for label in labels]
        old = self.begun.get(rule, Begun((NONE,) * len(args)))
        new = Begun(
            tuple(map(frozenset.union, old.args, given)), old.decided | {anybodys(atom, names) for atom in decided}
        )
        self.begun[rule] = new
        return new != old

    def instance(self, rule: ir.Rule, at: Made | None, many: int) -> tuple[Val, ...]:
        """The arguments of an instance of a rule, as tokens: nothing else is known about them."""
        word = Carrier if rule.source == "pieces" else Named
        tokens = [Instance(at, rule.index, n) for n in range(many)]
        known = self.begun.get(rule.lasting if rule.lasting is not None else -1, Begun(()))
        names: dict[Token, Token] = {Argument(n): tokens[n] for n in range(many)}
        labels = [*(renamed(label, names) for label in known.args), *[NONE] * many]
        return tuple(Val(word(tokens[n]), labels[n], NONE, labels[n]) for n in range(many))

    def decided(self, rule: ir.Rule) -> Label:
        """The secrets that decide whether an effect of a rule has begun, whoever's they are."""
        known = self.begun.get(rule.lasting if rule.lasting is not None else -1)
        return frozenset(Atom(atom.base._replace(index=ANY)) for atom in known.decided) if known else NONE


def anybodys(atom: Atom, names: dict[Term, Term]) -> Atom:
    """A secret without what only those know who have it from there."""
    index = atom.base.index
    if index is None:
        return Atom(atom.base)
    return Atom(atom.base._replace(index=names.get(index, index if isinstance(index, Constant) else ANY)))
