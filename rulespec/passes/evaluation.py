"""Evaluation before play: expressions that read neither slots nor settings, as functions of their locals.

What has no value, would be refused in play as too large, or takes too long has none here either: it stays as it is written.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any, assert_never

from rulespec import ir
from rulespec.ir.reads import until
from rulespec.language.facts import Result
from rulespec.language.registry import body as registered
from rulespec.language.registry import facts
from rulespec.library.errors import BIGGEST, LIMIT, DomainError

MOST_ITEMS = 5_000  # looked at in one expression, all loops together
Run = Callable[[list[Any]], Any]


class Unknown(Exception):
    """The expression has no value that can be worked out here."""


NO_VALUE = (Unknown, DomainError, ArithmeticError, LookupError, ValueError, TypeError)


class Evaluation:
    """Makes functions of locals of expressions; `left` is how many items they may still look at, `top` how many locals there are.

    With `texts` a text that is filled in has a value, too: for who knows by its type that it is one.
    """

    def __init__(self, left: int = MOST_ITEMS, functions: Sequence[ir.Function] = (), texts: bool = False) -> None:
        self.left = left
        self.functions = functions
        self.texts = texts
        self.top = 1
        self.ready: dict[int, Run] = {}

    def value(self, e: ir.Expr, known: Mapping[int, Any] | None = None) -> Any:
        """The value of an expression whose locals are known; raises one of NO_VALUE."""
        run = self.compiled(e)
        return run(self.frame(known or {}))

    def of_many(self, e: ir.Expr) -> Callable[[Mapping[int, Any]], Any]:
        """An expression as a function of its locals, made once for many values, each of which may look at as many items."""
        run, most = self.compiled(e), self.left

        def value(known: Mapping[int, Any]) -> Any:
            self.left = most
            return run(self.frame(known))

        return value

    def frame(self, known: Mapping[int, Any]) -> list[Any]:
        """The locals of what has been compiled, some of which have values."""
        L: list[Any] = [None] * max(self.top, *(index + 1 for index in known), 0)
        for index, value in known.items():
            L[index] = value
        return L

    def local(self, index: int) -> int:
        self.top = max(self.top, index + 1)
        return index

    def compiled(self, e: ir.Expr) -> Run:
        """An expression as a function; what it raises is one of NO_VALUE."""
        match e:
            case ir.Const(value):
                return lambda _L: value
            case ir.Local(index):
                self.local(index)
                return lambda L: L[index]
            case ir.Column(values, at):
                return row(values, self.compiled(at))
            case ir.Op(name, args):
                if facts(name).result is Result.TEXT and not self.texts:
                    return never  # among constants nothing tells a text with values from a list of pairs
                return applied(registered(name), [self.compiled(a) for a in args])
            case ir.Cond(test, then, other):
                t, a, b = self.compiled(test), self.compiled(then), self.compiled(other)
                return lambda L: a(L) if t(L) else b(L)
            case ir.Bind(index, value, body):
                return bound(self.local(index), self.compiled(value), self.compiled(body))
            case ir.Comp():
                return self.comp(e)
            case ir.Fold():
                return self.fold(e)
            case ir.Invoke(function, args) if function < len(self.functions):
                return self.invoke(function, [self.compiled(a) for a in args])
            case ir.Known(value):
                return known(self.compiled(value))
            case ir.Load() | ir.Setting() | ir.Invoke() | ir.Completable() | ir.Once() | ir.After():
                return never
            case _:
                assert_never(e)

    def comp(self, e: ir.Comp) -> Run:
        index, source = self.local(e.index), self.compiled(e.source)
        where, value, key = (None if part is None else self.compiled(part) for part in (e.where, e.value, e.key))

        def run(L: list[Any]) -> Any:
            out = []
            for x in self.looked_at(source(L)):
                L[index] = x
                if where is None or where(L):
                    item = x if value is None else value(L)
                    out.append(item if key is None else (item, key(L)))
            return tuple(out)

        return run

    def fold(self, e: ir.Fold) -> Run:
        acc, index = self.local(e.acc), self.local(e.index)
        start, source, body = self.compiled(e.start), self.compiled(e.source), self.compiled(e.body)
        end = until(e)
        ended = None if end is None else self.compiled(end.test)

        def run(L: list[Any]) -> Any:
            result = start(L)
            for x in self.looked_at(source(L)):
                L[acc], L[index] = result, x
                if ended is not None and ended(L):
                    break
                result = body(L)
            return result

        return run

    def invoke(self, function: int, args: list[Run]) -> Run:
        """A call, with locals of its own."""
        if function not in self.ready:
            outer, self.top = self.top, len(self.functions[function].locals) + 1
            body = self.compiled(self.functions[function].body)
            size, self.top = self.top, outer
            self.ready[function] = lambda given: body([*given, *[None] * (size - len(given))])
        call = self.ready[function]
        return lambda L: call([a(L) for a in args])

    def looked_at(self, items: tuple[Any, ...]) -> tuple[Any, ...]:
        """The items of a loop, counted; raises Unknown."""
        self.left -= len(items) + 1
        if self.left < 0:
            raise Unknown
        return items


def never(_L: list[Any]) -> Any:
    """What has no value before play."""
    raise Unknown


def row(values: tuple[Any, ...], at: Run) -> Run:
    """A row of a table that is there already."""

    def run(L: list[Any]) -> Any:
        index = at(L)
        if index < 0:
            raise Unknown
        return values[index]

    return run


def applied(function: Callable[..., Any], args: list[Run]) -> Run:
    """A function of the registry, whose results are no larger than play allows."""
    if len(args) == 2:
        first, second = args
        return lambda L: limited(function(first(L), second(L)))
    return lambda L: limited(function(*[a(L) for a in args]))


def bound(index: int, value: Run, body: Run) -> Run:
    """A value with a local of its own."""

    def run(L: list[Any]) -> Any:
        L[index] = value(L)
        return body(L)

    return run


def known(value: Run) -> Run:
    """A value that must be there."""

    def run(L: list[Any]) -> Any:
        result = value(L)
        if result is None:
            raise Unknown
        return result

    return run


def limited(value: ir.Value) -> ir.Value:
    """The value; Unknown if play would refuse it as too large."""
    if (isinstance(value, int) and abs(value) > BIGGEST) or (isinstance(value, tuple) and len(value) > LIMIT):
        raise Unknown
    return value
