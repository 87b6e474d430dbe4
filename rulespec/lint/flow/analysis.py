"""The way of secrets through a program: from where they are read to where somebody is shown something.

Every procedure is looked at once for each way in which it is called (procedures do not call themselves): with the values of
its parameters, and with the secrets that decide whether it runs at all.  Within it, what each local depends on is worked out
along all ways until nothing changes; then each instruction that shows something is judged.

What the author has made public by a declared act is no secret any more: pieces that were taken out of a hidden zone are known
to all who see the zone they are moved to, and to all that they are revealed to; whatever decided such a move, a line of
the log or a question has been shown by it and is not reported a second time behind it.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from heapq import heappop, heappush
from typing import Any, NamedTuple

from rulespec import ir
from rulespec.lint.flow.control import dependence, successors
from rulespec.lint.flow.labels import (
    ANY,
    NONE,
    PUBLIC,
    Atom,
    Label,
    Term,
    Token,
    Val,
    forgotten,
    mentions,
    reads_slot,
    replaced,
)
from rulespec.lint.flow.shown import Later, Shown
from rulespec.lint.flow.values import CARRIER, Values
from rulespec.lint.flow.world import EVERYBODY, Grants, World

MOST_CONTEXTS = 4000  # ways of calling procedures that are looked at; a larger game is looked at in part
MOST_CALLS = 60  # of procedures within procedures
SILENT: Grants = frozenset()


class State(NamedTuple):
    """What is known where an instruction begins: of each local, what has been shown to whom, and which secrets branches told."""

    env: tuple[Val, ...]
    grants: Grants
    told: frozenset[Term]
    later: frozenset[Later] = frozenset()  # what has changed since somebody was asked, and tells a secret unless it is shown


class Context(NamedTuple):
    """One way in which a procedure is called.

    `hard` are secrets that decide whether it runs.  `soft` are those that decide whether a rule that a piece carries is alive: what it
    does shows it, by the rules, but a question must not come before.
    """

    procedure: int
    args: tuple[Val, ...]
    hard: Label
    soft: Label
    grants: Grants
    sealed: bool


class Summary(NamedTuple):
    """What a call leaves behind: a result, what has been shown, and which slots may hold something else now."""

    result: Val
    grants: Grants
    written: frozenset[tuple[int, int]]


NOTHING = Summary(PUBLIC, SILENT, frozenset())


class Analysis:
    """Looks at all that a program may do from its beginning; `shown` gathers what tells a secret."""

    def __init__(self, program: ir.Program, world: World, shown: Shown) -> None:
        self.program = program
        self.world = world
        self.values = Values(world)
        self.shown = shown
        self.summaries: dict[Context, Summary] = {}
        self.running: set[int] = set()
        self.asking: dict[int, bool] = {}
        self.control: dict[int, tuple[list[tuple[int, ...]], list[frozenset[int]]]] = {}

    def run(self) -> None:
        """Look at the whole game."""
        self.call(Context(self.program.main, (), NONE, NONE, SILENT, False))

    def call(self, context: Context) -> Summary:
        """What a call leaves behind; everything that it shows is judged."""
        if context not in self.summaries:
            full = len(self.summaries) >= MOST_CONTEXTS or len(self.running) >= MOST_CALLS
            if full or context.procedure in self.running:
                return NOTHING
            self.running.add(context.procedure)
            self.summaries[context] = Run(self, context).run()
            self.running.discard(context.procedure)
        return self.summaries[context]

    def may_ask(self, procedure: int) -> bool:
        """Whether somebody may be asked before a procedure returns."""
        if procedure not in self.asking:
            self.asking[procedure] = False
            code = self.program.procedures[procedure].code
            self.asking[procedure] = any(
                isinstance(i, ir.Ask | ir.Fork | ir.CallRule | ir.NextRule) or (isinstance(i, ir.Call) and self.may_ask(i.procedure))
                for i in code
            )  # fmt: skip
        return self.asking[procedure]

    def ways(self, procedure: int) -> tuple[list[tuple[int, ...]], list[frozenset[int]]]:
        """The successors of a procedure's instructions, and the branches that each depends on."""
        if procedure not in self.control:
            own = successors(self.program.procedures[procedure])
            self.control[procedure] = own, dependence(own)
        return self.control[procedure]


