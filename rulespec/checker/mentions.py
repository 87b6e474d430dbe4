"""What the names in the files of a game stand for, kept for editors while the game is checked.

Nothing of this is kept unless it is asked for: a context has `Mentions` only then, and `checker.recording` fills them.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import field
from typing import Any

from rulespec.checker import symbols
from rulespec.checker.env import LocalVar
from rulespec.language.types import Type
from rulespec.system.records import dataclass
from rulespec.text.source import Span

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
    """The names of a game's files, and the types of its expressions; `probe` is a word that stands where something is being written."""

    probe: str = ""
    names: list[Mention] = field(default_factory=list)
    types: dict[tuple[str, int, int], Type] = field(default_factory=dict)  # by file, start and end
    probes: list[Probe] = field(default_factory=list)
    context: Any = None  # the `CheckContext`, also of a game with faults

    def add(self, what: str, name: str, span: Span, declared: Span | None = None) -> None:
        """Keep a name, unless what stands there is not that name: the place of a whole line, or of a file."""
        if span.text == name:
            self.names.append(Mention(span, what, name, declared))

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
