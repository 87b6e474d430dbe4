"""Which values a type has, and which types the slots have."""

from __future__ import annotations

from itertools import pairwise
from typing import Any, assert_never

from rulespec.ir import types
from rulespec.ir.expressions import (
    BATCH,
    CONTROL,
    KNOWN,
    LASTING,
    RANDOM,
    RETURNS,
    SYSTEM_SLOTS,
    WINNERS,
)
from rulespec.ir.program import Program, Rule
from rulespec.ir.types import Type

MOST_NESTED = 1000  # batches within batches, as `BATCH` counts them
INT_BITS = 64


def slot_types(program: Program) -> tuple[Type, ...]:
    """The type of every slot: that of its variable or zone; counters and what else the rules keep are numbers from 0."""
    slots = [types.NATURAL] * max(len(program.initial), SYSTEM_SLOTS)
    player = types.entity(program.player_kind)
    slots[CONTROL] = types.FRAMES
    slots[RANDOM] = types.option(types.pack(types.NATURAL, types.NATURAL))
    slots[WINNERS] = types.option(types.set_of(player, program.players))
    slots[RETURNS] = types.option(types.list_of(types.INT, program.players))
    slots[KNOWN] = types.set_of(types.pack(types.NATURAL, types.number(0, program.players)))  # a seat, or all at once
    slots[LASTING] = types.list_of(types.EFFECT)
    slots[BATCH] = types.number(0, MOST_NESTED)
    for kind in program.kinds:
        if kind.location is not None:
            size = len(kind.members)
            slots[kind.location : kind.location + size] = [types.number(-1, len(program.initial) - 1)] * size
    for zone in program.zones:
        piece, most = types.entity(zone.kind), len(program.kinds[zone.kind].members)
        holds = types.set_of(piece, most)
        if zone.counts:
            holds = types.bag(zone.kind)
        elif zone.order == "pile":
            holds = types.list_of(piece, most)
        slots[zone.base : zone.base + zone.size] = [holds] * zone.size
    for variable in program.variables:
        slots[variable.base : variable.base + variable.size] = [variable.type] * variable.size
    return tuple(slots)


class Values:
    """Which values the types of a program have.  All values are of `any`, and of `frames`, which `Program.points` tells about."""

    def __init__(self, program: Program) -> None:
        self.program = program
        self.slots = slot_types(program)

    def has(self, t: Type, v: Any) -> bool:
        """Whether a value is one of a type; it may be anything that JSON data can be made into, tuples for lists."""
        match t.what:
            case "bool":
                return v is True or v is False
            case "int":
                return is_number(v, t.low, t.high)
            case "entity":
                return is_number(v, 0, self.size(t) - 1)
            case "set" | "list":
                return self.has_items(t, v)
            case "bag":
                return isinstance(v, tuple) and len(v) == self.size(t) and all(is_number(n, 0) for n in v)
            case "option":
                return v is None or self.has(t.parts[0], v)
            case "record" | "pack":
                return self.has_each(t.parts, v)
            case "text":
                return self.has_text(v)
            case "none":
                return v is None
            case "target":
                return v is None or is_number(v, 0, len(self.program.targets) - 1)
            case "aside":
                return self.has_each(self.slots[t.low : t.high], v)
            case "entry":
                return isinstance(v, tuple) and len(v) == 2 and self.has_instance(t, v[0], v[1])
            case "choice":
                return is_number(v, 0, (t.high or 0) - 1) or (
                    isinstance(v, tuple) and len(v) == 2 and self.has_case(t, v)
                )
            case "effect":
                return isinstance(v, tuple) and len(v) == 3 and self.has_effect(*v)
            case "frames" | "any":
                return True
            case _:
                assert_never(t.what)

    def has_text(self, v: Any) -> bool:
        """Whether it is a text: words, or words and values filled in, each with the number of its type."""
        if isinstance(v, str):
            return True
        return isinstance(v, tuple) and v != () and all(isinstance(p, str) or self.is_filled_in(p) for p in v)

    def is_filled_in(self, v: Any) -> bool:
        """Whether it is what is filled into a text: the number of a type, and a value of it."""
        if not isinstance(v, tuple) or len(v) != 2 or not is_number(v[0], 0, len(self.program.printers) - 1):
            return False
        return self.has(self.program.printers[v[0]], v[1])

    def size(self, t: Type) -> int:
        """How many members the kind of an entity or bag has."""
        return len(self.program.kinds[t.kind or 0].members)

    def has_each(self, parts: tuple[Type, ...], v: Any) -> bool:
        """Whether it is a tuple of values of some types, one each."""
        return isinstance(v, tuple) and len(v) == len(parts) and all(map(self.has, parts, v))

    def has_items(self, t: Type, v: Any) -> bool:
        """Whether it is a set or list of a type."""
        if not isinstance(v, tuple) or (t.capacity is not None and len(v) > t.capacity):
            return False
        if not all(self.has(t.parts[0], item) for item in v):
            return False
        return t.what == "list" or all(a < b for a, b in pairwise(v))

    def has_instance(self, t: Type, number: Any, args: Any) -> bool:
        """Whether these are a rule that a type names and the arguments of an instance of it."""
        if not is_number(number, 0) or number not in t.rules:
            return False
        rule = self.program.rules[number]
        if not self.has_each(instance_types(rule), args):
            return False
        return rule.source != "pieces" or args[0] in rule.pieces

    def has_effect(self, number: Any, args: Any, end: Any) -> bool:
        """Whether these are what lasts, its arguments, and the tag of what ends it."""
        lastings = self.program.lastings
        if not is_number(number, 0) or not isinstance(args, tuple) or not (end is None or is_number(end)):
            return False
        return not lastings or (number < len(lastings) and self.has_each(lastings[number], args))

    def has_case(self, t: Type, pair: tuple[Any, Any]) -> bool:
        """Whether these are a rule that adds to a menu and a case of it."""
        number, case = pair
        if not is_number(number, 0) or number not in t.rules:
            return False
        source = self.program.rules[number].source
        if source == "plain":
            return case is None
        return self.has_instance(t, number, (case,) if source == "pieces" else case)


def is_number(v: Any, low: int | None = None, high: int | None = None) -> bool:
    """Whether it is a whole number within bounds, of at most 64 bits, and no bool."""
    return type(v) is int and (low is None or v >= low) and (high is None or v <= high) and v.bit_length() < INT_BITS


def instance_types(rule: Rule) -> tuple[Type, ...]:
    """The types of the arguments of a rule's instance."""
    if rule.source == "lasting":
        return rule.arguments
    return () if rule.kind is None else (types.entity(rule.kind),)
