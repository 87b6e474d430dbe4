"""Sight by rule: who sees something where that depends on the position, proven from what is known to hold.

    mark: {is: Player or none, by: Cell, seen by: "those(p in players where tried(p, this))"}

    - set: tried(me, cell)                  # `Holds(tried(me, cell))` from here on
      to: yes
    - log: "On {cell} is {cell.mark}"       # `me` sees the mark of `cell`: no secret to him
      to: set(me)

What holds is known by tests that control has passed (`if`, `where`, `only`), by what has been stored, and within an expression by what
stands before it: in `tried(me, c) and c.mark == me` the mark is read only where its test holds (`Under`).  A test that holds only where
somebody sees what it reads is known to him either way (`Knows`): where it does not hold, he sees that he does not see it, or what it is.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from functools import lru_cache
from typing import Any, NamedTuple, Protocol

from rulespec import ir
from rulespec.language import operators
from rulespec.language.facts import Origin, Result
from rulespec.language.registry import facts
from rulespec.lint.flow.disequality import differ
from rulespec.lint.flow.labels import Atom, Label, Secret, Val
from rulespec.lint.flow.terms import (
    ANY,
    EVERYBODY,
    FILTERED,
    KEYED,
    SOME_OF,
    Anyone,
    Bound,
    Constant,
    Depth,
    Each,
    Knows,
    Named,
    Operation,
    Option,
    Slot,
    Some,
    Term,
    Under,
    highest_bound,
    replaced,
)

Tests = frozenset[Any]  # terms that hold, and who knows what is read (`Knows`)
Pairs = frozenset[tuple[Any, Any]]  # who is surely another (`Apart`)
NOTHING: Tests = frozenset()
ASKED = Depth(-1 << 20)  # of no function and of no procedure: where it is asked who sees something


class Evaluator(Protocol):
    """Who says which term an expression has."""

    def term(self, e: ir.Expr, L: Mapping[int, Val], depth: Depth) -> Term:
        """The term of an expression's value."""


class Held(NamedTuple):
    """What holds: terms in which what is equal has one name, and these names."""

    terms: Tests
    same: tuple[tuple[Term, Term], ...]

    def named(self, term: Any) -> Any:
        """A term by these names."""
        for one, other in self.same:
            term = replaced(term, one, other)
        return term


class Sight:
    """Who sees what by rule, in one program."""

    def __init__(self, program: ir.Program, players: int, values: Evaluator) -> None:
        self.functions = program.functions
        self.values = values
        self.players = players
        self.known: dict[Any, bool] = {}

    # --- what holds -------------------------------------------------------------------------------------------------
    def tests(self, e: ir.Expr, L: Mapping[int, Val], depth: Depth = ASKED, holds: bool = True) -> Iterator[Term]:
        """The terms of what surely holds where an expression does, or does not."""
        match e:
            case ir.Cond() if (both := sides(e)) is not None and both[2] == holds:
                yield from self.tests(e.test, L, depth, both[0])
                yield from self.tests(both[1], L, depth, holds)
            case ir.Op(operators.NOT, (inner,)):
                yield from self.tests(inner, L, depth, not holds)
            case ir.Invoke(function, args):
                given = {n: Val(self.values.term(arg, L, depth)) for n, arg in enumerate(args)}
                yield from self.tests(self.functions[function].body, given, Depth(function), holds)
            case ir.Bind(index, value, body):
                yield from self.tests(body, {**L, index: Val(self.values.term(value, L, depth))}, depth, holds)
            case ir.Known(value, _) | ir.Once(_, value):
                yield from self.tests(value, L, depth, holds)
            case _:
                term = self.values.term(e, L, depth)
                if term != ANY:
                    yield term if holds else Operation(operators.NOT, (term,))

    # --- who sees ---------------------------------------------------------------------------------------------------
    def among(self, function: int, indices: tuple[Term, ...], seat: Term, tests: Tests, apart: Pairs) -> bool:
        """Whether a player, or everybody, is surely among those whom a function gives, where some tests hold."""
        key = function, indices, seat, tests, apart
        if key not in self.known:
            who: Term = Named(Anyone()) if seat in (EVERYBODY, ANY) else seat
            given = dict(enumerate(map(Val, indices)))
            self.known[key] = Proof(self, gathered(tests), apart).member(self.functions[function].body, given, who)
        return self.known[key]

    def seeing(self, function: int, indices: tuple[Term, ...]) -> list[tuple[Term, Tests]]:
        """Who may be among those whom a function gives, and what holds where he is."""
        return list(self.given_by(self.functions[function].body, dict(enumerate(map(Val, indices)))))

    def given_by(self, e: ir.Expr, L: Mapping[int, Val]) -> Iterator[tuple[Term, Tests]]:
        """Who may be in a set, and what holds where he is."""
        anyone = Named(Anyone())
        match e:
            case ir.Comp(index, _, where, None) if where is not None:
                yield anyone, frozenset(self.tests(where, {**L, index: Val(anyone)}))
            case ir.Cond(test, then, other):
                for part, holds in ((then, True), (other, False)):
                    more = frozenset(self.tests(test, L, holds=holds))
                    yield from ((seat, tests | more) for seat, tests in self.given_by(part, L))
            case ir.Op(name, args) if facts(name).origin is Origin.ARGUMENTS:
                yield from ((self.values.term(arg, L, ASKED), NOTHING) for arg in args)
            case ir.Op(name, args) if facts(name).origin is Origin.ALL:
                for arg in args:
                    yield from self.given_by(arg, L)
            case _:
                yield anyone, NOTHING


