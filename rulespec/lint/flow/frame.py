"""A procedure that is looked at, called in one way: what the steps of the analysis have in common.

In

    - choose: card            # pc 3
      from: p1.hand
    - if: card.value > 4      # pc 4: tests[4] is the label of `p1.hand`, named Made(main, 3)
      then:
        - log: A high card    # pc 5 depends on the branch 4: decided(5) is tests[4]

`tests` has the secrets by which each branch goes, and `decided` those by which an instruction runs: its control dependence.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from heapq import heappush
from typing import Protocol

from rulespec import ir
from rulespec.lint.flow.contexts import Context, Names
from rulespec.lint.flow.control import Ways
from rulespec.lint.flow.labels import (
    NONE,
    PUBLIC,
    Atom,
    Label,
    Secret,
    Val,
    renamed_atoms,
    taken,
    unworded,
)
from rulespec.lint.flow.secrecy import SILENT, Grants, Secrecy
from rulespec.lint.flow.shown import Later, Shown
from rulespec.lint.flow.sight import bare, callable_by, opened
from rulespec.lint.flow.states import NOTHING, Slots, State, Summary, granted
from rulespec.lint.flow.terms import (
    ANY,
    EVERYBODY,
    Before,
    Each,
    Fact,
    Holds,
    Made,
    Named,
    Term,
    Token,
    forgotten,
    is_some_of,
    mentions,
    replaced,
    slots_read,
)
from rulespec.lint.flow.values import Values


class Interprocedural(Protocol):
    """What a procedure asks of the analysis of the whole program."""

    program: ir.Program
    secrecy: Secrecy
    values: Values
    shown: Shown
    held: dict[int, set[Secret]]
    whole: bool

    def call(self, context: Context, caller: Context, pc: int, judging: bool) -> tuple[Summary, Names]:
        """What a call leaves behind, in the names of within, and what these stand for."""

    def ways(self, procedure: int) -> Ways:
        """The control flow of a procedure."""

    def may_ask(self, procedure: int) -> bool:
        """Whether somebody may be asked before a procedure returns."""

    def instance(self, rule: ir.Rule, at: Made, event: int, context: Context) -> tuple[Val, ...]:
        """The arguments of an instance of a rule."""

    def ended(self, lasting: int | None, at: Made, context: Context) -> Val:
        """The arguments of a lasting effect that ends."""

    def begin(self, lasting: int, args: tuple[Val, ...], decided: Label) -> Label:
        """A lasting effect begins; all secrets of it."""


class Frame:
    """One procedure, called in one way; `summary` is what is known so far of its effects."""

    def __init__(self, analysis: Interprocedural, context: Context) -> None:
        self.analysis = analysis
        self.values = analysis.values
        self.secrecy = analysis.secrecy
        self.shown = analysis.shown
        self.context = context
        self.procedure = analysis.program.procedures[context.procedure]
        self.code = self.procedure.code
        self.control = analysis.ways(context.procedure)
        self.summary = NOTHING
        self.tests: dict[int, Label] = {}  # by branch
        self.states: dict[int, State] = {}
        self.visits: dict[int, int] = {}
        self.written: set[int] = set()
        self.laid_in: set[Secret] = set()
        self.gone: set[Secret] = set()  # zones that pieces may have left
        self.laid_at: dict[int, set[Secret]] = {}  # by instruction
        self.left: dict[tuple[int, int], Label] = {}  # where it leaves what: the secrets that decide
        self.todo: list[int] = []
        self.waiting: set[int] = set()
        self.judging = False

    def push(self, pcs: Iterable[int]) -> None:
        """Instructions are to be looked at again, if control comes to them."""
        for pc in pcs:
            if pc not in self.waiting and pc in self.states:
                self.waiting.add(pc)
                heappush(self.todo, pc)

    def made(self, pc: int) -> Made:
        """The name of what comes out of an instruction."""
        return Made(self.context.procedure, pc)

    # --- what is known ------------------------------------------------------------------------------------------------
    def of(self, e: ir.Expr | None, state: State) -> Val:
        """What the value of an expression depends on here."""
        return PUBLIC if e is None else self.values.whole(e, state.env)

    def reader(self, state: State) -> Callable[[ir.Expr | None], Val]:
        """What expressions depend on here."""
        return lambda e: self.of(e, state)

    def secret(self, label: Label, state: State) -> Label:
        """What of a label not everybody knows here."""
        return self.secrecy.hidden(label, EVERYBODY, state.grants) if label else label

    def decided(self, pc: int, state: State, outside: bool = True, without: frozenset[int] = frozenset()) -> Label:
        """The secrets that decide whether an instruction runs and that nobody has been told yet.

        With `outside`, those that decide whether the procedure runs count.  `without` are branches that do not.
        """
        label = self.untold(self.context.hard, state) if outside else NONE
        for branch in self.control.branches[pc]:
            if branch in self.tests and branch not in state.told and branch not in without:
                label |= self.tests[branch]
        return label

    def untold(self, label: Label, state: State) -> Label:
        """The secrets that decide whether the procedure runs, but those that all have been told of."""
        return label.difference(state.told) if state.told else label

    def tell(self, pc: int, state: State) -> State:
        """The state after something that everybody sees: it shows that it is done, and so what decided that."""
        told: frozenset[int | Atom] = self.context.hard | self.context.soft | self.control.branches[pc]
        return state if told <= state.told else state._replace(told=state.told | told)

    def tell_alive(self, state: State) -> State:
        """The state after something by which a rule that a piece carries shows that it is alive."""
        soft = self.context.soft
        return state if soft <= state.told else state._replace(told=state.told | soft)

    # --- what changes -------------------------------------------------------------------------------------------------
    def test(self, pc: int, label: Label) -> None:
        """A branch goes one way or another by these secrets."""
        old = self.tests.get(pc, NONE)
        if not label <= old:
            self.tests[pc] = old | label
            self.push(self.control.decides[pc])

    def leave(self, pc: int, target: int, label: Label) -> None:
        """From an instruction, what is around it may be left; handlers are told."""
        old = self.left.get((pc, target), NONE)
        if not label <= old:
            self.left[pc, target] = old | label
            self.push(other for other, i in enumerate(self.code) if i.__class__ is ir.Resume)

    def bind(self, pc: int, state: State, index: int, value: Val, shown: Grants = SILENT) -> State:
        """A local becomes a value: what the instruction made the last time is something else now."""
        token = self.made(pc)
        env, grants, later, holds = dict(state.env), state.grants, state.later, state.holds
        if self.visits.get(pc, 0) > 1:
            before = Before(token)
            env = {k: replaced(held, token, before) if mentions(held, token) else held for k, held in env.items()}
            if self.code[pc].__class__ is ir.Let:  # others make something new of nothing that was here before
                value = replaced(value, token, before)
            stale = {pair for pair in grants if isinstance(pair[0], Fact) and mentions(pair, before)}
            grants = replaced(grants - shown - stale, token, before) | shown if grants else grants
            later = replaced(later, token, before) if later else later
            holds = replaced(holds, token, before) if holds else holds
        after = State(env, grants, state.told, later, holds, state.asked)
        if mentions(state.asked, token):
            after = after._replace(asked=ANY)
        value = self.public(value, token, after)
        names = self.by_rule(value.label, token)
        seen = self.knowing(names, token, after)
        env[index] = taken(Val(value.term, *(renamed_atoms(label, names) for label in value[1:])), token)
        return after._replace(grants=grants | self.each_of(value.term, token, grants) | seen)

    def by_rule(self, label: Label, token: Token) -> dict[Atom, Atom | None]:
        """The secrets in a label that players see by rule, each by the name of what was read of it now."""
        if not self.secrecy.ruled:
            return {}
        return {a: Atom(a.base, token) for a in label if a.token is None and self.secrecy.by_rule(a.base)}

    def knowing(self, secrets: Iterable[Atom], token: Token, state: State) -> Grants:
        """Who knows all of some secrets now knows what has a name from then on, whatever he may see later."""
        label = frozenset(secrets)
        seats = {seat for atom in label for seat in self.players(atom, state)}
        return frozenset((token, to) for to in seats if not self.secrecy.hidden(label, to, state.grants))

    def players(self, atom: Atom, state: State) -> set[Term]:
        """The terms by which players may be called who know a secret."""
        tests = self.secrecy.held(state.grants) | opened(atom.base.index)[1]
        terms = {*(held.term for held in state.env.values()), bare(atom.base).index, *tests}
        terms |= {to for what, to in state.grants if what == unworded(atom.token)}
        return {EVERYBODY} | {term for one in terms for term in callable_by(one, self.secrecy.most)}

    def public(self, value: Val, token: Made, state: State) -> Val:
        """A value in a local: what all know of it now is known of it for good, whatever comes to lie there later."""
        label = value.ident | self.secret(value.label - value.ident, state)
        # Whatever it is, it is that as long as the local holds it.
        return Val(
            Named(token) if value.term == ANY else value.term, label, value.ident, self.secret(value.size, state)
        )

    def each_of(self, term: Term, token: Made, grants: Grants) -> Grants:
        """What has been shown of each of some players has been shown of those who are in a local."""
        return frozenset(
            (what._replace(index=Each(Named(token))), to)
            for what, to in grants
            if isinstance(what, Secret) and isinstance(what.index, Each) and is_some_of(term, what.index.items)
        )

    def forget(self, pc: int, state: State, slots: Slots) -> State:
        """Slots hold something else now."""
        self.written |= slots
        token = self.made(pc)
        if any(not slots_read(held).isdisjoint(slots) for held in state.env.values()):
            state = state._replace(env={k: forgotten(held, slots, token) for k, held in state.env.items()})
        if state.grants and not slots_read(state.grants).isdisjoint(slots):
            grants = frozenset(
                [p for p in state.grants if not isinstance(p[0], Holds) or slots_read(p[0]).isdisjoint(slots)]
            )
            state = state._replace(grants=forgotten(grants, slots, token))
        if not slots_read(state.asked).isdisjoint(slots):
            state = state._replace(asked=ANY)
        if state.holds:
            variables = self.secrecy.variables
            gone = {variables[slot][0].index for slot in slots if slot in variables}
            state = state._replace(holds=frozenset([pair for pair in state.holds if pair[0].number not in gone]))
        return state

    def lay(self, pc: int, secret: Secret) -> None:
        """Something hidden may be something else from this instruction on: pieces come to lie there."""
        self.laid_in.add(secret._replace(index=None))
        at = self.laid_at.setdefault(pc, set())
        if secret not in at:
            at.add(secret)
            self.push(head for head, i in enumerate(self.code[:pc]) if isinstance(i, ir.Next) and i.target > pc)

    def outside(self) -> tuple[Label, ...]:
        """What decides branches, and whether the procedure runs."""
        return *self.tests.values(), self.context.hard, self.context.soft

    def holding(self, state: State) -> State:
        """The state in which who has been shown pieces knows which variables hold them."""
        if not state.holds:
            return state
        more = {(variable, to) for variable, pieces in state.holds for what, to in state.grants if what == pieces}
        return state if more <= state.grants else state._replace(grants=granted(state.grants, more))

    def seen(self, state: State) -> State:
        """Somebody may be asked: what has changed before is seen."""
        if self.judging:
            self.shown.later(state.later, state.grants)
        else:
            self.hold(state, state.later)
        return state._replace(later=frozenset())

    def hold(self, state: State, changes: Iterable[Later]) -> None:
        """Hidden pieces are put into variables that all see: these are to be looked at as holding them."""
        if not self.judging:
            for variable, base in self.shown.held(changes, state.grants):
                self.analysis.held.setdefault(variable, set()).add(base)


def known_to(viewers: Iterable[Term]) -> list[Term]:
    """Those of some viewers of whom it is known who they are."""
    return [seat for seat in viewers if seat != ANY]
