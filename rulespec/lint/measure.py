"""Measures of loops: which way what a loop looks at can move while it runs.

- until: number > 3       # `number` only falls in the loop ...
  do:
    - lose: 1
      from: number        # ... so that it never comes to be above 3: the loop does not end
"""

from __future__ import annotations

from collections.abc import Iterator

from rulespec import ir
from rulespec.ir.roles import set_by
from rulespec.language import operators
from rulespec.language.facts import Origin, Reduction
from rulespec.language.registry import facts
from rulespec.lint.dataflow import Flow
from rulespec.lint.evaluate import Knowledge
from rulespec.lint.procedure_summaries import ANYTHING, Summaries, onward, reachable_from
from rulespec.system.records import dataclass

UP, DOWN = 1, -1
STILL: frozenset[int] = frozenset()
EITHER = frozenset({UP, DOWN})


def flipped(ways: frozenset[int]) -> frozenset[int]:
    return frozenset(-way for way in ways)


@dataclass(frozen=True, slots=True)
class MeasuredLoop:
    """Some instructions of a procedure that run again and again, or the whole of it."""

    ways: Summaries
    flow: Flow
    body: range

    @property
    def procedure(self) -> ir.Procedure:
        return self.flow.procedure

    def keeps(self, test: ir.Expr, holds: bool = True) -> bool:
        """Whether the truth of a condition is invariant: no step of the loop can change its outcome."""
        match test:
            case ir.Op(operators.NOT, (inner,)):
                return self.keeps(inner, not holds)
            case ir.Cond(first, then, ir.Const(False)) if holds:
                return self.keeps(first) and self.keeps(then)
            case ir.Cond(first, ir.Const(True), other) if not holds:
                return self.keeps(first, False) and self.keeps(other, False)
            case ir.Op(operators.LESS | operators.AT_MOST, (a, b)):
                low, high = (a, b) if holds else (b, a)
                return UP not in self.moves(low) and DOWN not in self.moves(high)
            case ir.Op(operators.EQUAL | operators.DIFFERENT, (a, ir.Const(int(end)))):
                return self.keeps_end(a, end, holds == (test.name == operators.EQUAL))
            case ir.Op(name, (items,)) if facts(name).reduces in (Reduction.SOME, Reduction.NO_ITEM):
                towards = DOWN if (facts(name).reduces is Reduction.SOME) == holds else UP
                return towards not in self.size_moves(items)
        return not self.moves(test)

    def keeps_end(self, e: ir.Expr, end: int, there: bool) -> bool:
        """The same for a comparison with an end of the number's range, such as `x != 0` where x is never below 0."""
        end_range = self.flow.world.range(e, Knowledge())
        if end not in (end_range.low, end_range.high):
            return not self.touches(e)
        away = UP if end_range.low == end else DOWN
        return (away if there else -away) not in self.moves(e)

    def moves(self, e: ir.Expr) -> frozenset[int]:
        """Which way the loop may move a number; both if it may become anything else."""
        if not self.touches(e):
            return STILL
        match e:
            case ir.Load(base, None) | ir.Load(base, ir.Const()):
                return self.stored(e, base)
            case ir.Local(index):
                return self.assigned(e, index)
            case ir.Op(name, (items,)) if facts(name).reduces is Reduction.COUNT:
                return self.size_moves(items)
            case ir.Op(operators.ADD, (a, b)):
                return self.moves(a) | self.moves(b)
            case ir.Op(operators.SUBTRACT, (a, b)):
                return self.moves(a) | flipped(self.moves(b))
        return EITHER

    def size_moves(self, items: ir.Expr) -> frozenset[int]:
        """Which way the loop may move the size of a collection."""
        if not self.touches(items):
            return STILL
        match items:
            case ir.Load(base, index) if index is None or not self.touches(index):
                return self.filled(base)
            case ir.Op(name, (inner,)) if facts(name).identity:
                return self.size_moves(inner)
            case ir.Comp(_, source, where, _, None):
                ways = self.size_moves(source)
                ways |= STILL if where is None or self.keeps(where) else {DOWN}
                return ways | (STILL if where is None or self.keeps(where, False) else {UP})
        return EITHER

    def touches(self, e: ir.Expr) -> bool:
        """Whether anything that an expression reads may be written in the loop."""
        world = self.flow.world
        slots, bits = world.slots_of(e), world.locals_of(e)
        for position in self.body:
            i = self.procedure.code[position]
            touched = set(self.ways.written(i))
            if (
                touched & slots
                or (ANYTHING in touched and slots)
                or (ANYTHING in slots and touched)
                or bits & set_by(i)
            ):
                return True
        return False

    # --- variables and locals -----------------------------------------------------------------------------------------
    def stored(self, e: ir.Load, base: int) -> frozenset[int]:
        """Which way the steps of the loop move a variable."""
        signs = STILL
        for position in self.body:
            i = self.procedure.code[position]
            touched = set(self.ways.written(i))
            if isinstance(i, ir.Store) and i.base == base:
                if i.index == e.index:
                    signs |= self.by_itself(e, i.value, position)
                elif not isinstance(i.index, ir.Const) or not isinstance(e.index, ir.Const):
                    return EITHER
            elif base in touched or ANYTHING in touched:
                return EITHER
        return signs

    def assigned(self, e: ir.Local, index: int) -> frozenset[int]:
        """The same for a local."""
        signs = STILL
        for position in self.body:
            i = self.procedure.code[position]
            if isinstance(i, ir.Let) and i.index == index:
                signs |= self.by_itself(e, i.value, position)
            elif set_by(i) >> index & 1:
                return EITHER
        return signs

    def by_itself(self, stored: ir.Expr, value: ir.Expr, position: int) -> frozenset[int]:
        """The direction of an update such as `x := x + 1` or `x := x - y`; EITHER for any other assignment."""
        match value:
            case ir.Op(operators.ADD, (a, b)) if stored in (a, b):
                return self.sign(b if a == stored else a, position)
            case ir.Op(operators.SUBTRACT, (a, b)) if a == stored:
                return flipped(self.sign(b, position))
        return STILL if value == stored else EITHER

    def sign(self, e: ir.Expr, position: int) -> frozenset[int]:
        known = self.flow.before.get(position)
        if known is None:  # no way leads there, or nothing is known of the game at all
            return STILL if self.flow.before else EITHER
        step = self.flow.world.range(e, known)
        up = STILL if step.high is not None and step.high <= 0 else frozenset({UP})
        return up if step.low is not None and step.low >= 0 else up | {DOWN}

    # --- zones --------------------------------------------------------------------------------------------------------
    def filled(self, base: int) -> frozenset[int]:
        """In which direction the loop changes the number of pieces in a zone, or in the zones of all players."""
        zones = self.ways.program.zones
        if not any(zone.base == base for zone in zones):
            return EITHER
        signs = STILL
        for position in self.body:
            i = self.procedure.code[position]
            touched = set(self.ways.written(i))
            match i:
                case ir.Move(pieces, number):
                    signs |= {UP} if zones[number].base == base else STILL
                    origins = self.origins(pieces, zones[number].kind)
                    signs |= {DOWN} if base in touched and (origins is None or base in origins) else STILL
                case ir.MoveCounts():
                    return EITHER if base in touched else signs
                case _ if base in touched or ANYTHING in touched:
                    return EITHER
        return signs

    def origins(self, pieces: ir.Expr, kind: int) -> set[int] | None:
        """The zones, by their base, that pieces may be taken from where they are moved; None if that is not known."""
        zones = self.ways.program.zones
        bases = {zone.base for zone in zones if zone.kind == kind}
        goals: list[int] = []
        one_place = True
        for i in self.procedure.code:
            if isinstance(i, ir.Move):
                goals += [zones[i.zone].base] if zones[i.zone].kind == kind else []
                one_place = one_place and (i.index is None or not self.touches(i.index))
            elif not bases.isdisjoint(touched := set(self.ways.written(i))) or ANYTHING in touched:
                return None
        origins: set[int] = set()
        for base in self.roots(pieces, set()):
            if base is None:
                return None
            origins.add(base)
        # What was moved before lies where it was put; one that a single step moves again and again to one place stays where it is.
        return origins if len(goals) == 1 and one_place else origins | set(goals)

    def roots(self, e: ir.Expr, seen: set[int]) -> Iterator[int | None]:
        """The zones that pieces were found in; None among them if they may have been anywhere."""
        match e:
            case ir.Const(()) | ir.Const(None):
                return
            case ir.Load(base) if any(zone.base == base for zone in self.ways.program.zones):
                yield base
            case ir.Known(value) | ir.Once(_, value):
                yield from self.roots(value, seen)
            case ir.Op(name, args) if facts(name).origin in (Origin.ALL, Origin.ARGUMENTS):
                for arg in args:
                    yield from self.roots(arg, seen)
            case ir.Op(name, args) if facts(name).origin is Origin.FIRST:
                yield from self.roots(args[0], seen)
            case ir.Comp(_, source, _, None, None):
                yield from self.roots(source, seen)
            case ir.Local(index) if index >= self.procedure.parameters:
                if index not in seen:
                    seen.add(index)
                    for i in self.procedure.code:
                        yield from self.given(i, index, seen)
            case _:
                yield None

    def given(self, i: ir.Instruction, index: int, seen: set[int]) -> Iterator[int | None]:
        """The zones that the pieces come from which an instruction puts into a local."""
        match i:
            case ir.Let(target, value) if target == index:
                yield from self.roots(value, seen)
            case ir.Draw(items, live=target) if target == index:
                yield from self.roots(items, seen)
            case ir.Ask(site, target) if target == index:
                yield from self.roots(self.flow.sites[site].items, seen)
            case ir.Next(target) if target + 2 == index:
                yield from self.roots(ir.Local(target), seen)
            case ir.Let() | ir.Draw() | ir.Ask() | ir.Next():
                return
            case _ if set_by(i) >> index & 1:
                yield None


