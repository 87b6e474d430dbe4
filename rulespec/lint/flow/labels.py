"""Labels: which secrets a value may depend on, and terms: which value it is.

A *term* is a nested tuple that names a value: two equal terms are the same value.  `("c", v)` is a constant, `("s", base,
index)` what a slot holds now, `("o", name, *terms)` an operation, `("t", token)` whatever came out of one place in the rules,
`("b", depth)` the item of a comprehension, `("g", name)` a setting, and `ANY` no value in particular: it is equal to nothing.

A *secret* is `Atom(base, token)`.  `base` names what is hidden: `("zone", number, index)` for which pieces lie in a zone,
`("count", number, index)` for how many, `("var", number, index)` for a variable, `("place", kind, None)` for where pieces of
a kind lie.  `token` names the pieces that were taken out of it into a local, so that it can be said of them that they have
been shown since.  A *label* is a set of secrets.
"""

from __future__ import annotations

from collections.abc import Set as AbstractSet
from functools import lru_cache
from typing import Any, NamedTuple, TypeGuard

Term = tuple[Any, ...]
Token = Any
ANY: Term = ("any",)
LARGEST = 16  # parts of a term; what has more is no value in particular


class Atom(NamedTuple):
    """A secret that a value depends on."""

    base: Term
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
    return Val(("c", value))


def parts(term: Term) -> int:
    """How many operations, slots and other values a term has."""
    if term[0] in ("o", "s"):
        return 1 + sum(parts(part) for part in term[2:] if part is not None)
    return 1 + sum(parts(part) for part in term[1:]) if term[0] in ("w", "v", "k") else 1


def operation(name: str, *terms: Term) -> Term:
    """The term of an operation, unless a part is no value in particular."""
    made = ("o", name, *terms)
    return ANY if ANY in terms or parts(made) > LARGEST else made


def replaced(item: Any, old: Any, new: Any) -> Any:
    """A term, label or value with one part put in place of another wherever it occurs."""
    if item == old:
        return new
    if item == new or not mentions(item, old):
        return item
    if isinstance(item, tuple):
        made = [replaced(part, old, new) for part in item]
        return like(item, made)
    if isinstance(item, frozenset):
        return frozenset(replaced(part, old, new) for part in item) if item else item
    return item


def like(item: Any, parts_: list[Any]) -> Any:
    """A tuple of the same class with other parts."""
    return type(item)(*parts_) if hasattr(item, "_fields") else tuple(parts_)


@lru_cache(maxsize=1 << 16)
def mentions(item: Any, part: Any) -> bool:
    """Whether something occurs anywhere in a term, label or value."""
    if item == part:
        return True
    if isinstance(item, tuple):
        return item[:1] != ("c",) and any(mentions(own, part) for own in item)
    return isinstance(item, frozenset) and any(mentions(own, part) for own in item)


@lru_cache(maxsize=1 << 16)
def slots_read(item: Any) -> frozenset[int]:
    """The slots of which a term, label or value says what they hold now."""
    if isinstance(item, tuple):
        if item[:1] == ("c",):
            return frozenset()
        own = {item[1]} if len(item) == 3 and item[0] == "s" and isinstance(item[1], int) else ()
        return frozenset(own).union(*map(slots_read, item))
    return frozenset().union(*map(slots_read, item)) if isinstance(item, frozenset) else frozenset()


def forgotten(item: Any, slots: AbstractSet[int], token: Token) -> Any:
    """A value in which every term that says what one of these slots holds says that it is what it held before."""
    if slots_read(item).isdisjoint(slots):
        return item
    if isinstance(item, tuple):
        if len(item) == 3 and item[0] == "s" and item[1] in slots:
            return ("t", ("before", token, item[1]))
        return like(item, [forgotten(part, slots, token) for part in item])
    return frozenset(forgotten(part, slots, token) for part in item)


def open_items(label: Label, depth: int) -> Label:
    """A label outside a comprehension: what was the secret of one item, there, is that of any."""
    item = ("b", depth)
    opened = {
        Atom((a.base[0], a.base[1], ANY) if mentions(a.base[2], item) else a.base, anybodys(a.token, item))
        for a in label
    }
    return frozenset(opened)


def anybodys(token: Token, item: Term) -> Token:
    """The name of pieces that a player has answered with: those of any, if the player is an item."""
    return ("of", token[1], ANY) if is_answer(token) and mentions(token[2], item) else token


def is_answer(token: Token) -> TypeGuard[tuple[Any, ...]]:
    """Whether pieces are what one of the players has answered who were asked together: `("of", token, player)`."""
    return isinstance(token, tuple) and token[:1] == ("of",)


def answered(item: Any, seat: Term) -> Any:
    """A term, label or value in which the pieces that have a name are those that one player has answered with."""
    if isinstance(item, Atom):
        return item if item.token is None else Atom(item.base, ("of", item.token, seat))
    if isinstance(item, frozenset):
        return frozenset([answered(part, seat) for part in item])
    if isinstance(item, tuple) and item[:1] != ("c",):
        return like(item, [answered(part, seat) if isinstance(part, tuple | frozenset) else part for part in item])
    return item
