"""Labels: the secrets that a value may depend on, as in any analysis of taint.

In

    - let: best
      be: highest(c.value for c in p1.hand)

the value of `best` has the label `{Atom(Secret("zone", hand, Constant(0)))}`: whoever sees it learns something of what lies in
the hand of player 1.  The items of `p1.hand` themselves have that atom in `ident` too: they are these pieces, and somebody who is
shown them where they lie learns no more than that.
"""

from __future__ import annotations

from collections.abc import Mapping
from functools import lru_cache
from typing import Any, Literal, NamedTuple, TypeVar

from rulespec.language import operators
from rulespec.lint.flow.terms import (
    ANY,
    Answer,
    Constant,
    Each,
    Item,
    Operation,
    Term,
    Token,
    Under,
    Worded,
    like,
    mentions,
    replaced,
)

T = TypeVar("T")
Hidden = Literal["zone", "count", "top", "var", "place", "held", "named"]


class Secret(NamedTuple):
    """Something that is hidden.

    `what` is "zone" for which pieces lie in a zone, "count" for how many, "top" for the one on top, "var" for a variable, "place" for
    where pieces of a kind lie, "held" for which piece is in a variable that all see, "named" for which pieces a
    variable names wherever they lie.  `number` is that of the zone, variable or kind;
    `index` says which of several, as a term (None where there are no several), `ANY` whichever.
    """

    what: Hidden
    number: int
    index: Any = None


class Atom(NamedTuple):
    """A secret that a value depends on; `token` names the pieces that were taken out of it into a local, so that it can be said
    of them that they have been shown since."""

    base: Secret
    token: Token | None = None


Label = frozenset[Atom]
NONE: Label = frozenset()


class Val(NamedTuple):
    """What is known of a value before the game.

    `label` is all secrets it depends on.  `ident` are those of them that it is made of: it is pieces that lie there, and no more is
    told by showing them than that they do.  `size` are the secrets that its number of items depends on.
    """

    term: Term = ANY
    label: Label = NONE
    ident: Label = NONE
    size: Label = NONE


PUBLIC = Val()


def constant(value: Any) -> Val:
    """A value that everybody knows."""
    return Val(Constant(value))


def joined(a: Val, b: Val, term: Term) -> Val:
    """A value that is one or the other: the join of the two."""
    return Val(a.term if a.term == b.term else term, a.label | b.label, a.ident | b.ident, a.size | b.size)


def taken(value: Val, token: Token) -> Val:
    """A value put into a local: the pieces that it is made of have a name now."""
    if not value.ident:
        return value

    def name(atom: Atom) -> Atom:
        return Atom(atom.base, token) if atom.token is None and atom in value.ident else atom

    return Val(value.term, *(frozenset(map(name, label)) for label in value[1:]))


def worded(atom: Atom) -> Atom:
    """What a text tells of a secret by naming a piece, apart from what it tells of it in words."""
    return atom if isinstance(atom.token, Worded) else Atom(atom.base, Worded(atom.token))


def unworded(token: Token | None) -> Token | None:
    """The name of pieces, which a text may name."""
    inner: Token | None = token.token if isinstance(token, Worded) else token
    return inner


@lru_cache(maxsize=1 << 14)
def atoms(item: Any) -> Label:
    """The atoms in a term, label or value."""
    if isinstance(item, Atom):
        return frozenset({item})
    if isinstance(item, tuple | frozenset) and item.__class__ is not Constant:
        return NONE.union(*map(atoms, item))
    return NONE


def renamed_atoms(item: T, names: Mapping[Atom, Atom | None]) -> T:
    """A term, label or value with other atoms; those that become None are left out of labels."""
    if atoms(item).isdisjoint(names):
        return item
    if isinstance(item, frozenset):
        parts = [names.get(part, part) if isinstance(part, Atom) else renamed_atoms(part, names) for part in item]
        return frozenset([part for part in parts if part is not None])  # type: ignore[return-value]
    assert isinstance(item, tuple)
    return like(item, [renamed_atoms(part, names) for part in item])  # type: ignore[no-any-return]


def open_items(label: Label, item: Item, items: Term = ANY) -> Label:
    """A label outside a comprehension: what was the secret of one item, there, is that of each of the items."""
    of_each = ANY if items == ANY else Each(items)
    opened = {
        Atom(
            a.base._replace(index=open_index(a.base.index, item, of_each)) if mentions(a.base.index, item) else a.base,
            a.token._replace(seat=ANY) if isinstance(a.token, Answer) and mentions(a.token.seat, item) else a.token,
        )
        for a in label
    }
    return frozenset(opened)


def open_index(index: Any, item: Item, of_each: Term | Each) -> Any:
    """An index outside a comprehension in which it mentions the item: of two parts the owner stays who he is."""
    if index == item:
        return of_each
    if isinstance(index, Under):  # it is any of those that pass the tests, whichever it is
        return index
    first = index
    while isinstance(first, Operation) and first.name == operators.ADD:
        first = first.args[0]
    apart = (
        isinstance(first, Operation)
        and first.name == operators.MULTIPLY
        and first != index
        and not mentions(first, item)
    )
    return replaced(index, item, of_each) if apart and of_each != ANY else ANY


def answered(item: Any, seat: Term) -> Any:
    """A term, label or value in which the pieces that have a name are those that one player has answered with."""
    if isinstance(item, Atom):
        return item if item.token is None else Atom(item.base, Answer(item.token, seat))
    if isinstance(item, frozenset):
        return frozenset([answered(part, seat) for part in item])
    if isinstance(item, tuple) and item.__class__ is not Constant:
        return like(item, [answered(part, seat) if isinstance(part, tuple | frozenset) else part for part in item])
    return item