def around(ways: Summaries, procedure: ir.Procedure, position: int) -> int | None:
    """The head of the `for each` loop that writes a variable exactly once for each item: nothing leaves the loop, and nothing else
    in it writes the variable; None if there is none.  Two instructions before the head the items become a local.
    """
    i = procedure.code[position]
    assert isinstance(i, ir.Store)
    heads = [
        p
        for p, instruction in enumerate(procedure.code[:position])
        if isinstance(instruction, ir.Next) and instruction.target > position
    ]
    if not heads or heads[-1] < 2:
        return None
    head = heads[-1]
    first = procedure.code[head]
    assert isinstance(first, ir.Next)
    start = procedure.code[head - 2]
    body = range(head + 1, first.target)
    if not isinstance(start, ir.Let) or start.index != first.index:
        return None
    for p in body:
        if leaves(ways, procedure, p, head, first.target - 1):
            return None
        touched = set(ways.written(procedure.code[p]))
        if p != position and (
            i.base in touched or ANYTHING in touched or set_by(procedure.code[p]) >> first.index & 0b11
        ):
            return None
    if head in reachable_from(procedure, head + 1, position):  # a way round that leaves the step out
        return None
    inner = reachable_from(procedure, position + 1, head)
    return None if position in inner else head  # done more than once for an item


def leaves(ways: Summaries, procedure: ir.Procedure, position: int, head: int, end: int) -> bool:
    """Whether an instruction of a loop may lead out of it."""
    i = procedure.code[position]
    if isinstance(i, ir.Return | ir.Finish):
        return True
    if isinstance(i, ir.Resume):
        return False
    if not isinstance(i, ir.Unwind | ir.Call | ir.CallRule):
        return any(not head <= target <= end for target in onward(procedure, position))
    caught = {r.name for r in procedure.regions if head <= r.start and r.start <= position < r.end and r.handler <= end}
    return bool(ways.unwound(i) - caught)
