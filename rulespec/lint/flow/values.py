"""What an expression's value depends on: an interpretation of expressions in which values are labels.

With `p` as `Named(...)`, `highest(c.value for c in p.hand)` has the label of `p.hand`, `{Atom(Secret("zone", hand, p))}`, and no
`ident`: it is a number, not pieces.  `those(c in p.hand where c.colour == red)` has the same label and the same `ident`: it is
some of these pieces, and its `size` has that label, since how many they are depends on which they are.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from contextlib import contextmanager
from typing import Any, assert_never

from rulespec import ir
from rulespec.ir.reads import numbers, reads
from rulespec.language import operators
from rulespec.language.facts import Origin, Result, Size, Tells
from rulespec.language.registry import facts
from rulespec.library.texts import TEXT as FILLED_IN
from rulespec.lint.flow.ahead import LookingAhead
from rulespec.lint.flow.labels import (
    NONE,
    PUBLIC,
    Atom,
    Label,
    Secret,
    Val,
    answered,
    constant,
    joined,
    open_items,
    renamed_atoms,
    worded,
)
from rulespec.lint.flow.lasting import Lasting
from rulespec.lint.flow.secrecy import SILENT, Grants, Secrecy
from rulespec.lint.flow.sight import Sight, Tests, atom_under, callable_by, needed, sides
from rulespec.lint.flow.terms import (
    ANY,
    EVERYBODY,
    FILTERED,
    KEYED,
    Answers,
    Carrier,
    Constant,
    Depth,
    Effects,
    Holds,
    Item,
    Knows,
    Named,
    Operation,
    Option,
    Parts,
    Slot,
    Term,
    comprehension,
    operation,
    replaced,
    slots_read,
)

Locals = Mapping[int, Val]
OUTSIDE = Depth()  # of every comprehension
WORDS = ir.types.TEXT


class Values:
    """Works out what values depend on; nothing of it changes while a program is looked at."""

    def __init__(self, secrecy: Secrecy, lasting: Lasting | None = None) -> None:
        self.secrecy = secrecy
        self.lasting = lasting or Lasting(secrecy.program, secrecy.revealed)
        self.functions = secrecy.program.functions
        self.ahead = LookingAhead(self)
        self.sight = secrecy.sight = Sight(secrecy.program, secrecy.most, self)
        self.holding: dict[int, set[Secret]] = {}  # variables that all see and hidden pieces are put into: from where
        self.known: dict[Any, Val] = {}
        self.naming = False  # whether only terms are asked for
        self.assumed: tuple[Term, bool] | None = None  # a test, and whether it is taken to hold
        self.reads: dict[int, list[int]] = {}  # by the identity of an expression: it lives as long as its program
        self.found: dict[Any, Val] = {}
        self.told_by_effects: frozenset[int] = frozenset()  # zones that arguments of lasting effects tell of

    def whole(self, e: ir.Expr, L: Locals) -> Val:
        """What the value of a whole expression depends on: worked out once for the same values of what it reads."""
        if e.__class__ is ir.Const or e.__class__ is ir.Local:
            return self.of(e, L)
        if id(e) not in self.reads:
            self.reads[id(e)] = numbers(reads(e))
        key = id(e), tuple([L.get(k, PUBLIC) for k in self.reads[id(e)]]), self.assumed
        if key not in self.found:
            self.found[key] = self.of(e, L)
        return self.found[key]

    def of(self, e: ir.Expr, L: Locals, depth: Depth = OUTSIDE) -> Val:
        """What an expression's value depends on, with what its locals depend on."""
        match e:
            case ir.Const(value):
                return constant(value)
            case ir.Local(index):
                return L.get(index, PUBLIC)
            case ir.Load():
                return self.load(e, L, depth)
            case ir.Column(_, index):
                row = self.of(index, L, depth)
                return Val(operation("column", Constant(hash(e.values)), row.term), row.label, NONE, row.label)
            case ir.Op():
                return self.operation(e, L, depth)
            case ir.Cond(test, then, other):
                t, a, b = (self.of(part, L, depth) for part in (test, then, other))
                if self.assumed is not None and t.term == self.assumed[0]:
                    value = a if self.assumed[1] else b
                    return value._replace(label=value.label | t.label, size=value.size | t.label)
                if isinstance(a.term, Constant) and a.term == b.term:
                    return joined(a, b, a.term)  # the same, whatever the test is
                if self.secrecy.ruled and not self.naming:
                    t, a, b = self.under_test(e, (t, a, b), L, depth)
                term = a.term if a.term == b.term else operation("if", t.term, a.term, b.term)
                labels = t.label | a.label | b.label, a.ident | b.ident, t.label | a.size | b.size
                return Val(term, *(map(needed, labels) if self.secrecy.ruled else labels))
            case ir.Bind(index, value, body):
                return self.of(body, {**L, index: self.of(value, L, depth)}, depth)
            case ir.Comp():
                return self.comprehension(e, L, depth)
            case ir.Fold():
                return self.fold(e, L, depth)
            case ir.Invoke(function, args):
                return self.invoke(function, tuple(self.of(a, L, depth) for a in args))
            case ir.Known(value, _):
                return self.of(value, L, depth)
            case ir.Once(_, value):
                return self.of(value, L, depth)
            case ir.Completable():
                return self.completable(e, L, depth)
            case ir.After():
                return self.ahead.value(e, L, depth)
            case ir.Setting(name):
                return Val(Option(name))
            case _:
                assert_never(e)

    def term(self, e: ir.Expr, L: Locals, depth: Depth) -> Term:
        """The term of an expression's value, whoever may know it."""
        before, self.naming = self.naming, True
        try:
            return self.of(e, L, depth).term
        finally:
            self.naming = before

    @contextmanager
    def assuming(self, test: Term, holds: bool) -> Iterator[None]:
        """Meanwhile a test is taken to hold, or not to."""
        before, self.assumed = self.assumed, (test, holds)
        try:
            yield
        finally:
            self.assumed = before

    def that_hold(self, tests: Iterable[Term]) -> Grants:
        """That some tests hold, those of them that decide who sees something by rule."""
        known = self.deciding(tests) if self.secrecy.ruled else ()
        return frozenset((Holds(test), EVERYBODY) for test in known)

    def under_test(self, e: ir.Cond, values: tuple[Val, Val, Val], L: Locals, depth: Depth) -> tuple[Val, Val, Val]:
        """A test, and what is read only where it holds, or does not: players may see that by rule."""
        t, a, b = values
        then = self.deciding(self.sight.tests(e.test, L, depth)) if self.ruled(a) else ()
        other = self.deciding(self.sight.tests(e.test, L, depth, False)) if self.ruled(b) else ()
        a, b = self.under(a, then), self.under(b, other)
        both = sides(e)
        if both is not None and both[2] and (self.ruled(t) or self.ruled(a) or self.ruled(b)):
            tests = frozenset(self.deciding(self.sight.tests(e, L, depth)))
            t, a, b = (self.known_either_way(part, tests) for part in (t, a, b))
        return t, a, b

    def ruled(self, value: Val) -> bool:
        """Whether a value depends on anything that players see by rule."""
        return any(self.secrecy.by_rule(atom.base) for atom in value.label)

    def under(self, value: Val, tests: Iterable[Term]) -> Val:
        """A value that is read only where some tests hold."""
        more = frozenset(tests)
        if not more or not self.ruled(value):
            return value
        names: dict[Atom, Atom | None] = {a: atom_under(a, more) for a in value.label if self.secrecy.by_rule(a.base)}
        return Val(value.term, *(renamed_atoms(label, names) for label in value[1:]))

    def known_either_way(self, value: Val, tests: Tests) -> Val:
        """A test that holds only where `tests` do: whoever surely sees there what it reads knows it anyway, as he sees whether he does."""
        seats = {seat for test in tests for seat in callable_by(test, self.secrecy.most)}
        names: dict[Atom, Atom | None] = {}
        for atom in value.label:
            if self.secrecy.by_rule(atom.base):
                seen = atom_under(atom, tests).base
                knows = frozenset(Knows(seat) for seat in seats if self.secrecy.may_know(seen, seat, SILENT))
                names[atom] = atom_under(atom, knows) if knows else atom
        return Val(value.term, *(renamed_atoms(label, names) for label in value[1:]))

    def deciding(self, tests: Iterable[Term]) -> Iterable[Term]:
        """Those of some tests that decide who sees something by rule."""
        return [test for test in tests if not slots_read(test).isdisjoint(self.secrecy.ruled_by)]

    def hold(self, held: Mapping[int, set[Secret]]) -> bool:
        """It is found that variables hold hidden pieces, and what lasting effects are given; whether that is news."""
        new = {number for number, bases in held.items() if not bases <= self.holding.get(number, set())}
        for number in new:
            self.holding[number] = self.holding.get(number, set()) | held[number]
        news = self.lasting.settle() or bool(new)
        if news:
            self.told_by_effects = self.lasting.zones()
            self.known.clear()
            self.found.clear()
        return news

    def invoke(self, function: int, args: tuple[Val, ...]) -> Val:
        """A function of the game; what is bound in one has a depth that nothing around it has."""
        key = function, args, self.naming, self.assumed
        if key not in self.known:
            self.known[key] = self.of(self.functions[function].body, dict(enumerate(args)), Depth(function))
        return self.known[key]

    def load(self, e: ir.Load, L: Locals, depth: Depth) -> Val:
        """What a slot holds."""
        index = PUBLIC if e.index is None else self.of(e.index, L, depth)
        term: Term = ANY if e.index is not None and index.term == ANY else Slot(e.base, index.term if e.index else None)
        secrecy = self.secrecy
        if e.base in secrecy.locations:
            kind = secrecy.locations[e.base]
            label = index.label
            if kind.index in secrecy.hidden_kinds and not isinstance(index.term, Carrier):
                label |= {Atom(Secret("place", kind.index))}
            return Val(term, label, NONE, label)
        place = secrecy.zones.get(e.base) or secrecy.variables.get(e.base)
        if place is None:
            return Val(term, index.label, NONE, index.label)
        part, offset = place
        at: Term = Constant(offset) if e.index is None else index.term
        if isinstance(part, ir.Zone):
            content = frozenset({Atom(Secret("zone", part.index, at))}) if part.seen.who != "all" else NONE
            number = (
                frozenset({Atom(Secret("count", part.index, at))}) if content and part.counted.who != "all" else NONE
            )
            return Val(term, content | number | index.label, content, number | index.label)
        secret = frozenset({Atom(Secret("var", part.index, at))}) if part.seen.who != "all" else NONE
        if index.label == index.ident and self.at_a_place(index.term):
            index = index._replace(label=NONE)
        if part.index in self.holding:  # that there is one is seen, but not which
            piece = frozenset({Atom(Secret("held", part.index, at))})
            return Val(term, piece | secret | index.label, piece, secret | index.label)
        pieces = secret if secrecy.program.names_pieces(part.type) and not has_words(part.type) else NONE
        if (named := self.by_name(part, at)) is not None:
            return Val(term, secret | index.label | {named}, pieces, secret | index.label | {named})
        return Val(term, secret | index.label, pieces, secret | index.label)

    def at_a_place(self, index: Term) -> bool:
        """Whether what is kept for a piece is read of a place, such as the second of a hand, of which whoever may know it is told it."""
        match index:
            case Operation(name, (Slot(base), *_)) if facts(name).result is Result.ITEM:
                zone, _ = self.secrecy.zones.get(base, (None, 0))
                return zone is not None and zone.order == "pile" and zone.counted.who == "all"
        return False

    def by_name(self, part: ir.Variable, index: Term) -> Atom | None:
        """Where what is kept for a piece is read by its name, and not because it lies somewhere: who does not see the piece knows it of
        the place alone.
        """
        for kind in part.per:
            if kind in self.secrecy.hidden_kinds:
                if isinstance(index, Item) and index.every:
                    return Atom(Secret("place", kind, index))
                return Atom(Secret("place", kind)) if isinstance(index, Constant) and len(part.per) == 1 else None
        return None

    def operation(self, e: ir.Op, L: Locals, depth: Depth) -> Val:
        """A function of the registry."""
        name, known = e.name, facts(e.name)
        args = [self.of(a, L, depth) for a in e.args]
        term = operation(name, *(a.term for a in args))
        label = union(a.label for a in args)
        if (
            name == operators.CONTAINS
            and isinstance(comp := e.args[0], ir.Comp)
            and comp.value is None
            and comp.key is None
        ):
            return Val(term, self.passes(comp, args[1], L, depth))
        if known.tells is Tells.NUMBER and len(args) == 1:
            return Val(term, args[0].size)
        if known.tells is Tells.PRESENCE:
            answers = args[-1].term
            who = Operation("present", (Named(answers.token),)) if isinstance(answers, Answers) else term
            return Val(who, union(a.label for a in args[:-1]))
        if known.tells is Tells.TOP and isinstance(e.args[0], ir.Load):
            atoms = {a._replace(base=a.base._replace(what="top")) if a.base.what == "zone" else a for a in label}
            return Val(term, frozenset(atoms), frozenset(a for a in atoms if a.base.what == "top"))
        if known.result is Result.ITEM:
            term = one_of(args[0].term) or term
        match e.args:
            case (ir.Load(ir.LASTING), ir.Const(int() as lasting)):
                return self.lasting.effects(lasting)
        if known.tells is Tells.TEXT and isinstance(e.args[0], ir.Const):
            return self.text(e.args[0].value, args[1:], term)
        if known.result is Result.PART:
            match args[0].term, e.args[1]:
                case Answers() as given, _:
                    return self.answer(args[0], given, args[1])
                case Parts(values), ir.Const(number):
                    part: Val = values[number]
                    return part
                case Operation(operators.PACK, parts), ir.Const(number):
                    term = parts[number]
        ident = NONE if known.origin is Origin.UNKNOWN else union(a.ident for a in args)
        return Val(term, label, ident, self.size(known.size, args, label))

    def passes(self, comp: ir.Comp, item: Val, L: Locals, depth: Depth) -> Label:
        """What it depends on whether something is among the items that pass a test: on what the test says of that one alone."""
        source = self.of(comp.source, L, depth)
        where = PUBLIC if comp.where is None else self.of(comp.where, {**L, comp.index: item}, depth)
        return source.label | item.label | where.label

    def text(self, form: tuple[str | int, ...], args: list[Val], term: Term) -> Val:
        """A text with values filled in: what it tells in words, and the pieces that it names."""
        program = self.secrecy.program
        told, named = NONE, NONE
        for number, arg in zip((part for part in form if isinstance(part, int)), args, strict=True):
            printer = WORDS if number == FILLED_IN else program.printers[number]
            told |= tells(program, printer, arg)
            if program.names_pieces(printer):
                named |= frozenset(worded(atom) for atom in arg.ident)
        return Val(term, told | named, named, told)

    def size(self, size: Size, args: list[Val], label: Label) -> Label:
        """What the number of items of a result depends on."""
        match size:
            case Size.CONTENT:
                return label
            case Size.FIXED:
                return NONE
            case Size.FIRST:
                return args[0].size
            case Size.DISTINCT:
                pieces = bases(args[0].ident) >= bases(args[0].label - args[0].size)
                return args[0].size if pieces else label
            case Size.BOTH:
                return args[0].size | args[1].size
            case Size.TAKEN:
                surely_in_it = bases(args[1].ident) >= bases(args[1].label - args[0].label)
                return args[0].size | args[1].size if surely_in_it else label
            case Size.PREFIX:
                return args[0].size | args[1].label
            case Size.NUMBER:
                return args[0].label
        assert_never(size)

    def answer(self, of_all: Val, answers: Answers, seat: Val) -> Val:
        """What a player has chosen, of the answers of all to sealed choices."""
        chosen = answered(of_all._replace(term=answers.term), seat.term)
        given: Val = replaced(chosen, Named(answers.token), seat.term)
        return Val(given.term, given.label | seat.label, given.ident, given.size | seat.label)

    def comprehension(self, e: ir.Comp, L: Locals, depth: Depth) -> Val:
        """Some items, or something of each."""
        source = self.of(e.source, L, depth)
        each = Item(depth, isinstance(e.source, ir.Const))
        item = Val(one_of(source.term) or each, source.label, source.ident, source.label)
        inner = {**L, e.index: item}
        where = constant(True) if e.where is None else self.of(e.where, inner, depth.inner())
        key = constant(None) if e.key is None else self.of(e.key, inner, depth.inner())
        value = item if e.value is None else self.of(e.value, inner, depth.inner())
        if self.secrecy.ruled and not self.naming and e.where is not None:
            tests = self.deciding(self.sight.tests(e.where, inner, depth.inner()))
            value, key = (self.under(part, tests) for part in (value, key))
        told, by_name = unnamed(where.label, each)
        tested = open_items(told, each, source.term)
        passed = source.term if e.where is None else comprehension(FILTERED, each, source.term, where.term)
        size = open_items(source.size, each) | tested
        told, keyed_by_name = unnamed(value.label | key.label, each)
        label = open_items(told, each, passed) | size
        ident = open_items(value.ident, each, passed)
        if e.value is None:
            label |= by_name | keyed_by_name  # which pieces of all have it, and not only how many
            term = passed if e.key is None else comprehension(KEYED, each, passed, key.term)
            term = source.term if isinstance(source.term, Effects) else term
            return Val(term, label | source.label, ident, size)
        term = comprehension("comprehension", each, source.term, where.term, value.term, key.term)
        return Val(term, label, ident, size)

    def fold(self, e: ir.Fold, L: Locals, depth: Depth) -> Val:
        """A value that grows item by item."""
        source, value = self.of(e.source, L, depth), self.of(e.start, L, depth)
        each: Term = Carrier(depth) if isinstance(e.source, ir.Const) else one_of(source.term) or Item(depth)
        item = Val(each, source.label, source.ident)
        for _ in range(2):
            grown = self.of(e.body, {**L, e.acc: value._replace(term=ANY), e.index: item}, depth.inner())
            value = Val(
                ANY,
                value.label | open_items(grown.label, Item(depth)) | source.size,
                value.ident | open_items(grown.ident, Item(depth)),
                value.size | open_items(grown.size, Item(depth)) | source.size,
            )
        return value

    def completable(self, e: ir.Completable, L: Locals, depth: Depth) -> Val:
        """Whether a choice can be completed: by how many there are, and by what the whole must be."""
        chosen, items, low, high = (self.of(part, L, depth) for part in (e.chosen, e.items, e.low, e.high))
        label = chosen.size | items.size | low.label | high.label
        if e.whole is not None:
            both = Val(ANY, chosen.label | items.label, chosen.ident | items.ident, label)
            label |= self.of(e.whole, {**L, e.index: both}, depth).label
        return Val(ANY, label)


def unnamed(label: Label, each: Term) -> tuple[Label, Label]:
    """A label without what is read of all pieces by their names, and where these lie as what that tells."""
    named = {atom for atom in label if atom.base.what == "place" and atom.base.index == each}
    return label - named, frozenset(Atom(atom.base._replace(index=None)) for atom in named)


def one_of(items: Term) -> Term | None:
    """One of some lasting effects, of which no more is known than of all; None for other items."""
    return Parts(items.values) if isinstance(items, Effects) else None


def union(labels: Iterable[Label]) -> Label:
    """All secrets of several labels (their join)."""
    return frozenset().union(*labels)


def bases(label: Label) -> set[Secret]:
    """What is hidden, whatever has been taken out of it."""
    return {atom.base for atom in label}


def tells(program: ir.Program, printer: ir.Type, value: Val) -> Label:
    """What is told by showing a value.  Of a piece, only who may see it where it lies learns which it is."""
    if not program.names_pieces(printer):
        return value.label
    told = value.label - value.ident
    return told | value.size if printer.what in ("set", "list") else told


def has_words(printer: ir.Type) -> bool:
    """Whether a value that is shown so has texts in it, which may tell anything."""
    return printer.what == "text" or any(map(has_words, printer.parts))
