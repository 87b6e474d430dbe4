"""Expressions as Python closures.

Each expression tree becomes, once for a program, a function `f(slots, locals) -> value`.  It reads
slots, and writes only the locals that the expression itself binds.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, assert_never

from interpreter.runtime.faults import Problem, astray
from interpreter.runtime.limits import BIGGEST, FUEL, LIMIT
from interpreter.runtime.values import Bodies, Locals, Slots
from rulespec import ir
from rulespec.ir.reads import until
from rulespec.ir.weight import Weights, toll, tolled
from rulespec.language.facts import Form, Reduction
from rulespec.language.registry import body as registered
from rulespec.language.registry import builds, facts
from rulespec.library.intrinsics import behind
from rulespec.library.order import ascending

Fn = Callable[[Slots, Locals], Any]
LeftBy = Callable[[Slots, int, list[Any]], Slots]  # the slots that a procedure leaves, which is run on a copy

# Reductions of a comprehension that look no further than the first item that passes.
EXISTS = frozenset({Reduction.SOME, Reduction.NO_ITEM})


class Compiler:
    """Makes closures of expressions; `functions` become callable with `call`.

    `bodies` finds the Python body of an `Op` (the registry's, unless a test brings its own).
    """

    def __init__(self, functions: tuple[ir.Function, ...], bodies: Bodies = registered) -> None:
        self.bodies = bodies
        self.fuel = [FUEL]
        self.weights = Weights(functions)
        self.sources = functions
        self.ready: dict[int, Callable[..., Any]] = {}
        self.top = 0  # one more than the highest local seen
        self.left_by: LeftBy = nobody_runs

    def refuel(self) -> None:
        """Grant the full budget again: a new decision, or a question from outside."""
        self.fuel[0] = FUEL

    def pay(self, items: int) -> None:
        """Count items that are looked at; raises Problem R014."""
        self.fuel[0] -= items
        if self.fuel[0] < 0:
            raise too_much()

    def local(self, index: int) -> int:
        """Note that a local is used; gives it back."""
        self.top = max(self.top, index + 1)
        return index

    def function(self, index: int) -> Callable[..., Any]:
        """A function of the program as `f(slots, *arguments)`."""
        if index not in self.ready:
            source = self.sources[index]
            outer, self.top = self.top, len(source.locals)
            body = self.expr(source.body)
            empty = [None] * max(0, self.top - source.parameters)
            self.top = outer

            def call(S: Slots, *args: Any) -> Any:
                return body(S, [*args, *empty])

            cost = self.weights.call(index)
            self.ready[index] = self.paid(call, cost) if cost else call
        return self.ready[index]

    def paid(self, call: Callable[..., Any], cost: int) -> Callable[..., Any]:
        """A function whose calls count as so many items."""
        fuel = self.fuel

        def run(S: Slots, *args: Any) -> Any:
            fuel[0] -= cost
            if fuel[0] < 0:
                raise too_much()
            return call(S, *args)

        return run

    def optional(self, e: ir.Expr | None) -> Fn | None:
        """The closure of an expression that may be missing."""
        return None if e is None else self.expr(e)

    def exprs(self, items: tuple[ir.Expr, ...]) -> tuple[Fn, ...]:
        """The closures of several expressions."""
        return tuple(self.expr(e) for e in items)

    def expr(self, e: ir.Expr) -> Fn:
        """The closure of an expression; ValueError for a Setting, which specialising removes."""
        match e:
            case ir.Const(value):
                return lambda _S, _L: value
            case ir.Local(number):
                self.local(number)
                return lambda _S, L: L[number]
            case ir.Load(base, at, size):
                return load(base, None if at is None else self.expr(at), size)
            case ir.Column(values, index):
                return column(values, self.expr(index))
            case ir.Op(name, args):
                return self.op(name, args)
            case ir.Cond(test, then, other):
                return cond(self.expr(test), self.expr(then), self.expr(other))
            case ir.Bind(index, value, inner):
                return bind(self.local(index), self.expr(value), self.expr(inner))
            case ir.Comp(index, source, where, value, key):
                self.local(index)
                return self.comp(
                    index,
                    self.expr(source),
                    self.optional(where),
                    self.optional(value),
                    self.optional(key),
                    self.weights.item(where, value, key),
                )
            case ir.Fold(acc, start, index, source, inner):
                self.local(acc), self.local(index)
                cost, end = self.weights.item(inner), until(e)
                if end is not None:
                    stop, further = self.exprs((end.test, end.other))
                    return self.fold_until(acc, self.expr(start), index, self.expr(source), stop, further, cost)
                return self.fold(acc, self.expr(start), index, self.expr(source), self.expr(inner), cost)
            case ir.Invoke(function, args):
                return self.invoke(function, self.exprs(args))
            case ir.Known(value, what):
                return known(self.expr(value), what)
            case ir.Completable(chosen, items, low, high, index, whole):
                self.local(index)
                return self.completable(
                    self.expr(chosen),
                    self.expr(items),
                    self.expr(low),
                    self.expr(high),
                    index,
                    self.optional(whole),
                    self.weights.item(whole),
                )
            case ir.Once(index, value):
                return once(self.local(index), self.expr(value))
            case ir.After(procedure, args, value):
                return self.after(procedure, self.exprs(args), self.expr(value))
            case ir.Setting(name):
                raise ValueError(f"the setting {name} is left in a specialised program")
            case _:
                assert_never(e)

    def op(self, name: str, args: tuple[ir.Expr, ...]) -> Fn:
        known = facts(name)
        if known.reduces in EXISTS and isinstance(args[0], ir.Comp):
            comp, where = args[0], args[0].where
            if where is not None and comp.key is None:
                self.local(comp.index)
                wanted = known.reduces is Reduction.SOME
                cost = self.weights.item(where, comp.value)
                return self.exists(
                    comp.index, self.expr(comp.source), self.expr(where), self.optional(comp.value), wanted, cost
                )
        body, fns = self.bodies(name), self.exprs(args)
        if known.python.form is Form.TABLE and isinstance(args[0], ir.Const):
            body = indexed(body, args[0].value)
        positions = tolled(name, args)
        plain = self.tolled(body, args, fns, positions, builds(name)) if positions or builds(name) else None
        if plain is None:
            plain = operation(name, body, args, fns)
        return checked(plain) if known.grows else plain

    def tolled(
        self,
        body: Callable[..., Any],
        args: tuple[ir.Expr, ...],
        fns: tuple[Fn, ...],
        positions: tuple[int, ...],
        makes: bool,
    ) -> Fn | None:
        """A call that counts long collections: those that it goes through, before it does, and what it makes; None if there are none."""
        fixed = sum(toll(a.value) for n in positions if isinstance(a := args[n], ir.Const))
        changing = [n for n in positions if not isinstance(args[n], ir.Const)]
        if not (fixed or changing or makes):
            return None

        def run(S: Slots, L: Locals) -> Any:
            values = [f(S, L) for f in fns]
            cost = fixed
            for n in changing:
                if values[n].__class__ is tuple:
                    cost += toll(values[n])
            if cost:
                self.pay(cost)
            result = body(*values)
            if makes and (cost := toll(result)):
                self.pay(cost)
            return result

        return run

    def invoke(self, function: int, args: tuple[Fn, ...]) -> Fn:
        call = self.function(function)
        if not args:
            return lambda S, _L: call(S)
        if len(args) == 1:
            only = args[0]
            return lambda S, L: call(S, only(S, L))
        return lambda S, L: call(S, *[a(S, L) for a in args])

    def comp(self, i: int, source: Fn, where: Fn | None, value: Fn | None, key: Fn | None, cost: int) -> Fn:
        fuel = self.fuel

        def items(S: Slots, L: Locals) -> Any:
            collection = source(S, L)
            fuel[0] -= len(collection) * cost + 1
            if fuel[0] < 0:
                raise too_much()
            return collection

        if key is not None:

            def keyed(S: Slots, L: Locals) -> Any:
                out = []
                for x in items(S, L):
                    L[i] = x
                    if where is None or where(S, L):
                        out.append((x if value is None else value(S, L), key(S, L)))
                return tuple(out)

            return keyed

        def mapped(S: Slots, L: Locals) -> Any:
            out = []
            for x in items(S, L):
                L[i] = x
                if where is None or where(S, L):
                    out.append(x if value is None else value(S, L))
            return tuple(out)

        def filtered(S: Slots, L: Locals) -> Any:
            out = []
            for x in items(S, L):
                L[i] = x
                if where(S, L):  # type: ignore[misc]
                    out.append(x)
            return tuple(out)

        return filtered if value is None and where is not None else mapped

    def exists(self, i: int, source: Fn, where: Fn, value: Fn | None, wanted: bool, cost: int) -> Fn:
        fuel = self.fuel

        def run(S: Slots, L: Locals) -> bool:
            items = source(S, L)
            fuel[0] -= len(items) * cost + 1
            if fuel[0] < 0:
                raise too_much()
            for x in items:
                L[i] = x
                if where(S, L):
                    if value is not None:
                        value(S, L)
                    return wanted
            return not wanted

        return run

    def fold(self, acc: int, start: Fn, i: int, source: Fn, inner: Fn, cost: int) -> Fn:
        fuel = self.fuel

        def run(S: Slots, L: Locals) -> Any:
            value = start(S, L)
            items = source(S, L)
            fuel[0] -= len(items) * cost + 1
            if fuel[0] < 0:
                raise too_much()
            for x in items:
                L[acc] = value
                L[i] = x
                value = inner(S, L)
            return value

        return run

    def fold_until(self, acc: int, start: Fn, i: int, source: Fn, test: Fn, inner: Fn, cost: int) -> Fn:
        fuel = self.fuel

        def run(S: Slots, L: Locals) -> Any:
            value = start(S, L)
            for x in source(S, L):
                fuel[0] -= cost
                if fuel[0] < 0:
                    raise too_much()
                L[acc] = value
                if test(S, L):
                    break
                L[i] = x
                value = inner(S, L)
            return value

        return run

    def completable(self, chosen: Fn, items: Fn, low: Fn, high: Fn, index: int, whole: Fn | None, cost: int) -> Fn:
        fuel = self.fuel
        kept: tuple[Any, list[Any]] = (None, [])  # all candidates of a question are tried with the same items

        def run(S: Slots, L: Locals) -> bool:
            nonlocal kept
            have, least, most = chosen(S, L), low(S, L), high(S, L)
            collection = items(S, L)
            if collection is not kept[0]:
                kept = collection, list(ascending(collection))
            rest = kept[1]
            start = behind(have, rest)
            if len(have) > most or len(have) + len(rest) - start < least:
                return False
            if whole is None:
                return True

            def search(have: tuple[Any, ...], at: int) -> bool:
                fuel[0] -= cost
                if fuel[0] < 0:
                    raise too_much()
                if len(have) >= least:
                    L[index] = have
                    if whole(S, L):
                        return True
                if len(have) == most:
                    return False
                return any(
                    search((*have, rest[i]), i + 1) for i in range(at, len(rest)) if len(have) + len(rest) - i >= least
                )

            return search(have, start)

        return run

    def after(self, procedure: int, args: tuple[Fn, ...], value: Fn) -> Fn:
        """What an expression would be after a procedure."""
        return lambda S, L: value(self.left_by(S, procedure, [a(S, L) for a in args]), L)


def nobody_runs(_slots: Slots, _procedure: int, _args: list[Any]) -> Slots:
    """Stands for what runs procedures where only expressions are worked out; raises Problem R020."""
    raise astray("no procedure is run here")


def too_much() -> Problem:
    """The fault of searches and comprehensions that take too much work: items, each as many steps as what is asked of it takes."""
    return Problem("R014", f"expressions took more than {FUEL:,} steps of work between two decisions")


def load(base: int, index: Fn | None, size: int) -> Fn:
    """A slot, or one among `size` slots."""
    if index is None:
        return lambda S, _L: S[base]

    def run(S: Slots, L: Locals) -> Any:
        i = index(S, L)
        if not 0 <= i < size:
            raise Problem("R003", f"there is no place {i} among {size}")
        return S[base + i]

    return run


def column(values: tuple[Any, ...], index: Fn) -> Fn:
    """A fixed field of an entity."""
    size = len(values)

    def run(S: Slots, L: Locals) -> Any:
        i = index(S, L)
        if not 0 <= i < size:
            raise Problem("R003", f"there is no row {i} among {size}")
        return values[i]

    return run


def indexed(body: Callable[..., Any], rows: tuple[tuple[Any, Any], ...]) -> Callable[..., Any]:
    """A look-up in a table that is a constant, by key; the first of equal keys counts."""
    index: dict[Any, Any] = {}
    for key, value in rows:
        index.setdefault(key, value)
    return lambda rows, key: index[key] if key in index else body(rows, key)


def cond(test: Fn, then: Fn, other: Fn) -> Fn:
    """One of two values."""
    return lambda S, L: then(S, L) if test(S, L) else other(S, L)


def bind(index: int, value: Fn, inner: Fn) -> Fn:
    """A value with a local of its own."""

    def run(S: Slots, L: Locals) -> Any:
        L[index] = value(S, L)
        return inner(S, L)

    return run


def once(index: int, value: Fn) -> Fn:
    """A value that is worked out when it is first wanted."""

    def run(S: Slots, L: Locals) -> Any:
        v = L[index]
        if v is None:
            v = L[index] = value(S, L)
        return v

    return run


def known(value: Fn, what: str) -> Fn:
    """A value that must be there."""

    def run(S: Slots, L: Locals) -> Any:
        v = value(S, L)
        if v is None:
            raise Problem("R010", f"{what} is none here")
        return v

    return run


def operation(name: str, body: Callable[..., Any], args: tuple[ir.Expr, ...], fns: tuple[Fn, ...]) -> Fn:
    """A registered body applied to arguments, with short cuts for the shapes met most."""
    match name, args:
        case "not_", _:
            only = fns[0]
            return lambda S, L: not only(S, L)
        case "is_none", _:
            only = fns[0]
            return lambda S, L: only(S, L) is None
        case "eq", (_, ir.Const(value)):
            left = fns[0]
            return lambda S, L: left(S, L) == value
        case "eq", _:
            left, right = fns
            return lambda S, L: left(S, L) == right(S, L)
        case _, ():
            return lambda _S, _L: body()
        case _, (_,):
            only = fns[0]
            return lambda S, L: body(only(S, L))
        case _, (_, ir.Const(value)):
            left = fns[0]
            return lambda S, L: body(left(S, L), value)
        case _, (_, _):
            left, right = fns
            return lambda S, L: body(left(S, L), right(S, L))
        case _, (_, _, _):
            a, b, c = fns
            return lambda S, L: body(a(S, L), b(S, L), c(S, L))
    return lambda S, L: body(*[f(S, L) for f in fns])


def checked(inner: Fn) -> Fn:
    """The same, with a fault for a number or a collection that is too large."""

    def run(S: Slots, L: Locals) -> Any:
        v = inner(S, L)
        c = v.__class__
        if c is int:
            if not -BIGGEST <= v <= BIGGEST:
                raise Problem("R007", "a number is too large (beyond 2**63)")
        elif c is tuple and len(v) > LIMIT:
            raise Problem("R002", f"a collection of {len(v)} items is larger than {LIMIT}")
        return v

    return run
