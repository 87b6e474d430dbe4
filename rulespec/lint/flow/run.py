"""One procedure, called in one way: all states along all ways, worked out until nothing changes, then what each instruction shows.

    - for: p in players       # a loop over all players, each of whose ways round reveals `p.hand` ...
      do:
        - reveal: p.hand
    - log: "{p1.hand.best}"   # ... and behind it all hands are known; within it only those of `p`

This is a forward analysis of data flow: instructions wait in the order of the code, `step` gives the states behind one, and
`merge` puts them together with what other ways told.
"""

from __future__ import annotations

from heapq import heappop
from typing import assert_never

from rulespec import ir
from rulespec.language import operators
from rulespec.lint.flow.calls import called, rules
from rulespec.lint.flow.contexts import Context
from rulespec.lint.flow.control import caught, ended
from rulespec.lint.flow.disequality import facts_of
from rulespec.lint.flow.effects import begin
from rulespec.lint.flow.frame import Frame, Interprocedural
from rulespec.lint.flow.labels import NONE, PUBLIC, Label, Secret, Val, joined, taken
from rulespec.lint.flow.loops import all_known, never_empty
from rulespec.lint.flow.pieces import emptied, learn, move, move_counts, put, restored
from rulespec.lint.flow.questions import ask, chosen, fork, tie
from rulespec.lint.flow.states import NOTHING, State, Summary, joined_env, met
from rulespec.lint.flow.telling import holding_of, stored, tested, told
from rulespec.lint.flow.terms import ANY, Each, Found, Handed, Named, Outcome, Parts
from rulespec.lint.flow.versions import dated, dated_again, of_revealed, open_for_good

MOST_VISITS = 60  # of one instruction


