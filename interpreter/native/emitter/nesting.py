"""How many frames of a program wait for each other at most, so that a position has no more room for them than it needs."""

from __future__ import annotations

from collections.abc import Iterable, Set

from rulespec import ir

# What runs other procedures than those that it names, on stacks of their own, or again and again within each other.
UNKNOWN = (ir.Fork, ir.Collect, ir.NextRule, ir.CallRule)


def deepest(program: ir.Program, reached: Iterable[int], waits: Set[int]) -> int | None:
    """The longest chain of calls of procedures that may wait, each with one frame; None where rules react or choices are sealed."""
    calls: dict[int, set[int]] = {}
    for number in reached:
        code = program.procedures[number].code
        if any(isinstance(i, UNKNOWN) for i in code):
            return None
        if number in waits:
            calls[number] = {i.procedure for i in code if isinstance(i, ir.Call)} & waits
    depths: dict[int, int] = {}
    while len(depths) < len(calls):
        ready = {n for n in calls.keys() - depths.keys() if calls[n] <= depths.keys()}
        if not ready:
            return None  # one of them calls itself
        depths.update({n: 1 + max((depths[callee] for callee in calls[n]), default=0) for n in ready})
    return max(depths.values(), default=1)
