"""What is known at one place of a procedure, and how what several ways tell is put together where they meet.

    - if: number > 3
      then:
        - reveal: p1.hand     # the grant (Secret("zone", hand, p1), EVERYBODY) on this way only
    - log: "{p1.hand.best}"   # behind the `if` it does not hold: the meet of the two ways

Labels, and what will be seen, are joined: what may be so on one way may be so.  Grants, and what has been told, are met: only what is so
on both ways is so.  A local that holds different values on two ways holds `Merged(...)`.
"""

from __future__ import annotations

from collections.abc import Container, Iterable, Mapping
from typing import NamedTuple

from rulespec.lint.flow.labels import PUBLIC, Atom, Label, Secret, Val, atoms, joined, unworded
from rulespec.lint.flow.secrecy import IN_ZONES, SILENT, Grants, covers, departed, implied, token_of
from rulespec.lint.flow.shown import Later
from rulespec.lint.flow.terms import (
    ANY,
    EVERYBODY,
    Answer,
    Constant,
    Departed,
    Except,
    Fact,
    Keeps,
    Kept,
    Merged,
    Named,
    Term,
    Token,
    mentions,
)

Env = Mapping[int, Val]  # a local that is not there is known to all
Slots = frozenset[int]


class State(NamedTuple):
    """What is known where an instruction begins.

    `told` are the branches, by their position, of which everybody has been told by now which way they went, and the secrets that decided
    that the procedure runs of which the same is true.  `later` is what has changed since somebody was asked, and tells a secret
    unless it is shown.  `holds` says of variables that all see which pieces are in them, or of which zone: who is shown these knows
    what is in the variable.
    """

    env: Env
    grants: Grants
    told: frozenset[int | Atom] = frozenset()
    later: frozenset[Later] = frozenset()
    holds: frozenset[tuple[Secret, Token | Secret]] = frozenset()
    asked: Term = ANY  # who was asked last, if that is known: `ANY` where ways meet on which others were

    def atoms(self, outside: tuple[Label, ...]) -> Label:
        """The secrets that anything is about which is known here; `outside` are labels of the procedure itself."""
        kept = [Atom(what.base, Kept(what.lasting)) for what, _ in self.grants if isinstance(what, Keeps)]
        return atoms((frozenset(self.env.values()), self.later, outside)).union(kept)


class Summary(NamedTuple):
    """What a call leaves behind: a result, what has been shown, which slots may hold something else now, into which zones and variables
    pieces may have come, which zones they may have left, what players see the next time that somebody is asked, and what around it may
    be left."""

    result: Val
    grants: Grants
    written: Slots
    laid: frozenset[Secret]
    gone: frozenset[Secret]
    later: frozenset[Later]
    leaves: frozenset[tuple[int, Label]]  # what it may leave, and the secrets that decide about it


NOTHING = Summary(PUBLIC, SILENT, frozenset(), frozenset(), frozenset(), frozenset(), frozenset())


def granted(grants: Grants, more: Iterable[tuple[Token | Secret, Term]]) -> Grants:
    """What has been shown, and some more; of all, if it is of the one that was left out."""
    grown = set(grants)
    for what, to in more:
        grown.add((what, to))
        if isinstance(what, Secret) and (what._replace(index=Except(what.index)), to) in grown:
            grown.add((what._replace(index=ANY), to))
    return frozenset(grown)


def without(grants: Grants, gone: Iterable[Secret]) -> Grants:
    """What has been shown, but of some zones and variables: whoever's they are, if they have no index."""
    for secret in gone:
        grants = frozenset((left, to) for what, to in grants if (left := rest(what, secret)) is not None)
    return grants


def rest(what: Token | Secret, gone: Secret) -> Token | Secret | None:
    """What of something that has been shown is left without what is hidden again."""
    if not isinstance(what, Secret) or what[:2] != gone[:2]:
        return what
    if gone.index is None or gone.index == ANY:
        return None
    if what.index == ANY:
        return what._replace(index=Except(gone.index))
    others = isinstance(what.index, Constant) and isinstance(gone.index, Constant) and what.index != gone.index
    return what if others or what.index == Except(gone.index) else None


def joined_env(a: Env, b: Env, procedure: int, pc: int) -> dict[int, Val]:
    """What locals hold where two ways meet at an instruction."""
    env: dict[int, Val] = {}
    for k in a.keys() | b.keys():
        one, other = a.get(k, PUBLIC), b.get(k, PUBLIC)
        env[k] = one if one == other else joined(one, other, Named(Merged(procedure, pc, k)))
    return env


def met(a: State, b: State, outside: tuple[Label, ...]) -> Grants:
    """What has been shown on both ways; pieces that have no name on one of them count as shown there.

    `outside` are labels of the procedure itself: what decides its branches, and whether it runs.
    """
    if a.grants == b.grants:
        return a.grants
    tokens = {token_of(what) for what, _ in a.grants ^ b.grants}
    gone = frozenset(pair for pair in a.grants | b.grants if isinstance(pair[0], Departed | Keeps))
    a, b = (way._replace(grants=way.grants | gone | for_good(way, tokens, outside)) for way in (a, b))
    kept = set(a.grants & b.grants)
    for one, other in ((a, b), (b, a)):
        for what, to in one.grants - other.grants:
            if implied(other.grants, what, to):
                kept.add((what, to))
            elif not isinstance(what, Secret | Fact):  # who is another is so on both ways, or need not be
                token = what.token if isinstance(what, Answer) else what
                if not mentioned(token, other, outside):
                    kept.add((what, to))
    return frozenset(kept)


def for_good(state: State, tokens: Container[Token | Secret | None], outside: tuple[Label, ...]) -> Grants:
    """What is known of pieces of some names, since all that lies in their zones has been shown: of these pieces themselves."""
    zones = [(what, to) for what, to in state.grants if isinstance(what, Secret) and what.what == "zone"]
    if not zones:
        return SILENT
    bases: dict[Token, set[Secret]] = {}
    for atom in state.atoms(outside):
        if (token := unworded(atom.token)) is not None and token in tokens:
            bases.setdefault(token, set()).add(atom.base)

    def shown(base: Secret, to: Term) -> bool:
        zone = base._replace(what="zone")
        return base.what in IN_ZONES and any(seat in (to, EVERYBODY) and covers(what, zone) for what, seat in zones)

    return frozenset(
        (token, to)
        for token, of in bases.items()
        if departed(state.grants, token) is None
        for to in {to for _, to in zones}
        if all(shown(base, to) for base in of)
    )


def mentioned(token: Token, state: State, outside: tuple[Label, ...]) -> bool:
    """Whether anything that is known on a way is about certain pieces."""
    return (
        any(mentions(value, token) for value in state.env.values())
        or any(mentions(label, token) for label in outside)
        or any(mentions(change.label, token) for change in state.later)
        or (
            isinstance(token, Kept)
            and any(isinstance(w, Keeps) and w.lasting == token.lasting for w, _ in state.grants)
        )
    )
