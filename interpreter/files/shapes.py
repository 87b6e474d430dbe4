"""The shapes that parts of a position must have, for saves that nobody vouches for."""

from __future__ import annotations

import hashlib
from itertools import pairwise
from typing import TYPE_CHECKING, Any

from interpreter.reference.expressions import BIGGEST
from rulespec import ir

if TYPE_CHECKING:
    from interpreter.game import Game
    from interpreter.reference.machine import Machine

MAX_DEPTH = 64
MAX_FRAMES = 512


class Malformed(Exception):
    """A part of a save that no position can have."""


def fingerprint(program: ir.Program) -> str:
    """Of what saved frames rely on: points, slots, and the instructions' kinds."""
    code = [(p.name, p.locals, [type(i).__name__ for i in p.code]) for p in program.procedures]
    points = [(p.procedure, p.position, p.live, p.kept) for p in program.points]
    text = repr((points, program.slot_names, code))
    return hashlib.sha256(text.encode()).hexdigest()[:16]


def depth(data: Any) -> None:
    """Raise Malformed for data nested deeper than 64, without recursing further itself."""
    layer = [data]
    for _ in range(MAX_DEPTH):
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
    """Whether it is a whole number in a range, and no bool."""
    return isinstance(value, int) and not isinstance(value, bool) and low <= value <= high


def value(data: Any) -> Any:
    """A value of a position or a text of the rules; lists become tuples; Malformed for others."""
    if data is None or isinstance(data, bool | str) or is_int(data):
        return data
    if isinstance(data, list):
        return tuple(value(item) for item in data)
    raise Malformed("a value is neither a number nor a list of values")


def printed(program: ir.Program, printer: ir.Printer, v: Any) -> bool:
    """Whether a value may have the type that is shown so."""
    match printer.what:
        case "bool":
            return isinstance(v, bool)
        case "int":
            return is_int(v)
        case "entity":
            return is_int(v, 0, len(program.kinds[printer.kind or 0].members) - 1)
        case "set" | "list":
            if not isinstance(v, tuple):
                return False
            ordered = printer.what == "list" or all(a < b for a, b in pairwise(v))
            return all(printed(program, printer.parts[0], item) for item in v) and ordered
        case "bag":
            return is_bag(program.kinds[printer.kind or 0], v)
        case "option":
            return v is None or printed(program, printer.parts[0], v)
        case "record":
            return (
                isinstance(v, tuple)
                and len(v) == len(printer.parts)
                and all(map(printed, (program,) * len(v), printer.parts, v))
            )
    return isinstance(v, str) or is_int(v)


def is_bag(kind: ir.Kind, v: Any) -> bool:
    """Whether it is a tuple of counts, one for each member."""
    return isinstance(v, tuple) and len(v) == len(kind.members) and all(is_int(n, 0) for n in v)


def slots(game: Game, data: Any) -> list[Any]:
    """The slots of a position, each of the type that its variable or zone has."""
    program = game.program
    if not isinstance(data, list) or len(data) != len(program.initial):
        raise Malformed("the number of slots")
    S = [value(item) for item in data]
    system(program, S)
    covered = set(range(ir.SYSTEM_SLOTS))
    for variable in program.variables:
        for slot in range(variable.base, variable.base + variable.size):
            covered.add(slot)
            unset = S[slot] is None and program.initial[slot] is None
            if not unset and S[slot] != program.initial[slot]:
                check(printed(program, variable.printer, S[slot]), program, slot)
    for zone in program.zones:
        for slot in range(zone.base, zone.base + zone.size):
            covered.add(slot)
            kind = program.kinds[zone.kind]
            if zone.counts:
                check(is_bag(kind, S[slot]), program, slot)
                continue
            content = S[slot]
            check(isinstance(content, tuple), program, slot)
            check(all(is_int(p, 0, len(kind.members) - 1) for p in content), program, slot)
            check(len(set(content)) == len(content), program, slot)
            check(zone.order == "pile" or list(content) == sorted(content), program, slot)
            check(all(S[(kind.location or 0) + p] == slot for p in content), program, slot)
    for index, kind in enumerate(program.kinds):
        if kind.location is None:
            continue
        homes = {
            slot
            for zone in program.zones
            if zone.kind == index and not zone.counts
            for slot in range(zone.base, zone.base + zone.size)
        }
        for piece in range(len(kind.members)):
            slot = kind.location + piece
            covered.add(slot)
            at = S[slot]
            check(is_int(at) and (at == -1 or (at in homes and piece in S[at])), program, slot)
    for slot, start in enumerate(program.initial):
        if slot not in covered:
            check(not is_int(start) or is_int(S[slot]), program, slot)
            check(not isinstance(start, tuple) or isinstance(S[slot], tuple), program, slot)
    return S


