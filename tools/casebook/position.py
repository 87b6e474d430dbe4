"""What differs between two positions, as steps that lead from one to the other, and as facts that tell them apart."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any, TypeAlias

from interpreter import Game, State
from rulespec import ir

from .values import bag, pieces, place, written

Step: TypeAlias = dict[str, str]
Slots: TypeAlias = Sequence[Any]
Content: TypeAlias = tuple[int, ...]
FEW = 6  # pieces that a fact names one by one


def steps(game: Game, before: Slots, after: Slots) -> list[Step]:
    """Steps that lay the table: variables set, pieces moved.  What has no short form is left out."""
    return [*moves(game, before, after), *settings(game, before, after)]


def settings(game: Game, before: Slots, after: Slots) -> Iterator[Step]:
    """Variables that differ."""
    for what, value in variables(game, before, after):
        yield {"set": what, "to": value}


def variables(game: Game, before: Slots, after: Slots) -> Iterator[tuple[str, str]]:
    """Variables that differ, as expressions, with what they are then."""
    program, sight = game.program, game.machine.sight
    for variable in program.variables:
        if variable.scope is not None and not after[variable.scope]:
            continue
        for slot, indices, _ in sight.entries(variable):
            if before[slot] != after[slot]:
                what, value = place(program, variable, indices), written(program, variable.type, after[slot])
                if what is not None and value is not None:
                    yield what, value


def moves(game: Game, before: Slots, after: Slots) -> Iterator[Step]:
    """Pieces that lie elsewhere; a pile in another order is laid again as a whole."""
    bags: dict[int, list[tuple[str, Content, Content]]] = {}
    for zone, _, where, old, new in changed(game, before, after):
        kind = game.program.kinds[zone.kind]
        if zone.counts:
            bags.setdefault(zone.kind, []).append((where, old, new))
        elif zone.order == "set":
            coming = [piece for piece in new if piece not in set(old)]
            if coming:
                yield {"move": pieces(kind, coming), "to": where}
        elif new:
            yield {"move": pieces(kind, new), "to": where}
    for number, zones in bags.items():
        yield from exchanged(game.program.kinds[number], zones)


def changed(game: Game, before: Slots, after: Slots) -> Iterator[tuple[ir.Zone, int, str, Content, Content]]:
    """The slots of zones that differ: the zone, the slot, what it is called, what lay there and what lies there now."""
    program, sight = game.program, game.machine.sight
    for zone in program.zones:
        if zone.scope is not None and not after[zone.scope]:
            continue
        for slot, indices, _ in sight.entries(zone):
            old, new = before[slot] or (), after[slot] or ()
            where = place(program, zone, indices)
            if where is not None and old != new:
                yield zone, slot, where, old, new


def everything(game: Game, state: State) -> Iterator[tuple[str, str]]:
    """Every variable and zone that has a short form, as an expression, with what it is; hidden pieces too."""
    program, sight, slots = game.program, game.machine.sight, state.slots
    for variable in program.variables:
        if variable.scope is None or slots[variable.scope]:
            for slot, indices, _ in sight.entries(variable):
                what, value = place(program, variable, indices), written(program, variable.type, slots[slot])
                if what is not None and value is not None:
                    yield what, value
    for zone in program.zones:
        if zone.scope is None or slots[zone.scope]:
            kind = program.kinds[zone.kind]
            for slot, indices, _ in sight.entries(zone):
                if (where := place(program, zone, indices)) is not None:
                    lying = slots[slot] or ()
                    yield where, bag(kind, lying) if zone.counts else pieces(kind, lying) if lying else "empty"


def exchanged(kind: ir.Kind, zones: Sequence[tuple[str, Content, Content]]) -> Iterator[Step]:
    """Pieces that are counted go from the zones that have fewer than before to those that have more."""
    more = [(where, [max(0, b - a) for a, b in zip(old, new, strict=True)]) for where, old, new in zones]
    for source, old, new in zones:
        left = [max(0, a - b) for a, b in zip(old, new, strict=True)]
        for goal, wanted in more:
            taken = tuple(map(min, left, wanted))
            if any(taken):
                yield {"move": bag(kind, taken), "from": source, "to": goal}
                left[:] = [a - b for a, b in zip(left, taken, strict=True)]
                wanted[:] = [a - b for a, b in zip(wanted, taken, strict=True)]


def facts(game: Game, before: Slots, after: Slots, real: Slots) -> list[str]:
    """What changed, as facts about the position afterwards; only what is `real` there too."""
    true = dict(variables(game, before, real))
    told = [
        what if value == "yes" else f"not {what}" if value == "no" else compared(what, value)
        for what, value in variables(game, before, after)
        if true.get(what) == value
    ]
    for zone, slot, where, old, new in changed(game, before, after):
        kind = game.program.kinds[zone.kind]
        if (real[slot] or ()) != new:
            continue
        if zone.counts:
            told.append(f"{where} == {bag(kind, new)}" if any(new) else f"{where} is empty")
            continue
        coming = [piece for piece in new if piece not in set(old)]
        told += [f"{where} includes {kind.members[piece]}" for piece in coming[:FEW]]
        if not coming:
            told.append(f"size({where}) == {len(new)}" if new else f"{where} is empty")
    return told


def compared(what: str, value: str) -> str:
    """That something is a value."""
    return f"{what} is {value}" if value in ("none", "empty") else f"{what} == {value}"
