"""Marks the questions whose legal answers depend on what not all may see.

The program that plays (`rulespec play`) skips a question with only one legal answer.  Where hidden state decides how many there
are, skipping it would reveal that state to the others, so a marked question is always put.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from functools import cache
from typing import Any

from rulespec import ir
from rulespec.ir.ahead import Ahead
from rulespec.ir.walk import called, within
from rulespec.language import operators
from rulespec.language.facts import Tells
from rulespec.language.registry import facts


def secret(program: ir.Program) -> ir.Program:
    """The program with `secret` set where it has to be."""
    hidden = HiddenSlots(program)
    sites = tuple(replace(site, secret=site.secret or hidden.decides(site)) for site in program.sites)
    return program if sites == program.sites else replace(program, sites=sites)


class HiddenSlots:
    """Which slots of a program not all see, and what reads them."""

    def __init__(self, program: ir.Program) -> None:
        self.program = program
        self.slots: set[int] = set()
        self.counted: set[int] = set()  # bases of zones that are hidden, and how much lies there is not
        parts: list[ir.Zone | ir.Variable] = [*program.zones, *program.variables]
        for part in parts:
            if part.seen.who != "all":
                self.slots.update(range(part.base, part.base + part.size))
        for zone in program.zones:
            location = program.kinds[zone.kind].location
            if zone.seen.who != "all" and location is not None:
                self.slots.update(range(location, location + len(program.kinds[zone.kind].members)))
            if zone.counted.who == "all":
                self.counted.add(zone.base)
        self.ahead = Ahead(program)
        self.function = cache(self.function_reads)
        self.looked_at = cache(self.looks)

    def decides(self, site: ir.Site) -> bool:
        """Whether something hidden decides which answers a question has."""
        if not self.slots:
            return False
        return any(map(self.reads, self.conditions(site)))

    def conditions(self, site: ir.Site) -> Iterator[Any]:
        """All that decides which answers there are."""
        yield site.items
        yield from (reason.test for reason in site.reasons)
        if site.none is not None:
            yield from (reason.test for reason in site.none.reasons)
        for branch in site.branches:
            yield from (reason.test for reason in branch.reasons)
        for option in self.added(site):
            yield from (reason.test for reason in option.reasons)

    def added(self, site: ir.Site) -> Iterator[ir.Branch]:
        """The options that rules add, of a menu: its items are numbers of its own and pairs of a rule and what it is of."""
        if site.type.what == "int" and site.code == "index":
            for rule in paired(site.items):
                option = self.program.rules[rule].option
                if option is not None:
                    yield option

    def reads(self, node: Any) -> bool:
        """Whether an expression reads a hidden slot, by itself or in a function that it calls."""
        public = {id(e.args[0]) for e in within(node) if isinstance(e, ir.Op) and self.counts(e)}
        return (
            any(
                isinstance(e, ir.Load)
                and id(e) not in public
                and not self.slots.isdisjoint(range(e.base, e.base + e.size))
                for e in within(node)
            )
            or any(map(self.function, called(node)))
            or any(self.looked_at(e.procedure) for e in within(node) if isinstance(e, ir.After))
        )

    def looks(self, procedure: int) -> bool:
        """Whether what an expression looks ahead at reads a hidden slot."""
        touched = not self.slots.isdisjoint(self.ahead.touched(procedure))
        return touched or any(map(self.reads, self.ahead.parts(procedure)))

    def counts(self, e: ir.Op) -> bool:
        """Whether it only tells how much lies in a zone of which all see that."""
        number = facts(e.name).tells is Tells.NUMBER
        return number and isinstance(e.args[0], ir.Load) and e.args[0].base in self.counted

    def function_reads(self, number: int) -> bool:
        """Whether a function reads a hidden slot.  Functions do not call themselves."""
        return self.reads(self.program.functions[number].body)


def paired(items: ir.Expr) -> Iterator[int]:
    """The rules of the pairs that items are; a pair deeper inside is something else, such as what a table is looked up by."""
    match items:
        case ir.Op(operators.CONCAT, (one, two)):
            yield from paired(one)
            yield from paired(two)
        case ir.Comp(value=ir.Op(operators.PACK, (ir.Const(int() as rule), _))):
            yield rule
