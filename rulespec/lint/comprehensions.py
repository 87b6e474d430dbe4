"""Comprehensions as they are written, over one collection or several: `count(a in X, b in Y(a) where ...)` is one of two names."""

from __future__ import annotations

from collections.abc import Collection, Iterator

from rulespec.checker.combinations import combined
from rulespec.expr import syntax
from rulespec.lint.game import LintGame
from rulespec.lint.stages import names
from rulespec.system.records import dataclass


@dataclass(frozen=True, slots=True)
class Binder:
    """A name, what it goes through, its own condition, and where the name stands."""

    name: str
    coll: syntax.Expr
    where: syntax.Expr | None
    start: int


@dataclass(frozen=True, slots=True)
class Comprehension:
    """The names of a comprehension in their order, and what is asked or made of each combination."""

    binders: tuple[Binder, ...]
    last: syntax.Comp
    value: syntax.Expr | None

    @property
    def parts(self) -> tuple[syntax.Expr, ...]:
        """What is worked out of each combination: the conditions, what it is ordered or tested by, the value."""
        keys = self.last.key.items if isinstance(self.last.key, syntax.Tuple) else (self.last.key,)
        return tuple(part for part in (*(b.where for b in self.binders), *keys, self.value) if part is not None)

    def speaks(self, part: syntax.Node) -> bool:
        """Whether a part looks at any of the names."""
        return not names(part).isdisjoint(binder.name for binder in self.binders)

    def idle(self, number: int) -> bool:
        """Whether nothing looks at one of the names, which goes through things that do not hang on the names before it."""
        own, before, later = self.binders[number], self.binders[:number], self.binders[number + 1 :]
        if isinstance(own.coll, syntax.Interval) or any(binder.name in names(own.coll) for binder in before):
            return False  # so many times as that says
        return not any(own.name in names(node) for node in (*(binder.coll for binder in later), *self.parts))


def comprehensions(game: LintGame, tree: syntax.Expr, known: Collection[str]) -> Iterator[Comprehension]:
    """Every comprehension in an expression; `known` are the names of steps that it may use, of which `in` asks."""
    context, taken = game.context, set[int]()

    def is_new(name: syntax.Name) -> bool:
        return not any(name.id in words for words in (known, context.names, context.kinds, context.views))

    for node in syntax.walk(tree):
        match node:
            case syntax.Call(_, args) if (parts := combined(node, is_new)) is not None:
                value, headers, last = parts
                taken.update(map(id, args))
                yield Comprehension((*map(binder, headers), binder(last)), last, value)
            case syntax.Comp() if id(node) not in taken:
                yield Comprehension((binder(node),), node, node.value)
            case _:
                pass


def binder(header: syntax.Comp) -> Binder:
    """The name of a header with what it goes through."""
    return Binder(header.var, header.coll, header.where, header.var_start)
