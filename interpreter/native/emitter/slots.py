"""Where a position keeps its slots: those that are indexed together are one array."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from interpreter.native.emitter.forms import EMPTY, NUMBER, SET, Form, Forms, Row, grown, passed, unbounded
from interpreter.native.emitter.inference import Types
from interpreter.native.emitter.types import join
from rulespec import ir
from rulespec.analysis.domain import NONE, Fact
from rulespec.ir.ahead import Ahead
from rulespec.ir.walk import within
from rulespec.system.records import dataclass

BOARD, VALUES = 8, 4  # the least size of an array with bit boards, and how many values it has at most
FEW_LISTS = 16  # variables of one name that are lists and may be long
LARGE, KINDS = 16, 15  # of a larger array: kinds of men on a board
# The slots of the system that have a place of their own in the position.
APART = frozenset({ir.CONTROL, ir.RANDOM, ir.KNOWN, ir.LASTING})


@dataclass(frozen=True, slots=True)
class Group:
    """`size` slots from `base` in an array of items of a form and a type; `store` is the C type of each."""

    base: int
    size: int
    fact: Fact
    form: Form
    store: str


class Slots:
    """The groups of a program's slots."""

    def __init__(self, program: ir.Program, types: Types, forms: Forms) -> None:
        self.program = program
        self.groups: list[Group] = []
        self.of: dict[int, Group] = {}
        self.boards: dict[
            int, int
        ] = {}  # of arrays of small numbers, how many bit boards they have: of None, 0, 1, ...
        top = tied(program)
        members: dict[int, list[int]] = {}
        for slot in range(ir.WINNERS, len(program.initial)):
            if slot not in APART:
                members.setdefault(root(top, slot), []).append(slot)
        ahead = written_ahead(program)  # whole arrays of these are put back
        counting = {rule.counter for rule in program.rules}  # these are written by windows
        lists = sum(
            len(slots)
            for slots in members.values()
            if len(slots) <= FEW_LISTS and unbounded(types.slot[slots[0]] or NONE) and slots[0] not in ahead
        )
        for slots in members.values():
            base, size = slots[0], slots[-1] - slots[0] + 1
            fact = join(*(types.slot[s] or NONE for s in slots))
            form = forms.of_slot(fact)
            if form == EMPTY:
                form = SET
            if isinstance(form, Row) and unbounded(fact) and base not in ahead:
                form = grown(form, lists) if size == 1 else passed(form, lists) if size <= FEW_LISTS else form
            group = Group(base, size, fact, form, forms.kept(fact, form))
            self.groups.append(group)
            for s in range(base, base + size):
                self.of[s] = group
            if small_array(group) and not counting & set(slots):
                self.boards[base] = (fact.high or 0) + 2

    def group(self, slot: int) -> Group:
        """The group that holds a slot."""
        return self.of[slot]

    def cell(self, slot: int) -> str:
        """The C of a slot."""
        group = self.of[slot]
        return f"S->g{group.base}[{slot - group.base}]"


def written_ahead(program: ir.Program) -> set[int]:
    """The slots that procedures which are looked ahead at may write."""
    ahead = Ahead(program)
    every = within((program.functions, program.procedures, program.sites, program.rules))
    slots: set[int] = set()
    for procedure in {e.procedure for e in every if isinstance(e, ir.After)}:
        slots.update(ahead.touched(procedure))
        for i in ahead.code(procedure):
            slots.update(stored(i))
    return slots


def stored(i: ir.Instruction) -> Iterator[int]:
    """The slots that an instruction sets because it says so."""
    match i:
        case ir.Store(base=base, size=size):
            yield from range(base, base + size)
        case ir.Reset(low, high):
            yield from range(low, high)
        case ir.Finish():
            yield ir.RETURNS


def small_array(group: Group) -> bool:
    """Whether an array has a bit board for each value: 8 to 128 numbers below 4, or 16 to 128 below 15."""
    fact = group.fact
    return (
        group.form == NUMBER
        and BOARD <= group.size <= 128
        and fact.what == "int"
        and fact.low is not None
        and fact.low >= 0
        and fact.high is not None
        and fact.high < (KINDS if group.size >= LARGE else VALUES)
    )


def root(top: list[int], x: int) -> int:
    """The lowest slot of a group."""
    while top[x] != x:
        x = top[x]
    return x


def tied(program: ir.Program) -> list[int]:
    """For each slot another of its group, in the end the lowest."""
    top = list(range(len(program.initial) + 1))

    def tie(base: int, size: int) -> None:
        for s in range(base + 1, base + size):
            a, b = root(top, base), root(top, s)
            top[max(a, b)] = min(a, b)

    for zone in program.zones:
        tie(zone.base, zone.size)
    for variable in program.variables:
        tie(variable.base, variable.size)
    for kind in program.kinds:
        if kind.location is not None:
            tie(kind.location, len(kind.members))
    for rule in program.rules:
        if rule.counter is not None:
            tie(rule.counter, len(rule.pieces) if rule.source == "pieces" else 1)
    for access in accesses((program.functions, program.procedures, program.sites, program.rules)):
        tie(access.base, access.size)
    return top


def accesses(node: Any) -> Iterator[ir.Load | ir.Store]:
    """Every load and store in a part of a program."""
    todo: list[Any] = [node]
    while todo:
        node = todo.pop()
        if isinstance(node, tuple):
            todo += node
        elif isinstance(node, ir.Load | ir.Store):
            yield node
        if not isinstance(node, tuple):
            todo += [getattr(node, name) for name in getattr(node, "__slots__", ()) if name != "where"]
