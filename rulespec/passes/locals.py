"""Which locals parts of a program bind and use, as bit masks: bit k stands for local k.

bound_in([L2 in S4 if lt(L2, L1)])     # 0b100: L2
used_in([L2 in S4 if lt(L2, L1)])      # 0b110: L1 and L2

A pass that needs more locals gets them from `Locals`, so that each still has one type.
"""

from __future__ import annotations

from collections.abc import Sequence

from rulespec import ir
from rulespec.ir.flow import edges
from rulespec.ir.reads import read_by
from rulespec.ir.roles import binds, site_of
from rulespec.ir.walk import within


def bound_in(node: object) -> int:
    """The locals that the expressions in a part of a program bind for themselves."""
    mask = 0
    for e in within(node):
        mask |= binds(e)
    return mask


def used_in(node: object) -> int:
    """The locals that the expressions in a part of a program read or bind."""
    mask = bound_in(node)
    for e in within(node):
        if isinstance(e, ir.Local):
            mask |= 1 << e.index
    return mask


def used_by(procedure: ir.Procedure, sites: tuple[ir.Site, ...]) -> int:
    """The locals that a procedure uses for anything, what is asked in it included."""
    mask = (1 << procedure.parameters) - 1 | used_in(procedure.code)
    for pc, i in enumerate(procedure.code):
        mask |= read_by(i, sites)
        for _, written in edges(procedure, pc):
            mask |= written
        asked = site_of(i)
        if asked is not None:
            mask |= used_in(sites[asked]) | 1 << sites[asked].item
    return mask


class Locals:
    """The locals of a procedure or function, by their types, to which more may be added."""

    def __init__(self, given: Sequence[ir.Type], used: int) -> None:
        """`given` are those that it has, `used` those (bits) that it uses."""
        self.types = [*given, *[ir.types.ANY] * (used.bit_length() - len(given))]
        self.given = len(self.types)

    def take(self, wanted: Sequence[ir.Type], above: int = 0) -> int:
        """The first of locals of these types, side by side, that are not among the given ones and none of the first `above`.

        They may be some that were taken before.
        """
        first = max(self.given, above)
        while any(present != t for present, t in zip(self.types[first:], wanted, strict=False)):
            first += 1
        self.types += [ir.types.ANY] * (first - len(self.types))
        self.types += wanted[len(self.types) - first :]
        return first
