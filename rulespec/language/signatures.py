"""How functions are called: signatures as the registry's decorators have them, parsed."""

from __future__ import annotations

import re

from rulespec.language.types import (
    BOOL,
    INT,
    TEXT,
    BagType,
    EntityType,
    IntType,
    ListType,
    ManyType,
    OptionType,
    RankedType,
    SetType,
    Type,
    VarType,
)  # fmt: skip
from rulespec.system.records import dataclass


@dataclass(frozen=True, slots=True)
class Parameter:
    """A parameter of a function: `rest` takes any number of arguments."""

    name: str
    type: Type
    rest: bool = False


@dataclass(frozen=True, slots=True)
class Signature:
    """One way to call a function, and the body that answers it; `hidden` arguments are added by the checker."""

    text: str
    parameters: tuple[Parameter, ...]
    result: Type
    body: str
    hidden: tuple[str, ...] = ()


def parse_type(text: str) -> Type:
    """A type as written in a signature: `many T`, `bag of K`, `0..`, `T or none`."""
    text = text.strip()
    if text.endswith(" or none"):
        return OptionType(parse_type(text.removesuffix(" or none")))
    for word, make in (("many ", ManyType), ("set of ", SetType), ("list of ", ListType), ("ranked ", RankedType)):
        if text.startswith(word):
            return make(parse_type(text.removeprefix(word)))
    if text.startswith("bag of "):
        return BagType(text.removeprefix("bag of "))
    if match := re.fullmatch(r"(-?\d+)?\.\.(-?\d+)?", text):
        low, high = match.groups()
        return IntType(None if low is None else int(low), None if high is None else int(high))
    if text == "Yes or no":
        return BOOL
    if text == "Number":
        return INT
    if text == "Text":
        return TEXT
    return VarType(text) if len(text) == 1 else EntityType(text)


def parse_signature(text: str, body: str, hidden: tuple[str, ...]) -> Signature:
    """`name(a: Type, rest: Type ...) -> Type`."""
    head, _, result = text.partition(" -> ")
    inside = head[head.index("(") + 1 : -1]
    parameters = []
    for part in filter(None, (p.strip() for p in inside.split(","))):
        name, _, kind = part.partition(":")
        rest = kind.rstrip().endswith("...")
        parameters.append(Parameter(name.strip(), parse_type(kind.replace("...", "")), rest))
    return Signature(text, tuple(parameters), parse_type(result), body, hidden)
