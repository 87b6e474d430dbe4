"""What a seat may see of a position, and the log as it may read it."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from typing import Any, TypeVar

from interpreter.position import Position
from interpreter.reference.templates import Template
from interpreter.runtime.faults import Fault
from interpreter.runtime.hidden import Hidden, NotSeen
from interpreter.runtime.renaming import NO_OTHERS, Renaming
from interpreter.runtime.texts import HIDDEN
from interpreter.runtime.values import Slots, exact
from interpreter.runtime.visibility import EVERYTHING, Entry, Viewer, sees, told_to
from interpreter.setup import Setup
from interpreter.views.alike import names
from interpreter.views.glimpse import mask_of_hidden
from interpreter.views.pictures import Onlooker
from rulespec import ir

Declared = TypeVar("Declared", ir.Zone, ir.Variable)
Line = tuple[
    Any, ...
]  # of the log: its procedure and place there, who reads it, its values, who sees each of them, when it was written
UNSEEN = object()  # in place of what a viewer sees nothing of


def observe(position: Position, seat: Viewer, tells_copies: bool = False) -> dict[str, Any]:
    """What a viewer may see, as JSON data.

    `you` (a seat's id, None for a spectator), `to_act`, `asked` (only for who is asked: the site and
    the prompt), `returns` and `winners` at the end, `zones` and `state` by name, `known`: pieces
    that the viewer once saw where they still lie hidden from it, and `shown`: pieces that all saw at once where they still lie hidden
    from some.

    Copies that nobody can tell apart have names as `alike` says; with `tells_copies` each has its own, which no player may be shown.
    """
    setup = position.setup
    renaming = NO_OTHERS if tells_copies else names(position, seat)
    machine = setup.machine
    machine.compiler.refuel()
    seen: dict[str, Any] = {
        "you": None if seat is None or seat < 0 else setup.seats[seat],
        "to_act": to_act(position, seat),
    }
    question = None if seat is None or seat < 0 else position.pending().of(seat)
    if question is not None:
        prompt = question.prompt(seat)
        seen["asked"] = {"at": question.site.name, "prompt": prompt}
    if position.is_terminal():
        seen["returns"] = exact(position.returns())
        winners = position.winners()
        seen["winners"] = None if winners is None else [setup.seats[p] for p in winners]
    seen["zones"] = zones(position, seat, renaming)
    seen["state"] = variables(position, seat, renaming)
    known = known_pieces(position, seat, renaming)
    if known:
        seen["known"] = known
    shown = shown_pieces(position, seat, renaming)
    if shown:
        seen["shown"] = shown
    return seen


def to_act(position: Position, seat: Viewer) -> list[str]:
    """Who is asked.  While choices are sealed nobody learns which of the others have answered."""
    pending = position.pending()
    if pending.chance is not None:
        return ["chance"]
    waiting = {question.seat for question in pending.questions}
    if pending.participants:
        waiting |= {p for p in pending.participants if p != seat}
    return [position.setup.seats[p] for p in sorted(waiting)]


def zones(position: Position, seat: Viewer, renaming: Renaming = NO_OTHERS) -> dict[str, Any]:
    """Every zone that a viewer sees something of."""
    return entries(position, seat, position.setup.program.zones, zone_entry, renaming)


def entries(
    position: Position,
    seat: Viewer,
    declared: Iterable[Declared],
    entry_of: Callable[[Setup, Slots, Declared, Entry, int, Renaming], Any],
    renaming: Renaming,
) -> dict[str, Any]:
    """What a viewer sees of each slot of what is there now, by name."""
    S, sight = position.slots, position.setup.machine.sight
    bits = sight.bits(seat)
    out: dict[str, Any] = {}
    for what in declared:
        if what.scope is None or S[what.scope]:
            for entry in sight.told(S, what, bits):
                content = entry_of(position.setup, S, what, entry, bits, renaming)
                if content is not UNSEEN:
                    out[entry[2]] = content
    return out


def of_pieces(position: Position, seat: Viewer, renaming: Renaming) -> tuple[dict[str, Any], dict[str, Any]]:
    """What a viewer sees of zones and variables of which there is one for each of pieces that may lie hidden, by name."""
    own = position.setup.machine.sight.for_pieces
    zones = [what for what in own if isinstance(what, ir.Zone)]
    variables = [what for what in own if isinstance(what, ir.Variable)]
    return (
        entries(position, seat, zones, zone_entry, renaming),
        entries(position, seat, variables, variable_entry, renaming),
    )


def zone_entry(setup: Setup, S: Slots, zone: ir.Zone, entry: Entry, bits: int, renaming: Renaming) -> Any:
    """What is seen of one slot of a zone, `UNSEEN` if nothing is."""
    machine, program = setup.machine, setup.program
    sight = machine.sight
    slot, indices, _ = entry
    visible = zone.base in sight.seen_by_all or sees(sight.mask(S, zone.seen, indices), bits)
    if not visible and not sees(sight.mask(S, zone.counted, indices), bits):
        return UNSEEN
    content = S[slot]
    if zone.counts:
        return machine.printing.counts(zone.kind, content) if visible else {HIDDEN: sum(content)}
    members, stands = program.kinds[zone.kind].members, renaming.get(zone.kind, {})
    last = len(members)
    if visible:
        items = [stands.get(piece, piece) for piece in content] if stands else list(content)
    elif not S[ir.KNOWN] and zone.top.who == "none":
        items = [last] * len(content)
    else:
        hidden = sight.unseen(S, slot, bits)
        items = [
            last if piece.__class__ is Hidden or piece in hidden else stands.get(piece, piece)
            for piece in content  # some of a glimpse are hidden from whoever had it
        ]
    if zone.order != "pile":
        items.sort()
    return [HIDDEN if item == last else members[item] for item in items]


def variables(position: Position, seat: Viewer, renaming: Renaming = NO_OTHERS) -> dict[str, Any]:
    """Every variable that a viewer may see, and what is shown beside them as far as it follows from what the viewer sees."""
    program = position.setup.program
    out = entries(position, seat, program.variables, variable_entry, renaming)
    if program.shown:
        out |= shown_values(position, seat, renaming)
    return out


def variable_entry(setup: Setup, S: Slots, variable: ir.Variable, entry: Entry, bits: int, renaming: Renaming) -> Any:
    """What is seen of one slot of a variable, `UNSEEN` if nothing is."""
    machine = setup.machine
    slot, indices, _ = entry
    open_to_all = variable.base in machine.sight.seen_by_all
    if not open_to_all and not sees(machine.sight.mask(S, variable.seen, indices), bits):
        return UNSEEN
    value = S[slot]
    if value is None:
        return None
    masks = None if open_to_all else machine.sight.masks(S, variable.type, value)
    return machine.printing.data(variable.type, value, masks, bits, renaming)


def shown_values(position: Position, seat: Viewer, renaming: Renaming) -> dict[str, Any]:
    """What is shown beside the variables, worked out of what a viewer sees; what follows from anything else is left out."""
    machine, program = position.setup.machine, position.setup.program
    bits, onlooker = machine.sight.bits(seat), Onlooker(position, seat)
    out: dict[str, Any] = {}
    for one in program.shown:
        for _, indices, name in machine.sight.entries(one.told):
            try:
                value = onlooker.value(one.function, *indices)
                mask = None if value is None else mask_of_hidden(program, one.told.type, value)
            except (NotSeen, Fault):
                continue
            out[name] = None if value is None else machine.printing.data(one.told.type, value, mask, bits, renaming)
    return out


def known_pieces(position: Position, seat: Viewer, renaming: Renaming = NO_OTHERS) -> dict[str, str]:
    """Pieces that a viewer knows by a look, with the zone where each still lies hidden from it."""
    bits = position.setup.machine.sight.bits(seat)
    return shown_to(position, seat, bits, renaming, lambda seen: not sees(seen, bits))


def shown_pieces(position: Position, seat: Viewer, renaming: Renaming = NO_OTHERS) -> dict[str, str]:
    """Pieces that all were shown at once, with the zone where each still lies hidden from some."""
    sight = position.setup.machine.sight
    return shown_to(position, seat, sight.public, renaming, lambda seen: seen != sight.full)


def shown_to(
    position: Position, seat: Viewer, bits: int, renaming: Renaming, hidden: Callable[[int], bool]
) -> dict[str, str]:
    """Pieces that were shown where they lie to seats with these bits, with the zone, which is seen by seats from whom they are `hidden`."""
    S = position.slots
    setup = position.setup
    sight = setup.machine.sight
    if not S[ir.KNOWN] or seat == EVERYTHING:
        return {}
    out: dict[str, str] = {}
    shown: dict[int, int] = {}
    for slot, who in S[ir.KNOWN]:
        shown[slot] = shown.get(slot, 0) | 1 << who
    for kind in setup.program.kinds:
        if kind.location is None:
            continue
        stands = renaming.get(kind.index, {})
        for piece in sorted(range(len(kind.members)), key=lambda piece: stands.get(piece, piece)):
            if not sees(shown.get(kind.location + piece, 0), bits) or (at := S[kind.location + piece]) < 0:
                continue
            zone, indices = sight.places[at]
            if hidden(sight.mask(S, zone.seen, indices)) and sees(sight.known(S, at), sight.bits(seat)):
                parts = (setup.program.kinds[k].members[v] for k, v in zip(zone.per, indices, strict=True))
                out[kind.members[stands.get(piece, piece)]] = ".".join((zone.name, *parts))
    return out


def log_lines(position: Position, seat: Viewer, since: Any = None) -> list[str]:
    """The lines of the log that a viewer may read, the oldest first; only those that came when the log was `since`."""
    says = position.setup.machine.says
    return [worded(says, line, seat) for line in lines(position.log, since) if told_to(line[2], seat)]


def worded(says: Mapping[tuple[int, int], Template], line: Line, viewer: Viewer) -> str:
    """A line of the log in words, as a viewer reads it."""
    procedure, pc, _, values, masks, _ = line
    return says[procedure, pc].fill(values, masks, viewer)


def lines(log: Any, since: Any = None) -> list[Line]:
    """The lines of a log, the oldest first; only those that came when the log was `since`."""
    out: list[Line] = []
    while log is not None and log is not since:
        line, log = log
        out.append(line)
    out.reverse()
    return out