class ProcedureRun(Frame):
    """One procedure, called in one way: `run` works out what it leaves behind, `judge` says what it shows."""

    def __init__(self, analysis: Interprocedural, context: Context) -> None:
        super().__init__(analysis, context)
        self.results: dict[int, tuple[Val, State]] = {}  # where it returns
        self.round: dict[int, dict[int, State]] = {}  # by the head of a loop: where it is come to from within, and how
        self.withheld: set[int] = (
            set()
        )  # heads of loops whose way round has not been looked at yet: what it shows is not known
        self.released: set[int] = set()  # and of those round which no way leads

    def run(self) -> None:
        """Work out all states along all ways until nothing changes."""
        for table in (self.visits, self.states, self.results, self.round, self.released):
            table.clear()
        given = (taken(arg, Handed(n)) for n, arg in enumerate(self.context.args))
        self.states[0] = State(dict(enumerate(given)), self.context.grants)
        self.push([0])
        while self.todo or self.withheld:
            if not self.todo:  # no way leads round this loop
                head = max(self.withheld)
                self.withheld.discard(head)
                self.released.add(head)
                self.push([head])
            pc = heappop(self.todo)
            self.waiting.discard(pc)
            self.visits[pc] = self.visits.get(pc, 0) + 1
            if self.visits[pc] > MOST_VISITS:
                self.analysis.whole = False
                continue
            self.goes_on(pc, self.step(pc, self.states[pc]))
        self.summary = self.left_behind()

    def judge(self) -> None:
        """Judge what each instruction shows."""
        self.judging = True
        for pc in sorted(self.states):
            self.step(pc, self.states[pc])

    def goes_on(self, pc: int, after: list[tuple[int, State]]) -> None:
        """Control goes on from an instruction."""
        for target, state in after:
            if target < len(self.code):
                news = self.merge(target, state)
                if target < pc and isinstance(self.code[target], ir.Next):
                    news |= self.round.setdefault(target, {}).get(pc) != state
                    self.round[target][pc] = state
                if news:
                    self.push([target])

    def left_behind(self) -> Summary:
        """What the procedure leaves behind, wherever it returns."""
        ends = list(self.results.values())
        written, laid, gone = frozenset(self.written), frozenset(self.laid_in), frozenset(self.gone)
        if not ends:
            return NOTHING._replace(written=written, laid=laid, gone=gone, leaves=self.leaves())
        result, end = ends[0]
        for value, other in ends[1:]:
            result = joined(result, value, Named(Outcome(self.context.procedure)))
            env = dict(enumerate((result, *self.context.args)))
            ways = end._replace(env=env), other._replace(env={**env, 0: value})
            end = end._replace(grants=met(*ways, self.outside()), later=end.later | other.later)
        later = [
            change._replace(label=self.secrecy.hidden(change.label, change.seat, end.grants)) for change in end.later
        ]
        return Summary(
            result,
            end.grants,
            written,
            laid,
            gone,
            frozenset(change for change in later if change.label),
            self.leaves(),
        )

    def leaves(self) -> frozenset[tuple[int, Label]]:
        """What around the procedure it may leave, where secrets decide about that."""
        out: dict[int, Label] = {}
        for (pc, target), label in self.left.items():
            if not caught(self.procedure, pc, target):
                out[target] = out.get(target, NONE) | label
        return frozenset(out.items())

    def merge(self, pc: int, state: State) -> bool:
        """Add a way that leads to an instruction; whether that is news."""
        old = self.states.get(pc)
        alive = self.control.alive[pc]
        state = state._replace(env={k: held for k, held in state.env.items() if alive >> k & 1})
        if old is None:
            self.states[pc] = state
            return True
        grants = met(old, state, self.outside())
        one, other = open_for_good(self, old, grants), open_for_good(self, state, grants)
        env = one.env if one.env == other.env else joined_env(one.env, other.env, self.context.procedure, pc)
        asked = old.asked if old.asked == state.asked else ANY
        new = State(env, grants, old.told & state.told, one.later | other.later, old.holds & state.holds, asked)
        if new == old:
            return False
        self.states[pc] = new
        return True

    # --- one instruction ----------------------------------------------------------------------------------------------
    def step(self, pc: int, state: State) -> list[tuple[int, State]]:
        """The states behind an instruction; with `judging`, what it shows is judged."""
        i = self.code[pc]
        match i:
            case ir.Next():
                return self.loop(pc, state, i)
            case ir.Unless(test):
                known = i.where in self.shown.public  # that a rule acts which all are told of
                state = self.branch(pc, state, NONE if known else self.of(test, state).label)
                if self.values.holding or self.secrecy.ruled:
                    return [(to, tested(self, state, test, to == pc + 1)) for to in self.control.after[pc]]
            case ir.Jump() | ir.Claim():
                pass
            case ir.Return() | ir.Unwind() | ir.Resume() | ir.Finish():
                self.end(pc, state, i)
            case (
                ir.Call()
                | ir.CallRule()
                | ir.Fork()
                | ir.Ask()
                | ir.NextRule()
                | ir.Collect()
                | ir.Begin()
                | ir.Cease()
            ):
                state = self.run_others(pc, state, i)
            case ir.Let() | ir.Draw() | ir.Say() | ir.Store() | ir.Move() | ir.MoveCounts() | ir.Learn():
                state = self.do(pc, state, i)
            case ir.Enter():
                state = emptied(self, self.forget(pc, state, frozenset(range(i.low, i.high))), i.low, i.high)
            case ir.Leave(low):
                state = restored(self, pc, state, low)
            case ir.Reset(low, high):
                state = self.forget(pc, state, frozenset(range(low, high)))
            case _:
                assert_never(i)
        return [(target, state) for target in self.control.after[pc]]

    def branch(self, pc: int, state: State, label: Label) -> State:
        """Secrets decide which way control goes: everything behind says how they were now."""
        label = self.secret(label, state)
        self.test(pc, dated(self, pc, label))
        token = Found(self.made(pc))
        seen = self.knowing(self.by_rule(label, token), token, state)
        state = dated_again(self, pc, state._replace(told=state.told - {pc}))
        return state._replace(grants=state.grants | seen) if seen else state

    def do(
        self, pc: int, state: State, i: ir.Let | ir.Draw | ir.Say | ir.Store | ir.Move | ir.MoveCounts | ir.Learn
    ) -> State:
        """A step by itself: something is put into a local or variable, shown, said or moved."""
        decided = self.decided(pc, state)
        match i:
            case ir.Let(index, value):
                val = self.of(value, state)
                val = val._replace(label=val.label | self.decided(pc, state, False))
                if i.where in self.shown.public:  # a value that all know from now on, and nobody need know of what
                    val = Val(Named(self.made(pc)))
                elif i.where is not None and (seats := self.shown.told_some.get((i.where, index))) is not None:
                    return told(self, pc, state, i, val, self.of(ir.Local(seats), state))
                return self.bind(pc, state, index, val)
            case ir.Draw(items, weights, live):
                val = self.of(items, state)
                drawn = Val(Named(self.made(pc)), val.label | self.of(weights, state).label, val.ident)
                return self.bind(pc, state, live, drawn)
            case ir.Say():
                if self.judging:
                    self.shown.say(i, self.reader(state), decided, state.grants)
                return self.tell_alive(state)
            case ir.Store():
                later = frozenset(self.shown.store(i, self.reader(state), decided, state.grants))
                self.hold(state, [change for change in later if any(of_revealed(self, a) for a in change.label)])
                state = state._replace(later=state.later | later)
                value_of, at = self.of(i.value, state).term, self.of(i.index, state).term
                state = self.forget(pc, self.tell_alive(state), frozenset(range(i.base, i.base + i.size)))
                return stored(self, pc, put(self, pc, state, i), i, value_of, at)
            case ir.Move():
                return move(self, pc, state, i, decided)
            case ir.MoveCounts():
                return move_counts(self, pc, state, i, decided)
            case ir.Learn():
                return learn(self, pc, state, i)
            case _:
                assert_never(i)

    def run_others(
        self,
        pc: int,
        state: State,
        i: ir.Call | ir.CallRule | ir.Fork | ir.Ask | ir.NextRule | ir.Collect | ir.Begin | ir.Cease,
    ) -> State:
        """Something else runs, or somebody is asked."""
        decided = self.decided(pc, state)
        sites = self.analysis.program.sites
        match i:
            case ir.Call():
                return called(self, pc, state, i, decided)
            case ir.CallRule():
                return rules(self, pc, self.seen(state), i, decided)
            case ir.Fork():
                return fork(self, pc, state, i, decided)
            case ir.Ask(site, live):
                answer, known = ask(self, pc, state, sites[site]), chosen(self, pc, state, sites[site])
                player = self.of(sites[site].player, state).term
                state = self.bind(pc, self.tell(pc, self.seen(state)), live, answer)
                return state._replace(grants=state.grants | known, asked=player)
            case ir.NextRule(live, _, _, arrange):
                if arrange is not None:
                    tie(self, pc, state, i, sites[arrange], decided)
                return self.bind(pc, state, live + 1, PUBLIC)
            case ir.Collect(_, _, _, live):
                return self.bind(pc, state, live, PUBLIC)
            case ir.Cease(lasting, _, _, live):
                return self.bind(pc, state, live, self.analysis.ended(lasting, self.made(pc), self.context))
            case ir.Begin():
                return begin(self, state, i, decided)
            case _:
                assert_never(i)

    def end(self, pc: int, state: State, i: ir.Return | ir.Unwind | ir.Resume | ir.Finish) -> None:
        """The procedure, something around it or the game is left, or may be."""
        match i:
            case ir.Return(value):
                result = self.of(value, state)
                result = result._replace(label=result.label | self.decided(pc, state, False))
                if self.context.sealed and isinstance(value, ir.Op) and value.name == operators.PACK:
                    result = result._replace(term=Parts(tuple(self.of(part, state) for part in value.args)))
                if self.context.procedure == self.analysis.program.main:
                    self.seen(state)
                self.results[pc] = result, state
            case ir.Unwind(target):
                self.leave(pc, target, self.secret(self.decided(pc, state, False), state))
            case ir.Resume():
                region = ended(self.procedure, pc)
                for (left, target), label in list(self.left.items()):
                    if target != region.name and region.start <= left < region.end:
                        self.test(pc, label)
            case ir.Finish():
                self.seen(state)
            case _:
                assert_never(i)

    # --- loops ----------------------------------------------------------------------------------------------------------
    def loop(self, pc: int, state: State, i: ir.Next) -> list[tuple[int, State]]:
        """The head of a loop: into it with the next item, or on behind it."""
        items = state.env.get(i.index, PUBLIC)
        state = self.branch(pc, state, items.size)
        item = Val(Named(self.made(pc)), items.label - (items.size - items.ident), items.ident)
        of_each = {
            Each(items.term),
            Each(Named(self.made(pc - 2))),
        }  # two instructions before the head the items are put there
        shown = {(what, to) for what, to in state.grants if isinstance(what, Secret) and what.index in of_each}
        inside = self.bind(pc, state, i.index + 2, item)
        more = {(what._replace(index=item.term), to) for what, to in shown}
        known = facts_of(item.term, items.term) | more | holding_of(self, state, item.term, items.term)
        into = pc + 1, inside._replace(grants=inside.grants | known) if known else inside
        rounds = list(self.round.get(pc, {}).values())
        if not rounds and pc not in self.released:
            self.withheld.add(pc)
            return [into]
        self.withheld.discard(pc)
        return [into, (i.target, self.looked_through(pc, state, items, i.target, rounds))]

    def looked_through(self, pc: int, state: State, items: Val, end: int, rounds: list[State]) -> State:
        """The state behind a loop, where it has been gone round.

        What each way round has shown of its item is shown of all items.  A loop that surely has an item has been gone round.
        """
        if not rounds:
            return state
        gone = set().union(*(secrets for at, secrets in self.laid_at.items() if pc < at < end))
        every = all_known(self.secrecy, items.term, Named(self.made(pc)), rounds, gone, end)
        grants = state.grants
        if never_empty(items.term):
            last = rounds[0]
            for other in rounds[1:]:
                last = last._replace(grants=met(last, other, self.outside()))
            grants |= last.grants
        return state._replace(grants=grants | every)
