"""What instructions do to a position, given the values that they were worked out with; both back ends call it."""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Container
from operator import add, sub
from typing import Any

from interpreter.runtime.faults import Problem
from interpreter.runtime.values import Slots
from rulespec import ir

Places = tuple[tuple[int, int], ...]  # a slot of a zone of pieces, and where their locations begin
DEEPER = 1 << 20  # more than there are tags


def move(S: Slots, pieces: tuple[int, ...], location: int, size: int, to: int, pile: bool, bottom: bool) -> None:
    """`Move`: pieces of a kind of `size` members into the zone at slot `to`, one after another."""
    for p in pieces:
        if not 0 <= p < size:
            raise Problem("R003", f"there is no piece {p} among {size}")
        at = S[location + p]
        if at >= 0:
            rest = S[at]
            k = rest.index(p)
            S[at] = rest[:k] + rest[k + 1 :]
        there = S[to]
        if pile:
            S[to] = (p, *there) if bottom else (*there, p)
        elif not there or there[-1] < p:
            S[to] = (*there, p)
        else:
            k = bisect_left(there, p)
            S[to] = (*there[:k], p, *there[k:])
        S[location + p] = to
    if S[ir.KNOWN]:
        forget(S, {location + p for p in pieces})


def forget(S: Slots, slots: Container[int]) -> None:
    """Nobody knows any more what lies at these locations."""
    S[ir.KNOWN] = tuple([pair for pair in S[ir.KNOWN] if pair[0] not in slots])


def move_counts(S: Slots, bag: tuple[int, ...], take: int | None, give: int | None, name: str) -> None:
    """`MoveCounts`: from the slot `take` to the slot `give`; None is the unlimited outside."""
    if min(bag, default=0) < 0:
        raise Problem("R012", "a negative number of pieces cannot be moved")
    if take is not None:
        left = tuple(map(sub, S[take], matching(bag, S[take])))
        if min(left, default=0) < 0:
            raise Problem("R012", f"{name} does not have as many pieces as are taken from it")
        S[take] = left
    if give is not None:
        S[give] = tuple(map(add, S[give], matching(bag, S[give])))


def matching(bag: tuple[int, ...], held: tuple[int, ...]) -> tuple[int, ...]:
    """The bag, which must be of as many kinds as what is held; raises ValueError."""
    if len(bag) != len(held):
        raise ValueError("bags of different kinds")
    return bag


def everybody(program: ir.Program) -> tuple[int, ...]:
    """The seats that learn what all learn at once; the last one is nobody's and says that they did: see `Sight.public`."""
    return tuple(range(program.players + 1))


def learn(S: Slots, pieces: tuple[int, ...], location: int, seats: tuple[int, ...], hide: bool) -> None:
    """`Learn`: seats know pieces where they lie, or with `hide` nobody does."""
    slots = {location + p for p in pieces}
    if hide:
        forget(S, slots)
    else:
        fresh = {(slot, seat) for slot in slots for seat in seats}
        S[ir.KNOWN] = tuple(sorted(fresh.union(S[ir.KNOWN])))


def places_within(program: ir.Program, low: int, high: int | None) -> Places:
    """The zones of pieces with identity from one slot on."""
    return tuple(
        (slot, location)
        for zone in program.zones
        if zone.base >= low and (high is None or zone.base < high)
        if not zone.counts and (location := program.kinds[zone.kind].location) is not None
        for slot in range(zone.base, zone.base + zone.size)
    )


def enter(S: Slots, low: int, high: int, values: tuple[Any, ...], places: Places) -> tuple[Any, ...]:
    """`Enter`: what the slots held."""
    kept = tuple(S[low:high])
    for slot, location in places:
        for p in S[slot]:
            S[location + p] = -1
    S[low:high] = values
    return kept


def leave(S: Slots, low: int, kept: tuple[Any, ...], places: Places) -> None:
    """`Leave`: what was put aside is there again, pieces unless they were moved since."""
    high = low + len(kept)
    for slot, location in places:
        if slot < high:
            for p in S[slot]:
                S[location + p] = -1
    S[low:high] = kept
    for slot, location in places:
        if slot < high and S[slot]:
            S[slot] = tuple(p for p in S[slot] if S[location + p] == -1)
            for p in S[slot]:
                S[location + p] = slot


def end_tag(S: Slots, end: int | None, depth: int | None) -> int | None:
    """The tag of what ends an effect, and how deep within itself it stands, as one number."""
    return end if end is None or depth is None else end + S[depth] * DEEPER


def begin(S: Slots, lasting: int, args: tuple[Any, ...], end: int | None, depth: int | None) -> None:
    """`Begin`."""
    S[ir.LASTING] = (*S[ir.LASTING], (lasting, args, end_tag(S, end, depth)))


def cease(S: Slots, lasting: int | None, end: int | None, depth: int | None, args: tuple[Any, ...] | None) -> Any:
    """`Cease`: the arguments of what ended, None if nothing did."""
    tag = end_tag(S, end, depth)
    effects = S[ir.LASTING]
    for k, (rule, arguments, its) in enumerate(effects):
        if (lasting is None or rule == lasting) and (tag is None or its == tag) and (args is None or arguments == args):
            S[ir.LASTING] = effects[:k] + effects[k + 1 :]
            return arguments
    return None
