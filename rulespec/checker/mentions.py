"""What the names in the files of a game stand for, kept for editors while the game is checked.

Nothing of this is kept unless it is asked for: a context has `Mentions` only then, and `checker.recording` fills them.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import field
from typing import Any

from rulespec.checker import symbols
from rulespec.checker.env import LocalVar
from rulespec.expr import syntax
from rulespec.language.types import Type
from rulespec.system.records import dataclass
from rulespec.text.source import Span
from rulespec.text.yaml_tree import ScalarNode

LOCAL = "name of a step"
FUNCTION = "function of the language"


@dataclass(frozen=True, slots=True)
class Mention:
    """A name in a file: what it stands for (`zone`, `procedure`, ...), and where that is declared, if it is in a file."""

    span: Span
    what: str
    name: str
    declared: Span | None = None


@dataclass(frozen=True, slots=True)
class Probe:
    """What may be written at a place: the names in sight there, the type that is wanted, and of what it is a part, if of anything."""

    locals: Mapping[str, LocalVar]
    want: Type | None = None
    part_of: Type | None = None
    answers: tuple[str, ...] = ()  # of a player in `together`
    members: symbols.Kind | None = None
    type: bool = False  # a type is written here


@dataclass(slots=True)
class Mentions:
    """The names of a game's files, and the types of its expressions; `probe` is a word that stands where something is being written.

    They are kept as the checker comes across them; where in a file they stand is worked out once somebody asks.
    """

    probe: str = ""
    probes: list[Probe] = field(default_factory=list)
    context: Any = None  # the `CheckContext`, also of a game with faults
    _named: list[tuple[str, str, Span | tuple[ScalarNode, int, int], Span | None]] = field(default_factory=list)
    _typed: list[tuple[ScalarNode, syntax.Expr, Type]] = field(default_factory=list)
    _names: list[Mention] = field(default_factory=list)
    _types: dict[tuple[str, int, int], Type] = field(default_factory=dict)

    def add(self, what: str, name: str, at: Span | tuple[ScalarNode, int, int], declared: Span | None = None) -> None:
        """Keep a name, which stands at a place or in a part of a scalar's value."""
        self._named.append((what, name, at, declared))

    def add_type(self, scalar: ScalarNode, node: syntax.Expr, t: Type) -> None:
        """Keep the type of an expression in a scalar."""
        self._typed.append((scalar, node, t))

    @property
    def names(self) -> list[Mention]:
        """The names, without those where something else stands: the place of a whole line, or of a file."""
        for what, name, at, declared in self._named:
            span = at if isinstance(at, Span) else at[0].at(at[1], at[2])
            if span.text == name:
                self._names.append(Mention(span, what, name, declared))
        self._named.clear()
        return self._names

    @property
    def types(self) -> dict[tuple[str, int, int], Type]:
        """The types by file, start and end: of a whole expression, and of the name that it ends with."""
        for scalar, node, t in self._typed:
            named = node.func if isinstance(node, syntax.Call) else node
            starts = (node.start, named.name_start if isinstance(named, syntax.Attr) else named.start)
            for start, end in {(starts[0], node.end), (starts[1], node.end), (max(starts), named.end)}:
                span = scalar.at(start, end)
                self._types[span.source.name, span.start, span.end] = t
        self._typed.clear()
        return self._types

    def type_at(self, span: Span) -> Type | None:
        """The type of the expression at a place, where it is known."""
        return self.types.get((span.source.name, span.start, span.end))


def what_of(symbol: symbols.Symbol) -> str:
    """What a symbol is, in a word or two."""
    match symbol:
        case symbols.Function(what=what):
            return {"hidden": "function"}.get(what, what)
        case symbols.Kind() | symbols.View():
            return "type"
    return type(symbol).__name__.lower()
