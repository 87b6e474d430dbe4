"""The registry: every function and verb of the language, defined once.

A *function* is pure: signatures, a docstring, examples, a Python body over plain values, and the facts that analyses and
back ends read (`facts`), so that none of them keeps a list of functions.  An *intrinsic* is a body with its facts.  A *verb* is a step of a
procedure: its keys, a docstring, an example, and a compiler that emits instructions, so that no back end hears of it.
From these come the checker, the JSON Schemas, the reference page and a conformance case for each example.
"""

from __future__ import annotations

import inspect
from collections.abc import Callable, Mapping
from dataclasses import field
from functools import cache
from importlib import import_module
from inspect import cleandoc
from typing import TYPE_CHECKING, Any, Literal, Protocol, TypeVar

from rulespec.language.facts import NOTHING_KNOWN, Extreme, Facts, Result
from rulespec.system.records import dataclass

if TYPE_CHECKING:
    from rulespec.language.signatures import Signature

Body = Callable[..., Any]
B = TypeVar("B", bound=Body)
SINGLE = frozenset({"int", "bool", "str", "int | None"})  # annotations of what is no collection
LIBRARIES = ("numbers", "lists", "bags", "players", "maps", "boards", "parts", "payments", "texts", "intrinsics")
VERBS = (
    "pieces",
    "chance",
    "control",
    "leaving",
    "scopes",
    "telling",
    "choose",
    "events",
    "offer",
    "state",
    "repetition",
    "together",
)


@dataclass(slots=True)
class FunctionDef:
    """A function of the language: all there is to know of it."""

    name: str
    group: str
    doc: str
    signatures: list[Signature]
    examples: dict[str, str]
    binds: str = ""  # "where" or "have": takes `x in items where ...` as its only argument
    nests: str = ""  # the function that says the same of several collections, one around the other


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


Role = Literal[  # what stands there is, for the step:
    "",
    "amount",  # how much, or how many
    "moved",  # the pieces that are put elsewhere
    "source",  # where something is taken from
    "deck",  # where pieces are taken from, unseen and as they come
    "goal",  # where something is brought to
    "target",  # what becomes something else
    "value",  # what it becomes
    "result",  # the name of what comes out
    "candidates",  # what is chosen from
    "asked",  # who is asked
    "test",  # with what the steps under it are run
    "exit",  # with what they are not run any more
    "claim",  # what must be so
    "winner",
    "loser",
    "shown",  # what somebody sees from now on
    "said",  # the line that people read
    "shuffled",
]


@dataclass(frozen=True, slots=True)
class VerbKey:
    """A key of a verb: what is written under it, and what it says; `role` is what lint and other readers know it by."""

    shape: Shape
    about: str
    required: bool = False
    words: tuple[str, ...] = ()  # shape "word": the words that may stand there
    also: tuple[Shape, ...] = ()  # other shapes that may stand there
    offers: tuple[str, ...] = ()  # sections of the game whose names an editor offers there
    role: Role = ""


@dataclass(frozen=True, slots=True)
class Traits:
    """What is true of the steps with a verb, whatever stands in them."""

    binds: bool = False  # it is there for the name that it makes, which would have no value under an `if` of its own
    sealed: bool = False  # it may stand in `together`
    asks: bool = False  # it asks a player: the one under `by`, or `me`
    leaves: bool = False  # no step after it is run
    inside: Literal["", "loop", "result"] = ""  # what must be around it: a loop, or a procedure that gives a result
    loops: Literal["", "items", "rounds"] = (
        ""  # its steps are run again and again: for each of some items, or round after round
    )
    seals: bool = False  # its steps are choices that nobody sees before all have answered
    ends: bool = False  # it ends more than the procedure: a phase, a scope or the game
    branches: tuple[str, ...] = ()  # keys of steps of which exactly one is run
    assigns: tuple[str, ...] = ()  # keys of variables that may hold nothing afterwards


@dataclass(frozen=True, slots=True)
class VerbDef:
    """A verb: its own value, the keys beside it, what is true of it, and who compiles it."""

    name: str
    group: str
    doc: str
    value: VerbKey
    keys: Mapping[str, VerbKey]
    example: str
    traits: Traits
    compile: Callable[..., Any] = field(compare=False)
    ahead: Callable[..., Any] | None = field(compare=False)  # see `checker.lookahead.feasible`

    def key_of(self, role: Role) -> str | None:
        """The key with a role, its own name where that is its value; None if it has none."""
        every = ((self.name, self.value), *self.keys.items())
        return next((key for key, about in every if about.role == role), None)

    def key_shaped(self, shape: Shape) -> str | None:
        """The first key beside it with what has a shape; None if there is none."""
        return next((key for key, about in self.keys.items() if about.shape == shape), None)

    @property
    def bare(self) -> bool:
        """Whether it may be a word by itself, without a value."""
        return not self.value.required

    @property
    def names_question(self) -> bool:
        """Whether its value names what is asked."""
        return self.traits.asks and self.value.shape == "new name"

    def shares(self, key: str) -> bool:
        """Whether a key that any step may have, such as `if`, means beside this verb what it means beside any."""
        return key != self.name and key not in self.keys


