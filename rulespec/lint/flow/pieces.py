"""Pieces that move or are shown: who knows them afterwards, and what that they moved tells.

- move: card          # everybody knows what `card` is from here on
  to: table
- draw: 1             # what was known of the hand is not all that lies there now
  from: deck
  to: p1.hand
- reveal: p1.hand     # all that lies there is known
"""

from __future__ import annotations

from rulespec import ir
from rulespec.language import operators
from rulespec.lint.flow.frame import Frame, known_to
from rulespec.lint.flow.labels import Atom, Label, Secret, Val, constant, unworded
from rulespec.lint.flow.shown import named_players
from rulespec.lint.flow.states import State, granted, without
from rulespec.lint.flow.terms import ANY, EVERYBODY, Constant, Slot, Term, Token
from rulespec.lint.flow.versions import come, left, places


def move(frame: Frame, pc: int, state: State, i: ir.Move, decided: Label) -> State:
    """Pieces go to a zone."""
    zone = frame.analysis.program.zones[i.zone]
    pieces = frame.of(i.pieces, state)
    target = Secret("zone", zone.index, place(frame, state, i.index).term)
    state = change(frame, pc, state, places(frame, zone.kind, pieces, state.grants), target)
    state = laid(frame, pc, state, zone, pieces, i.index, decided)
    return frame.forget(pc, state, frame.secrecy.slots_of_pieces(zone.kind))


def move_counts(frame: Frame, pc: int, state: State, i: ir.MoveCounts, decided: Label) -> State:
    """Pieces that are alike go from a zone to another."""
    bag = frame.of(i.bag, state)
    for number, index in ((i.source, i.source_index), (i.zone, i.index)):
        if number is None:
            continue
        zone = frame.analysis.program.zones[number]
        state = laid(frame, pc, state, zone, bag, index, decided, number == i.zone)
        state = frame.forget(pc, state, frozenset(range(zone.base, zone.base + zone.size)))
    return state


def place(frame: Frame, state: State, index: ir.Expr | None) -> Val:
    """Which of several zones is meant."""
    return constant(0) if index is None else frame.of(index, state)


def change(frame: Frame, pc: int, state: State, sources: set[Secret], target: Secret) -> State:
    """The zones that pieces leave which not all know, and the one where they come to, hold something else now, unless all see that."""
    zone = frame.analysis.program.zones[target.number]
    if EVERYBODY in frame.secrecy.seats_of(zone.seen, frame.secrecy.first_index(target)):
        return state
    return come(frame, pc, left(frame, pc, state, sources), [target], unseen=bool(sources))


def laid(
    frame: Frame,
    pc: int,
    state: State,
    zone: ir.Zone,
    pieces: Val,
    index: ir.Expr | None,
    decided: Label,
    comes: bool = True,
) -> State:
    """Pieces come to lie in a zone, or leave it: whoever sees it knows them now."""
    at = place(frame, state, index)
    later = frame.shown.move(frame.code[pc].where, zone, pieces, at, decided, state.grants)
    secret = Secret("zone", zone.index, at.term)
    viewers = frame.secrecy.seats_of(zone.seen, frame.secrecy.first_index(secret))
    shown: set[tuple[Token | Secret, Term]] = {
        (atom.token, seat) for atom in pieces.ident if atom.token is not None for seat in known_to(viewers)
    }
    shown |= {(variable, seat) for seat in known_to(viewers) for variable in held_in(pieces)}
    state = state._replace(grants=granted(state.grants, shown), later=state.later | frozenset(later))
    if comes and EVERYBODY not in viewers:  # what was revealed of it does not tell what comes to lie there now
        moved = {atom.base for atom in pieces.ident}
        holds = frozenset([pair for pair in state.holds if pair[1] not in moved])
        state = state._replace(grants=without(state.grants, [secret]), holds=holds)
        frame.lay(pc, secret)
    state = frame.holding(state)
    return frame.tell(pc, state) if EVERYBODY in viewers or zone.counted.who == "all" else state