def sides(e: ir.Cond) -> tuple[bool, ir.Expr, bool] | None:
    """Of a condition that is made of two, as the checker or a pass writes it: `and` holds where the test does, or does not, and the rest
    does; `or` fails so.  How the test has to come out for that, the rest, and whether it is `and`."""
    match e.then, e.other:
        case rest, ir.Const(False):
            return True, rest, True
        case ir.Const(False), rest:
            return False, rest, True
        case ir.Const(True), rest:
            return False, rest, False
        case rest, ir.Const(True):
            return True, rest, False
    return None


class Proof:
    """Proves from what holds who is in a set of players, and what else holds."""

    def __init__(self, sight: Sight, held: Held, apart: Pairs) -> None:
        self.functions = sight.functions
        self.values = sight.values
        self.players = sight.players
        self.held = held
        self.apart = apart

    def term(self, e: ir.Expr, L: Mapping[int, Val]) -> Term:
        """The term of an expression."""
        term: Term = self.held.named(self.values.term(e, L, ASKED))
        return term

    def given(self, args: Iterable[ir.Expr], L: Mapping[int, Val]) -> dict[int, Val]:
        """The arguments of a function as its locals."""
        return {n: Val(self.values.term(arg, L, ASKED)) for n, arg in enumerate(args)}

    def member(self, e: ir.Expr, L: Mapping[int, Val], seat: Term) -> bool:
        """Whether a player is surely in a set."""
        match e:
            case ir.Const(tuple() as seats):
                among = isinstance(seat, Constant) and seat.value in seats
                return among or set(seats) >= set(range(self.players))
            case ir.Cond(test, then, other):
                return self.either(test, L, lambda e: self.member(e, L, seat), then, other)
            case ir.Comp(index, source, where, None):
                inner = {**L, index: Val(seat)}
                return self.member(source, L, seat) and (where is None or self.holds(where, inner))
            case ir.Invoke(function, args):
                return self.member(self.functions[function].body, self.given(args, L), seat)
            case ir.Bind(index, value, body):
                return self.member(body, {**L, index: Val(self.values.term(value, L, ASKED))}, seat)
            case ir.Known(value, _) | ir.Once(_, value):
                return self.member(value, L, seat)
            case ir.Op(name, args):
                known = facts(name)
                if known.result in (Result.SEATS, Result.TURN_ORDER):
                    return True
                if known.origin is Origin.ARGUMENTS:
                    return any(self.term(arg, L) == self.held.named(seat) for arg in args)
                if known.result is Result.REMAINDER:
                    return self.member(args[0], L, seat) and self.left_out(args[1], L, seat)
                if known.origin is Origin.ALL:
                    return any(self.member(arg, L, seat) for arg in args)
        return False

    def left_out(self, e: ir.Expr, L: Mapping[int, Val], seat: Term) -> bool:
        """Whether a player is surely none of those in a set that names them one by one."""
        match e:
            case ir.Const(tuple() as seats):
                return all(self.compared(Constant(one), seat, False) for one in seats)
            case ir.Op(name, args) if facts(name).origin is Origin.ARGUMENTS:
                return all(self.compared(self.term(arg, L), seat, False) for arg in args)
        return False

    def either(
        self, test: ir.Expr, L: Mapping[int, Val], proves: Callable[[ir.Expr], bool], then: ir.Expr, other: ir.Expr
    ) -> bool:
        """Whether something is so of a value that is one or the other by a test."""
        if self.holds(test, L):
            return proves(then)
        if self.holds(test, L, False):
            return proves(other)
        return proves(then) and proves(other)

    def holds(self, e: ir.Expr, L: Mapping[int, Val], want: bool = True) -> bool:
        """Whether an expression surely holds, or surely does not."""
        match e:
            case ir.Const(value):
                return value is want
            case ir.Op(operators.NOT, (inner,)):
                return self.holds(inner, L, not want)
            case ir.Cond() if (both := sides(e)) is not None:
                first, rest, conjunction = both
                one, other = self.holds(e.test, L, first == (want == conjunction)), self.holds(rest, L, want)
                return (one and other) if want == conjunction else (one or other)
            case ir.Cond(test, then, other):
                return self.either(test, L, lambda e: self.holds(e, L, want), then, other)
            case ir.Invoke(function, args):
                return self.holds(self.functions[function].body, self.given(args, L), want)
            case ir.Bind(index, value, body):
                return self.holds(body, {**L, index: Val(self.values.term(value, L, ASKED))}, want)
            case ir.Known(value, _) | ir.Once(_, value):
                return self.holds(value, L, want)
            case ir.Op(operators.CONTAINS, (items, item)) if want and self.member(items, L, self.term(item, L)):
                return True
            case ir.Op(name, (one, other)) if facts(name).result in (Result.EQUAL, Result.DIFFERENT):
                equal = (facts(name).result is Result.EQUAL) == want
                if self.compared(self.term(one, L), self.term(other, L), equal):
                    return True
        term = self.term(e, L)
        return term != ANY and (term if want else Operation(operators.NOT, (term,))) in self.held.terms

    def compared(self, one: Term, other: Term, equal: bool) -> bool:
        """Whether two terms surely stand for one value, or surely for different ones."""
        one, other = self.held.named(one), self.held.named(other)
        if ANY in (one, other):
            return False
        if equal or one == other:
            return equal and bool(one == other)
        if (isinstance(one, Constant) and isinstance(other, Constant)) or differ(one, other, self.apart):
            return True
        terms = self.held.terms
        return any(
            Operation(operators.NOT, (Operation(operators.EQUAL, pair),)) in terms
            for pair in ((one, other), (other, one))
        )