_DECLARED: list[
    tuple[str, Body, Mapping[str, str], tuple[str, str], tuple[str, ...]]
] = []  # as the decorators got them
_BODIES: dict[str, Body] = {}
_FACTS: dict[str, Facts] = {}
_VERBS: dict[str, VerbDef] = {}


class Register(Protocol):
    """A decorator that leaves what it decorates as it is."""

    def __call__(self, python: B, /) -> B: ...


def function(
    signature: str,
    *,
    examples: Mapping[str, str] | None = None,
    binds: str = "",
    nests: str = "",
    hidden: tuple[str, ...] = (),
    facts: Facts = NOTHING_KNOWN,
) -> Register:
    """Register a function, or another signature of one already there.

    `binds` and `nests` are as in `FunctionDef`; `hidden` names arguments that the checker adds; `facts` left out are the safe
    defaults of `Facts`.
    """

    def register(python: B) -> B:
        _DECLARED.append((signature, python, examples or {}, (binds, nests), hidden))
        return intrinsic(facts)(python)

    return register


def intrinsic(facts: Facts = NOTHING_KNOWN) -> Register:
    """Register a body that only the checker names, such as an operator; raises ValueError if its name is taken."""

    def register(python: B) -> B:
        if python.__name__ in _BODIES:
            raise ValueError(f"two bodies are called {python.__name__}")
        _BODIES[python.__name__], _FACTS[python.__name__] = python, facts
        return python

    return register


PLAIN = Traits()


def verb(
    name: str,
    value: VerbKey,
    keys: Mapping[str, VerbKey],
    *,
    group: str,
    example: str,
    traits: Traits = PLAIN,
    ahead: Callable[..., Any] | None = None,
) -> Callable[[Callable[..., Any]], Callable[..., Any]]:
    """Register a verb: `name: value` with `keys` beside it; the docstring says what it does, the rest is as in `VerbDef`."""

    def register(compiler: Callable[..., Any]) -> Callable[..., Any]:
        doc = cleandoc(compiler.__doc__ or "")
        _VERBS[name] = VerbDef(name, group, doc, value, keys, example, traits, compiler, ahead)
        return compiler

    return register


@cache
def _load() -> bool:
    for name in LIBRARIES:
        import_module(f"rulespec.library.{name}")
    return True


@cache
def functions() -> Mapping[str, FunctionDef]:
    """Every function of the language by name.

    Signatures are parsed when this is first called: playing needs bodies alone.
    """
    from rulespec.language.signatures import parse_signature

    _load()
    by_name: dict[str, FunctionDef] = {}
    homes = {f"rulespec.library.{name}": place for place, name in enumerate(LIBRARIES)}
    declared = sorted(
        _DECLARED, key=lambda pair: homes.get(pair[1].__module__, len(homes))
    )  # whichever module was imported first
    for signature, python, examples, comprehension, hidden in declared:
        name = signature[: signature.index("(")]
        if name not in by_name:
            group = python.__module__.rsplit(".", 1)[-1]
            by_name[name] = FunctionDef(name, group, cleandoc(python.__doc__ or ""), [], {}, *comprehension)
        by_name[name].signatures.append(parse_signature(signature, python.__name__, hidden))
        by_name[name].examples.update(examples)
    return by_name


def body(name: str) -> Body:
    """The Python body of a function or an intrinsic; raises KeyError for a name that nobody registered."""
    _load()
    return _BODIES[name]


def facts(name: str) -> Facts:
    """What is true of a function or an intrinsic; nothing is known of a body that nobody registered."""
    _load()
    return _FACTS.get(name, NOTHING_KNOWN)


@cache
def scanned(name: str) -> tuple[int, ...]:
    """Which arguments a function goes through, by position: those that are no single values; of two that it compares the second."""
    if name not in _BODIES or facts(name).instant:
        return ()
    if facts(name).result in (Result.EQUAL, Result.DIFFERENT):
        return (1,)
    parameters = inspect.signature(_BODIES[name]).parameters.values()
    return tuple(n for n, p in enumerate(parameters) if p.annotation not in SINGLE and p.kind is not p.VAR_POSITIONAL)


@cache
def builds(name: str) -> bool:
    """Whether a function makes a collection."""
    return (
        name in _BODIES and not facts(name).instant and inspect.signature(_BODIES[name]).return_annotation not in SINGLE
    )


def all_facts() -> Mapping[str, Facts]:
    """The facts of every function and intrinsic, by the name of its body."""
    _load()
    return _FACTS


@cache
def others_of(name: str) -> tuple[Signature, ...]:
    """The ways to call a function whose result is another than its first argument, or has only others in it."""
    function = functions().get(name)
    return () if function is None else tuple(way for way in function.signatures if facts(way.body).others)


def extreme_of(name: str) -> Extreme:
    """Which end of what it compares a function looks for."""
    function = functions().get(name)
    return Extreme.NONE if function is None else facts(function.signatures[0].body).extreme


@cache
def verbs() -> Mapping[str, VerbDef]:
    """Every verb of the language by name, in one order whichever module was imported first."""
    homes = [import_module(f"rulespec.checker.verbs.{name}").__name__ for name in VERBS]
    ordered = sorted(_VERBS.values(), key=lambda verb: homes.index(verb.compile.__module__))
    return {verb.name: verb for verb in ordered}
