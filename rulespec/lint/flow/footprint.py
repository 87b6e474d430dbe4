"""Which zones a procedure may look at or lay pieces into, with all that it sets off.

    - draw: 1
      from: deck
      to: p1.hand
    - announce: drawn     # and the zones of every rule that hears it

A call is looked at once for all that has been shown of other zones.
"""

from __future__ import annotations

from typing import Any

from rulespec import ir
from rulespec.ir.roles import run_by, site_of, zones_of
from rulespec.ir.walk import reachable_from, within


class Footprints:
    """The zones of each procedure of a program."""

    def __init__(self, program: ir.Program) -> None:
        self.program = program
        self.zone_at = {zone.base + i: zone.index for zone in program.zones for i in range(zone.size)}
        self.functions: dict[int, frozenset[int]] = {}
        self.known: dict[int, frozenset[int]] = {}
        self.own: dict[int, tuple[set[int], set[int]]] = {}
        self.menus = [rule.option for rule in program.rules if rule.option is not None]

    def of(self, procedure: int) -> frozenset[int]:
        """The zones of a procedure and of all that may run before it returns."""
        if procedure not in self.known:
            run = reachable_from([procedure], lambda number: self.direct(number)[0])
            self.known[procedure] = frozenset().union(*(self.direct(number)[1] for number in run))
        return self.known[procedure]

    def direct(self, procedure: int) -> tuple[set[int], set[int]]:
        """What a procedure calls, and its own zones."""
        if procedure not in self.own:
            self.own[procedure] = self.looked_at(procedure)
        return self.own[procedure]

    def looked_at(self, procedure: int) -> tuple[set[int], set[int]]:
        called: set[int] = set()
        zones: set[int] = set()
        for i in self.program.procedures[procedure].code:
            zones |= self.read_in(i)
            zones.update(zones_of(i))
            run, site = run_by(i), site_of(i)
            if run is not None:
                called.add(run)
            if site is not None:
                zones |= self.read_in((self.program.sites[site], self.menus))
            if isinstance(i, ir.Collect):
                for rule in (self.program.rules[n] for n in i.rules):
                    called.add(rule.procedure)
                    asked = (rule.alive, rule.test, rule.player)
                    zones = zones.union(*(self.in_function(function) for function in asked if function is not None))
        return called, zones

    def read_in(self, node: Any) -> set[int]:
        """The zones that are read in a part of a program."""
        zones: set[int] = set()
        for e in within(tuple(node) if isinstance(node, list) else node):
            if isinstance(e, ir.Load) and e.base in self.zone_at:
                zones.add(self.zone_at[e.base])
            elif isinstance(e, ir.Invoke):
                zones |= self.in_function(e.function)
            elif isinstance(e, ir.After):
                zones |= self.of(e.procedure)
        return zones

    def in_function(self, number: int) -> frozenset[int]:
        """The zones that a function reads."""
        if number not in self.functions:
            self.functions[number] = frozenset()
            self.functions[number] = frozenset(self.read_in(self.program.functions[number].body))
        return self.functions[number]
