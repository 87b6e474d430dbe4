"""Loops over all members of a type that keep those in a collection go through the collection.

    [L1 in (0, 1, 2, 3) if (if contains(S8, L1) then f2(L1) else no)]
    [L1 in S8 if f2(L1)]

The test stands first, or behind tests that cannot fault while the collection cannot either: so as many faults come as before.
"""

from __future__ import annotations

from dataclasses import replace
from typing import TypeVar

from rulespec import ir
from rulespec.analysis.evaluate import Declared, Facts
from rulespec.ir.reads import reads
from rulespec.ir.roles import site_of
from rulespec.ir.types import Type
from rulespec.ir.walk import conjuncts
from rulespec.language import operators
from rulespec.passes.closed import all_of
from rulespec.passes.rewrite import rewrite
from rulespec.passes.total import total

T = TypeVar("T")


def members(program: ir.Program) -> ir.Program:
    """The program with such loops shortened."""
    shorter = Shorter(program)
    procedures, sites = list(program.procedures), list(program.sites)
    for number, procedure in enumerate(procedures):
        procedures[number] = shorter.part(procedure, procedure.locals)
        for asked in map(site_of, procedure.code):
            if asked is not None:
                sites[asked] = shorter.part(sites[asked], procedure.locals)
    return replace(
        program,
        functions=tuple(shorter.part(f, f.locals) for f in program.functions),
        procedures=tuple(procedures),
        sites=tuple(sites),
    )


class Shorter:
    """Shortens the loops of one program."""

    def __init__(self, program: ir.Program) -> None:
        self.evaluator = Declared(program)

    def part(self, node: T, types: tuple[Type, ...]) -> T:
        """A part of the program whose locals are of these types."""
        known = self.evaluator.locals(types)
        return rewrite(node, lambda e: self.through(e, known) if isinstance(e, ir.Comp) else e)

    def through(self, loop: ir.Comp, known: Facts) -> ir.Expr:
        """A loop that goes through what its test asks for; itself where it has no such test."""
        if loop.where is None or not isinstance(loop.source, ir.Const):
            return loop
        tests = conjuncts(loop.where)
        for n, test in enumerate(tests):
            match test:
                case ir.Op(operators.CONTAINS, (held, ir.Local(index))) if index == loop.index and (
                    n == 0 or total(held)
                ):
                    source = self.ascending(held, loop, known)
                    if source is not None:
                        where = all_of([*tests[:n], *tests[n + 1 :]])
                        idle = where is None and loop.value is None and loop.key is None
                        return source if idle else replace(loop, source=source, where=where)
            if not total(test):
                break
        return loop

    def ascending(self, held: ir.Expr, loop: ir.Comp, known: Facts) -> ir.Expr | None:
        """A collection as the set of its items; None where one may be none of those that the loop goes through."""
        if reads(held) >> loop.index & 1:
            return None
        if not isinstance(loop.source, ir.Const) or loop.source.value != tuple(range(len(loop.source.value))):
            return None
        fact = self.evaluator.fact(held, known)
        if (
            fact.what != "items"
            or fact.none
            or fact.item is None
            or not fact.item.within(0, len(loop.source.value) - 1)
        ):
            return None
        return held if fact.ordered else ir.Op("to_set", (held,))
