"""The registry: every function and verb of the language, defined once.

A *function* is pure: signatures, a docstring, examples and a Python body over plain values.  A *verb* is a step of a
procedure: its keys, a docstring, an example, and a compiler that emits instructions, so that no back end hears of it.
From these come the checker, the JSON Schemas, the reference page and a conformance case for each example.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from functools import cache
from importlib import import_module
from inspect import cleandoc
from typing import Any, Literal, Protocol, TypeVar

from rulespec.types import (
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

Body = Callable[..., Any]
B = TypeVar("B", bound=Body)
LIBRARIES = ("numbers", "lists", "bags", "players", "maps", "payments", "intrinsics")


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


@dataclass(slots=True)
class FunctionDef:
    """A function of the language: all there is to know of it."""

    name: str
    group: str
    doc: str
    signatures: list[Signature]
    examples: dict[str, str]
    binds: str = ""  # "where" or "have": takes `x in items where ...` as its only argument


Shape = Literal[
    "expr",
    "binder",
    "type",
    "name",
    "new name",
    "text",
    "steps",
    "reasons",
    "exprs",
    "branches",
    "arms",
    "none",
    "word",
    "cites",
    "flag",
    "map",
]


@dataclass(frozen=True, slots=True)
class Key:
    """A key of a verb: what is written under it, and what it says."""

    shape: Shape
    about: str
    required: bool = False
    words: tuple[str, ...] = ()  # shape "word": the words that may stand there
    also: tuple[Shape, ...] = ()  # other shapes that may stand there


@dataclass(frozen=True, slots=True)
class VerbDef:
    """A verb: its own value, the keys beside it, and who compiles it."""

    name: str
    group: str
    doc: str
    value: Key
    keys: Mapping[str, Key]
    example: str
    compile: Callable[..., Any] = field(compare=False)


_FUNCTIONS: dict[str, FunctionDef] = {}
_BODIES: dict[str, Body] = {}
_VERBS: dict[str, VerbDef] = {}



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


class Register(Protocol):
    """A decorator that leaves what it decorates as it is."""

    def __call__(self, python: B, /) -> B: ...


def function(
    signature: str, *, examples: Mapping[str, str] | None = None, binds: str = "", hidden: tuple[str, ...] = ()
) -> Register:
    """Register a function, or another signature of one already there."""

    def register(python: B) -> B:
        name = signature[: signature.index("(")]
        made = parse_signature(signature, python.__name__, hidden)
        known = _FUNCTIONS.get(name)
        if known is None:
            group = python.__module__.rsplit(".", 1)[-1]
            known = _FUNCTIONS[name] = FunctionDef(name, group, cleandoc(python.__doc__ or ""), [], {}, binds)
        known.signatures.append(made)
        known.examples.update(examples or {})
        return intrinsic(python)

    return register


def intrinsic(python: B) -> B:
    """Register a body that only the checker names: operators and the like."""
    if python.__name__ in _BODIES:
        raise ValueError(f"two bodies are called {python.__name__}")
    _BODIES[python.__name__] = python
    return python


def verb(
    name: str, value: Key, keys: Mapping[str, Key], *, group: str, example: str
) -> Callable[[Callable[..., Any]], Callable[..., Any]]:
    """Register a verb: `name: value` with `keys` beside it; the docstring says what it does."""

    def register(compiler: Callable[..., Any]) -> Callable[..., Any]:
        _VERBS[name] = VerbDef(name, group, cleandoc(compiler.__doc__ or ""), value, keys, example, compiler)
        return compiler

    return register


@cache
def _load() -> bool:
    for name in LIBRARIES:
        import_module(f"rulespec.library.{name}")
    return True


def functions() -> Mapping[str, FunctionDef]:
    """Every function of the language by name."""
    _load()
    return _FUNCTIONS


def body(name: str) -> Body:
    """The Python body of a function or an intrinsic; raises KeyError for a name that nobody registered."""
    _load()
    return _BODIES[name]


def verbs() -> Mapping[str, VerbDef]:
    """Every verb registered so far; `rulespec.checker.verbs` registers them all."""
    return _VERBS
