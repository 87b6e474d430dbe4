"""Validates the slots of untrusted saves: types, ranges, and where pieces lie."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from interpreter.files.conserved import not_conserved
from interpreter.files.known import Known
from interpreter.runtime.limits import BIGGEST
from interpreter.runtime.rng import MAX_SEED
from interpreter.runtime.values import Slots
from rulespec import ir

NESTED = 64  # lists within lists of a save, at most


class Malformed(Exception):
    """Raised for a part of a save that no position can have."""


def depth(data: Any) -> None:
    """Raise Malformed for data nested deeper than 64, without recursing further itself."""
    layer = [data]
    for _ in range(NESTED):
        layer = [
            item
            for outer in layer
            for item in (outer.values() if isinstance(outer, dict) else outer)
            if isinstance(item, list | dict)
        ]
        if not layer:
            return
    raise Malformed("nested too deep")


def is_int(value: Any, low: int = -BIGGEST, high: int = BIGGEST) -> bool:
    """Whether a value is an integer in a range, and not a bool."""
    return isinstance(value, int) and not isinstance(value, bool) and low <= value <= high


def value(data: Any) -> Any:
    """A value of JSON as one of a position: lists become tuples.  Raises Malformed for values that no position has."""
    if data is None or isinstance(data, bool | str) or is_int(data, -BIGGEST, MAX_SEED):
        return data
    if isinstance(data, list):
        return tuple(value(item) for item in data)
    raise Malformed("a value is neither a number nor a list of values")


def is_bag(kind: ir.Kind, v: Any) -> bool:
    """Whether a value is a tuple of counts, one for each member."""
    return isinstance(v, tuple) and len(v) == len(kind.members) and all(is_int(n, 0) for n in v)


def slots(known: Known, data: Any, begin: Slots) -> Slots:
    """The slots of a position, each of the type and within the range that its variable or zone has; `begin` are those of the
    position where the game begins."""
    program = known.program
    if not isinstance(data, list) or len(data) != len(program.initial):
        raise Malformed("the number of slots")
    S = [value(item) for item in data]
    system(known, S)
    covered = {*range(ir.SYSTEM_SLOTS), *variables(known, S), *zones(program, S), *locations(known, S)}
    odd = not_conserved(known.flows, begin, S)
    check(odd is None, program, odd or 0)
    for rule in program.rules:
        if rule.counter is not None and rule.limit is not None:
            for slot in range(rule.counter, rule.counter + max(1, len(rule.pieces))):
                covered.add(slot)
                check(is_int(S[slot], 0, rule.limit), program, slot)
    for slot, start in enumerate(program.initial):
        if slot not in covered and S[slot] != start:
            check(known.values.has(known.values.slots[slot], S[slot]), program, slot)
    return S


def variables(known: Known, S: Slots) -> Iterator[int]:
    """Check the variables; returns their slots."""
    program, values = known.program, known.values
    for variable in program.variables:
        for slot in range(variable.base, variable.base + variable.size):
            yield slot
            unset = S[slot] is None and program.initial[slot] is None
            if not unset and S[slot] != program.initial[slot]:
                check(values.has(values.slots[slot], S[slot]), program, slot)


def zones(program: ir.Program, S: Slots) -> Iterator[int]:
    """Check the contents of the zones; returns their slots."""
    for zone in program.zones:
        kind = program.kinds[zone.kind]
        for slot in range(zone.base, zone.base + zone.size):
            yield slot
            content = S[slot]
            if zone.counts:
                check(is_bag(kind, content), program, slot)
                continue
            check(isinstance(content, tuple), program, slot)
            check(all(is_int(p, 0, len(kind.members) - 1) for p in content), program, slot)
            check(len(set(content)) == len(content), program, slot)
            check(zone.order == "pile" or list(content) == sorted(content), program, slot)
            check(all(S[(kind.location or 0) + p] == slot for p in content), program, slot)


def locations(known: Known, S: Slots) -> Iterator[int]:
    """Check where the pieces lie; returns the slots of their locations."""
    program = known.program
    for kind in program.kinds:
        if kind.location is None:
            continue
        for piece in range(len(kind.members)):
            slot = kind.location + piece
            yield slot
            at = S[slot]
            check(is_int(at) and (at == -1 or (at in known.homes[kind.index] and piece in S[at])), program, slot)


def system(known: Known, S: Slots) -> None:
    """Check the slots that every game has."""
    program = known.program
    seat = program.players - 1
    random = S[ir.RANDOM]
    pair = isinstance(random, tuple) and len(random) == 2
    check(
        random is None or (pair and is_int(random[0], 0, MAX_SEED) and is_int(random[1], 0)),
        program,
        ir.RANDOM,
    )
    winners = S[ir.WINNERS]
    check(
        winners is None or (isinstance(winners, tuple) and all(is_int(p, 0, seat) for p in winners)),
        program,
        ir.WINNERS,
    )
    returns = S[ir.RETURNS]
    check(
        returns is None or (isinstance(returns, tuple) and len(returns) == seat + 1 and all(map(is_int, returns))),
        program,
        ir.RETURNS,
    )
    looks = S[ir.KNOWN]
    check(
        isinstance(looks, tuple)
        and all(isinstance(p, tuple) and len(p) == 2 for p in looks)
        and all(is_int(a) and a in known.locations and is_int(b, 0, seat + 1) for a, b in looks)
        and list(looks) == sorted(set(looks)),
        program,
        ir.KNOWN,
    )
    for slot in (ir.LASTING, ir.BATCH):
        check(known.values.has(known.values.slots[slot], S[slot]), program, slot)


def check(good: bool, program: ir.Program, slot: int) -> None:
    """Raise Malformed, with the slot's name, unless all is well."""
    if not good:
        names = program.slot_names
        raise Malformed(names[slot] if slot < len(names) else f"slot {slot}")