class Run:
    """One procedure, called in one way."""

    def __init__(self, analysis: Analysis, context: Context) -> None:
        self.analysis = analysis
        self.values = analysis.values
        self.world = analysis.world
        self.shown = analysis.shown
        self.context = context
        self.procedure = analysis.program.procedures[context.procedure]
        self.code = self.procedure.code
        self.after, self.branches = analysis.ways(context.procedure)
        self.tests: dict[int, Label] = {}
        self.states: dict[int, State] = {}
        self.visits: dict[int, int] = {}
        self.written: set[tuple[int, int]] = set()
        self.results: dict[int, State] = {}  # where it returns: the result, then its arguments
        self.judging = False

    def run(self) -> Summary:
        """Work out all states, then judge each instruction."""
        for _ in range(4):
            before = dict(self.tests)
            self.settle()
            if self.tests == before or not any(self.tests.values()):
                break
        self.judging = True
        for pc in sorted(self.states):
            self.step(pc, self.states[pc])
        ends = list(self.results.values())
        if not ends:
            return NOTHING._replace(written=frozenset(self.written))
        end = ends[0]
        for other in ends[1:]:
            own = joined(end.env[0], other.env[0], ("t", ("result", self.context.procedure)))
            end = State((own, *end.env[1:], *other.env), meet(end, other), frozenset())
        return Summary(end.env[0], end.grants, frozenset(self.written))

    def settle(self) -> None:
        """Work out the states along all ways until nothing changes."""
        self.states.clear()
        self.visits.clear()
        args = self.context.args
        env = (*args, *[PUBLIC] * (self.procedure.locals + 4 - len(args)))
        self.states[0] = State(env, self.context.grants, frozenset())
        todo = [0]
        while todo:
            pc = heappop(todo)
            self.visits[pc] = self.visits.get(pc, 0) + 1
            if self.visits[pc] <= 30:
                for target, state in self.step(pc, self.states[pc]):
                    if target < len(self.code) and self.merge(target, state) and target not in todo:
                        heappush(todo, target)
            if not todo:
                todo = self.unreached()

    def unreached(self) -> list[int]:
        """Handlers that only procedures called from within their region lead to."""
        for region in self.procedure.regions:
            inside = [self.states[pc] for pc in range(region.start, region.end) if pc in self.states]
            if region.handler not in self.states and inside:
                self.states[region.handler] = inside[0]
                return [region.handler]
        return []

    def merge(self, pc: int, state: State) -> bool:
        """Add a way that leads to an instruction; whether that is news."""
        old = self.states.get(pc)
        if old is None:
            self.states[pc] = state
            return True
        env = list(old.env)
        for i, (a, b) in enumerate(zip(old.env, state.env, strict=True)):
            if a != b:
                env[i] = joined(a, b, ("t", ("join", self.context.procedure, pc, i)))
        new = State(tuple(env), meet(old, state), old.told & state.told, old.later | state.later)
        self.states[pc] = new
        return new != old

    # --- one instruction ----------------------------------------------------------------------------------------
    def decided(self, pc: int, state: State, outside: bool = True) -> Label:
        """The secrets that decide whether an instruction runs."""
        label = self.context.hard if outside else NONE
        for branch in self.branches[pc]:
            label |= self.tests.get(branch, NONE)
        return frozenset(atom for atom in label if atom.base not in state.told)

    def of(self, e: ir.Expr | None, state: State) -> Val:
        return PUBLIC if e is None else self.values.of(e, dict(enumerate(state.env)))

    def step(self, pc: int, state: State) -> list[tuple[int, State]]:
        """The states behind an instruction; with `judging`, what it shows is judged."""
        i = self.code[pc]
        where = i.where
        for_all = self.decided(pc, state)
        match i:
            case ir.Let(index, value):
                own = self.of(value, state)
                own = own._replace(label=own.label | self.decided(pc, state, False))
                if where in self.shown.public:  # from now on it is a value that all know, and nobody need know of what
                    own = Val(("t", self.token(pc)))
                state = self.bind(pc, state, index, own, where)
            case ir.Next(index, _):
                items = state.env[index]
                self.test(pc, items.size, where)
                item = Val(("t", self.token(pc)), items.label - (items.size - items.ident), items.ident)
                return [(pc + 1, self.bind(pc, state, index + 2, item, where)), (i.target, state)]
            case ir.Unless(test, _):
                self.test(pc, self.of(test, state).label, where)
            case ir.Ask(site, live):
                answer = self.ask(pc, state, self.analysis.program.sites[site], for_all)
                state = self.bind(pc, told(self.seen(state), for_all | self.context.soft), live, answer, where)
            case ir.Draw(items, weights, live):
                own = self.of(items, state)
                drawn = Val(("t", self.token(pc)), own.label | self.of(weights, state).label, own.ident)
                state = self.bind(pc, state, live, drawn, where)
            case ir.Say():
                if self.judging:
                    self.shown.say(i, self.reader(state), for_all, state.grants)
                state = told(state, self.context.soft)
            case ir.Store():
                later = self.shown.store(i, self.reader(state), for_all, state.grants)
                state = state._replace(later=state.later | frozenset(later))
                state = self.forget(pc, told(state, self.context.soft), i.base, i.base + i.size)
            case ir.Move():
                state = self.move(pc, state, i, for_all)
            case ir.MoveCounts():
                state = self.move_counts(pc, state, i, for_all)
            case ir.Learn():
                state = self.learn(state, i)
            case ir.Enter() | ir.Reset():
                state = self.forget(pc, state, i.low, i.high)
            case ir.Call(procedure, args, live):
                values = tuple(self.of(a, state) for a in args)
                state = self.seen(state) if self.analysis.may_ask(procedure) else state
                own_grants = of_values(state.grants, (*values, for_all, self.context.soft))
                state = self.called(pc, state, Context(procedure, values, for_all, self.context.soft, own_grants,
                                                       self.context.sealed), live)  # fmt: skip
            case ir.CallRule():
                state = self.seen(state)
                state = self.rules(pc, state, i, for_all)
            case ir.Fork():
                state = self.fork(pc, state, i, for_all)
            case ir.NextRule(live, _, _):
                state = self.bind(pc, state, live + 1, PUBLIC, where)
            case ir.Collect(_, _, _, live) | ir.Cease(_, _, _, live):
                state = self.bind(pc, state, live, PUBLIC, where)
            case ir.Return(value):
                self.seen(state)
                own = self.of(value, state)
                own = own._replace(label=own.label | self.decided(pc, state, False))
                if self.context.sealed and isinstance(value, ir.Op) and value.name == "pack":
                    own = own._replace(term=("parts", tuple(self.of(part, state) for part in value.args)))
                self.results[pc] = state._replace(env=(own, *self.context.args))
        return [(target, state) for target in self.after[pc]]

    def token(self, pc: int) -> Token:
        """The name of what comes out of an instruction."""
        return self.context.procedure, pc

    def test(self, pc: int, label: Label, where: Any) -> None:
        """A branch goes one way or another by these secrets."""
        self.tests[pc] = self.tests.get(pc, NONE) | label
        self.shown.note(label, where)

    def bind(self, pc: int, state: State, index: int, value: Val, where: Any, shown: Grants = SILENT) -> State:
        """A local becomes a value: what the instruction made the last time is something else now."""
        token = self.token(pc)
        env, grants = state.env, state.grants
        if self.visits.get(pc, 0) > 1 or self.judging:
            if any(mentions(own, token) for own in env):
                env = replaced(env, token, ("before", token))
            if self.code[pc].__class__ in (ir.Let, ir.Unless):  # others make something new of nothing that was here before
                value = replaced(value, token, ("before", token))
            grants = replaced(grants - shown, token, ("before", token)) | shown
        self.shown.note(value.label, where)
        value = taken(value, token)
        if len(env) <= index:
            env = (*env, *[PUBLIC] * (index + 1 - len(env)))
        later = state.later
        if later and self.visits.get(pc, 0) > 1:
            later = replaced(later, token, ("before", token))
        return State((*env[:index], value, *env[index + 1 :]), grants, state.told, later)

    def forget(self, pc: int, state: State, low: int, high: int) -> State:
        """Slots hold something else now."""
        self.written.add((low, high))
        if any(reads_slot(own, low, high) for own in state.env):
            state = state._replace(env=tuple(forgotten(own, low, high, self.token(pc)) for own in state.env))
        if any(reads_slot(own, low, high) for own in state.grants):
            state = state._replace(grants=forgotten(state.grants, low, high, self.token(pc)))
        return state

    def reader(self, state: State) -> Callable[[ir.Expr | None], Val]:
        """What expressions depend on here."""
        return lambda e: self.of(e, state)

    # --- questions ------------------------------------------------------------------------------------------------
    def ask(self, pc: int, state: State, site: ir.Site, decided: Label) -> Val:
        """Somebody is asked; what the answer depends on."""
        items = self.of(site.items, state)
        locals_ = dict(enumerate(state.env))
        if self.judging:
            if not self.context.sealed:
                own = frozenset().union(*(self.tests.get(b, NONE) for b in self.own_branches(pc, site)))
                outside = frozenset(a for a in decided | self.context.soft if a.base not in state.told)
                kept = frozenset().union(self.context.hard, self.context.soft, *(
                    self.tests.get(b, NONE) for b in self.branches[pc] - self.own_branches(pc, site)))  # fmt: skip
                self.shown.asked(site, outside - (own - kept), self.of(site.player, state), state.grants)
            self.shown.question(site, self.values, locals_, items, state.grants)
        several = site.printer.what in ("set", "list", "bag", "record")
        return Val(("t", self.token(pc)), items.label, items.ident, items.label if several else NONE)

    def seen(self, state: State) -> State:
        """Somebody may be asked: what has changed before is seen."""
        if self.judging:
            self.shown.later(state.later, state.grants)
        return state._replace(later=frozenset())

    def own_branches(self, pc: int, site: ir.Site) -> frozenset[int]:
        """The branches that a choice of several items makes itself, as it asks for one after another."""
        if not self.shown.several(site):
            return frozenset()
        return frozenset(b for b in self.branches[pc] if self.code[b].where == site.where)

    def fork(self, pc: int, state: State, i: ir.Fork, decided: Label) -> State:
        """Sealed choices: who chooses is seen by all, what is asked is not."""
        seats = self.of(i.seats, state)
        if self.judging:
            self.shown.together(i, decided | seats.label | seats.size, state.grants)
        token = ("seat", *self.token(pc))
        values = (Val(("t", token)), *(self.of(a, state) for a in i.args))
        found = self.analysis.call(Context(i.procedure, values, NONE, NONE, of_values(state.grants, values), True))
        own = renewed(found.result, values, self.token(pc))
        answers = Val(("answers", token, own.term), own.label, own.ident, own.size)
        return self.bind(pc, told(self.seen(state), decided), i.live, answers, i.where)

    def forget_all(self, pc: int, state: State, written: Iterable[tuple[int, int]]) -> State:
        for low, high in sorted(written):
            state = self.forget(pc, state, low, high)
        return state

    # --- calls ------------------------------------------------------------------------------------------------------
    def called(self, pc: int, state: State, context: Context, live: int) -> State:
        """A call: its result, what it shows, what it writes."""
        found = self.analysis.call(context)
        token = self.token(pc)
        result = renewed(found.result, context.args, token)
        shown = of_values(found.grants, (*context.args, context.hard, context.soft)) | {
            (("from", token, what), to) for what, to in found.grants if mentions(found.result, what)
        }
        state = self.forget_all(pc, state._replace(grants=state.grants | shown), found.written)
        result = result._replace(label=result.label | self.decided(pc, state, False))
        return self.bind(pc, state, live, result, self.code[pc].where, shown)

    def rules(self, pc: int, state: State, i: ir.CallRule, decided: Label) -> State:
        """Any of the rules of the window may run."""
        event = tuple(self.of(a, state) for a in i.args)
        label: Label = NONE
        written: set[tuple[int, int]] = set()
        for number in sorted({r for c in self.code if isinstance(c, ir.Collect) and c.live == i.live - 2 for r in c.rules}):
            rule = self.analysis.program.rules[number]
            own = self.instance(rule, pc, len(event))
            alive = NONE if rule.alive is None else self.values.invoke(rule.alive, own).label
            test = NONE if rule.test is None else self.values.invoke(rule.test, (*own, *event)).label
            self.shown.note(alive | test, rule.where)
            soft, hard = self.context.soft, decided | test
            if rule.source == "pieces":
                soft, hard = soft | alive, decided | (test - alive)
            else:
                hard |= alive
            grants = of_values(state.grants, (*event, hard, soft))
            found = self.analysis.call(Context(rule.procedure, (*own, *event), hard, soft, grants, False))
            written |= found.written
            label |= hard - self.context.hard
        state = self.forget_all(pc, state, written)
        return self.bind(pc, state, i.live, Val(ANY, label), i.where)

    def instance(self, rule: ir.Rule, pc: int, event: int) -> tuple[Val, ...]:
        """The arguments of an instance of a rule, of which nothing is known."""
        many = self.analysis.program.procedures[rule.procedure].parameters - event
        word = CARRIER if rule.source == "pieces" else "t"
        return tuple(Val((word, ("instance", self.token(pc), rule.index, n))) for n in range(max(many, 0)))

    # --- pieces -----------------------------------------------------------------------------------------------------
    def move(self, pc: int, state: State, i: ir.Move, decided: Label) -> State:
        """Pieces go to a zone."""
        zone = self.analysis.program.zones[i.zone]
        state = self.laid(state, i, zone, self.of(i.pieces, state), i.index, decided)
        for other in self.analysis.program.zones:
            if other.kind == zone.kind:
                state = self.forget(pc, state, other.base, other.base + other.size)
        kind = self.analysis.program.kinds[zone.kind]
        if kind.location is not None:
            state = self.forget(pc, state, kind.location, kind.location + len(kind.members))
        return state

    def move_counts(self, pc: int, state: State, i: ir.MoveCounts, decided: Label) -> State:
        """Pieces that are alike go from a zone to another."""
        bag = self.of(i.bag, state)
        for number, index in ((i.source, i.source_index), (i.zone, i.index)):
            if number is None:
                continue
            zone = self.analysis.program.zones[number]
            state = self.laid(state, i, zone, bag, index, decided, number == i.zone)
            state = self.forget(pc, state, zone.base, zone.base + zone.size)
        return state

    def laid(self, state: State, i: ir.Move | ir.MoveCounts, zone: ir.Zone, pieces: Val, index: ir.Expr | None, decided: Label,
             comes: bool = True) -> State:  # fmt: skip
        """Pieces come to lie in a zone, or leave it: whoever sees it knows them now."""
        at = self.of(index, state) if index is not None else Val(("c", 0))
        later = self.shown.move(i.where, zone, pieces, at, decided, state.grants)
        state = state._replace(later=state.later | frozenset(later))
        viewers = self.world.seats_of(zone.seen, self.world.first_index(("zone", zone.index, at.term)))
        shown = {(atom.token, seat) for atom in pieces.ident if atom.token is not None for seat in viewers if seat != ANY}
        grants = state.grants | shown
        if comes and EVERYBODY not in viewers:  # what was revealed of the zone does not tell what comes to lie there now
            grants = frozenset(g for g in grants if not (isinstance(g[0], tuple) and g[0][:2] == ("zone", zone.index)))
        state = state._replace(grants=grants)
        if EVERYBODY in viewers or zone.counted.who == "all":
            state = told(state, decided | self.context.soft)
        return state

    def learn(self, state: State, i: ir.Learn) -> State:
        """Pieces are shown to some players; a whole zone is, where its pieces are."""
        pieces, seats = self.of(i.pieces, state), self.of(i.seats, state)
        if i.forget:
            bases = {atom.base for atom in pieces.ident}
            return state._replace(grants=frozenset(g for g in state.grants if g[0] not in bases))
        shown: set[tuple[Any, Term]] = set()
        for atom in pieces.ident:
            what: Any = atom.token
            if what is None and isinstance(i.pieces, ir.Load):
                what = atom.base
                if self.looped(atom.base[2]):  # one after another: all of them
                    what = (atom.base[0], atom.base[1], ANY)
            shown |= {(what, seat) for seat in self.players(seats) if what is not None}
        return told(state._replace(grants=state.grants | shown), self.context.soft)

    def looped(self, index: Term | None) -> bool:
        """Whether a term is the item of a loop of this procedure."""
        return (
            index is not None and index[0] == "t" and isinstance(index[1], tuple) and index[1][:1] == (self.context.procedure,)
            and isinstance(self.code[index[1][1]], ir.Next)
        )  # fmt: skip

    def players(self, seats: Val) -> tuple[Term, ...]:
        """The players in a set, as far as they can be told."""
        return named_players(seats.term, self.analysis.program.players)


