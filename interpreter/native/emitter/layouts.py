"""What the numbers of a position mean, as a `Layout` says it: of each value its form in C, and its type where that tells more."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import groupby

from interpreter.native.emitter.exchange import Code, yes_or_no
from interpreter.native.emitter.forms import (
    MOST_PICKED,
    NUMBER,
    Bits,
    Empty,
    Entry,
    Form,
    Maybe,
    Number,
    Pick,
    Record,
    Row,
)
from interpreter.native.emitter.slots import Group
from rulespec import ir
from rulespec.ir.inhabits import slot_types


class Coder:
    """Codes of one program's values."""

    def __init__(self, program: ir.Program) -> None:
        self.slots = slot_types(program)

    def group(self, group: Group) -> Iterator[tuple[int, int, Code]]:
        """Slots that are one array: first slot, number of slots, what each is; slots of another type apart."""
        slots = range(group.base, group.base + group.size)
        for code, same in groupby(slots, lambda slot: self.of(group.form, self.slots[slot])):
            first, *more = same
            yield first, 1 + len(more), code

    def of(self, form: Form, t: ir.Type) -> Code:
        """What a value of a form and a type is."""
        match form:
            case Number():
                return "t" if yes_or_no(t) else "n"
            case Bits():
                code = self.items(NUMBER, t)
                return "b" if code == ["l", "n"] else code
            case Empty():
                return "e"
            case Pick():
                return "p"
            case Entry():
                return "q"
            case Row(_, item):
                return self.items(item, t)
            case Record(parts):
                types = self.parts(t)
                if len(types) != len(parts):
                    types = types[:1] * len(parts)
                return ["r", list(map(self.of, parts, types))]
            case Maybe(inner):
                return ["m", self.of(inner, t)]
        return "n"

    def items(self, form: Form, t: ir.Type) -> Code:
        """What a collection is whose number of items is written before them."""
        codes = [self.of(form, part) for part in self.parts(t)]
        return ["l", codes[0]] if all(code == codes[0] for code in codes) else ["c", codes]

    def parts(self, t: ir.Type) -> tuple[ir.Type, ...]:
        """The types of the parts of a value, or the one of all its items."""
        match t.what:
            case "option":
                return self.parts(t.parts[0])
            case "record" | "pack" | "set" | "list":
                return t.parts or (ir.types.ANY,)
            case "aside":
                return self.slots[t.low : t.high]
        return (ir.types.ANY,)


def most_numbers(form: Form) -> int:
    """How many numbers a value of a form is at most."""
    match form:
        case Bits(words):
            return 1 + 64 * words
        case Row(most, item):
            return 1 + most * most_numbers(item)
        case Record(parts):
            return sum(map(most_numbers, parts))
        case Maybe(inner):
            return 1 + most_numbers(inner)
        case Entry(size):
            return 2 + size
        case Pick():
            return 2 + MOST_PICKED
    return 1
