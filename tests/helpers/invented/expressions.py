"""Typed random expressions over every function of the language, for the games of `world`."""

from __future__ import annotations

import random
from collections.abc import Callable
from dataclasses import dataclass, field

from rulespec.language.registry import functions
from rulespec.language.signatures import Signature
from rulespec.language.types import (
    BOOL,
    INT,
    BagType,
    BoolType,
    EntityType,
    IntType,
    ListType,
    ManyType,
    OptionType,
    RankedType,
    SetType,
    Type,
    VarType,
)
from tests.helpers.invented.world import (
    CARD,
    COLOUR,
    EDGES,
    GEM,
    ITEMS,
    LETTERS,
    MEMBERS,
    NEVER,
    NUMBERS,
    PLAYER,
    SMALL,
    TRUTHS,
    VALUES,
)


class Stuck(Exception):
    """There is no expression of a type at the depth that is left."""


@dataclass
class Author:
    """Writes expressions; `names` are the variables that a comprehension has bound around the place where it writes."""

    random: random.Random
    depth: int = 3
    names: list[tuple[str, Type]] = field(default_factory=list)
    bound: int = 0

    def one(self, choices: tuple[str, ...] | list[str]) -> str:
        """One of them."""
        return self.random.choice(choices)

    def filled(self, text: str, depth: int) -> str:
        """A text with expressions where it has braces."""
        out = ""
        while "{" in text:
            before, _, rest = text.partition("{")
            what, _, text = rest.partition("}")
            match what:
                case "small":
                    made = str(self.random.choice(SMALL)) if self.random.random() < 0.7 else self.of(INT, depth)
                case "number":
                    made = self.of(INT, depth)
                case _:
                    made = self.of(EntityType(what), depth)
            out += before + made
        return out + text

    def of(self, t: Type, depth: int | None = None) -> str:
        """An expression of a type; numbers may be of any range."""
        depth = self.depth if depth is None else depth
        ways = self.ways(t, depth)
        self.random.shuffle(ways)
        for way in ways:
            try:
                return way()
            except Stuck:
                continue
        raise Stuck

    def ways(self, t: Type, depth: int) -> list[Callable[[], str]]:
        """What may write an expression of a type."""
        low = depth - 1
        ways: list[Callable[[], str]] = [lambda: self.plain(t, depth)]
        here = [name for name, kind in self.names if same(kind, t)]
        if here:
            ways += [lambda: self.one(here)] * 3
        if depth <= 0:
            return ways
        ways.append(lambda: f"(if {self.of(BOOL, low)} then {self.of(t, low)} else {self.of(t, low)})")
        ways += [lambda: self.call(t, low)] * 4
        if not isinstance(t, OptionType):
            ways.append(lambda: f"({self.of(OptionType(t), low)} otherwise {self.of(t, low)})")
            ways.append(lambda: f"after(shake({self.of(INT, low)}, {self.of(PLAYER, low)}), {self.of(t, low)})")
        match t:
            case IntType():
                sign = self.one(["+", "-", "*", "+", "-", "*"])
                ways += [lambda: f"({self.of(t, low)} {sign} {self.of(t, low)})"] * 4
                ways.append(lambda: f"(-({self.of(t, low)}))")
            case BoolType():
                ways += [lambda: self.test(low)] * 6
            case SetType(item) | ListType(item):
                ways += [lambda: self.comprehension("those" if isinstance(t, SetType) else "each", t, low)] * 2
                ways.append(lambda: f"({self.of(t, low)} {self.one(['+', '-'])} {self.of(t, low)})")
                if isinstance(t, SetType):
                    ways.append(lambda: f"set({self.several(item, low)})")
                else:
                    ways.append(lambda: f"list({self.several(item, low)})")
            case BagType(kind):
                ways.append(lambda: f"({self.of(t, low)} {self.one(['+', '-'])} {self.of(t, low)})")
                ways.append(lambda: f"({self.of(INT, low)} of {self.of(EntityType(kind), low)})")
            case OptionType(item):
                ways.append(lambda: f"(if {self.of(BOOL, low)} then {self.of(item, low)} else {self.of(t, low)})")
                ways.append(lambda: self.of(item, low))
        return ways

    def several(self, t: Type, depth: int) -> str:
        """One to three expressions."""
        return ", ".join(self.of(t, depth) for _ in range(self.random.randint(1, 3)))

    def plain(self, t: Type, depth: int) -> str:
        """A literal or something that is read."""
        match t:
            case IntType():
                if self.random.random() < 0.4:
                    return str(self.random.choice(EDGES if self.random.random() < 0.5 else SMALL))
                return self.filled(self.one(NUMBERS), depth - 1)
            case BoolType():
                return (
                    self.one(["yes", "no"]) if self.random.random() < 0.2 else self.filled(self.one(TRUTHS), depth - 1)
                )
        read = [text for text, kind in VALUES if same(kind, t)]
        match t:
            case EntityType(kind):
                read += list(MEMBERS.get(kind, ()))
            case OptionType():
                read.append("none")
            case SetType(EntityType(kind)) if kind in MEMBERS and kind != "Comparison":
                read.append("players" if kind == "Player" else kind)
        if not read:
            raise Stuck
        return self.filled(self.one(read), depth - 1)

    def test(self, depth: int) -> str:
        """A comparison, or what joins conditions."""
        match self.random.randrange(8):
            case 0 | 1:
                return f"({self.of(INT, depth)} {self.one(['<', '<=', '>', '>=', '==', '!='])} {self.of(INT, depth)})"
            case 2:
                t = self.random.choice(ITEMS)
                return f"({self.of(t, depth)} {self.one(['==', '!='])} {self.of(t, depth)})"
            case 3:
                t = self.random.choice(ITEMS)
                return f"({self.of(t, depth)} {self.one(['in', 'not in'])} {self.of(self.many(t), depth)})"
            case 4:
                t = self.random.choice(ITEMS)
                return f"({self.of(self.many(t), depth)} includes {self.of(self.many(t), depth)})"
            case 5:
                return f"({self.of(self.many(self.random.choice(ITEMS)), depth)} is {self.one(['empty', 'not empty'])})"
            case 6:
                t = OptionType(self.random.choice((INT, PLAYER, COLOUR)))
                return f"({self.of(t, depth)} is {self.one(['none', 'known'])})"
            case _:
                joined = f"({self.of(BOOL, depth)} {self.one(['and', 'or'])} {self.of(BOOL, depth)})"
                return joined if self.random.random() < 0.8 else f"(not {joined})"

    def many(self, t: Type) -> Type:
        """A set or a list of items."""
        return self.random.choice((SetType(t), ListType(t)))

    def call(self, t: Type, depth: int) -> str:
        """A call of a function that gives a type."""
        fitting = [
            (name, s, of)
            for name, f in functions().items()
            if name not in NEVER
            for s in f.signatures
            if (of := unified(s.result, t)) is not None
        ]
        if not fitting:
            raise Stuck
        name, signature, of = self.random.choice(fitting)
        return self.written(name, signature, of, depth)

    def written(self, name: str, signature: Signature, of: dict[str, Type], depth: int) -> str:
        """A call as a signature says."""
        binds = functions()[name].binds
        first = signature.parameters[0] if signature.parameters else None
        if (
            first is not None
            and isinstance(first.type, ManyType | RankedType)
            and binds
            and len(signature.parameters) == 1
        ):
            item = self.filled_in(first.type.item, of)
            if binds == "by" or self.random.random() < 0.6:
                return self.comprehension(name, item, depth, binds)
        arguments = []
        for parameter in signature.parameters:
            kind = self.filled_in(parameter.type, of)
            if kind == EntityType("Graph"):
                continue
            small = isinstance(kind, IntType) and parameter.name in (
                "position",
                "size",
                "steps",
                "columns",
                "rows",
                "lot",
            )
            for _ in range(self.random.randint(1, 3) if parameter.rest else 1):
                arguments.append(str(self.random.choice(SMALL)) if small else self.of(kind, depth))
        return f"{name}({', '.join(arguments)})"

    def filled_in(self, t: Type, of: dict[str, Type]) -> Type:
        """A type of a signature with what its letters stand for; for a letter that nothing says, one is chosen."""
        match t:
            case VarType(name):
                if name not in of:
                    of[name] = GEM if name == "K" else CARD if name == "C" else self.random.choice(ITEMS)
                return of[name]
            case ManyType(item):
                return self.many(self.filled_in(item, of))
            case ListType(item):
                return ListType(self.filled_in(item, of))
            case SetType(item):
                return SetType(self.filled_in(item, of))
            case OptionType(item):
                return OptionType(self.filled_in(item, of))
            case BagType():
                return BagType("Gem")
            case EntityType(kind):
                return LETTERS.get(kind, t)
        return t

    def comprehension(self, name: str, t: Type, depth: int, binds: str = "where") -> str:
        """A call of a function of what a loop gives: of items of a type, or of a collection of it for `those` and `each`."""
        item = t.item if isinstance(t, SetType | ListType) and name in ("those", "each") else t
        source_item = item if name == "those" or binds in ("have", "by") else self.random.choice((item, *ITEMS))
        source = self.of(self.many(source_item) if name != "those" else t, depth)
        self.bound += 1
        x = f"x{self.bound}"
        self.names.append((x, source_item))
        try:
            where = f" where {self.of(BOOL, depth)}" if self.random.random() < 0.6 else ""
            if binds == "have":
                return f"{name}({x} in {source}{where} have {self.of(BOOL, depth)})"
            if binds == "by":
                return f"{name}({x} in {source}{where} by {self.of(INT, depth)})"
            if same(source_item, item) and (name == "those" or self.random.random() < 0.4):
                return f"{name}({x} in {source}{where or f' where {self.of(BOOL, depth)}'})"
            return f"{name}({self.of(item, depth)} for {x} in {source}{where})"
        finally:
            self.names.pop()


def same(a: Type, b: Type) -> bool:
    """Whether types are equal but for the ranges of numbers."""
    match a, b:
        case IntType(), IntType():
            return True
        case (SetType(x), SetType(y)) | (ListType(x), ListType(y)) | (OptionType(x), OptionType(y)):
            return same(x, y)
    return a == b


def unified(pattern: Type, t: Type) -> dict[str, Type] | None:
    """What the letters of a signature's type stand for where it gives a type; None where it never does."""
    match pattern, t:
        case IntType(), IntType():
            return {}
        case VarType(name), _:
            if name == "K" and t != GEM:
                return None
            return None if isinstance(t, OptionType | BagType | BoolType) else {name: t}
        case (SetType(x), SetType(y)) | (ListType(x), ListType(y)) | (OptionType(x), OptionType(y)):
            return unified(x, y)
        case ManyType(x), (SetType(y) | ListType(y)):
            return unified(x, y)
        case BagType(), BagType():
            return {}
        case EntityType(kind), EntityType():
            return {} if LETTERS.get(kind, pattern) == t else None
    return {} if pattern == t else None
