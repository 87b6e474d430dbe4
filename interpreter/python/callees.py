"""Facts of procedures that follow from the call graph: which may wait or leave, how many instructions they run, which are recursive.

Example: if `turn` calls `bid` and `bid` asks a player, both may wait.
"""

from __future__ import annotations

from functools import cached_property
from graphlib import CycleError, TopologicalSorter

from rulespec import ir

LONG = 5_000  # procedures with more instructions, callees included, are not counted by their callers
WAITS = (ir.Ask, ir.Draw, ir.Fork, ir.Finish)


class Callees:
    """Which procedures may wait, or leave their callers too, and how many instructions they run outside loops."""

    def __init__(self, program: ir.Program) -> None:
        self.program = program
        self.ruled = sorted({rule.procedure for rule in program.rules})
        self.waits = self.spread({i for i, p in enumerate(program.procedures) if any(map(self.own_wait, p.code))})
        self.leaves = self.spread({i for i, p in enumerate(program.procedures) if any(map(own_leave, p.code))})
        self.lengths: dict[int, int] = {}

    def own_wait(self, i: ir.Instruction) -> bool:
        return isinstance(i, WAITS) or (isinstance(i, ir.NextRule) and i.arrange is not None)

    def callees(self, index: int) -> set[int]:
        """The procedures that a procedure may call."""
        out: set[int] = set()
        for i in self.program.procedures[index].code:
            if isinstance(i, ir.Call):
                out.add(i.procedure)
            elif isinstance(i, ir.CallRule):
                out.update(self.ruled)
        return out

    def spread(self, marked: set[int]) -> set[int]:
        """Some procedures and all that may call them, directly or not."""
        calls = {i: self.callees(i) for i in range(len(self.program.procedures))}
        todo = True
        while todo:
            more = {i for i, callees in calls.items() if i not in marked and callees & marked}
            marked |= more
            todo = bool(more)
        return marked

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
    def each_counts(self) -> bool:
        """Whether every procedure counts its instructions when it begins, and callers do not count them beforehand.

        They must where one is recursive, and should where a caller would count far more than ever runs.
        """
        return self.nests or max(map(self.length, range(len(self.program.procedures))), default=0) > LONG

    @cached_property
    def longest_rule(self) -> int:
        """The number of instructions of the longest rule."""
        return max(map(self.length, self.ruled), default=0)


def own_leave(i: ir.Instruction) -> bool:
    return isinstance(i, ir.Unwind | ir.Resume)
