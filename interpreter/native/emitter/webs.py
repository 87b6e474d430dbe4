"""The webs of a procedure: definitions of a local that reach a common use, and so are one variable of C.

A local of the IR is used again for values of other types; each web of it has a type and a variable of its own.
"""

from __future__ import annotations

from rulespec import ir
from rulespec.ir.reads import numbers, read_by

# Where a local gets its value: a position, PARAMETER or HANDLER - (a region's handler), and the local.
Definition = tuple[int, int]
PARAMETER = -1
HANDLER = -2


def definitions(i: ir.Instruction) -> tuple[int, ...]:
    """The locals that an instruction sets."""
    match i:
        case ir.Let(index):
            return (index,)
        case ir.Next(index):
            return index + 1, index + 2
        case ir.NextRule(live):
            return live, live + 1
        case ir.Call() | ir.Ask() | ir.Draw() | ir.Fork() | ir.Collect() | ir.CallRule() | ir.Enter() | ir.Cease():
            return (i.live,)
    return ()


def region_at(p: ir.Procedure, pc: int) -> ir.Region | None:
    """The innermost region around a position."""
    for region in p.regions[::-1]:
        if region.start <= pc < region.end:
            return region
    return None


def successors(p: ir.Procedure, pc: int) -> list[int]:
    """The positions where an instruction goes on, handlers left out."""
    i = p.code[pc]
    match i:
        case ir.Jump(target):
            after = [target]
        case ir.Unless(_, target) | ir.Next(_, target):
            after = [pc + 1, target]
        case ir.NextRule():
            after = [pc + 1, i.target]
        case ir.Return() | ir.Finish() | ir.Unwind():
            after = []
        case _:
            after = [pc + 1]
    return [x for x in after if x < len(p.code)]


class Webs:
    """The webs of a procedure.  `at[pc][local]` are the definitions that reach a position, None where nothing reaches it."""

    def __init__(self, p: ir.Procedure, sites: tuple[ir.Site, ...]) -> None:
        self.p = p
        self.up: dict[Definition, Definition] = {}
        self.at: list[dict[int, frozenset[Definition]] | None] = [None] * len(p.code)
        self.flow()
        self.join_uses(sites)

    def flow(self) -> None:
        """Find what reaches each position."""
        p = self.p
        start = {k: frozenset([(PARAMETER, k)]) for k in range(p.parameters)}
        work = [(0, start)] if p.code else []
        while work:
            pc, state = work.pop()
            have = self.at[pc]
            if have is None:
                merged = dict(state)
            else:
                both = have.keys() | state.keys()
                merged = {k: have.get(k, frozenset()) | state.get(k, frozenset()) for k in both}
                if merged == have:
                    continue
            self.at[pc] = merged
            after = dict(merged)
            for k in definitions(p.code[pc]):
                after[k] = frozenset([(pc, k)])
            work += [(target, after) for target in successors(p, pc)]
            region = region_at(p, pc)
            if region is not None and isinstance(p.code[pc], ir.Unwind | ir.Resume | ir.Call | ir.CallRule):
                kept = {k: v for k, v in merged.items() if k < region.index}
                work.append((region.handler, {**kept, region.index: frozenset([(HANDLER, region.index)])}))

    def join_uses(self, sites: tuple[ir.Site, ...]) -> None:
        """Join the definitions that reach a common use."""
        for pc, (at, i) in enumerate(zip(self.at, self.p.code, strict=True)):
            if at is None:
                continue
            mask = read_by(i, sites)
            if isinstance(i, ir.Leave):
                mask |= 1 << i.live
            if isinstance(i, ir.CallRule):
                mask |= 1 << i.live - 1
            if isinstance(i, ir.NextRule):
                mask |= 1 << i.live
            for k in numbers(mask):
                reaching = sorted(at.get(k, ()))
                for other in reaching[1:]:
                    self.union(reaching[0], other)
            if isinstance(i, ir.NextRule) and at.get(i.live):  # the queue goes on being the same variable
                self.union(min(at[i.live]), (pc, i.live))

    def find(self, d: Definition) -> Definition:
        """The web of a definition."""
        while d in self.up:
            d = self.up[d]
        return d

    def union(self, a: Definition, b: Definition) -> None:
        """Make two webs one."""
        a, b = self.find(a), self.find(b)
        if a != b:
            self.up[b] = a

    def reaching(self, pc: int) -> dict[int, Definition]:
        """The web of each local that has a value at a position."""
        at = self.at[pc] or {}
        return {k: self.find(min(d)) for k, d in at.items() if d}
