"""Where an expression stands: its locals, and what is known of them there."""

from __future__ import annotations

from dataclasses import dataclass, field, replace

from rulespec import ir
from rulespec.checker import symbols
from rulespec.language.types import Type


@dataclass(frozen=True, slots=True)
class LocalVar:
    """A local: its number and type; `told` keeps what is put there, if all are told."""

    index: int
    type: Type
    settable: bool = False
    told: symbols.Variable | None = None


@dataclass(slots=True)
class Frame:
    """What is gathered over a whole procedure or function."""

    locals: int = 0
    reads: set[int] = field(default_factory=set)  # bases of the slots that are read
    scopes: set[str] = field(default_factory=set)  # scopes whose state is read
    ahead: set[tuple[str, frozenset[str]]] = field(default_factory=set)  # what is looked ahead at, in which open scopes
    named: set[str] = field(default_factory=set)  # locals, also those that are out of sight again


@dataclass(frozen=True, slots=True)
class Env:
    """The names in sight.  Immutable: a binder makes a new one."""

    frame: Frame
    locals: dict[str, LocalVar] = field(default_factory=dict)
    depth: int = 0
    known: frozenset[str] = frozenset()  # expressions that are not none here
    sealed: dict[str, tuple[int, int, Type]] = field(
        default_factory=dict
    )  # results of `together`: local, position, type

    def bind(self, name: str, t: Type, settable: bool = False, told: symbols.Variable | None = None) -> tuple[Env, int]:
        """An environment with one more local, and its number."""
        index = self.depth
        self.frame.locals = max(self.frame.locals, index + 1)
        self.frame.named.add(name)
        known = frozenset(k for k in self.known if not mentions(k, name)) if name else self.known
        names = {**self.locals, name: LocalVar(index, t, settable, told)} if name else self.locals
        return replace(self, locals=names, depth=index + 1, known=known), index

    def skip(self, count: int = 1) -> Env:
        """An environment with nameless locals in use."""
        self.frame.locals = max(self.frame.locals, self.depth + count)
        return replace(self, depth=self.depth + count)

    def using(self, function: symbols.Function) -> None:
        """A function is called: what it reads and looks ahead at is read and looked ahead at here."""
        self.frame.reads |= function.reads
        self.frame.ahead |= function.ahead

    def knowing(self, facts: frozenset[str]) -> Env:
        """An environment in which more expressions are known not to be none."""
        return replace(self, known=self.known | facts) if facts - self.known else self

    def unknowing(self, path: str) -> Env:
        """Drop the fact that this very expression is not none."""
        return replace(self, known=self.known - {path}) if path in self.known else self

    def forgetting(self, name: str) -> Env:
        """Drop every fact about an expression that mentions a name: the name may be none now."""
        return replace(self, known=frozenset(k for k in self.known if not mentions(k, name)))


def mentions(path: str, name: str) -> bool:
    """Whether a path such as `p.card` is about a name."""
    return name in path.replace(".", " ").replace("(", " ").replace(")", " ").replace(",", " ").split()


def call_frame(parameters: list[tuple[str, Type]]) -> Env:
    """The environment of a new procedure or function: its parameters are its first locals."""
    env = Env(Frame())
    for name, t in parameters:
        env, _ = env.bind(name, t)
    return env


Typed = tuple[ir.Expr, Type]
