"""Which players two terms may stand for together: one who is surely another, or surely the same.

    - choose: friend
      by: me
      from: players - set(me)     # `friend` is surely not `me`: he sees a hand that all see but its owner
    - log: "{first(left_of(me).hand)}"
      to: me                      # neither is the player on his left, in a game of two or more

What nobody who was chosen from some items can be is a fact among what has been shown: `(Apart(friend), me)`.
"""

from __future__ import annotations

from collections.abc import Iterator
from collections.abc import Set as AbstractSet
from typing import Any

from rulespec.language import bounds
from rulespec.language.facts import Origin, Result
from rulespec.language.registry import body, facts
from rulespec.library.errors import DomainError
from rulespec.lint.flow.labels import Secret
from rulespec.lint.flow.terms import (
    ANY,
    FILTERED,
    SOME_OF,
    Apart,
    Bound,
    Constant,
    Merged,
    Named,
    Operation,
    Option,
    Term,
    Token,
    mentions,
)

Shown = AbstractSet[tuple[Any, Term]]


def facts_of(item: Term, items: Term, *tests: Term, tested: Term = ANY) -> frozenset[tuple[Token | Secret, Term]]:
    """What is known of one of some items: whom it surely is not, of those whose name is not that of something else soon.

    It passes some tests, too, in which it is called `tested`.
    """
    name = item.token if isinstance(item, Named) else item
    out = [*excluded(items), *(other for test in tests for other in unequal(test, tested))]
    return frozenset((Apart(item), other) for other in out if not mentions(other, name) and lasts(other))


def lasts(term: Any) -> bool:
    """Whether a term stands for the same value until what it names is written again: not where ways meet."""
    if isinstance(term, Merged):
        return False
    return not isinstance(term, tuple) or isinstance(term, Constant) or all(map(lasts, term))


def excluded(items: Term) -> Iterator[Term]:
    """Values that are surely not among some items, by the way that these are composed."""
    while isinstance(items, Operation):
        if items.name == FILTERED:
            yield from unequal(items.args[1], Bound(1))
        elif facts(items.name).result is Result.REMAINDER:
            yield from members(items.args[1])
        elif facts(items.name).result not in SOME_OF:
            return
        items = items.args[0]


def members(items: Term) -> Iterator[Term]:
    """The values of a set that names them one by one."""
    match items:
        case Constant(tuple() as values):
            yield from map(Constant, values)
        case Operation(name, args) if facts(name).origin is Origin.ARGUMENTS:
            yield from (arg for arg in args if arg != ANY)


def unequal(test: Term, item: Term) -> Iterator[Term]:
    """What an item differs from that passes a test."""
    match test:
        case Operation("if", (first, second, Constant(False))):
            yield from unequal(first, item)
            yield from unequal(second, item)
        case Operation(name, (one, two)) if facts(name).result is Result.DIFFERENT:
            yield from beside(one, two, item)
        case Operation(name, (Operation(inner, (one, two)),)) if facts(name).result is Result.OPPOSITE:
            if facts(inner).result is Result.EQUAL:
                yield from beside(one, two, item)


def beside(one: Term, two: Term, item: Term) -> Iterator[Term]:
    """What an item is compared with."""
    for side, other in ((one, two), (two, one)):
        if side == item and other != ANY and not mentions(other, item):
            yield other


def differ(one: Term, other: Term, grants: Shown) -> bool:
    """Whether two terms surely stand for different values."""
    return one != other and any(
        (Apart(a), b) in grants
        or (isinstance(a, Operation) and facts(a.name).result is Result.ITEM and b in excluded(a.args[0]))
        for a, b in ((one, other), (other, one))
    )


def pairs(one: Term, other: Term, players: int, apart: bool) -> set[tuple[int, int]]:
    """The seats that two terms of players may stand for together, in a game of so many; `apart`: they surely differ."""
    (base, a), (base_of_other, b) = seats(one, players), seats(other, players)
    both = zip(a, b, strict=True) if base == base_of_other else ((x, y) for x in a for y in b)
    return {(x, y) for x, y in both if x != y or not apart}


def seats(term: Term, players: int) -> tuple[Term, tuple[int, ...]]:
    """The player from which a term goes on around the table, and the seat that it comes to from each: `left_of(left_of(p))`."""
    if isinstance(term, Constant) and isinstance(term.value, int):
        return term, (term.value,)
    steps: list[str] = []
    while (step := around(term, players)) is not None:
        name, term = step
        steps.append(name)
    ways = tuple(range(players))
    for name in reversed(steps):
        ways = tuple(body(name)(seat, players) for seat in ways)
    if isinstance(term, Constant) and isinstance(term.value, int):
        return term, (ways[term.value],)
    return term, ways


def around(term: Term, players: int) -> tuple[str, Term] | None:
    """The function of a player that a term is, in a game of so many, and that player; None if it is none."""
    match term:
        case Operation(name, (inner, Constant() | Option("players") as among)) if facts(name).result is bounds.member:
            if among in (Constant(players), Option("players")) and inner != ANY:
                try:
                    body(name)(0, players)
                except DomainError:
                    return None
                return name, inner
    return None
