"""What players are shown, and whether it tells a secret: questions, lines of the log, variables, moves.

- set: number                  # F006, unless the hand is revealed before somebody is asked
  to: size(p1.vault)
- choose: n
  by: p2
  from: 0..p1.role             # F001: which answers there are
  say: "Not {p1.role}?"        # F002: what the question says
- log: "It was {p1.role}"      # F004
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Set
from dataclasses import field
from typing import Any, Literal, NamedTuple, TypeVar

from rulespec import ir
from rulespec.language.facts import Origin, Result
from rulespec.language.registry import facts
from rulespec.lint.flow.by_name import ByName
from rulespec.lint.flow.disequality import facts_of
from rulespec.lint.flow.labels import NONE, PUBLIC, Atom, Label, Secret, Val, unworded
from rulespec.lint.flow.lasting import Lasting
from rulespec.lint.flow.secrecy import Grants, Secrecy, departed, first_place
from rulespec.lint.flow.sight import bare, passed_by
from rulespec.lint.flow.terms import (
    ANY,
    EVERYBODY,
    Apart,
    Before,
    Candidate,
    Constant,
    Named,
    Operation,
    Slot,
    Term,
    replaced,
)
from rulespec.lint.flow.values import Values, tells
from rulespec.system.records import dataclass
from rulespec.text.source import Span

Reader = Callable[[ir.Expr | None], Val]
Code = Literal["F001", "F002", "F003", "F004", "F005", "F006", "F007"]
T = TypeVar("T")
Part = tuple[str | int, ...]  # the way from a step to what in it shows the secret


class Later(NamedTuple):
    """What players see when somebody is asked the next time: whether it tells a secret depends on what is shown until then."""

    code: Code
    where: Span | None
    label: Label
    seat: Term
    name: str
    variable: int | None = None  # pieces that lie hidden are put into it: no secret by itself, but what they are is one


@dataclass(frozen=True, slots=True)
class Leak:
    """Something that is shown and depends on a secret of somebody who sees it.

    `changed` is where the zone has changed unseen since this was read of it, if it may have: showing what lies there later
    does not make it known.
    """

    code: Code
    where: Span | None
    part: Part
    atom: Atom
    name: str  # of the choice, variable or zone that shows it
    to_all: bool
    changed: Span | None = field(default=None, compare=False)


class Shown:
    """Judges what a program shows; `leaks` has each leak once.

    `open_variables` are those for which the author wrote that all see them: what is put there is made known.  `public` are the
    steps that put something into a name for which that is written, `told_some` those that put it into a local of which some are
    told: the local of these.
    """

    def __init__(
        self,
        secrecy: Secrecy,
        open_variables: frozenset[int],
        counting: frozenset[Span],
        public: Set[Span],
        told_some: Mapping[tuple[Span, int], int],
    ) -> None:
        self.secrecy = secrecy
        self.public = public
        self.told_some = told_some
        self.program = program = secrecy.program
        self.open_variables = open_variables
        self.counting = counting
        self.lasting = Lasting(program, secrecy.revealed)
        self.by_name = ByName(program, secrecy.hidden_kinds)
        self.leaks: dict[Leak, Leak] = {}
        self.options: dict[int, list[tuple[ir.Rule, ir.Branch]]] = {}  # by the menu that they are added to

    def several(self, site: ir.Site) -> bool:
        """Whether a site belongs to a choice of several items."""
        return site.where in self.counting

    def report(
        self, code: Code, where: Span | None, part: Part, label: Label, seat: Term, grants: Grants, name: str
    ) -> bool:
        """Report what of a label a player may not know, or, for `EVERYBODY`, somebody may not; whether there was anything."""
        secrets = self.secrecy.hidden(label, seat, grants)
        for atom in secrets:
            since = departed(grants, unworded(atom.token))
            changed = None if since is None else since.where
            leak = Leak(code, where, part, Atom(whole(atom.base)), name, seat == EVERYBODY, changed)
            before = self.leaks.setdefault(leak, leak)
            if first_place(changed) < first_place(before.changed):  # sets have no order: it is the same in every run
                del self.leaks[leak]
                self.leaks[leak] = leak
        return bool(secrets)

    # --- texts ---------------------------------------------------------------------------------------------------
    def text(self, text: ir.Text, read: Reader) -> Label:
        """What a text tells.  Of a piece, only who may see it where it lies learns which it is."""
        label: Label = NONE
        for part in text.parts:
            if not isinstance(part, str):
                label |= tells(self.program, part[1], read(part[0]))
        return label

    def say(self, i: ir.Say, read: Reader, decided: Label, grants: Grants) -> None:
        """A line of the log: that it stands there, who reads it, and what it says."""
        seats: tuple[Term, ...] = (EVERYBODY,)
        label = decided | self.text(i.text, read)
        if i.seats is not None:
            readers = read(i.seats)
            label |= readers.label | readers.size
            named = named_players(readers.term, self.secrecy.most)
            seats = (ANY,) if named is None else named
        for seat in seats:
            self.report("F004", i.where, ("log",), label, seat, grants, "")

    # --- questions -------------------------------------------------------------------------------------------------
    def asked(self, site: ir.Site, decided: Label, player: Val, grants: Grants) -> None:
        """That a player is asked is seen by all."""
        self.report("F003", site.where, (), decided | player.label, EVERYBODY, grants, site.name)

    def together(self, i: ir.Fork, label: Label, grants: Grants) -> None:
        """That players choose together is seen by all, and who they are."""
        self.report("F003", i.where, ("together",), label, EVERYBODY, grants, "")

    def question(self, site: ir.Site, values: Values, L: Mapping[int, Val], items: Val, grants: Grants) -> None:
        """What a player who is asked learns from the question; where a test says who that is, each of both for himself."""
        seat = values.whole(site.player, L).term
        match seat:
            case Operation("if", (test, then, other)):
                for holds, who in ((True, then), (False, other)):
                    names, more = same_names(test, holds)
                    with values.assuming(named(test, names), holds):
                        env = {k: named(held, names) for k, held in L.items()}
                        known = named(grants, names) | more
                        self.asked_of(site, values, env, values.whole(site.items, env), named(who, names), known)
            case _:
                self.asked_of(site, values, L, items, seat, grants)

    def asked_of(
        self, site: ir.Site, values: Values, L: Mapping[int, Val], items: Val, seat: Term, grants: Grants
    ) -> None:
        """What a player learns from a question: the candidates, which are legal, and the texts."""
        inner = {**L, site.item: Val(Candidate(site.index), items.label, items.ident, items.label)}
        grants |= facts_of(Candidate(site.index), items.term)
        grants |= values.that_hold(passed_by(Candidate(site.index), items.term))
        where, name, several = site.where, site.name, self.several(site)

        def read(e: ir.Expr | None) -> Val:
            return PUBLIC if e is None else values.whole(e, inner)

        given: Label = NONE
        unseen = self.report("F005", where, ("from",), items.ident, seat, grants, name)
        if unseen or self.report("F001", where, ("from",), items.label | items.size, seat, grants, name):
            given = items.label | items.size

        def tests(reasons: tuple[ir.Reason, ...], part: Part) -> None:
            nonlocal given
            here = grants  # each condition is looked at where those before it hold, and what it says, where it does not
            for n, reason in enumerate(reasons):
                place = (*part, n) if part == ("only",) else part
                if several and isinstance(reason.test, ir.Completable):
                    place = ("count",)
                label = read(reason.test).label
                if self.report("F001", where, place, label - given, seat, here, name):
                    given |= label
                self.report(
                    "F002",
                    where,
                    (*part[:-1], "why") if part[-1:] == ("if",) else (*place, "why"),
                    self.text(reason.why, read) - given,
                    seat,
                    here | values.that_hold(values.sight.tests(reason.test, inner, holds=False)),
                    name,
                )
                here |= values.that_hold(values.sight.tests(reason.test, inner))

        tests(site.reasons, ("only",))
        if site.none is not None:
            tests(site.none.reasons, ("count",) if several else ("or none", "if"))
            self.report("F002", where, ("or none", "say"), self.text(site.none.text, read) - given, seat, grants, name)
        self.report("F002", where, ("say",), self.text(site.prompt, read) - given, seat, grants, name)
        if site.shown is not None:
            self.report("F002", where, ("shown",), self.text(site.shown, read) - given, seat, grants, name)
        for branch in site.branches:
            tests(branch.reasons, ("options", branch.name, "if"))
            self.report(
                "F002", where, ("options", branch.name, "say"), self.text(branch.text, read), seat, grants, name
            )
        if site.branches or site.arguments:
            self.menu(site, values, tuple(read(a) for a in site.arguments), seat, grants)

    def adding(self, site: ir.Site) -> list[tuple[ir.Rule, ir.Branch]]:
        """The rules that add options to a menu, with these: looked for once."""
        if site.index not in self.options:
            offered = mentioned(site.items)
            self.options[site.index] = [
                (rule, rule.option) for rule in self.program.rules if rule.option is not None and rule.index in offered
            ]
        return self.options[site.index]

    def menu(self, site: ir.Site, values: Values, given: tuple[Val, ...], seat: Term, grants: Grants) -> None:
        """The options that rules add to a menu."""
        for rule, option in self.adding(site):
            count = 1 if rule.source == "pieces" else 0 if rule.source == "plain" else len(rule.arguments)
            args = (*self.lasting.instance(rule, None, count), *given)
            L = dict(enumerate(args))

            def read(e: ir.Expr | None, L: Mapping[int, Val] = L) -> Val:
                return PUBLIC if e is None else values.whole(e, L)

            for reason in option.reasons:
                self.report("F001", rule.where, ("if",), read(reason.test).label, seat, grants, site.name)
                self.report("F002", rule.where, ("why",), self.text(reason.why, read), seat, grants, site.name)
            self.report("F002", rule.where, ("say",), self.text(option.text, read), seat, grants, site.name)

    # --- variables and pieces ----------------------------------------------------------------------------------------
    def later(self, waiting: frozenset[Later], grants: Grants) -> None:
        """Somebody is asked: all that has changed is seen now."""
        for change in waiting:
            if change.variable is None:
                self.report(change.code, change.where, (), change.label, change.seat, grants, change.name)

    def held(self, waiting: Iterable[Later], grants: Grants) -> Iterator[tuple[int, Secret]]:
        """Somebody is asked: variables that hold hidden pieces now, and where these lie."""
        for change in waiting:
            if change.variable is not None:
                yield from (
                    (change.variable, whole(atom.base))
                    for atom in self.secrecy.hidden(change.label, change.seat, grants)
                )

    def store(self, i: ir.Store, read: Reader, decided: Label, grants: Grants) -> Iterator[Later]:
        """A variable is told a value: who sees it, sees that."""
        declared = self.secrecy.variables.get(i.base)
        if declared is None or declared[0].index in self.open_variables:
            return
        if i.where in self.public and not declared[0].public:  # it is written that who sees the variable may know this
            return
        variable, offset = declared
        value, index = read(i.value), read(i.index)
        if variable.public:  # what is told under a name of steps: to whom was said there
            value = PUBLIC
        if variable.seen.function in self.secrecy.ruled:
            yield from self.put_by_rule(i, variable, value, index, decided, grants)
            return
        label = value.label | index.label | decided
        if self.program.names_pieces(variable.type):
            label -= value.ident
            if variable.seen.who == "all" and (hidden := self.secrecy.hidden(value.ident, EVERYBODY, grants)):
                yield Later("F006", i.where, hidden, EVERYBODY, variable.name, variable.index)
        at: Term = Constant(offset) if i.index is None else index.term
        secret = Secret("var", variable.index, at)
        label -= {Atom(secret)}
        for seat in self.secrecy.seats_of(variable.seen, self.secrecy.first_index(secret)):
            if hidden := self.secrecy.hidden(label, seat, grants):
                yield Later("F006", i.where, hidden, seat, variable.name)

    def put_by_rule(
        self, i: ir.Store, variable: ir.Variable, value: Val, index: Val, decided: Label, grants: Grants
    ) -> Iterator[Later]:
        """A variable is told a value that players see by rule: so much is told to any of whom the rule surely holds.

        Which part it is put into only they see who see that part; what comes from another is shown by the rule that shows these.
        """
        label = decided if held_before(value.term, i) else decided | (value.label - index.label)
        offset = Constant(i.base - variable.base)
        place = Secret("var", variable.index, offset if i.index is None else index.term)
        label = frozenset(atom for atom in label if atom.token is not None or bare(atom.base) != place)
        for seat, more in self.secrecy.seen_by(place) if label else ():
            if hidden := self.secrecy.hidden(label, seat, grants | more):
                yield Later("F006", i.where, hidden, seat, variable.name)

    def move(
        self, where: Span | None, zone: ir.Zone, pieces: Val, at: Val, decided: Label, grants: Grants
    ) -> Iterator[Later]:
        """The number of pieces in a zone changes.  Which pieces are moved is shown by moving them; by what they are chosen is not."""
        counted = {
            base for atom in pieces.ident for base in (atom.base, atom.base._replace(what="count"))
        }  # and that there are any
        label = frozenset(a for a in decided | (pieces.label - pieces.ident) if a.base not in counted) | at.label
        for seat in self.watching(zone, pieces, at) if label else ():
            if hidden := self.secrecy.hidden(label, seat, grants):
                yield Later("F007", where, hidden, seat, zone.name)

    def watching(self, zone: ir.Zone, pieces: Val, at: Val) -> set[Term]:
        """Who sees that pieces come to a zone, or that they leave the zones where they lie."""
        zones = [(zone, at.term)]
        zones += [
            (self.program.zones[a.base.number], a.base.index) for a in pieces.ident if a.base.what in ("zone", "top")
        ]
        seats: set[Term] = set()
        if not pieces.ident and any(z.kind == zone.kind and z.counted.who == "all" for z in self.program.zones):
            seats.add(EVERYBODY)
        for touched, index in zones:
            first = self.secrecy.first_index(Secret("zone", touched.index, index))
            for viewers in (touched.counted, touched.seen):
                seats |= set(self.secrecy.seats_of(viewers, first))
        return seats


def same_names(test: Term, holds: bool) -> tuple[tuple[Term, Term] | None, Grants]:
    """What a test says of two terms: which is the name of the other, and that they surely differ."""
    match test:
        case Operation(name, (one, other)) if facts(name).result in (Result.EQUAL, Result.DIFFERENT):
            if (facts(name).result is Result.EQUAL) != holds:
                return None, frozenset({(Apart(one), other), (Apart(other), one)})
            return ((other, one) if isinstance(one, Constant) else (one, other)), frozenset()
    return None, frozenset()


def named(item: T, names: tuple[Term, Term] | None) -> T:
    """A term, value or what has been shown with one name in place of another."""
    return item if names is None else replaced(item, *names)


def named_players(term: Term, players: int) -> tuple[Term, ...] | None:
    """The players in a set that a term names, None where they cannot be told; `EVERYBODY` if it is all of them."""
    match term:
        case Constant(tuple() as seats):
            return (EVERYBODY,) if len(seats) == players else tuple(map(Constant, seats))
        case Operation(name, args):
            known = facts(name)
            if known.origin is Origin.ARGUMENTS:
                return args
            if known.origin is Origin.ALL:
                parts = [named_players(part, players) for part in args]
                return None if None in parts else tuple(one for part in parts for one in part or ())
            return (EVERYBODY,) if known.result in (Result.SEATS, Result.TURN_ORDER) else None
    return None


def held_before(term: Term, i: ir.Store) -> bool:
    """Whether a value is what a part of the variable holds, or held, into which it is put."""
    slots = range(i.base, i.base + i.size)
    match term:
        case Slot(base):
            return base in slots
        case Named(Before(_, slot)):
            return slot in slots
    return False


def whole(base: Secret) -> Secret:
    """What is hidden, whoever's it is: what a finding names."""
    return base._replace(index=None)


def mentioned(e: Any) -> set[int]:
    """The numbers in an expression: among them those of the rules that add to a menu."""
    if isinstance(e, ir.Const):
        return numbers(e.value)
    if isinstance(e, tuple):
        return set().union(*map(mentioned, e))
    names = getattr(e, "__dataclass_fields__", ())
    return set().union(*(mentioned(getattr(e, name)) for name in names))


def numbers(value: Any) -> set[int]:
    """The numbers in a value."""
    if isinstance(value, tuple):
        return set().union(*map(numbers, value))
    return {value} if isinstance(value, int) else set()
