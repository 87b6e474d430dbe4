"""The control flow of procedures: where each instruction goes on, and by which branches it runs or not (control dependence).

- if: number > 3          # branch 0
  then:
    - log: High           # depends on 0
  else:
    - log: Low            # depends on 0
- log: Done               # surely runs, whichever way 0 goes
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from rulespec import ir
from rulespec.ir.flow import leaving_procedures, live_before, region_at, unwinds
from rulespec.ir.roles import ROLES, target_of
from rulespec.ir.walk import reachable_from


class Ways(NamedTuple):
    """The control flow of a procedure: the successors of its instructions, the branches that each depends on, what is alive."""

    after: list[tuple[int, ...]]
    branches: list[frozenset[int]]
    decides: list[list[int]]  # the instructions that depend on each
    alive: list[int]  # before each, the locals (bits) that may still be read


class ControlFlow:
    """The control flow of each procedure of a program, worked out when it is asked for."""

    def __init__(self, program: ir.Program) -> None:
        self.program = program
        self.leaving = Leaving(program)
        self.unwinding = leaving_procedures(program)
        self.known: dict[int, Ways] = {}

    def of(self, procedure: int) -> Ways:
        """The control flow of a procedure."""
        if procedure not in self.known:
            source = self.program.procedures[procedure]
            after = self.leaving.successors(procedure)
            branches = dependence(after)
            decides: list[list[int]] = [[] for _ in source.code]
            for pc, deciding in enumerate(branches):
                for branch in deciding:
                    decides[branch].append(pc)
            alive = live_before(source, self.program.sites, self.unwinding)
            self.known[procedure] = Ways(after, branches, decides, alive)
        return self.known[procedure]


class Leaving:
    """What each procedure may leave: the targets of `Unwind` that it does not catch itself."""

    def __init__(self, program: ir.Program) -> None:
        self.program = program
        self.escapes: list[set[int]] = [set() for _ in program.procedures]
        before = -1
        while before != (before := sum(map(len, self.escapes))):
            for number, procedure in enumerate(program.procedures):
                for pc in range(len(procedure.code)):
                    self.escapes[number] |= {
                        target for target in self.targets(number, pc) if not caught(procedure, pc, target)
                    }

    def targets(self, number: int, pc: int) -> set[int]:
        """What an instruction may leave."""
        procedure = self.program.procedures[number]

        def of_rules(live: int) -> set[int]:
            rules = rules_of(procedure, live - 2)
            return set().union(*(self.escapes[self.program.rules[rule].procedure] for rule in rules))

        return unwinds(procedure.code[pc], self.escapes.__getitem__, of_rules)

    def successors(self, number: int) -> list[tuple[int, ...]]:
        """Where each instruction of a procedure goes on; behind the last position is the way out."""
        procedure = self.program.procedures[number]
        out = len(procedure.code)
        ways = []
        for pc, i in enumerate(procedure.code):
            after = following(procedure, pc, i, out)
            if (
                self.goes_further(number, pc)
                if isinstance(i, ir.Resume)
                else i.__class__ is not ir.Unwind and self.targets(number, pc)
            ):
                after = (*after, handler(procedure, pc, out))
            ways.append(after)
        return ways

    def goes_further(self, number: int, pc: int) -> bool:
        """Whether, at the end of a region's handler, something may be on its way to where it is not caught yet."""
        region = ended(self.program.procedures[number], pc)
        inside = range(region.start, region.end)
        return any(target != region.name for at in inside for target in self.targets(number, at))


def ended(procedure: ir.Procedure, pc: int) -> ir.Region:
    """The region whose handler an instruction ends."""
    i = procedure.code[pc]
    assert isinstance(i, ir.Resume)
    return max(
        (region for region in procedure.regions if region.index == i.index and region.handler <= pc),
        key=lambda region: region.handler,
    )


def caught(procedure: ir.Procedure, pc: int, target: int) -> bool:
    """Whether what leaves towards a target goes on within the procedure."""
    return any(region.start <= pc < region.end and region.name == target for region in procedure.regions)


def rules_of(procedure: ir.Procedure, live: int) -> list[int]:
    """The rules of the window whose queue is a local."""
    return sorted({rule for i in procedure.code if isinstance(i, ir.Collect) and i.live == live for rule in i.rules})


def following(procedure: ir.Procedure, pc: int, i: ir.Instruction, out: int) -> tuple[int, ...]:
    """Where one instruction goes on."""
    if isinstance(i, ir.Unwind):
        return (handler(procedure, pc, out),)
    target = target_of(i)
    if not ROLES[i.__class__].falls:
        return (out if target is None else target,)
    return (pc + 1,) if target is None else (pc + 1, target)


def handler(procedure: ir.Procedure, pc: int, out: int) -> int:
    """Where leaving goes on within the procedure, or the way out."""
    region = region_at(procedure, pc)
    return out if region is None else region.handler


def dependence(ways: Sequence[tuple[int, ...]]) -> list[frozenset[int]]:
    """For each instruction, the branches that decide whether it runs, directly or by others."""
    count = len(ways)
    everything = (1 << (count + 1)) - 1
    after = [everything] * count + [1 << count]  # as bits: what surely runs from here on
    changed = True
    while changed:
        changed = False
        for n in range(count - 1, -1, -1):
            common = everything
            for m in ways[n]:
                common &= after[m]
            common |= 1 << n
            if common != after[n]:
                after[n], changed = common, True
    direct: list[set[int]] = [set() for _ in range(count)]
    for branch, targets in enumerate(ways):
        if len(targets) < 2:
            continue
        surely = after[branch] & ~(1 << branch)
        for target in targets:
            decided = after[target] & ~surely & ~(1 << count)
            for n in range(count):
                if decided >> n & 1:
                    direct[n].add(branch)
    return [frozenset(reachable_from(branches, direct.__getitem__)) for branches in direct]