@lru_cache(maxsize=1 << 12)
def gathered(tests: Tests) -> Held:
    """What some tests say together."""
    terms = {term for test in tests if not isinstance(test, Knows) for term in decomposed(test)}
    same = []
    for term in sorted(terms, key=repr):
        match term:
            case Operation(operators.EQUAL, (one, other)) if one != other:
                same.append((other, one) if isinstance(one, Constant) else (one, other))
    held = Held(NOTHING, tuple(same))
    return held._replace(terms=frozenset(map(held.named, terms)))


def decomposed(term: Any, holds: bool = True) -> Iterator[Any]:
    """The parts of a test that all hold where it does, or none of which does where it does not."""
    match term:
        case Operation("if", (one, other, Constant(False))) if holds:
            yield from decomposed(one)
            yield from decomposed(other)
        case Operation("if", (one, Constant(False), other)) if holds:
            yield from decomposed(one, False)
            yield from decomposed(other)
        case Operation("if", (one, Constant(True), other)) if not holds:
            yield from decomposed(one, False)
            yield from decomposed(other, False)
        case Operation("if", (one, other, Constant(True))) if not holds:
            yield from decomposed(one)
            yield from decomposed(other, False)
        case Operation(operators.NOT, (inner,)):
            yield from decomposed(inner, not holds)
        case _:
            yield term if holds else Operation(operators.NOT, (term,))


# --- what is hidden, and where it is read --------------------------------------------------------------------------------
def opened(index: Any) -> tuple[Any, Tests]:
    """An index without the tests under which it is read, and these: of one of some items those that all of them pass."""
    tests = NOTHING
    if isinstance(index, Under):
        index, tests = index.index, index.tests
    if isinstance(index, Each):
        one = Named(Some())
        return one, tests | passed_by(one, index.items)
    if isinstance(index, Operation) and facts(index.name).result is Result.ITEM:
        return index, tests | passed_by(index, index.args[0])
    return index, tests


def passed_by(item: Term, items: Term) -> Tests:
    """The tests that one of some items passes, by the way that these are composed."""
    tests = set()
    while isinstance(items, Operation) and (items.name in (FILTERED, KEYED) or facts(items.name).result in SOME_OF):
        if items.name == FILTERED:
            where = items.args[1]
            tests.add(replaced(where, Bound(highest_bound(where)), item))
        items = items.args[0]
    return frozenset(tests)


def callable_by(term: Any, players: int) -> Iterator[Term]:
    """A term and its parts, those of them by which a player may be called."""
    match term:
        case Constant(int() as value) if 0 <= value < players:
            yield term
        case Named() | Slot() | Option() | Operation():
            yield term
    if isinstance(term, Operation | Knows):
        for part in term.args if isinstance(term, Operation) else (term.seat,):
            yield from callable_by(part, players)


def atom_under(atom: Atom, tests: Tests) -> Atom:
    """A secret that is read only where some tests hold."""
    index = atom.base.index
    if isinstance(index, Under):
        return atom._replace(base=atom.base._replace(index=Under(index.index, index.tests | tests)))
    return atom._replace(base=atom.base._replace(index=Under(index, tests)))


def needed(label: Label) -> Label:
    """A label without what is read under more tests than the same secret is elsewhere: whoever knows it there knows it here too.

    Else there were one for each combination of tests in conditions within one another.
    """
    if not any(isinstance(a.base.index, Under) for a in label):
        return label
    tests: dict[Atom, set[Tests]] = {}
    for atom in label:
        index = atom.base.index
        under = index.tests if isinstance(index, Under) else NOTHING
        tests.setdefault(atom._replace(base=bare(atom.base)), set()).add(under)
    kept = [
        atom_under(atom, one) if one else atom
        for atom, several in tests.items()
        for one in several
        if not any(fewer < one for fewer in several)
    ]
    return frozenset(kept)


def bare(base: Secret) -> Secret:
    """What is hidden, without the tests under which it is read."""
    return base._replace(index=base.index.index) if isinstance(base.index, Under) else base
