"""Answers as words: each value that a question may be answered by is a row of symbols, which are numbers of a fixed table.

Most answers are words of one symbol: a member of a kind, a small number, an option of a menu.  Where one number for each answer would
be too many, or nobody knows how many there are, a word has several: the members of a set and an end, the digits of a number.  No word
of a question is the beginning of another, so that a word can be given symbol by symbol.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from interpreter.runtime.windows import instance
from rulespec import ir

Word = tuple[int, ...]
Stands = Callable[[int, int], int]  # (kind, piece) -> the piece whose symbol it has
Speller = Callable[[Any, Stands], Word]

MOST_NUMBERS = 256  # of a question that have a symbol each; others are written as digits
DIGITS = 19  # of any number of 64 bits
PLACES = 6  # digits of a place among candidates, of which a collection has at most a million


class Symbols:
    """The symbols of one question, or of several that are one to a player: `names`, by number from `first` on."""

    def __init__(self, program: ir.Program, label: str, first: int) -> None:
        self.program = program
        self.label = label
        self.first = first
        self.names: list[str] = []
        self.taken: set[str] = set()

    def add(self, name: str) -> int:
        """A new symbol; its number.  Names are told apart where two parts of an answer have one."""
        full, copy = f"{self.label}: {name}", 1
        while full in self.taken:
            copy += 1
            full = f"{self.label}: {name} ({copy})"
        self.taken.add(full)
        self.names.append(full)
        return self.first + len(self.names) - 1

    def table(self, names: Mapping[Any, str], what: str = "") -> dict[Any, int]:
        """A symbol for each key."""
        return {key: self.add(what + name) for key, name in names.items()}

    # --- by types ----------------------------------------------------------------------------------------
    def of_type(self, t: ir.Type, what: str = "") -> Speller:
        """How values of a type are spelled; `what` says which part of an answer they are."""
        match t.what:
            case "bool":
                return self.one_of({False: "no", True: "yes"}, what)
            case "int" if t.low is not None and t.high is not None:
                return self.numbers(t.low, t.high, what)
            case "int":
                return self.digits(DIGITS, True, what)
            case "entity":
                return self.members(t.kind or 0, what)
            case "option":
                return self.optional(t.parts[0], what)
            case "set" | "list":
                return self.several(t, what)
            case "bag":
                return self.bag(t.kind or 0, what)
            case "record" | "pack":
                names = t.names or tuple(str(n) for n in range(1, len(t.parts) + 1))
                parts = [self.of_type(part, f"{what}{name} ") for name, part in zip(names, t.parts, strict=True)]
                return lambda value, stands: tuple(
                    symbol for part, item in zip(parts, value, strict=True) for symbol in part(item, stands)
                )
        raise KeyError(t.what)

    def one_of(self, names: Mapping[Any, str], what: str = "") -> Speller:
        """One symbol for each of a few values."""
        numbers = self.table(names, what)
        return lambda value, _: (numbers[value],)

    def members(self, kind: int, what: str = "") -> Speller:
        """One symbol for each member of a kind; pieces that nobody can tell apart share one."""
        first = len(self.names) + self.first
        for member in self.program.kinds[kind].members:
            self.add(what + member)
        return lambda value, stands: (first + stands(kind, value),)

    def numbers(self, low: int, high: int, what: str = "") -> Speller:
        """Whole numbers between bounds."""
        if high - low < MOST_NUMBERS:
            return self.one_of({number: str(number) for number in range(low, high + 1)}, what)
        return self.digits(len(str(max(abs(low), abs(high)))), low < 0, what)

    def digits(self, count: int, signed: bool, what: str = "") -> Speller:
        """Numbers digit by digit, the highest first; before it, where they may be below 0, the sign."""
        sign = self.table({False: "at least 0", True: "below 0"}, what) if signed else {}
        rows = [self.table({d: f"{d}{'·' * (count - 1 - k)}" for d in range(10)}, what) for k in range(count)]

        def spell(value: Any, _: Stands) -> Word:
            written = f"{abs(value):0{count}}"
            head = (sign[value < 0],) if signed else ()
            return (*head, *(row[int(digit)] for row, digit in zip(rows, written, strict=True)))

        return spell

    def optional(self, item: ir.Type, what: str) -> Speller:
        """A value, or none."""
        none, inner = self.add(f"{what}none"), self.of_type(item, what)
        return lambda value, stands: (none,) if value is None else inner(value, stands)

    def several(self, t: ir.Type, what: str) -> Speller:
        """The items one after the other, and an end."""
        inner, end = self.of_type(t.parts[0], what), self.add(f"{what}no more")
        ordered = t.what == "list"

        def spell(value: Any, stands: Stands) -> Word:
            words = [inner(item, stands) for item in value]
            return (*(symbol for word in (words if ordered else sorted(words)) for symbol in word), end)

        return spell

    def bag(self, kind: int, what: str) -> Speller:
        """Each thing as often as it is there, and an end."""
        first = self.first + len(self.names)
        for member in self.program.kinds[kind].members:
            self.add(f"{what}{member}")
        end = self.add(f"{what}no more")
        return lambda value, _: (*(first + n for n, count in enumerate(value) for _ in range(count)), end)

    # --- of rules ----------------------------------------------------------------------------------------
    def entries(self, rules: tuple[int, ...]) -> Speller:
        """Instances of rules: entries of a queue, or what rules add to a menu."""
        spellers = {number: self.entry(self.program.rules[number]) for number in rules}
        return lambda value, stands: spellers[value[0]](instance(value[1]), stands)

    def entry(self, rule: ir.Rule) -> Speller:
        """The instances of one rule: one for each of its pieces, or for the arguments of what lasts."""
        name = rule.name if rule.option is None else rule.option.name
        if rule.kind is not None:
            kind = self.program.kinds[rule.kind]
            pieces = self.table({piece: f"{name} of {kind.members[piece]}" for piece in rule.pieces})
            return lambda args, stands: (pieces[stands(kind.index, args[0])],)
        first = self.add(rule.name)
        arguments = [self.of_type(part, f"{name} of ") for part in rule.arguments]
        return lambda args, stands: (
            first,
            *(symbol for part, arg in zip(arguments, args, strict=True) for symbol in part(arg, stands)),
        )