def system(program: ir.Program, S: list[Any]) -> None:
    """The slots that every game has."""
    seat = program.players - 1
    random = S[ir.RANDOM]
    pair = isinstance(random, tuple) and len(random) == 2
    check(
        random is None or (pair and is_int(random[0], 0) and is_int(random[1], 0)),
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
    known = S[ir.KNOWN]
    check(
        isinstance(known, tuple)
        and all(isinstance(p, tuple) and len(p) == 2 for p in known)
        and all(is_int(a, 0, len(S) - 1) and is_int(b, 0, seat) for a, b in known)
        and list(known) == sorted(set(known)),
        program,
        ir.KNOWN,
    )
    lasting = S[ir.LASTING]
    check(
        isinstance(lasting, tuple)
        and all(isinstance(e, tuple) and len(e) == 3 for e in lasting)
        and all(
            is_int(rule, 0) and isinstance(args, tuple) and (end is None or is_int(end)) for rule, args, end in lasting
        ),
        program,
        ir.LASTING,
    )
    check(is_int(S[ir.BATCH], 0, 1000), program, ir.BATCH)


def check(good: bool, program: ir.Program, slot: int) -> None:
    """Raise Malformed, with the slot's name, unless all is well."""
    if not good:
        names = program.slot_names
        raise Malformed(names[slot] if slot < len(names) else f"slot {slot}")


def control(machine: Machine, data: Any) -> Any:
    """A control stack: linked frames, the top one waiting for an answer."""
    if not isinstance(data, list) or len(data) > MAX_FRAMES:
        raise Malformed("the control stack")
    if not data:
        return None
    return frames(machine, data, child=False)


def frames(machine: Machine, data: list[Any], child: bool) -> Any:
    """A stack of frames; a child's stack holds no fork."""
    if not isinstance(data, list) or not 0 < len(data) <= MAX_FRAMES:
        raise Malformed("a stack of frames")
    frame = None
    for number, item in enumerate(reversed(data), 1):
        if not isinstance(item, list) or not item or not is_int(item[0], 0):
            raise Malformed("a frame")
        if item[0] >= len(machine.points):
            raise Malformed("a frame's point")
        point = machine.points[item[0]]
        what = point.instruction
        kept = len(machine.program.points[item[0]].kept)
        top = number == len(data)
        waits: tuple[type, ...] = (ir.Ask, ir.Draw, ir.NextRule, ir.Fork) if top else (ir.Call, ir.CallRule)
        if child and top:
            waits = (ir.Ask,)
        if not isinstance(what, waits):
            raise Malformed("a frame waits where nothing waits")
        values = item[1:]
        if isinstance(what, ir.Fork):
            if len(values) != kept + 1:
                raise Malformed("a frame's locals")
            kids = children(machine, values[-1])
            frame = (item[0], frame, *map(value, values[:-1]), kids)
        else:
            if len(values) != kept:
                raise Malformed("a frame's locals")
            frame = (item[0], frame, *map(value, values))
        if isinstance(what, ir.CallRule):
            check_entry(machine, frame[-1])
        if isinstance(what, ir.NextRule):
            queue = frame[-1]
            if not isinstance(queue, tuple) or len(queue) < 2:
                raise Malformed("a window's queue")
            for entry in queue:
                check_entry(machine, entry)
    return frame


def check_entry(machine: Machine, entry: Any) -> None:
    """An entry of a window's queue."""
    rules = len(machine.program.rules)
    if not isinstance(entry, tuple) or len(entry) != 2 or not is_int(entry[0], 0, rules - 1):
        raise Malformed("a window's entry")
    source = machine.program.rules[entry[0]].source
    args = entry[1] if isinstance(entry[1], tuple) else () if entry[1] is None else (entry[1],)
    wanted = {"plain": 0, "pieces": 1}.get(source, len(args))
    if len(args) != wanted:
        raise Malformed("a window's entry")
    if source == "pieces" and args[0] not in machine.program.rules[entry[0]].pieces:
        raise Malformed("a window's entry")


def children(machine: Machine, data: Any) -> tuple[Any, ...]:
    """The sealed choices of a fork."""
    if not isinstance(data, list) or not data or len(data) > machine.program.players:
        raise Malformed("sealed choices")
    out: list[Any] = []
    for item in data:
        if not isinstance(item, list) or len(item) != 3:
            raise Malformed("sealed choices")
        seat, stack, result = item
        if not is_int(seat, 0, machine.program.players - 1) or (out and seat <= out[-1][0]):
            raise Malformed("sealed choices")
        frame = None if stack is None else frames(machine, stack, child=True)
        if frame is not None and result is not None:
            raise Malformed("sealed choices")
        out.append((seat, frame, value(result)))
    if all(one[1] is None for one in out):
        raise Malformed("sealed choices")
    return tuple(out)


def log(machine: Machine, data: Any) -> Any:
    """The log, as linked entries."""
    if not isinstance(data, list):
        raise Malformed("the log")
    linked: Any = None
    for item in data:
        if not isinstance(item, list) or len(item) != 5:
            raise Malformed("a line of the log")
        procedure, pc, seats, values, masks = (value(part) for part in item)
        text = machine.says.get((procedure, pc))
        players = machine.program.players
        if text is None or not isinstance(values, tuple) or len(values) != len(text.holes):
            raise Malformed("a line of the log")
        if masks is not None and (not isinstance(masks, tuple) or len(masks) != len(values)):
            raise Malformed("a line of the log")
        if seats is not None and not (isinstance(seats, tuple) and all(is_int(p, 0, players - 1) for p in seats)):
            raise Malformed("a line of the log")
        for (_, printer), v in zip(text.holes, values, strict=True):
            if not printed(machine.program, printer, v):
                raise Malformed("a line of the log")
        linked = ((procedure, pc, seats, values, masks), linked)
    return linked


def history(data: Any) -> Any:
    """The answered decisions, as linked entries."""
    if not isinstance(data, list):
        raise Malformed("the history")
    linked: Any = None
    for item in data:
        if not isinstance(item, list) or len(item) != 4 or not isinstance(item[1], str):
            raise Malformed("an answer of the history")
        actor, site, action, v = item
        if not is_int(actor, -1) or not is_int(action):
            raise Malformed("an answer of the history")
        linked = ((actor, site, action, value(v)), linked)
    return linked
