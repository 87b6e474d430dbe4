"""Which slots all see whatever they hold, and which expressions read others."""

from __future__ import annotations

from typing import Any

from rulespec import ir
from rulespec.ir.ahead import Ahead
from rulespec.ir.walk import parts
from rulespec.language.facts import Tells
from rulespec.language.registry import facts


class Closed:
    """What not all see of the slots of a program, as it is declared.

    `open` holds the slots that all see, and those that only count what all see; of those in `counted` all see how many items there
    are, of those in `topped` the top one.  What there is for each of pieces that may lie hidden is told by the place, if at all.
    """

    def __init__(self, program: ir.Program) -> None:
        self.program = program
        self.open = open_slots(program)
        self.counted, self.topped = set(self.open), set(self.open)
        hiding = hiding_kinds(program)
        for zone in program.zones:
            if not hiding.isdisjoint(zone.per):
                continue
            slots = range(zone.base, zone.base + zone.size)
            if zone.counted.who == "all":
                self.counted.update(slots)
            if zone.top.who == "all" and zone.order == "pile":
                self.topped.update(slots)
        self.ahead = Ahead(program)
        self.functions: dict[int, bool] = {}
        self.procedures: dict[int, bool] = {}

    def function(self, number: int | None) -> bool:
        """Whether a function of the program reads what not all see; False for None."""
        if number is None:
            return False
        if number not in self.functions:
            self.functions[number] = True  # what calls itself, until more is known
            self.functions[number] = self.reads(self.program.functions[number].body)
        return self.functions[number]

    def procedure(self, number: int) -> bool:
        """Whether what a procedure would leave depends on what not all see."""
        if number not in self.procedures:
            self.procedures[number] = True  # what looks ahead at itself, until more is known
            touched = self.ahead.touched(number) - {ir.KNOWN}
            self.procedures[number] = not touched <= self.open or any(map(self.reads, self.ahead.parts(number)))
        return self.procedures[number]

    def reads(self, node: Any) -> bool:
        """Whether a part of a program reads what not all see."""
        todo = [node]
        while todo:
            e: Any = todo.pop()
            match e:
                case tuple():
                    todo += e
                    continue
                case ir.Op(name, (ir.Load() as load,)) if self.shown(facts(name).tells, load):
                    todo.append(load.index)
                    continue
                case ir.Load() if not self.open.issuperset(range(e.base, e.base + e.size)):
                    return True
                case ir.Invoke(number) if self.function(number):
                    return True
                case ir.After(number) if self.procedure(number):
                    return True
            todo += [value for name in parts(e.__class__) if (value := getattr(e, name)) is not None]
        return False

    def shown(self, tells: Tells, load: ir.Load) -> bool:
        """Whether all see what a function tells of the slots that are its argument."""
        slots = range(load.base, load.base + load.size)
        if tells is Tells.NUMBER:
            return self.counted.issuperset(slots)
        return tells is Tells.TOP and self.topped.issuperset(slots)


def hiding_kinds(program: ir.Program) -> set[int]:
    """The kinds of which a piece may lie where not all see it."""
    return {zone.kind for zone in program.zones if zone.seen.who != "all"}


def open_slots(program: ir.Program) -> frozenset[int]:
    """The slots that all see whatever they hold, and those that only count what all see."""
    out = set(range(len(program.initial))) - {ir.CONTROL, ir.RANDOM, ir.KNOWN}
    hiding = hiding_kinds(program)
    for zone in program.zones:
        if zone.seen.who != "all" or not hiding.isdisjoint(zone.per):
            out.difference_update(range(zone.base, zone.base + zone.size))
    for kind in program.kinds:
        if kind.location is not None and kind.index in hiding:
            out.difference_update(range(kind.location, kind.location + len(kind.members)))
    for variable in program.variables:
        named = bool(hiding) and program.names_pieces(variable.type)
        if variable.seen.who != "all" or named or not hiding.isdisjoint(variable.per):
            out.difference_update(range(variable.base, variable.base + variable.size))
    return frozenset(out)
