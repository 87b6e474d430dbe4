"""Pieces that nobody can tell apart: which options of a question are one option for people.

Two copies of one card are the same to everybody if they look alike, lie in the same place, are known to the same players, and nothing
that the game remembers tells them apart: no variable, no waiting step, no effect that lasts, no rule's limit.  As actions they
stay two, so that each answer has a name of its own; people are shown the first of them.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

from interpreter.questions import Choice, Question
from interpreter.runtime.values import Frame
from rulespec import ir
from rulespec.ir.program import indices_of

UNSURE = ("any", "entry", "choice", "effect", "aside", "frames")  # any number in these may be a piece


def shown_once(question: Question, options: Sequence[Choice]) -> tuple[Choice, ...]:
    """The options without those that are the same to everybody as one before them."""
    first = standing_for(question, options)
    return tuple(option for option in options if first.get(option.action, option.action) == option.action)


def standing_for(question: Question, options: Sequence[Choice]) -> dict[int, int]:
    """For the action of each option that names a piece, the first action of the options that are the same.

    Where several are chosen they are asked for in one order, so that of two copies the second may not be legal where the first is: the
    first that is legal stands for both.
    """
    site = question.site
    if site.type.what != "entity" or site.type.kind is None or site.branches or site.arguments:
        return {}
    kind = question.setup.program.kinds[site.type.kind]
    texts = [option.text for option in options]
    if kind.location is None or len(set(texts)) == len(texts):
        return {}
    pieces = {action: piece for action, piece in question.candidates() if piece.__class__ is int}
    looks: dict[Any, int] = {}
    found: dict[int, int] = {}
    mentions = mentioned(question, kind)
    several = site.tray is not None
    for option in sorted(options, key=lambda option: not option.legal) if several else options:
        if (piece := pieces.get(option.action)) is not None:
            allowed = None if several else (option.legal, option.why)
            look = (option.text, allowed, *identity(question, kind, piece), mentions.get(piece, ()))
            found[option.action] = looks.setdefault(look, option.action)
    return found


def identity(question: Question, kind: ir.Kind, piece: int) -> tuple[Any, ...]:
    """What tells a piece from others of its kind beside where it is mentioned; a piece of a pile has its place there."""
    S, program = question.slots, question.setup.program
    assert kind.location is not None
    slot = kind.location + piece
    at = S[slot]
    zone = next((z for z in program.zones if z.base <= at < z.base + z.size), None)
    place = S[at].index(piece) if zone is not None and zone.order == "pile" and piece in S[at] else None
    known = tuple(sorted(seat for where, seat in S[ir.KNOWN] if where == slot))
    limits = tuple(
        None if rule.counter is None else S[rule.counter + rule.pieces.index(piece)]
        for rule in program.rules
        if rule.kind == kind.index and piece in rule.pieces
    )
    carried = tuple(rule.index for rule in program.rules if rule.kind == kind.index and piece in rule.pieces)
    printed = tuple(field.values[piece] for field in kind.fields)
    named = piece if piece in kind.named else None
    return kind.labels[piece], printed, named, at, place, known, carried, limits


def mentioned(question: Question, kind: ir.Kind) -> dict[int, tuple[Any, ...]]:
    """Where each piece of a kind is mentioned: in variables and their indices, waiting steps, and what lasts."""
    S, program = question.slots, question.setup.program
    places: dict[int, list[Any]] = {}

    def note(t: ir.Type, value: Any, path: Any) -> None:
        for where, piece in within(program, t, value, kind.index, path):
            places.setdefault(piece, []).append(where)

    for variable in program.variables:
        sizes = [len(program.kinds[one].members) for one in variable.per]
        for offset in range(variable.size):
            at = indices_of(sizes, offset)
            of_kind = [n for n, one in enumerate(variable.per) if one == kind.index]
            value = S[variable.base + offset]
            for n in of_kind:
                others = tuple(index for k, index in enumerate(at) if k != n)
                places.setdefault(at[n], []).append((variable.base, n, others, repr(value)))
            note(variable.type, value, (variable.base, offset))
    for number, frame in enumerate(frames(question.frame, S[ir.CONTROL])):
        point = program.points[frame[0]]
        types = program.procedures[point.procedure].locals
        for k, value in zip(point.kept, frame[2:], strict=False):
            note(types[k], value, (number, k))
        note(ir.types.ANY, frame[2 + len(point.kept) :], (number, "sealed"))
    note(ir.types.ANY, S[ir.LASTING], "lasting")
    return {piece: tuple(sorted(map(repr, where))) for piece, where in places.items()}


def frames(top: Frame, control: Any) -> Iterator[Frame]:
    """The waiting frames, those of the one who is asked first; what another has sealed is within the last of them."""
    at: Any = top
    while at is not None:
        yield at
        at = at[1]
    if control is not top:
        while control is not None:
            yield control
            control = control[1]


def within(program: ir.Program, t: ir.Type, value: Any, kind: int, path: Any) -> Iterator[tuple[Any, int]]:
    """(where, piece) of each piece of a kind in a value of a type."""
    if value is None:
        return
    if t.what == "entity":
        if t.kind == kind:
            yield path, value
    elif t.what == "option":
        yield from within(program, t.parts[0], value, kind, path)
    elif t.what == "set":
        for item in value:
            yield from within(program, t.parts[0], item, kind, path)
    elif t.what == "list":
        for n, item in enumerate(value):
            yield from within(program, t.parts[0], item, kind, (path, n))
    elif t.what in ("record", "pack"):
        for n, (part, item) in enumerate(zip(t.parts, value, strict=True)):
            yield from within(program, part, item, kind, (path, n))
    elif t.what == "bag":
        if t.kind == kind:
            for piece, number in enumerate(value):
                yield (path, number), piece
    elif t.what == "text" and value.__class__ is tuple:
        for n, item in enumerate(value):
            if item.__class__ is not str:
                yield from within(program, program.printers[item[0]], item[1], kind, (path, n))
    elif t.what in UNSURE:
        for n, number in enumerate(numbers(value)):
            yield (path, n), number


def numbers(value: Any) -> Iterator[int]:
    """All numbers in a value."""
    if value.__class__ is int:
        yield value
    elif value.__class__ is tuple:
        for item in value:
            yield from numbers(item)