def learn(frame: Frame, pc: int, state: State, i: ir.Learn) -> State:
    """Pieces are shown to some players; a whole zone is, where its pieces are."""
    pieces = frame.of(i.pieces, state)
    if i.forget:
        gone = {atom.base for atom in pieces.ident}
        for secret in gone:
            frame.lay(pc, secret)
        return state._replace(grants=without(state.grants, gone))
    shown: set[tuple[Token | Secret, Term]] = set()
    seats = None if i.seats is None else named_players(frame.of(i.seats, state).term, frame.secrecy.most) or ()
    for seat in (EVERYBODY,) if seats is None else seats:
        for atom in pieces.ident:
            if atom.token is not None:
                shown.add((atom.token, seat))
            if whole(frame, i.pieces, pieces, atom):
                shown.add((atom.base, seat))
        shown |= {(variable, seat) for variable in held_in(pieces)}
    return frame.tell_alive(frame.holding(state._replace(grants=granted(state.grants, shown))))


def whole(frame: Frame, e: ir.Expr, pieces: Val, atom: Atom) -> bool:
    """Whether pieces are all that lies in the zone of an atom: the zone is named here, or where the procedure was run with it."""
    if isinstance(e, ir.Load):
        return atom.token is None
    match pieces.term:
        case Slot(base) if atom.base.what == "zone" and atom.base.number in frame.secrecy.revealed:
            zone, offset = frame.secrecy.zones.get(base, (None, 0))
            at = Constant(offset) if pieces.term.index is None else pieces.term.index
            return zone is not None and atom.base == Secret("zone", zone.index, at)
    return False


def put(frame: Frame, pc: int, state: State, i: ir.Store) -> State:
    """Something is put into a variable: what was shown of the piece in it does not count any more."""
    place = frame.secrecy.variables.get(i.base)
    if place is None or place[0].index not in frame.values.holding:
        return state
    index = constant(place[1]) if i.index is None else frame.of(i.index, state)
    variable = Secret("held", place[0].index, index.term)
    value = frame.of(i.value, state)
    pieces = {unworded(atom.token) or atom.base for atom in value.ident}
    holds = {pair for pair in state.holds if pair[0][:2] != variable[:2]}
    if len(pieces) == 1 and index.term != ANY:
        holds.add((variable, pieces.pop()))
    state = state._replace(holds=frozenset(holds))
    if frame.secret(value.ident, state):
        frame.lay(pc, variable)
        return state._replace(grants=without(state.grants, [variable]))
    return holds_nothing(state, variable)


def emptied(frame: Frame, state: State, low: int, high: int) -> State:
    """Variables hold what they hold at the beginning: no piece."""
    for number in frame.values.holding:
        variable = frame.analysis.program.variables[number]
        if low <= variable.base and variable.base + variable.size <= high:
            state = holds_nothing(state, Secret("held", number, ANY))
    return state


def restored(frame: Frame, pc: int, state: State, low: int) -> State:
    """Variables hold again what they held before a scope began."""
    for number in frame.values.holding:
        if frame.analysis.program.variables[number].base >= low:
            frame.lay(pc, Secret("held", number))
            state = state._replace(grants=without(state.grants, [Secret("held", number)]))
    return state


def none_found(frame: Frame, state: State, test: ir.Expr, holds: bool) -> State:
    """The state behind a test: a variable that holds nothing tells of no piece."""
    match test:
        case ir.Op(operators.NOT, (inner,)):
            return none_found(frame, state, inner, not holds)
        case ir.Op(operators.IS_NONE, (ir.Load(),)) if holds:
            held = frame.of(test.args[0], state).ident
            for atom in held:
                if atom.base.what == "held":
                    state = holds_nothing(state, atom.base)
    return state


def holds_nothing(state: State, variable: Secret) -> State:
    """A variable holds no piece, or one that all know."""
    return state._replace(grants=granted(state.grants, [(variable, EVERYBODY)]))


def held_in(pieces: Val) -> set[Secret]:
    """The variables that pieces were found in: who is shown the pieces knows what they hold."""
    return {atom.base for atom in pieces.ident if atom.base.what == "held" and atom.base.index != ANY}