def named_players(term: Term, players: int) -> tuple[Term, ...]:
    """The players in a set that a term names, as far as they can be told; `EVERYBODY` if it is all of them."""
    if term[0] == "c" and isinstance(term[1], tuple):
        return (EVERYBODY,) if len(term[1]) == players else tuple(("c", seat) for seat in term[1])
    if term[:2] in (("o", "pack"), ("o", "set_of"), ("o", "list_of")):
        return tuple(term[2:])
    if term[:2] in (("o", "seats_from"), ("o", "seats")):
        return (EVERYBODY,)
    return ()


def told(state: State, label: Label) -> State:
    """The state after something that everybody sees and that these secrets decided."""
    return state._replace(told=state.told | {atom.base for atom in label}) if label else state


def taken(value: Val, token: Token) -> Val:
    """A value put into a local: the pieces that it is made of have a name now."""
    if not value.ident:
        return value

    def name(atom: Atom) -> Atom:
        return Atom(atom.base, token) if atom.token is None and atom in value.ident else atom

    return Val(value.term, *(frozenset(map(name, label)) for label in value[1:]))


def renewed(item: Any, args: tuple[Val, ...], token: Token) -> Any:
    """A result in which what came out of the called procedure is told from what comes out of it another time."""
    if isinstance(item, Atom):
        own = item.token
        fresh = own is not None and not any(mentions(a, own) for a in args)
        return Atom(renewed(item.base, args, token), ("from", token, own) if fresh else own)
    if isinstance(item, Val):
        return Val(*(renewed(part, args, token) for part in item))
    if isinstance(item, frozenset):
        return frozenset(renewed(part, args, token) for part in item)
    if isinstance(item, tuple):
        if item[:1] == ("t",) and len(item) == 2:
            return item if any(mentions(a, item[1]) for a in args) else ("t", ("from", token, item[1]))
        return tuple(renewed(part, args, token) for part in item)
    return item


def of_values(grants: Grants, values: Iterable[Val | Label]) -> Grants:
    """What has been shown of whole zones and of the pieces that some values are made of."""
    return frozenset(g for g in grants if of_a_zone(g[0]) or any(mentions(v, g[0]) for v in values))


def of_a_zone(what: Any) -> bool:
    """Whether it is what lies in a zone that has been shown, not single pieces."""
    return isinstance(what, tuple) and what[:1] in (("zone",), ("var",), ("place",))


def joined(a: Val, b: Val, term: Term) -> Val:
    """A value that is one or the other."""
    return Val(a.term if a.term == b.term else term, a.label | b.label, a.ident | b.ident, a.size | b.size)


def meet(a: State, b: State) -> Grants:
    """What has been shown on both ways.

    What one of them knows nothing of does not count; nor does it that a loop, which showed all of its items, may have none.
    """
    kept = set(a.grants & b.grants)
    for one, other in ((a, b), (b, a)):
        for grant in one.grants - other.grants:
            if grant[0][2:] == (ANY,) if of_a_zone(grant[0]) else not any(mentions(own, grant[0]) for own in other.env):
                kept.add(grant)
    return frozenset(kept)
