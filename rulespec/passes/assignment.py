"""Definite assignment: which slots of variables have surely been given a value, at each instruction.

6  S8[L4 of 2] := L5       # in a loop over all players, whose item is L4: behind the loop both slots are given

Worked out forwards, from the beginning of the game through all procedures: what one gives is told of it once, whoever calls it.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from functools import cache, reduce
from operator import or_
from typing import Any

from rulespec import ir
from rulespec.ir.flow import RULES, edges, leaving_procedures
from rulespec.ir.roles import run_by, site_of
from rulespec.ir.walk import reachable_from, within
from rulespec.language.facts import Result
from rulespec.language.registry import facts
from rulespec.passes.fold import folded
from rulespec.passes.secret import paired

NO_WAY = -1  # all bits: of what no way leads to
Read = tuple[int, set[tuple[int, int]], set[int]]
# Slots, those of which a local names one, with the bit of that, and procedures that are looked ahead at.


class Assignment:
    """Slots of some variables, each a bit; behind those, bits for the slot that a local names."""

    def __init__(self, program: ir.Program, variables: Iterable[ir.Variable]) -> None:
        self.program = program
        self.slots = {v.base + k: v for v in variables for k in range(v.size)}
        self.tracked = bits_of(self.slots)
        self.named: dict[tuple[int, int], int] = {}  # a base, and the local, or below 0 the loop: which bit
        for i in (i for p in program.procedures for i in p.code if isinstance(i, ir.Store)):
            if i.base in self.slots and isinstance(i.index, ir.Local):
                self.bit(self.slots[i.base].base, i.index.index)
        self.leaving = leaving_procedures(program)
        self.scopes = {i.low: i.high for p in program.procedures for i in p.code if isinstance(i, ir.Enter)}
        self.present = cache(self.slots_in_play)
        self.function = cache(self.read_by_function)
        self.runs = {n: {p for i in procedure.code for p in runs(i)} for n, procedure in enumerate(program.procedures)}
        self.runs[RULES] = {rule.procedure for rule in program.rules}
        self.reads: dict[int, Read] = {}  # by the identity of an instruction
        self.of_rules = self.read_by_rules()
        own = {n: union(map(self.taken, p.code)) for n, p in enumerate(program.procedures)}
        self.takes = {n: union(own.get(p, 0) for p in reachable_from([n], self.runs.__getitem__)) for n in self.runs}
        self.gives = [self.tracked] * len(program.procedures)
        todo = set(range(len(program.procedures)))
        callers: dict[int, set[int]] = {}
        for number, procedure in enumerate(program.procedures):
            for called in (i.procedure for i in procedure.code if isinstance(i, ir.Call)):
                callers.setdefault(called, set()).add(number)
        while todo:
            number = todo.pop()
            gives = self.through(program.procedures[number], 0)[1] & self.tracked
            if gives != self.gives[number]:
                self.gives[number] = gives
                todo |= callers.get(number, set())

    def slots_in_play(self, v: ir.Variable) -> int:
        """The slots of a variable but for those of players who do not play."""
        slots = range(v.base, v.base + v.size)
        if v.per == (self.program.player_kind,):
            slots = slots[: self.program.players]
        return bits_of(slots)

    # --- what may be read too early -------------------------------------------------------------------------------------
    def early(self) -> int:
        """The slots that may be read before they are given."""
        procedures = self.program.procedures
        entries, todo, early = {self.program.main: 0}, [self.program.main], 0
        while todo:
            number = todo.pop()
            before, _ = self.through(procedures[number], entries[number])
            for pc, given in before.items():
                i = procedures[number].code[pc]
                slots, named, ahead = self.read(i)
                early |= slots & ~given
                early |= union(slots & ~given for slots, bit in named if not given & bit)
                for called in (*ahead, *(p for n in runs(i) for p in (self.runs[n] if n == RULES else (n,)))):
                    entry = entries.get(called, NO_WAY) & given & self.tracked
                    if entry != entries.get(called):
                        entries[called] = entry
                        todo.append(called)
        return early

    def read(self, i: ir.Instruction) -> Read:
        """What an instruction reads."""
        if id(i) not in self.reads:
            parts: list[Any] = [i]
            asked = site_of(i)
            if asked is not None:
                site = self.program.sites[asked]
                parts += [site, *(self.program.rules[rule].option for rule in paired(site.items))]
            read = together(map(self.read_in, parts))
            if isinstance(i, ir.Collect | ir.NextRule | ir.CallRule):
                read = together((read, self.of_rules))
            self.reads[id(i)] = read
        return self.reads[id(i)]

    def read_by_rules(self) -> Read:
        """What decides which rules are alive, and may be applied."""
        functions = {n for rule in self.program.rules for n in (rule.alive, rule.test, rule.player) if n is not None}
        return together(map(self.function, functions))

    def read_in(self, node: Any) -> Read:
        """What expressions read."""
        slots, named, ahead, functions = 0, set[tuple[int, int]](), set[int](), set[int]()
        for e in within(node):
            if isinstance(e, ir.Invoke):
                functions.add(e.function)
            elif isinstance(e, ir.After):
                ahead.add(e.procedure)
            elif isinstance(e, ir.Load) and (v := self.slots.get(e.base)) is not None:
                match e.index:
                    case None:
                        slots |= 1 << e.base
                    case ir.Const(int() as k):
                        slots |= 1 << e.base + k
                    case ir.Local(k) if (v.base, k) in self.named:
                        named.add((self.present(v), self.named[v.base, k]))
                    case _:
                        slots |= self.present(v)
        return together(((slots, named, ahead), *map(self.function, functions)))

    def read_by_function(self, number: int) -> Read:
        """What a function reads."""
        slots, named, ahead = self.read_in(self.program.functions[number].body)
        return slots | union(more for more, _ in named), set(), ahead

    # --- through one procedure ------------------------------------------------------------------------------------------
    def through(self, procedure: ir.Procedure, entry: int) -> tuple[dict[int, int], int]:
        """What is given before each instruction to which a way leads, and where the procedure returns."""
        before, at_end, todo = {0: entry}, NO_WAY, [0]
        while todo:
            pc = todo.pop()
            given = before[pc]
            if isinstance(procedure.code[pc], ir.Return):
                at_end &= given
            for target, after in self.ways(procedure, pc, given):
                if target >= len(procedure.code):
                    at_end &= after
                    continue
                joined = before.get(target, NO_WAY) & after
                if joined != before.get(target):
                    before[target] = joined
                    todo.append(target)
        return before, at_end

    def ways(self, procedure: ir.Procedure, pc: int, given: int) -> Iterator[tuple[int, int]]:
        """Where control may go from an instruction, and what is given there."""
        i = procedure.code[pc]
        given = self.without(given, self.taken_within(i))
        behind = given | self.given_by(i)
        for n, (target, written) in enumerate(edges(procedure, pc, self.leaving)):
            after = given if n and not isinstance(i, ir.Unless) else behind
            if written:
                after &= ~union(bit for (_, local), bit in self.named.items() if local >= 0 and written >> local & 1)
            if isinstance(i, ir.Next):
                after = self.next_item(procedure, pc, after) if n == 0 else self.all_done(procedure, pc, after)
            loop = procedure.code[target] if target < len(procedure.code) else None
            if isinstance(loop, ir.Next):
                after = self.at_loop(loop, target, after, begins=i == ir.Let(loop.index + 1, ir.Const(0)))
            yield target, after

    def without(self, given: int, slots: int) -> int:
        """What is given when some slots are not any more."""
        return given & self.tracked & ~slots if slots else given

    def taken(self, i: ir.Instruction) -> int:
        """The slots to which an instruction may give what no step put there: where a scope begins and ends."""
        match i:
            case ir.Enter(low, high):
                return self.tracked & bits_of(range(low, high))
            case ir.Leave(low):
                return self.tracked & bits_of(range(low, self.scopes.get(low, len(self.program.initial))))
        return 0

    def taken_within(self, i: ir.Instruction) -> int:
        """The same of an instruction and of all that it runs."""
        return self.taken(i) | union(self.takes[n] for n in runs(i) if not isinstance(i, ir.Fork))

    def given_by(self, i: ir.Instruction) -> int:
        """The bits of what an instruction gives."""
        match i:
            case ir.Call(procedure):
                return self.gives[procedure]
            case ir.Store(base, index) if (v := self.slots.get(base)) is not None:
                match index:
                    case None:
                        return 1 << base
                    case ir.Const(int() as k):
                        return 1 << base + k
                    case ir.Local(k):
                        return self.bit(v.base, k)
        return 0

    # --- loops ----------------------------------------------------------------------------------------------------------
    def bit(self, base: int, which: int) -> int:
        """The bit for the slot that a local names, or below 0 for those that a loop has gone through."""
        return self.named.setdefault((base, which), 1 << len(self.program.initial) + len(self.named))

    def stored(self, loop: ir.Next) -> list[int]:
        """The bases of variables of which some step gives the slot that the item of a loop names."""
        return [base for base, local in [*self.named] if local == loop.index + 2]

    def at_loop(self, loop: ir.Next, pc: int, given: int, begins: bool) -> int:
        """What is given where a loop goes on: of all items so far, if the slot of the last one is; of none at the beginning."""
        for base in self.stored(loop):
            bit = self.bit(base, -1 - pc)
            given = given | bit if begins or given & self.bit(base, loop.index + 2) else given & ~bit
        return given

    def next_item(self, procedure: ir.Procedure, pc: int, given: int) -> int:
        """What is given where a loop comes to its next item."""
        loop = procedure.code[pc]
        assert isinstance(loop, ir.Next)
        for base in self.stored(loop):
            given &= ~self.bit(base, -1 - pc)
        return given

    def all_done(self, procedure: ir.Procedure, pc: int, given: int) -> int:
        """What is given behind a loop that has gone through all its items."""
        loop, source = procedure.code[pc], procedure.code[pc - 2] if pc > 1 else None
        assert isinstance(loop, ir.Next)
        if isinstance(source, ir.Let) and source.index == loop.index:
            for base in self.stored(loop):
                if given & self.bit(base, -1 - pc) and self.goes_through(folded(source.value), self.slots[base]):
                    given |= self.present(self.slots[base])
        return given

    def goes_through(self, items: ir.Expr, v: ir.Variable) -> bool:
        """Whether items are the indices of all slots of a variable."""
        if isinstance(items, ir.Const):
            return isinstance(items.value, tuple) and not self.present(v) & ~bits_of(v.base + k for k in items.value)
        seats = isinstance(items, ir.Op) and facts(items.name).result in (Result.SEATS, Result.TURN_ORDER)
        return seats and v.per == (self.program.player_kind,)


def runs(i: ir.Instruction) -> tuple[int, ...]:
    """What an instruction may run: a procedure, or RULES."""
    procedure = RULES if isinstance(i, ir.CallRule) else run_by(i)
    return () if procedure is None else (procedure,)


def together(reads: Iterable[Read]) -> Read:
    """All that some parts read."""
    slots, named, ahead = 0, set[tuple[int, int]](), set[int]()
    for more_slots, more_named, more_ahead in reads:
        slots, named, ahead = slots | more_slots, named | more_named, ahead | more_ahead
    return slots, named, ahead


def union(masks: Iterable[int]) -> int:
    """All that is in some masks."""
    return reduce(or_, masks, 0)


def bits_of(slots: Iterable[int]) -> int:
    """A mask of some slots."""
    return union(1 << slot for slot in slots)
