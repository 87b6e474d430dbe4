"""Games and states for `copy` and `pickle`: how one process hands them to another of the same user.

A game is sent as the data of its program, packed once, and unpacked once in each process.  Nothing here reads untrusted data:
for files there are saves.
"""

from __future__ import annotations

import hashlib
import json
import zlib
from typing import Any, NamedTuple, TypeVar

from interpreter.files.saves import flatten, listed
from interpreter.position import Position, SlotPosition
from interpreter.setup import Setup
from rulespec import ir
from rulespec.ir.codec import decode, encode_with_sources
from rulespec.text.source import Source

P = TypeVar("P", bound=SlotPosition)
Linked = Any  # (newest entry, the rest), or None


class Packed(NamedTuple):
    """A program with its sources as `data`, and two digests: of all that, and of what is the same wherever the files lie (`anywhere`)."""

    digest: str
    data: bytes
    anywhere: str


def packed_program(program: ir.Program) -> Packed:
    """A program as other processes get it."""
    data, sources = encode_with_sources(program)
    texts = [(source.name, source.text) for source in sources]
    packed = zlib.compress(json.dumps([texts, data], separators=(",", ":")).encode(), 1)
    anywhere = json.dumps([[text for _, text in texts], data], separators=(",", ":")).encode()
    return Packed(hashlib.sha256(packed).hexdigest(), packed, hashlib.sha256(anywhere).hexdigest())


def unpacked_program(packed: bytes) -> ir.Program:
    """The program that `packed_program` packed."""
    texts, data = json.loads(zlib.decompress(packed))
    return decode(data, [Source(*text) for text in texts])


def packed_position(position: Position) -> tuple[Any, ...]:
    """A position without its setup, as flat values: slots, log, history, and the positions for undo."""
    log, history = listed(position.log), listed(position.history)
    past = []
    at = position.past
    while at is not None:
        (slots, old_log, old_history, decisions), at = at
        past.append((packed_slots(position.setup, slots), length(old_log), length(old_history), decisions))
    slots = packed_slots(position.setup, position.slots)
    return slots, position.main, position.keeps, position.records, position.decisions, log, history, past


def unpacked_position(kind: type[P], setup: Setup, parts: tuple[Any, ...]) -> P:
    """The position that `packed_position` packed."""
    slots, main, keeps, records, decisions, log, history, past = parts
    position = kind(setup, unpacked_slots(setup, slots), main, keeps, records)
    position.decisions = decisions
    logs, histories = linked(log), linked(history)
    position.log, position.history = logs[-1], histories[-1]
    for old, lines, answers, before in reversed(past):
        position.past = ((unpacked_slots(setup, old), logs[lines], histories[answers], before), position.past)
    return position


def packed_slots(setup: Setup, slots: list[Any]) -> list[Any]:
    """Slots with their control stack as a list of frames."""
    return [flatten(setup.program, slots[ir.CONTROL]), *slots[ir.CONTROL + 1 :]]


def unpacked_slots(setup: Setup, slots: list[Any]) -> list[Any]:
    """The slots that `packed_slots` packed."""
    return [stacked(setup.program, slots[ir.CONTROL]), *slots[ir.CONTROL + 1 :]]


def stacked(program: ir.Program, frames: list[Any]) -> Any:
    """The linked frames of a list, the top first; a fork's children are stacks themselves."""
    frame = None
    for point, *values in reversed(frames):
        if isinstance(program.instruction(point), ir.Fork):
            values[-1] = tuple(
                (seat, None if child is None else stacked(program, child), result) for seat, child, result in values[-1]
            )
        frame = (point, frame, *values)
    return frame


def length(entries: Linked) -> int:
    """How many entries are linked."""
    count = 0
    while entries is not None:
        count, entries = count + 1, entries[1]
    return count


def linked(entries: list[Any]) -> list[Linked]:
    """The linked lists of no entry, the first, the first two, and so on, which share their ends."""
    out: list[Linked] = [None]
    for entry in entries:
        out.append((entry, out[-1]))
    return out
