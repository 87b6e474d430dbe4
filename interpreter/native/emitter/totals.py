"""Bounds of sums over pieces that are there once each: no more than the best of them together.

sum(worth(c) for c in p.taken)     # of 52 cards 13 are worth 1 and one is worth 13: 0..26, and not 0..676
"""

from __future__ import annotations

from collections.abc import Callable

from rulespec import ir
from rulespec.analysis.domain import Fact, number
from rulespec.ir.reads import reads
from rulespec.passes.fold import worked_out_for

MOST_MEMBERS = 1024  # of a type, of each of which it is worked out what it counts
Span = tuple[int, int]


class Totals:
    """The bounds of the sums of a program, each worked out once."""

    def __init__(self, program: ir.Program) -> None:
        self.program = program
        self.bounds: dict[tuple[int, int | None, int, int], tuple[ir.Comp, Span | None]] = {}
        self.zones = [range(zone.base, zone.base + zone.size) for zone in program.zones if not zone.counts]

    def distinct(self, e: ir.Expr, fact: Fact) -> bool:
        """Whether no item of a collection is there twice: sets, and pieces where they lie."""
        match e:
            case ir.Load(base):
                return fact.ordered or any(base in zone for zone in self.zones)
            case ir.Comp(source=source, value=None, key=None):
                return fact.ordered or self.distinct(source, fact)
        return fact.ordered

    def of(self, e: ir.Comp, fact: Callable[[ir.Expr], Fact]) -> Fact | None:
        """The bounds of the sum of a comprehension over numbers that are there once each; None where they follow from no constants."""
        if e.value is None or e.key is not None or reads(e.value) & ~(1 << e.index):
            return None
        source = fact(e.source)
        item = source.item
        if item is None or not item.bounded or not self.distinct(e.source, source):
            return None
        low, high = item.low, item.high
        assert low is not None and high is not None
        if high - low >= MOST_MEMBERS:
            return None
        key = id(e), source.size, low, high
        if key not in self.bounds:
            self.bounds[key] = e, self.worked_out(e, range(low, high + 1), source.size)
        found = self.bounds[key][1]
        return None if found is None else number(*found)

    def worked_out(self, e: ir.Comp, members: range, size: int | None) -> Span | None:
        """The least and the most that so many of some members count together."""
        assert e.value is not None
        values = worked_out_for(e.value, e.index, members, self.program.functions)
        if values is None:
            return None
        counts = sorted(value for value in values if value.__class__ is int)
        if len(counts) < len(members):
            return None
        most = len(counts) if size is None else min(size, len(counts))
        least = sum(min(count, 0) for count in counts[:most])
        return least, sum(max(count, 0) for count in counts[len(counts) - most :])
