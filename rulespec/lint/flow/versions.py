"""What was read of a zone before pieces left it or came there unseen: what is shown of the zone from then on does not show that.

    - draw: 1               # a card leaves `deck`, and nobody knows which
      from: deck
      to: spare
      as: drawn
    - reveal: deck          # all that lies there now is known ...
    - log: "{first(drawn).value}"   # ... and the card that was drawn is not

Of a zone that is revealed somewhere in the program, whatever is read has a name that says when: the name of the pieces that were
taken out of it, or `Found` for what lay there.  `Departed` says of such a name that the zone has changed since.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable

from rulespec.lint.flow.frame import Frame
from rulespec.lint.flow.labels import Atom, Label, Secret, Val, renamed_atoms, unworded, worded
from rulespec.lint.flow.secrecy import IN_ZONES, Grants, departed, token_of
from rulespec.lint.flow.sight import bare
from rulespec.lint.flow.states import State, for_good
from rulespec.lint.flow.terms import ANY, EVERYBODY, Before, Constant, Departed, Found, Kept, Returned, Token


def of_revealed(frame: Frame, atom: Atom) -> bool:
    """Whether a secret is of a zone that is revealed somewhere, or seen by rule: it may have changed until then."""
    return (atom.base.what in IN_ZONES and atom.base.number in frame.secrecy.revealed) or (
        frame.secrecy.by_rule(atom.base)
    )


def dated(frame: Frame, pc: int, label: Label) -> Label:
    """What an instruction finds in zones, by the name of that: a branch goes by what lies there when it is come to."""
    token = Found(frame.made(pc))
    return frozenset([a._replace(token=token) if a.token is None and of_revealed(frame, a) else a for a in label])


def dated_again(frame: Frame, pc: int, state: State) -> State:
    """The state in which nothing is known of what an instruction finds this time."""
    again = frozenset([pair for pair in state.grants if token_of(pair[0]) == Found(frame.made(pc))])
    return state._replace(grants=state.grants - again) if again else state


def left(frame: Frame, pc: int, state: State, zones: Iterable[Secret]) -> State:
    """Pieces may leave some zones unseen.

    Which they are is not known, so that whatever was found there may have been among them.
    """
    zones = [zone for zone in zones if zone.number in frame.secrecy.revealed]
    frame.gone |= {zone for zone in zones if not frame.secrecy.known(Atom(zone), EVERYBODY, state.grants)}
    return changed(frame, pc, state, zones, lambda _: True)


def rewritten(frame: Frame, pc: int, state: State, variable: Secret) -> State:
    """Another value is put into a variable that players see by rule: what was read of it is not what they see from then on."""
    return changed(frame, pc, state, [variable], lambda _: True) if frame.secrecy.by_rule(variable) else state


def come(frame: Frame, pc: int, state: State, zones: Iterable[Secret], unseen: bool = True) -> State:
    """Pieces may come to some zones, `unseen` or known to all: those that lie there already still do, but are not all."""
    zones = [zone for zone in zones if zone.number in frame.secrecy.revealed]
    return changed(frame, pc, state, zones, lambda token: unseen and (token is None or all_of_it(token)))


def changed(frame: Frame, pc: int, state: State, zones: list[Secret], gone: Callable[[Token | None], bool]) -> State:
    """The state after some zones have changed, whose pieces of some names may be `gone`.

    What is known of what was found there is known for good; of what may be gone, no more will be by what lies there.
    """
    about = [atom for atom in state.atoms(frame.outside()) if may_be_of(atom.base, zones)] if zones else []
    if not about:
        return state
    token = Found(frame.made(pc))
    names: dict[Atom, Atom | None] = {}
    for atom in about:
        if unworded(atom.token) is None:
            if frame.secrecy.known(atom, EVERYBODY, state.grants):
                names[atom] = None
            elif gone(None):
                named = Atom(atom.base, token)
                names[atom] = worded(named) if atom.token else named
    unnamed = [atom for atom, name in names.items() if name is not None]
    tokens = {unworded(atom.token) for atom in about} - {None} | ({token} if unnamed else set())
    where = frame.code[pc].where
    known = for_good(state, tokens, frame.outside())
    marks = {
        (Departed(t, where), EVERYBODY)
        for t in tokens
        if t is not None
        and gone(t)
        and departed(state.grants, t) is None
        and not (isinstance(t, Kept) and (t, EVERYBODY) in known | state.grants)
    }
    kept = still_known(frame, state.grants, token, unnamed)
    holds = [
        pair
        for pair in state.holds
        if not (isinstance(pair[1], Secret) and gone(frame.made(pc)) and may_be_of(pair[1], zones))
    ]
    return state._replace(
        env={k: renamed_atoms(held, names) for k, held in state.env.items()},
        later=renamed_atoms(state.later, names),
        grants=kept | known | marks,
        holds=frozenset(holds),
    )


def open_for_good(frame: Frame, state: State, grants: Grants) -> State:
    """A way to where only `grants` is known to have been shown, without the secrets of zones that all know on this way."""
    if not any(isinstance(what, Secret) and to == EVERYBODY for what, to in state.grants - grants):
        return state
    names: dict[Atom, Atom | None] = {
        atom: None
        for atom in state.atoms(())
        if atom.base.what in IN_ZONES and atom.token is None and frame.secrecy.known(atom, EVERYBODY, state.grants)
    }
    env = {k: renamed_atoms(held, names) for k, held in state.env.items()}
    return state._replace(env=env, later=renamed_atoms(state.later, names))


def still_known(frame: Frame, grants: Grants, token: Found, unnamed: list[Atom]) -> Grants:
    """What has been shown, and to whom what gets a name now has been: with all else that has this name, if there is any."""
    if not unnamed:
        return grants
    seats = {to for what, to in grants if isinstance(what, Secret) or what == token}
    knowing = {(token, to) for to in seats if all(frame.secrecy.known(atom, to, grants) for atom in unnamed)}
    before = frozenset([pair for pair in grants if pair[0] == token])
    return grants - before | (before & knowing if departed(grants, token) else knowing)


def all_of_it(token: Token | None) -> bool:
    """Whether a name stands for what lay in zones, and for no pieces in particular."""
    while isinstance(token, Before | Returned):
        token = token.token
    return isinstance(token, Found | Kept)


def places(frame: Frame, kind: int, pieces: Val, grants: Grants) -> set[Secret]:
    """The zones where hidden pieces of a kind may lie that not all know."""
    zones: set[Secret] = set()
    for atom in pieces.ident or {Atom(Secret("place", kind))}:
        base = atom.base
        if frame.secrecy.known(atom, EVERYBODY, grants):
            continue
        if base.what in IN_ZONES:
            zones.add(Secret("zone", base.number, base.index if isinstance(base.index, Constant) else ANY))
        else:  # they were found in a variable, or are named
            zones |= {Secret("zone", zone.index, ANY) for zone in frame.analysis.program.zones if zone.kind == kind}
    return zones


def may_be_of(base: Secret, zones: Iterable[Secret]) -> bool:
    """Whether what is hidden is, or may be, of one of some zones."""
    index = bare(base).index
    return any(
        base.number == zone.number
        and (base.what == zone.what or {base.what, zone.what} <= set(IN_ZONES))
        and (index == zone.index or not (isinstance(index, Constant) and isinstance(zone.index, Constant)))
        for zone in zones
    )
