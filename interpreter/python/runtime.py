"""Functions that generated code calls.  Their exceptions have no messages: the reference machine runs the answer again and has one."""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Callable
from typing import Any

from interpreter.runtime import rng
from interpreter.runtime.chance import Lottery
from interpreter.runtime.effects import forget
from interpreter.runtime.limits import BIGGEST, LIMIT
from interpreter.runtime.rng import GAMMA, KEY, MASK, mix
from interpreter.runtime.values import Slots
from rulespec.ir import KNOWN, RANDOM
from rulespec.library.intrinsics import behind
from rulespec.library.order import ascending

FIRST, SECOND = 0xBF58476D1CE4E5B9, 0x94D049BB133111EB


class Stop(Exception):
    """Raised where generated code leaves an answer to the reference machine: at a fault, or a bound."""


class Signal:
    """Returned by a procedure that has no result."""

    __slots__ = ("name",)

    def __init__(self, name: str) -> None:
        self.name = name

    def __repr__(self) -> str:
        return self.name


WAIT = Signal("WAIT")  # somebody has to answer, or the game is over: see CONTROL
LEAVE = Signal("LEAVE")  # procedures are being left up to a target: F[1]

_key = (-1, 0)  # the last seed and its key


def key_of(seed: int) -> int:
    """The key of a seed; the last one is remembered, since a game draws often from one seed."""
    global _key
    last, mixed = _key
    if last != seed:
        mixed = mix(seed ^ KEY)
        _key = (seed, mixed)
    return mixed


def draw(S: Slots, n: int) -> int:
    """A number below n from the game's generator: `rng.below` inlined."""
    seed, counter = S[RANDOM]
    last, mixed = _key
    if last != seed:
        mixed = key_of(seed)
    counter += 1
    z = (mixed + counter * GAMMA) & MASK
    z = ((z ^ (z >> 30)) * FIRST) & MASK
    z = ((z ^ (z >> 27)) * SECOND) & MASK
    z ^= z >> 31
    if z > MASK - n:  # rejection: it would favour small results
        index, counter = rng.below(seed, counter - 1, n)
        S[RANDOM] = (seed, counter)
        return index
    S[RANDOM] = (seed, counter)
    return int(z % n)


def draw_weighted(S: Slots, items: tuple[Any, ...], weights: tuple[int, ...]) -> tuple[int, Any]:
    """The action that chance draws, -1 where there is only one outcome, and its item; the items are distinct."""
    total = sum(weights)
    if min(weights, default=0) <= 0 or len(weights) != len(items):
        lottery = Lottery(items, weights)
        if len(lottery.values) == 1:
            return -1, lottery.values[0]
        seed, counter = S[RANDOM]
        k, counter = lottery.draw(seed, counter)
        S[RANDOM] = (seed, counter)
        return k, lottery.values[k]
    n = draw(S, total)
    k = 0
    for weight in weights:
        if n < weight:
            break
        n -= weight
        k += 1
    return k, items[k]


def check(value: Any) -> None:
    """Raise Stop for a number or a collection that is too large."""
    if value.__class__ is int:
        if not -BIGGEST <= value <= BIGGEST:
            raise Stop
    elif value.__class__ is tuple and len(value) > LIMIT:
        raise Stop


def without(items: tuple[Any, ...], item: Any) -> tuple[Any, ...]:
    """The items without the first that is equal to one."""
    if item not in items:
        return items
    k = items.index(item)
    return items[:k] + items[k + 1 :]


# Items and what they are in order: all candidates of a question are tried with the same.
ORDERED: list[tuple[Any, tuple[Any, ...]]] = [((), ())]


def in_order(items: tuple[Any, ...]) -> tuple[Any, ...]:
    """The items, the least first; those that were asked for last are kept."""
    kept = ORDERED[0]
    if kept[0] is not items:
        kept = ORDERED[0] = items, ascending(items)  # one assignment, which threads cannot tear
    return kept[1]


def completable(have: tuple[Any, ...], items: tuple[Any, ...], least: int, most: int) -> bool:
    """Whether there are enough items after the last one chosen."""
    return completable_in_order(have, in_order(items) if have else items, least, most)


def completable_in_order(have: tuple[Any, ...], items: tuple[Any, ...], least: int, most: int) -> bool:
    """The same where the items ascend."""
    n = len(have)
    return n <= most and n + len(items) - behind(have, items) >= least


def completable_where(
    have: tuple[Any, ...],
    items: tuple[Any, ...],
    least: int,
    most: int,
    fuel: list[int],
    cost: int,
    complete: Callable[[Any], bool],
) -> bool:
    """Whether a selection can be completed so that `complete` holds: a search whose steps cost `cost` fuel each."""
    rest = in_order(items)
    start = behind(have, rest)
    if len(have) > most or len(have) + len(rest) - start < least:
        return False

    def search(have: tuple[Any, ...], at: int) -> bool:
        fuel[0] -= cost
        if fuel[0] < 0:
            raise Stop
        if len(have) >= least and complete(have):
            return True
        if len(have) == most:
            return False
        return any(search((*have, rest[i]), i + 1) for i in range(at, len(rest)) if len(have) + len(rest) - i >= least)

    return search(have, start)


def move_one(S: Slots, p: int, location: int, to: int) -> None:
    """One piece into a zone that is a set."""
    at = S[location + p]
    if at >= 0:
        rest = S[at]
        k = bisect_left(rest, p)
        if rest[k : k + 1] != (p,):
            k = rest.index(p)
        S[at] = rest[:k] + rest[k + 1 :]
    there = S[to]
    if not there or there[-1] < p:
        S[to] = (*there, p)
    else:
        k = bisect_left(there, p)
        S[to] = (*there[:k], p, *there[k:])
    S[location + p] = to
    if S[KNOWN]:
        forget(S, (location + p,))


def move_on_top(S: Slots, p: int, location: int, to: int) -> None:
    """One piece onto a pile."""
    at = S[location + p]
    if at >= 0:
        rest = S[at]
        k = rest.index(p)
        S[at] = rest[:k] + rest[k + 1 :]
    S[to] = (*S[to], p)
    S[location + p] = to
    if S[KNOWN]:
        forget(S, (location + p,))
