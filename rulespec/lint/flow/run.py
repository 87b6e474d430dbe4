"""One procedure, called in one way: what each local depends on along all ways, and what each instruction shows."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from heapq import heappop, heappush
from typing import TYPE_CHECKING, Any, NamedTuple

from rulespec import ir
from rulespec.lint.flow.contexts import NAMED, Context, Names, of_something
from rulespec.lint.flow.control import caught, ended, rules_of
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
    is_answer,
    like,
    mentions,
    replaced,
    slots_read,
)
from rulespec.lint.flow.secrecy import EVERYBODY, SILENT, Grants
from rulespec.lint.flow.shown import Later, named_players

if TYPE_CHECKING:
    from rulespec.lint.flow.analysis import TaintAnalysis

MOST_VISITS = 60  # of one instruction
Env = Mapping[int, Val]  # a local that is not there is known to all
Slots = frozenset[int]


class State(NamedTuple):
    """What is known where an instruction begins: of each local, what has been shown to whom, and which secrets branches told."""

    env: Env
    grants: Grants
    told: frozenset[Term]
    later: frozenset[Later] = (
        frozenset()
    )  # what has changed since somebody was asked, and tells a secret unless it is shown


class Summary(NamedTuple):
    """What a call leaves behind: a result, what has been shown, which slots may hold something else now, into which zones pieces
    may have come, what players see the next time that somebody is asked, and what around it may be left."""

    result: Val
    grants: Grants
    written: Slots
    laid: frozenset[Term]
    later: frozenset[Later]
    leaves: frozenset[tuple[int, Label]]  # what it may leave, and the secrets that decide about it


NOTHING = Summary(PUBLIC, SILENT, frozenset(), frozenset(), frozenset(), frozenset())


class ProcedureRun:
    """One procedure, called in one way; `summary` is what is known so far of what it leaves behind."""

    def __init__(self, analysis: TaintAnalysis, context: Context) -> None:
        self.analysis = analysis
        self.values = analysis.values
        self.world = analysis.world
        self.shown = analysis.shown
        self.context = context
        self.procedure = analysis.program.procedures[context.procedure]
        self.code = self.procedure.code
        self.after, self.branches, self.decides, self.alive = analysis.ways(context.procedure)
        self.summary = NOTHING
        self.tests: dict[int, Label] = {}
        self.states: dict[int, State] = {}
        self.visits: dict[int, int] = {}
        self.written: set[int] = set()
        self.laid_in: set[Term] = set()
        self.results: dict[int, State] = {}  # where it returns: the result, then its arguments
        self.left: dict[tuple[int, int], Label] = {}  # where it leaves what: the secrets that decide
        self.todo: list[int] = []
        self.waiting: set[int] = set()
        self.judging = False

    def run(self) -> None:
        """Work out all states along all ways until nothing changes."""
        self.shown.procedure = self.context.procedure
        for own in (self.visits, self.states, self.results):
            own.clear()
        self.states[0] = State(dict(enumerate(self.context.args)), self.context.grants, frozenset())
        self.push(0)
        while self.todo:
            pc = heappop(self.todo)
            self.waiting.discard(pc)
            self.visits[pc] = self.visits.get(pc, 0) + 1
            if self.visits[pc] > MOST_VISITS:
                self.analysis.whole = False
                continue
            for target, state in self.step(pc, self.states[pc]):
                if target < len(self.code) and self.merge(target, state):
                    self.push(target)
        self.summary = self.left_behind()

    def judge(self) -> None:
        """Judge what each instruction shows."""
        self.shown.procedure = self.context.procedure
        self.judging = True
        for pc in sorted(self.states):
            self.step(pc, self.states[pc])

    def push(self, pc: int) -> None:
        """An instruction is to be looked at."""
        if pc not in self.waiting:
            self.waiting.add(pc)
            heappush(self.todo, pc)

    def left_behind(self) -> Summary:
        """What the procedure leaves behind, wherever it returns."""
        ends = list(self.results.values())
        written, laid = frozenset(self.written), frozenset(self.laid_in)
        if not ends:
            return NOTHING._replace(written=written, laid=laid, leaves=self.leaves())
        end = ends[0]
        for other in ends[1:]:
            own = joined(end.env[0], other.env[0], ("t", ("result", self.context.procedure)))
            env = dict(enumerate((own, *list(end.env.values())[1:], *other.env.values())))
            end = State(env, self.meet(end, other), frozenset(), end.later | other.later)
        later = [own._replace(label=self.world.hidden(own.label, own.seat, end.grants)) for own in end.later]
        return Summary(
            end.env[0], end.grants, written, laid, frozenset(own for own in later if own.label), self.leaves()
        )

    def leave(self, pc: int, target: int, label: Label) -> None:
        """From an instruction, what is around it may be left; handlers are told."""
        old = self.left.get((pc, target), NONE)
        if not label <= old:
            self.left[pc, target] = old | label
            for other, i in enumerate(self.code):
                if i.__class__ is ir.Resume and other in self.states:
                    self.push(other)

    def secret(self, label: Label, state: State) -> Label:
        """What of a label not everybody knows here."""
        return self.world.hidden(label, EVERYBODY, state.grants) if label else label

    def leaves(self) -> frozenset[tuple[int, Label]]:
        """What around the procedure it may leave, where secrets decide about that."""
        found: dict[int, Label] = {}
        for (pc, target), label in self.left.items():
            if not caught(self.procedure, pc, target):
                found[target] = found.get(target, NONE) | label
        return frozenset(found.items())

    def merge(self, pc: int, state: State) -> bool:
        """Add a way that leads to an instruction; whether that is news."""
        old = self.states.get(pc)
        alive = self.alive[pc]
        env = {k: own for k, own in state.env.items() if alive >> k & 1}
        if old is None:
            self.states[pc] = state._replace(env=env)
            return True
        if env != old.env:
            for k in env.keys() | old.env.keys():
                a, b = old.env.get(k, PUBLIC), env.get(k, PUBLIC)
                if a != b:
                    env[k] = joined(a, b, ("t", ("join", self.context.procedure, pc, k)))
                else:
                    env[k] = a
        new = State(env, self.meet(old, state), old.told & state.told, old.later | state.later)
        if new == old:
            return False
        self.states[pc] = new
        return True

    def meet(self, a: State, b: State) -> Grants:
        """What has been shown on both ways.

        What one of them knows nothing of does not count; nor does it that a loop, which showed all of its items, may have none.
        """
        if a.grants == b.grants:
            return a.grants
        kept = set(a.grants & b.grants)
        for one, other in ((a, b), (b, a)):
            for grant in one.grants - other.grants:
                what = grant[0]
                if what[2:] == (ANY,) if of_something(what) else not self.mentioned(what, other):
                    kept.add(grant)
        return frozenset(kept)

    def mentioned(self, token: Token, state: State) -> bool:
        """Whether anything that is known on a way is about certain pieces, or that it is gone at all."""
        labels = (*self.tests.values(), self.context.hard, *(own.label for own in state.later))
        return any(mentions(own, token) for own in state.env.values()) or any(mentions(own, token) for own in labels)

    # --- one instruction ----------------------------------------------------------------------------------------
    def decided(self, pc: int, state: State, outside: bool = True) -> Label:
        """The secrets that decide whether an instruction runs."""
        label = self.context.hard if outside else NONE
        for branch in self.branches[pc]:
            if branch in self.tests:
                label |= self.tests[branch]
        return frozenset([atom for atom in label if atom.base not in state.told]) if label and state.told else label

    def of(self, e: ir.Expr | None, state: State) -> Val:
        return PUBLIC if e is None else self.values.whole(e, state.env)

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
                items = state.env.get(index, PUBLIC)
                self.test(pc, self.secret(items.size, state), where)
                item = Val(("t", self.token(pc)), items.label - (items.size - items.ident), items.ident)
                return [
                    (pc + 1, self.bind(pc, state, index + 2, item, where)),
                    (i.target, self.looked_through(pc, state, items)),
                ]
            case ir.Unless(test, _):
                self.test(pc, self.secret(self.of(test, state).label, state), where)
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
                state = self.put(state, i)._replace(later=state.later | frozenset(later))
                state = self.forget(pc, told(state, self.context.soft), frozenset(range(i.base, i.base + i.size)))
            case ir.Move():
                state = self.move(pc, state, i, for_all)
            case ir.MoveCounts():
                state = self.move_counts(pc, state, i, for_all)
            case ir.Learn():
                state = self.learn(state, i)
            case ir.Enter() | ir.Reset():
                state = self.forget(pc, state, frozenset(range(i.low, i.high)))
            case ir.Call(procedure, args, live):
                values = tuple(self.of(a, state) for a in args)
                state = self.seen(state) if self.analysis.may_ask(procedure) else state
                state = self.called(
                    pc,
                    state,
                    Context(procedure, values, for_all, self.context.soft, state.grants, self.context.sealed),
                    live,
                )
            case ir.CallRule():
                state = self.seen(state)
                state = self.rules(pc, state, i, for_all)
            case ir.Fork():
                state = self.fork(pc, state, i, for_all)
            case ir.Begin(rule, args):
                values = tuple(self.of(a, state) for a in args)
                own_labels = [self.secret(v.label - v.ident, state) for v in values]
                self.analysis.begin(rule, values, own_labels, self.secret(for_all, state))
            case ir.NextRule(live, args, _, arrange):
                if arrange is not None:
                    self.tie(pc, state, live, args, self.analysis.program.sites[arrange], for_all)
                state = self.bind(pc, state, live + 1, PUBLIC, where)
            case ir.Collect(_, _, _, live) | ir.Cease(_, _, _, live):
                state = self.bind(pc, state, live, PUBLIC, where)
            case ir.Return(value):
                own = self.of(value, state)
                own = own._replace(label=own.label | self.decided(pc, state, False))
                if self.context.sealed and isinstance(value, ir.Op) and value.name == "pack":
                    own = own._replace(term=("parts", tuple(self.of(part, state) for part in value.args)))
                if self.context.procedure == self.analysis.program.main:
                    self.seen(state)
                self.results[pc] = state._replace(env=dict(enumerate((own, *self.context.args))))
            case ir.Unwind(target):
                self.leave(pc, target, self.secret(self.decided(pc, state, False), state))
            case ir.Resume():
                region = ended(self.procedure, pc)
                for (left, target), label in list(self.left.items()):
                    if target != region.name and region.start <= left < region.end:
                        self.test(pc, label, where)
            case ir.Finish():
                self.seen(state)
        return [(target, state) for target in self.after[pc]]

    def looked_through(self, pc: int, state: State, items: Val) -> State:
        """The state behind a loop: what each player's answer was shown to, all of their answers were."""
        if items.term[:2] != ("o", "present") and named_players(items.term, self.world.most) != (EVERYBODY,):
            return state
        item = ("t", self.token(pc))
        every = {(("of", what[1], ANY), to) for what, to in state.grants if is_answer(what) and what[2] == item}
        return state._replace(grants=state.grants | every) if every else state

    def token(self, pc: int) -> Token:
        """The name of what comes out of an instruction."""
        return self.context.procedure, pc

    def test(self, pc: int, label: Label, where: Any) -> None:
        """A branch goes one way or another by these secrets."""
        if not label:
            return
        old = self.tests.get(pc, NONE)
        if not label <= old:
            self.tests[pc] = old | label
            self.shown.note(label, where)
            for other in self.decides[pc]:
                if other in self.states:
                    self.push(other)

    def bind(self, pc: int, state: State, index: int, value: Val, where: Any, shown: Grants = SILENT) -> State:
        """A local becomes a value: what the instruction made the last time is something else now."""
        token = self.token(pc)
        env, grants, later = dict(state.env), state.grants, state.later
        if self.visits.get(pc, 0) > 1:
            before = ("before", token)
            env = {k: replaced(own, token, before) if mentions(own, token) else own for k, own in env.items()}
            if self.code[pc].__class__ in (
                ir.Let,
                ir.Unless,
            ):  # others make something new of nothing that was here before
                value = replaced(value, token, before)
            if grants:
                grants = replaced(grants - shown, token, before) | shown
            later = replaced(later, token, before) if later else later
        self.shown.note(value.label, where)
        if value.term == ANY:  # whatever it is, it is that as long as the local holds it
            value = value._replace(term=("t", token))
        env[index] = taken(value, token)
        return State(env, grants, state.told, later)

    def forget(self, pc: int, state: State, slots: Slots) -> State:
        """Slots hold something else now."""
        self.written |= slots
        token = self.token(pc)
        if any(not slots_read(own).isdisjoint(slots) for own in state.env.values()):
            state = state._replace(env={k: forgotten(own, slots, token) for k, own in state.env.items()})
        if state.grants and not slots_read(state.grants).isdisjoint(slots):
            state = state._replace(grants=forgotten(state.grants, slots, token))
        return state

    def reader(self, state: State) -> Callable[[ir.Expr | None], Val]:
        """What expressions depend on here."""
        return lambda e: self.of(e, state)

    # --- questions ------------------------------------------------------------------------------------------------
    def ask(self, pc: int, state: State, site: ir.Site, decided: Label) -> Val:
        """Somebody is asked; what the answer depends on."""
        items = self.of(site.items, state)
        if self.judging:
            if not self.context.sealed:
                own = frozenset().union(*(self.tests.get(b, NONE) for b in self.own_branches(pc, site)))
                outside = frozenset(a for a in decided | self.context.soft if a.base not in state.told)
                kept = frozenset().union(
                    self.context.hard,
                    self.context.soft,
                    *(self.tests.get(b, NONE) for b in self.branches[pc] - self.own_branches(pc, site)),
                )
                self.shown.asked(site, outside - (own - kept), self.of(site.player, state), state.grants)
            self.shown.question(site, self.values, state.env, items, state.grants)
        if (
            site.branches or site.arguments
        ):  # which option is taken is told by taking it, as with options that no rule adds
            return Val(("t", self.token(pc)))
        several = site.printer.what in ("set", "list", "bag", "record")
        return Val(("t", self.token(pc)), items.label, items.ident, items.label if several else NONE)

    def seen(self, state: State) -> State:
        """Somebody may be asked: what has changed before is seen."""
        if self.judging:
            self.shown.later(state.later, state.grants)
        elif state.later:
            for variable, base in self.shown.held(state.later, state.grants):
                self.analysis.held.setdefault(variable, set()).add(base)
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
        found, names = self.analysis.call(Context(i.procedure, values, NONE, NONE, state.grants, True), self)
        own = outside(found.result, names, self.token(pc))
        self.shown.given(
            i.procedure, self.context.procedure, found.result.label, lambda atom: outside(atom, names, self.token(pc))
        )
        answers = Val(("answers", token, own.term), own.label, own.ident, own.size)
        return self.bind(pc, told(self.seen(state), decided), i.live, answers, i.where)

    # --- calls ------------------------------------------------------------------------------------------------------
    def called(self, pc: int, state: State, context: Context, live: int) -> State:
        """A call: its result, what it shows, what it writes."""
        found, names = self.analysis.call(context, self)
        token = self.token(pc)
        self.shown.given(
            context.procedure, self.context.procedure, found.result.label, lambda atom: outside(atom, names, token)
        )
        shown = frozenset(
            (outside_grant(what, names, token), outside(to, names, token))
            for what, to in found.grants
            if of_something(what) or what in names or mentions(found.result, what[1] if is_answer(what) else what)
        )
        state = self.after_call(pc, state, found, names)
        state = state._replace(grants=state.grants | shown)
        result = forgotten(outside(found.result, names, token), found.written, token)
        result = result._replace(label=result.label | self.decided(pc, state, False))
        return self.bind(pc, state, live, result, self.code[pc].where, shown)

    def after_call(self, pc: int, state: State, found: Summary, names: Names) -> State:
        """What slots hold, what is known of zones and what will be seen, after something has run."""
        self.laid_in |= found.laid
        grants = frozenset([g for g in state.grants if not (of_something(g[0]) and g[0][:2] in found.laid)])
        later = frozenset([outside(own, names, self.token(pc)) for own in found.later])
        for target, label in found.leaves:
            own = outside(label, names, self.token(pc))
            self.test(pc, own, self.code[pc].where)
            self.leave(pc, target, self.secret(own | self.decided(pc, state, False), state))
        return self.forget(pc, state._replace(grants=grants, later=state.later | later), found.written)

    def rules(self, pc: int, state: State, i: ir.CallRule, decided: Label) -> State:
        """Any of the rules of the window may run."""
        analysis = self.analysis
        event = tuple(self.of(a, state) for a in i.args)
        label: Label = NONE
        after = state
        for number in rules_of(self.procedure, i.live - 2):
            rule = analysis.program.rules[number]
            own = analysis.instance(rule, self.token(pc), len(event), self.context)
            alive, test = self.conditions(rule, own, event)
            soft, hard = self.context.soft, decided | test
            if rule.source == "pieces":
                soft, hard = soft | alive, decided | (test - alive)
            else:
                hard |= alive | analysis.lasting.decided(rule)
            found, names = analysis.call(Context(rule.procedure, (*own, *event), hard, soft, state.grants, False), self)
            after = self.after_call(pc, after, found, names)
            label |= hard - self.context.hard
        return self.bind(pc, after, i.live, Val(ANY, label), i.where)

    def conditions(self, rule: ir.Rule, own: tuple[Val, ...], event: tuple[Val, ...]) -> tuple[Label, Label]:
        """The secrets that decide whether a rule is alive, and whether its test holds."""
        alive = NONE if rule.alive is None else self.values.invoke(rule.alive, own).label
        test = NONE if rule.test is None else self.values.invoke(rule.test, (*own, *event)).label
        self.shown.note(alive | test, rule.where)
        return alive, test

    def tie(self, pc: int, state: State, live: int, args: tuple[ir.Expr, ...], site: ir.Site, decided: Label) -> None:
        """A player is asked which of two rules comes first, if two of one rank apply: all see that they do.

        That a rule of a piece is alive is no secret any more: it runs now, which shows it.
        """
        if not self.judging:
            return
        analysis = self.analysis
        event = tuple(self.of(a, state) for a in args)
        ranks: dict[int, list[ir.Rule]] = {}
        for number in rules_of(self.procedure, live):
            rule = analysis.program.rules[number]
            ranks.setdefault(rule.rank, []).append(rule)
        for rules in ranks.values():
            if len(rules) == 1 and (rules[0].source == "plain" or len(rules[0].pieces) == 1):
                continue
            label = decided | self.context.soft
            for rule in rules:
                alive, test = self.conditions(
                    rule, analysis.instance(rule, self.token(pc), len(event), self.context), event
                )
                label |= test - alive if rule.source == "pieces" else test | alive
            self.shown.report("F003", site.where, (), label, EVERYBODY, state.grants, site.name)

    # --- pieces -----------------------------------------------------------------------------------------------------
    def move(self, pc: int, state: State, i: ir.Move, decided: Label) -> State:
        """Pieces go to a zone."""
        zone = self.analysis.program.zones[i.zone]
        state = self.laid(state, i, zone, self.of(i.pieces, state), i.index, decided)
        return self.forget(pc, state, self.world.slots_of_pieces(zone.kind))

    def move_counts(self, pc: int, state: State, i: ir.MoveCounts, decided: Label) -> State:
        """Pieces that are alike go from a zone to another."""
        bag = self.of(i.bag, state)
        for number, index in ((i.source, i.source_index), (i.zone, i.index)):
            if number is None:
                continue
            zone = self.analysis.program.zones[number]
            state = self.laid(state, i, zone, bag, index, decided, number == i.zone)
            state = self.forget(pc, state, frozenset(range(zone.base, zone.base + zone.size)))
        return state

    def laid(
        self,
        state: State,
        i: ir.Move | ir.MoveCounts,
        zone: ir.Zone,
        pieces: Val,
        index: ir.Expr | None,
        decided: Label,
        comes: bool = True,
    ) -> State:
        """Pieces come to lie in a zone, or leave it: whoever sees it knows them now."""
        at = self.of(index, state) if index is not None else Val(("c", 0))
        later = self.shown.move(i.where, zone, pieces, at, decided, state.grants)
        state = state._replace(later=state.later | frozenset(later))
        viewers = self.world.seats_of(zone.seen, self.world.first_index(("zone", zone.index, at.term)))
        shown = {
            (atom.token, seat) for atom in pieces.ident if atom.token is not None for seat in viewers if seat != ANY
        }
        grants = state.grants | shown | {g for seat in viewers if seat != ANY for g in self.held_now(pieces, seat)}
        if comes and EVERYBODY not in viewers:  # what was revealed of it does not tell what comes to lie there now
            grants = frozenset(g for g in grants if not (isinstance(g[0], tuple) and g[0][:2] == ("zone", zone.index)))
            self.laid_in.add(("zone", zone.index))
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
        held = {g for seat in self.players(seats) for g in self.held_now(pieces, seat)}
        return told(state._replace(grants=state.grants | shown | held), self.context.soft)

    def put(self, state: State, i: ir.Store) -> State:
        """Something is put into a variable: what was shown of the piece in it does not count any more."""
        found = self.world.variables.get(i.base)
        if found is None or found[0].index not in self.values.holding:
            return state
        base = ("held", found[0].index)
        self.laid_in.add(base)
        return state._replace(grants=frozenset(g for g in state.grants if not of_something(g[0]) or g[0][:2] != base))

    def held_now(self, pieces: Val, seat: Term) -> Grants:
        """Pieces are shown to somebody: variables may hold them, of which he knows then what is in them."""
        bases = {atom.base[:2] for atom in pieces.ident}
        return frozenset(
            (("held", number, ANY), seat)
            for number, own in self.values.holding.items()
            if own & bases or ("held", number) in bases
        )

    def looped(self, index: Term | None) -> bool:
        """Whether a term is the item of a loop of this procedure."""
        return (
            index is not None
            and index[0] == "t"
            and isinstance(index[1], tuple)
            and index[1][:1] == (self.context.procedure,)
            and isinstance(self.code[index[1][1]], ir.Next)
        )

    def players(self, seats: Val) -> tuple[Term, ...]:
        """The players in a set, as far as they can be told."""
        return named_players(seats.term, self.world.most) or ()


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


