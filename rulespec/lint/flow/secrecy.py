"""The hidden things of a program: which slots they are, and who may know them.

With `hand: {of: Card, per: Player, seen by: owner}` the secret `Secret("zone", hand, Constant(0))` may be known by the player whose term
is `Constant(0)`, and after

    - reveal: p1.hand

by `EVERYBODY`: the grant `(Secret("zone", hand, Constant(0)), EVERYBODY)` holds from there on, until something is laid into that hand.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from functools import lru_cache

from rulespec import ir
from rulespec.ir.walk import reachable_from, reached, reads_state
from rulespec.language import operators
from rulespec.language.facts import Origin, Result
from rulespec.language.registry import facts
from rulespec.library.errors import DomainError
from rulespec.lint.flow.disequality import differ, members, pairs
from rulespec.lint.flow.indices import crosses, parts
from rulespec.lint.flow.labels import Atom, Label, Secret, unworded
from rulespec.lint.flow.sight import NOTHING, Sight, Tests, bare, opened
from rulespec.lint.flow.terms import (
    ANY,
    EVERYBODY,
    Across,
    Amid,
    Answer,
    Apart,
    Constant,
    Departed,
    Each,
    Except,
    Holds,
    Knows,
    Operation,
    Option,
    Term,
    Token,
    Under,
    is_one_of,
    is_some_of,
)
from rulespec.passes.fold import settled, simplify
from rulespec.passes.inline import substitute
from rulespec.passes.rewrite import rewrite
from rulespec.text.source import Span

# What has been shown, and to whom: pieces by their token, or a secret; `EVERYBODY` or a player.
Grants = frozenset[tuple[Token | Secret, Term]]
Seats = tuple[int, ...]
SILENT: Grants = frozenset()
IN_ZONES = ("zone", "count", "top")  # what is hidden of a zone


class Secrecy:
    """A program's zones and variables by their slots, with their declared viewers.

    `counts` are the numbers of players that it stands for.
    """

    def __init__(self, program: ir.Program, counts: tuple[int, ...]) -> None:
        self.program = program
        self.counts = counts
        self.zones = {zone.base + i: (zone, i) for zone in program.zones for i in range(zone.size)}
        self.variables = {
            variable.base + i: (variable, i) for variable in program.variables for i in range(variable.size)
        }
        self.locations: dict[int, ir.Kind] = {}
        for kind in program.kinds:
            if kind.location is not None:
                self.locations |= dict.fromkeys(range(kind.location, kind.location + len(kind.members)), kind)
        self.hidden_kinds = {zone.kind for zone in program.zones if zone.seen.who != "all"}
        self.most = max(counts)
        self.firsts = dict(self.first_kinds())
        self.ruled = frozenset(number for number in viewing(program) if reads_state(program, number))
        self.ruled_by = self.slots_of_sight()
        self.sight: Sight | None = None  # who sees what by rule: there once values can be worked out
        self.revealed = revealed(program) | self.zones_by_rule()
        self.pieces: dict[int, frozenset[int]] = {}
        self.surely: dict[tuple[int | None, Term, Term, bool], bool] = {}
        self.viewers: dict[tuple[ir.Viewers, Term], tuple[bool, tuple[Term, ...]]] = {}

    def slots_of_pieces(self, kind: int) -> frozenset[int]:
        """The slots that say where pieces of a kind lie."""
        if kind not in self.pieces:
            declared = self.program.kinds[kind]
            slots = {zone.base + i for zone in self.program.zones if zone.kind == kind for i in range(zone.size)}
            if declared.location is not None:
                slots |= set(range(declared.location, declared.location + len(declared.members)))
            self.pieces[kind] = frozenset(slots)
        return self.pieces[kind]

    # --- who sees by rule ----------------------------------------------------------------------------------------
    def slots_of_sight(self) -> frozenset[int]:
        """The slots that decide who sees something, where that depends on the position."""
        bodies = tuple(self.program.functions[number].body for number in self.ruled)
        return frozenset([e.base for e in reached(self.program, bodies) if isinstance(e, ir.Load)])

    def zones_by_rule(self) -> frozenset[int]:
        """The zones of which the position decides who sees them."""
        return frozenset(
            zone.index
            for zone in self.program.zones
            if self.by_rule(Secret("zone", zone.index)) or self.by_rule(Secret("count", zone.index))
        )

    def by_rule(self, base: Secret) -> bool:
        """Whether the position decides who sees something."""
        return bool(self.ruled) and any(viewers.function in self.ruled for viewers in self.declared(base))

    def held(self, grants: Grants) -> Tests:
        """What surely holds, of what decides who sees something."""
        return frozenset([what.term for what, _ in grants if isinstance(what, Holds)]) if self.ruled else NOTHING

    def sees_by_rule(self, function: int, base: Secret, seat: Term, grants: Grants) -> bool:
        """Whether everybody, or a player, surely is among those whom a function of the position gives."""
        indices, tests = self.indices_of(base), opened(base.index)[1]
        if self.sight is None or indices is None:
            return False
        apart = frozenset([pair for pair in grants if isinstance(pair[0], Apart)])
        return self.sight.among(function, indices, seat, tests | self.held(grants), apart)

    def indices_of(self, base: Secret) -> tuple[Term, ...] | None:
        """The indices of something that players see by rule, None where they are not known."""
        index, per = opened(base.index)[0], self.per(base)
        if len(per) > 2 or index == ANY:
            return None
        return (index,) if len(per) < 2 else parts(index, len(per[1].members))

    def seen_by(self, base: Secret) -> list[tuple[Term, Grants]]:
        """Who may see something by rule, and what holds where he does."""
        viewers = next(viewers for viewers in self.declared(base) if viewers.function in self.ruled)
        indices = self.indices_of(base)
        if self.sight is None or viewers.function is None or indices is None:
            return [(ANY, SILENT)]
        return [
            (seat, frozenset([(Holds(test), EVERYBODY) for test in tests]))
            for seat, tests in self.sight.seeing(viewers.function, indices)
        ]

    # --- who sees -----------------------------------------------------------------------------------------------
    def declared(self, base: Secret) -> tuple[ir.Viewers, ...]:
        """The viewers that are declared for what is hidden."""
        what, number, _ = base
        if what == "var":
            return (self.program.variables[number].seen,)
        if what == "zone":
            return (self.program.zones[number].seen,)
        if what == "count":
            zone = self.program.zones[number]
            return zone.seen, zone.counted
        if what == "top":
            zone = self.program.zones[number]
            return zone.seen, zone.top
        return ()

    def per(self, base: Secret) -> tuple[ir.Kind, ...]:
        """The kinds of which each member, or each combination of members, has its own of what is hidden."""
        if base.what not in ("var", "zone", "count", "top"):
            return ()
        part = (self.program.variables if base.what == "var" else self.program.zones)[base.number]
        return tuple(self.program.kinds[kind] for kind in part.per)

    def first_index(self, base: Secret) -> Term:
        """The first of the indices of what is hidden: its owner, where it is a player's."""
        what, number, index = base
        part: ir.Zone | ir.Variable
        part = self.program.variables[number] if what == "var" else self.program.zones[number]
        if isinstance(index, Each):
            return ANY
        if len(part.per) < 2:
            return index  # type: ignore[no-any-return]  # a term, or None where there are no several
        stride = part.size // len(self.program.kinds[part.per[0]].members)
        if isinstance(index, Constant):
            return Constant(index.value // stride)
        while isinstance(index, Operation) and index.name == operators.ADD:
            index = index.args[0]
            match index:
                case Operation(operators.MULTIPLY, (first, Constant(value))) if value == stride:
                    return first  # type: ignore[no-any-return]
                case Constant(int() as value):
                    return Constant(value // stride)
        return ANY

    def may_know(self, base: Secret, seat: Term, grants: Grants) -> bool:
        """Whether everybody, or a player, may know what is hidden, by what is declared."""
        first = self.first_index(bare(base))
        return any(
            self.sees_by_rule(viewers.function, base, seat, grants)
            if viewers.function is not None and viewers.function in self.ruled
            else self.sees(viewers, first, seat, grants)
            for viewers in self.declared(base)
        )

    def sees(self, viewers: ir.Viewers, index: Term, seat: Term, grants: Grants) -> bool:
        """Whether everybody, or a player, is among declared viewers."""
        if viewers.who == "all":
            return True
        if viewers.who == "none":
            return False
        if viewers.who == "owner":
            return seat not in (ANY, EVERYBODY) and (index == seat or self.together(None, index, seat, False))
        everybody, some = self.resolved(viewers, index)
        if everybody or seat in (ANY, EVERYBODY):
            return everybody
        return seat in some or self.together(viewers.function, index, seat, differ(index, seat, grants))

    def seats_of(self, viewers: ir.Viewers, index: Term) -> tuple[Term, ...]:
        """The seats that see something, as far as they can be told: `ANY` where they cannot."""
        match viewers.who:
            case "all":
                return (EVERYBODY,)
            case "none":
                return ()
            case "owner":
                return (index,)
        everybody, some = self.resolved(viewers, index)
        return (EVERYBODY,) if everybody else some or (ANY,)

    def resolved(self, viewers: ir.Viewers, index: Term) -> tuple[bool, tuple[Term, ...]]:
        """Of viewers that a function gives: whether it is always all of them, and those who surely are among them."""
        key = viewers, index
        if key not in self.viewers:
            self.viewers[key] = self.resolve(viewers, index)
        return self.viewers[key]

    def resolve(self, viewers: ir.Viewers, index: Term) -> tuple[bool, tuple[Term, ...]]:
        assert viewers.function is not None
        function = self.program.functions[viewers.function]
        sets: list[tuple[int, int, Seats | None]] = []  # for how many players, for which index, who sees
        for count in self.counts:
            sets += [
                (count, value, self.worked_out(function, value, count)) for value in self.indices(viewers, index, count)
            ]
        everybody = all(seats is not None and len(seats) >= count for count, _, seats in sets)
        known = [frozenset(seats) for _, _, seats in sets if seats is not None]
        if len(known) < len(sets) or (not isinstance(index, Constant) and function.parameters):
            return everybody, () if index == ANY else self.members(function.body, index, sets)
        return everybody, tuple(Constant(seat) for seat in sorted(frozenset.intersection(*known)))

    def together(self, function: int | None, index: Term, seat: Term, apart: bool) -> bool:
        """Whether a player is surely among those whom a function gives for another (None: that one alone); `apart`: they surely differ."""
        key = function, index, seat, apart
        if key not in self.surely:
            self.surely[key] = index not in (ANY, None) and self.worked_out_together(*key)
        return self.surely[key]

    def worked_out_together(self, function: int | None, index: Term, seat: Term, apart: bool) -> bool:
        """What `together` keeps."""
        kind = None if function is None else self.firsts.get(function)
        if function is not None and (kind is None or kind.index != self.program.player_kind):
            return False
        for count in self.counts:
            for owner, one in pairs(index, seat, count, apart):
                sees = (owner,) if function is None else self.worked_out(self.program.functions[function], owner, count)
                if sees is None or one not in sees:
                    return False
        return True

    def alike(self, functions: Iterable[int]) -> bool:
        """Whether these functions always give all players, or always nobody, however many play."""
        for number in functions:
            sets = [
                (count, self.worked_out(self.program.functions[number], value, count))
                for count in self.counts
                for value in self.indices(ir.Viewers("function", number), ANY, count)
            ]
            everybody = all(seats is not None and len(seats) >= count for count, seats in sets)
            if not everybody and any(seats for _, seats in sets):
                return False
        return True

    def first_kinds(self) -> Iterator[tuple[int, ir.Kind]]:
        """The functions that give viewers, each with the kind of its first parameter."""
        declared: list[ir.Zone | ir.Variable] = [*self.program.zones, *self.program.variables]
        for part in declared:
            for viewers in (part.seen, part.counted, part.top) if isinstance(part, ir.Zone) else (part.seen,):
                if viewers.function is not None and part.per:
                    yield viewers.function, self.program.kinds[part.per[0]]

    def indices(self, viewers: ir.Viewers, index: Term, count: int) -> Sequence[int]:
        """What the first index of something may be."""
        kind = self.firsts.get(viewers.function or 0)
        if isinstance(index, Constant):
            return (index.value,)
        if kind is None:
            return (0,)
        return range(count if kind.index == self.program.player_kind else len(kind.members))

    def worked_out(self, function: ir.Function, value: int, count: int) -> Seats | None:
        """The seats that a function gives for an index, None where they depend on the position."""
        body = settled(function.body, {"players": count})
        if function.parameters:
            body = substitute(body, {0: ir.Const(value)})
        try:
            result = rewrite(body, simplify)
        except DomainError:
            return None
        if isinstance(result, ir.Comp) and isinstance(result.source, ir.Const):
            kept = [s for s in result.source.value if self.holds(result, s)]
            return tuple(kept) if result.value is None and result.where is not None and None not in kept else None
        return result.value if isinstance(result, ir.Const) else None

    def holds(self, comp: ir.Comp, item: int) -> bool:
        """Whether an item surely passes the test of a comprehension."""
        if comp.where is None:
            return True
        return rewrite(substitute(comp.where, {comp.index: ir.Const(item)}), simplify) == ir.Const(True)

    def members(self, body: ir.Expr, index: Term, sets: list[tuple[int, int, Seats | None]]) -> tuple[Term, ...]:
        """The players named one by one in a set of viewers, for an index that is not known."""
        terms: list[Term] = []
        if isinstance(body, ir.Op) and facts(body.name).origin is Origin.ARGUMENTS:
            for part in body.args:
                terms += [term] if (term := named(part, index)) is not None else []
        elif all(seats is not None and value in seats for _, value, seats in sets):
            terms.append(index)
        return tuple(terms)

    # --- what a label hides ------------------------------------------------------------------------------------
    def hidden(self, label: Iterable[Atom], seat: Term, grants: Grants) -> Label:
        """The secrets that a player may not know, or, for `EVERYBODY`, that somebody may not."""
        return frozenset(atom for atom in label if not self.known(atom, seat, grants))

    def known(self, atom: Atom, seat: Term, grants: Grants) -> bool:
        """Whether a player may know a secret, by what is declared or since it has been shown.

        Of a piece in a variable it is not known who put it there, who may know it: only that not everybody may.
        """
        base, token = atom.base, unworded(atom.token)
        if base.what == "held" and seat != EVERYBODY:
            return True
        if isinstance(base.index, Under) and Knows(seat) in base.index.tests:
            return True
        gone = departed(grants, token) if base.what in IN_ZONES or self.by_rule(base) else None
        if (
            base.what not in ("place", "held", "named")
            and not (gone and self.by_rule(base))
            and self.may_know(base, seat, grants)
        ):
            return True
        base = bare(base)
        if not grants:
            return False
        enough: list[Token | Secret] = []
        if token is not None:
            enough.append(token)
        if isinstance(token, Answer):
            enough.append(token._replace(seat=ANY))
        if not gone:
            enough += [base, base._replace(index=ANY)]
            if base.what in ("count", "top"):
                enough += [base._replace(what="zone"), base._replace(what="zone", index=ANY)]
            enough += [what for what, _ in grants if isinstance(what, Secret) and covers(what, base)]
        return any(
            (shown, EVERYBODY) in grants or (seat not in (ANY, EVERYBODY) and told_among(grants, shown, seat))
            for shown in enough
        )


def told_among(grants: Grants, what: Token | Secret, seat: Term) -> bool:
    """Whether something has been shown to a player, or to all players of a set that he surely is in."""
    if (what, seat) in grants:
        return True
    return any(shown == what and is_surely_one(seat, to.items, grants) for shown, to in told_to_some(grants))


@lru_cache(maxsize=1 << 10)
def told_to_some(grants: Grants) -> tuple[tuple[Token | Secret, Each], ...]:
    """What has been shown to the players of a set."""
    return tuple((what, to) for what, to in grants if isinstance(to, Each))


def is_surely_one(seat: Term, items: Term, grants: Grants) -> bool:
    """Whether a player is surely one of some players: taken from them, or all of them but others."""
    if is_one_of(seat, items) or (Amid(seat), items) in grants:
        return True
    match items:
        case Operation(name, (others, left_out)) if facts(name).result is Result.REMAINDER:
            everybody = isinstance(others, Operation) and facts(others.name).result in (Result.SEATS, Result.TURN_ORDER)
            return everybody and all(differ(one, seat, grants) or surely_other(one, seat) for one in members(left_out))
        case Operation(name, args) if facts(name).origin is Origin.ARGUMENTS:
            return seat in args
    return False


def surely_other(one: Term, other: Term) -> bool:
    """Whether two terms are different constants."""
    return isinstance(one, Constant) and isinstance(other, Constant) and one != other


def viewing(program: ir.Program) -> frozenset[int]:
    """The functions that say who sees something."""
    everywhere = [viewers for zone in program.zones for viewers in (zone.seen, zone.counted, zone.top)]
    everywhere += [variable.seen for variable in program.variables]
    return frozenset(viewers.function for viewers in everywhere if viewers.function is not None)


def revealed(program: ir.Program) -> frozenset[int]:
    """The zones of which a program shows all that lies there: of no other does it matter what has left it."""
    bases = {base for n, p in enumerate(program.procedures) for i in p.code for base in shown_whole(program, n, i)}
    return frozenset(
        zone.index for zone in program.zones if not bases.isdisjoint(range(zone.base, zone.base + zone.size))
    )


def shown_whole(program: ir.Program, procedure: int, i: ir.Instruction) -> Iterator[int]:
    """The slots of which a step shows all that they hold; what a procedure is handed is a slot of those who run it."""
    if not isinstance(i, ir.Learn):
        return
    if isinstance(i.pieces, ir.Load):
        yield i.pieces.base
    if not isinstance(i.pieces, ir.Local):
        return
    handed = reachable_from([(procedure, i.pieces.index)], lambda one: parameters_for(program, *one))
    for number, index in handed:
        for _, given in arguments(program, number, index):
            if isinstance(given, ir.Load):
                yield given.base


def parameters_for(program: ir.Program, procedure: int, index: int) -> Iterator[tuple[int, int]]:
    """The parameters that are handed on as a parameter of a procedure."""
    for caller, given in arguments(program, procedure, index):
        if isinstance(given, ir.Local) and given.index < program.procedures[caller].parameters:
            yield caller, given.index


def arguments(program: ir.Program, procedure: int, index: int) -> Iterator[tuple[int, ir.Expr]]:
    """What a procedure is run with as one of its parameters, and where."""
    if index < program.procedures[procedure].parameters:
        for caller, p in enumerate(program.procedures):
            yield from ((caller, i.args[index]) for i in p.code if isinstance(i, ir.Call) and i.procedure == procedure)


def departed(grants: Grants, token: Token | None) -> Departed | None:
    """That pieces may have left the zone where they were found, with the step by which they may have, or None.

    Of what all who chose together have answered with it is not told apart whose may have.
    """
    of_all = token.token if isinstance(token, Answer) else token
    return first_departed([w for w, _ in grants if isinstance(w, Departed) and w.token in (token, of_all)])


def first_departed(several: list[Departed]) -> Departed | None:
    """The first of some in the order of their places, so that what is said does not hang on the order of a set."""
    return min(several, key=lambda what: first_place(what.where)) if several else None


def first_place(where: Span | None) -> tuple[bool, str, int]:
    """Where a place comes among others; behind them what has none."""
    return (True, "", 0) if where is None else (False, where.source.name, where.start)


def token_of(what: Token | Secret) -> Token | Secret:
    """The name of which something is known."""
    inner: Token | Secret = what.token if isinstance(what, Departed) else what
    return inner


def covers(shown: Secret, base: Secret) -> bool:
    """Whether something shown, of one, some or all members of a kind, includes what is hidden of the members that `base` names."""
    if shown[:2] != base[:2]:
        return False
    match shown.index, base.index:
        case Across() as several, index:
            return crosses(several, index)
        case Except(Constant() as left_out), Constant() as index:
            return left_out != index
        case Each(items), Each(some):
            return is_some_of(some, items)
        case Each(items), index:
            return is_one_of(index, items)
    return bool(shown.index in (base.index, ANY))


def implied(grants: Grants, what: Token | Secret, to: Term) -> bool:
    """Whether something has been shown to a player, or to everybody, as a part of what has been shown."""
    if (what, to) in grants or (what, EVERYBODY) in grants:
        return True
    return isinstance(what, Secret) and any(
        isinstance(shown, Secret) and covers(shown, what) for shown, seat in grants if seat in (to, EVERYBODY)
    )


def named(part: ir.Expr, index: Term) -> Term | None:
    """The term of a player that is named in a set of viewers by the index that they are for."""
    if isinstance(part, ir.Local):
        return index
    if isinstance(part, ir.Const):
        return Constant(part.value)
    if isinstance(part, ir.Setting):
        return Option(part.name)
    if isinstance(part, ir.Op):
        parts = [term for arg in part.args if (term := named(arg, index)) is not None]
        if len(parts) == len(part.args):
            return Operation(part.name, tuple(parts))
    return None
