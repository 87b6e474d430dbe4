"""Facts of procedures that follow from the call graph: which may wait or leave, how many instructions they run, which are recursive.

Example: if `turn` calls `bid` and `bid` asks a player, both may wait.
"""

from __future__ import annotations

from functools import cached_property
from graphlib import CycleError, TopologicalSorter

from interpreter.runtime.limits import MAX_DEPTH, MAX_WAITING
from rulespec import ir
from rulespec.ir.flow import asks, leaving_procedures, with_any, with_callers

LONG = 5_000  # procedures with more instructions, callees included, are not counted by their callers


class Callees:
    """Which procedures may wait, or leave their callers too, and how many instructions they run outside loops."""

    def __init__(self, program: ir.Program) -> None:
        self.program = program
        self.ruled = sorted({rule.procedure for rule in program.rules})
        self.waits = with_callers(program, with_any(program, lambda i: asks(i) or isinstance(i, ir.Finish)))
        self.leaves = leaving_procedures(program)
        self.lengths: dict[int, int] = {}
        self.heights: dict[int, int] = {}

    def callees(self, index: int) -> set[int]:
        """The procedures that a procedure may call."""
        out: set[int] = set()
        for i in self.program.procedures[index].code:
            if isinstance(i, ir.Call):
                out.add(i.procedure)
            elif isinstance(i, ir.CallRule):
                out.update(self.ruled)
        return out

    def length(self, index: int) -> int:
        """The instructions of a procedure and its callees; a recursive one counts its own when it begins."""
        if index not in self.lengths:
            self.lengths[index] = 0
            calls = [i.procedure for i in self.program.procedures[index].code if isinstance(i, ir.Call)]
            self.lengths[index] = min(len(self.program.procedures[index].code) + sum(map(self.length, calls)), 1 << 40)
        return self.lengths[index]

    @cached_property
    def nests(self) -> bool:
        """Whether a procedure is recursive, by way of rules."""
        numbers = range(len(self.program.procedures))
        try:
            TopologicalSorter({number: self.callees(number) for number in numbers}).prepare()
        except CycleError:
            return True
        return False

    @cached_property
    def piles_up(self) -> bool:
        """Whether more may wait for each other than the bound allows."""
        return self.nests or len(self.program.procedures) > MAX_WAITING

    def height(self, index: int) -> int:
        """How many procedures run within each other, at most, where one calls the next without a rule between them."""
        if index not in self.heights:
            self.heights[index] = 1
            calls = [i.procedure for i in self.program.procedures[index].code if isinstance(i, ir.Call)]
            self.heights[index] = 1 + max(map(self.height, calls), default=0)
        return self.heights[index]

    @cached_property
    def most_rules(self) -> int:
        """How many rules may run within each other before the bound may be reached, which only the reference machine counts exactly."""
        return (MAX_DEPTH - MAX_WAITING) // max(map(self.height, range(len(self.program.procedures))), default=1)

    @cached_property
    def each_counts(self) -> bool:
        """Whether every procedure counts its instructions when it begins, and callers do not count them beforehand.

        They must where one is recursive, and should where a caller would count far more than ever runs.
        """
        return self.nests or max(map(self.length, range(len(self.program.procedures))), default=0) > LONG

    @cached_property
    def longest_rule(self) -> int:
        """The number of instructions of the longest rule."""
        return max(map(self.length, self.ruled), default=0)