def outside(item: Any, names: Names, token: Token) -> Any:
    """What a called procedure leaves behind, in the names of the caller; what came out of it is told from another time's."""
    if isinstance(item, Atom):
        return Atom((*item.base[:2], outside(item.base[2], names, token)), outside_token(item.token, names, token))
    if isinstance(item, frozenset):
        return frozenset([outside(part, names, token) for part in item]) if item else item
    if isinstance(item, tuple) and item[:1] != ("c",):
        if len(item) > 1 and item[0] in NAMED:
            passed = names.get(item[1])
            if isinstance(passed, tuple) and passed[:1] == ("any",):
                return passed[1]
            return (item[0], outside_token(item[1], names, token), *[outside(part, names, token) for part in item[2:]])
        return like(
            item, [outside(part, names, token) if isinstance(part, tuple | frozenset) else part for part in item]
        )
    return item


def outside_token(item: Token, names: Names, token: Token) -> Token:
    """A token of a called procedure, as the caller calls it."""
    if item is None or item in names:
        return None if item is None else names[item]
    if is_answer(item):
        return ("of", outside_token(item[1], names, token), outside(item[2], names, token))
    return ("from", token, item)


def outside_grant(what: Any, names: Names, token: Token) -> Any:
    """What has been shown by a called procedure."""
    if of_something(what):
        return (*what[:2], outside(what[2], names, token))
    return outside_token(what, names, token)


def joined(a: Val, b: Val, term: Term) -> Val:
    """A value that is one or the other."""
    return Val(a.term if a.term == b.term else term, a.label | b.label, a.ident | b.ident, a.size | b.size)
