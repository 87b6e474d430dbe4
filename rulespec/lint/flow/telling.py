"""What some players are told, and what is known to hold of what they see by rule.

- let: goals
  be: those(t in Square where goes(man, here, t))
  seen by: set(me)                       # `me` knows them from here on, whatever they are worked out of
- set: tried(me, cell)                   # and that this holds is known where the rules ask who sees a mark
  to: yes
"""

from __future__ import annotations

from rulespec import ir
from rulespec.language import operators
from rulespec.lint.flow.frame import Frame
from rulespec.lint.flow.labels import Atom, Label, Secret, Val
from rulespec.lint.flow.pieces import none_found
from rulespec.lint.flow.secrecy import Grants, told_to_some
from rulespec.lint.flow.shown import named_players
from rulespec.lint.flow.sight import passed_by
from rulespec.lint.flow.states import State, granted
from rulespec.lint.flow.terms import (
    ANY,
    Amid,
    Constant,
    Each,
    Operation,
    Slot,
    Term,
    Token,
    is_some_of,
    slots_read,
)
from rulespec.lint.flow.versions import rewritten


def told(frame: Frame, pc: int, state: State, i: ir.Let, value: Val, readers: Val) -> State:
    """Some players are told a value: they know it from then on, as do those who knew all that it is worked out of."""
    token = frame.made(pc)
    seats: tuple[Term, ...] = (Each(readers.term), *(named_players(readers.term, frame.secrecy.most) or ()))

    def name(label: Label) -> Label:
        return frozenset(Atom(atom.base, token) for atom in label)

    knew = frame.knowing(value.label, token, state)
    pieces: set[tuple[Token | Secret, Term]] = {
        (atom.token, to) for atom in value.ident if atom.token is not None for to in seats
    }
    after = frame.bind(pc, state, i.index, value)
    kept = after.env[i.index]
    after = after._replace(env={**after.env, i.index: Val(kept.term, *map(name, kept[1:]))})
    shown: set[tuple[Token | Secret, Term]] = {(token, to) for to in seats}
    return after._replace(grants=granted(after.grants | knew, shown | pieces))


def tested(frame: Frame, state: State, test: ir.Expr, holds: bool) -> State:
    """The state behind a test: what is known to hold now."""
    if frame.values.holding:
        state = none_found(frame, state, test, holds)
    if frame.secrecy.ruled:
        known = frame.values.that_hold(frame.values.sight.tests(test, state.env, holds=holds))
        state = state._replace(grants=state.grants | known)
    return state


def holding_of(frame: Frame, state: State, item: Term, items: Term) -> Grants:
    """What holds of one of some items, since all of them pass a test; and that it is one of them, where these were told something."""
    known = frame.values.that_hold(passed_by(item, items))
    return known | {(Amid(item), to.items) for _, to in told_to_some(state.grants) if is_some_of(items, to.items)}


def stored(frame: Frame, pc: int, state: State, i: ir.Store, value: Term, index: Term) -> State:
    """The state in which a variable holds a value that was put there."""
    place = frame.secrecy.variables.get(i.base)
    if place is None or not frame.secrecy.ruled:
        return state
    at: Term = Constant(place[1]) if i.index is None else index
    state = rewritten(frame, pc, state, Secret("var", place[0].index, at))
    slot = Slot(i.base, None if i.index is None else index)
    if value == ANY or (i.index is not None and index == ANY) or i.base in slots_read((value, slot.index)):
        return state
    match value:
        case Constant(True):
            test: Term = slot
        case Constant(False):
            test = Operation(operators.NOT, (slot,))
        case _:
            test = Operation(operators.EQUAL, (slot, value))
    return state._replace(grants=state.grants | frame.values.that_hold([test]))
