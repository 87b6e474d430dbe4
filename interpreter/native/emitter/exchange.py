"""Positions as lists of numbers: what `rs_export` writes and `rs_import` reads, as the slots that every back end shares.

A `Layout` says in which order the numbers stand and what they mean.  It is data, so that it can lie beside a compiled object.  A list
is: seeded, seed, counter; the slots by groups; of each kind of pieces who knows them; lasting effects; the frames from the lowest;
and of sealed choices, if they are open, each seat's.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import asdict
from itertools import islice, zip_longest
from typing import Any

from interpreter.runtime.effects import everybody
from interpreter.runtime.values import Frame, Slots
from rulespec import ir
from rulespec.ir.inhabits import instance_types
from rulespec.system.records import dataclass

NONE = -(1 << 63)
WORD = 1 << 64
# What a value is: "n" number, "t" yes or no, "b" set of numbers, "e" nothing, "p" answer to a menu, "q" entry of a queue, ["l", item],
# ["c", [parts]] (how many, then each), ["r", [parts]], ["m", inner].
Code = Any


class Misfit(Exception):
    """A position that the layout has no place for."""


@dataclass(frozen=True, slots=True)
class Layout:
    """How a position is written.

    `groups`: first slot, number of slots, what each is.  `pieces`: of each kind, the first slot of places and how many.  `frames`: of
    each point what it keeps as (local, what it is), None where the point cannot wait here.  `constants`: of each point the locals
    that always have one value there.  `sealed`: of each point that opens sealed choices what they answer.
    """

    groups: list[tuple[int, int, Code]]
    pieces: list[tuple[int, int]]
    frames: list[list[tuple[int, Code]] | None]
    constants: list[list[tuple[int, Any]]]
    sealed: list[Code | None]
    texts: list[str]
    text: int  # the number of the first text

    def data(self) -> dict[str, Any]:
        """The layout as JSON data."""
        return asdict(self)

    @classmethod
    def of(cls, data: dict[str, Any]) -> Layout:
        """The layout that `data` gave, lists for tuples."""
        constants = [[(k, tupled(v)) for k, v in row] for row in data["constants"]]
        return cls(**{**data, "constants": constants})


def yes_or_no(t: ir.Type) -> bool:
    """Whether the values of a type are bools, or bools and None."""
    return t.what == "bool" or (t.what == "option" and t.parts[0].what == "bool")


def tupled(value: Any) -> Any:
    """Lists as tuples, at every depth."""
    return tuple(map(tupled, value)) if isinstance(value, list) else value


class Exchange:
    """Makes numbers of slots, and slots of numbers."""

    def __init__(self, program: ir.Program, layout: Layout) -> None:
        self.program = program
        self.layout = layout
        self.instances = [instance_types(rule) for rule in program.rules]

    # --- slots to numbers --------------------------------------------------------------------------------------
    def encode(self, S: Slots) -> list[int]:
        """The numbers of a position; raises Misfit."""
        out: list[int] = []
        try:
            random = S[ir.RANDOM]
            seed, counter = random or (0, 0)
            out += [int(random is not None), seed - WORD if seed >= WORD >> 1 else seed, counter]
            for base, size, code in self.layout.groups:
                for value in S[base : base + size]:
                    if value.__class__ is int and code == "n":
                        out.append(value)
                    else:
                        self.put(out, code, value)
            self.put_known(out, S[ir.KNOWN])
            self.put_lasting(out, S[ir.LASTING])
            self.put_frames(out, S[ir.CONTROL])
        except (TypeError, ValueError, LookupError, OverflowError) as error:
            raise Misfit(str(error)) from None
        return out

    def put(self, out: list[int], code: Code, value: Any) -> None:
        """The numbers of a value."""
        match code:
            case "n" | "t":
                out.append(self.number(value))
            case "b":
                out += (len(value), *value)
            case "e":
                out.append(len(value))
            case "p":
                rule, case = value if isinstance(value, tuple) else (-1, value)
                several = isinstance(case, tuple)
                out += (rule, len(case) if several else -1, *map(self.number, case if several else (case,)))
            case "q":
                rule, args = value
                out += (rule, len(args), *map(self.number, args))
            case ["l", item]:
                out.append(len(value))
                if item == "n":
                    out += map(self.number, value)
                else:
                    for one in value:
                        self.put(out, item, one)
            case ["c", parts]:
                out.append(len(value))
                for part, one in zip(parts, value, strict=True):
                    self.put(out, part, one)
            case ["r", parts]:
                for part, one in zip(parts, value, strict=True):
                    self.put(out, part, one)
            case ["m", inner]:
                out.append(int(value is not None))
                if value is not None:
                    self.put(out, inner, value)

    def number(self, value: Any) -> int:
        """The number of a scalar."""
        if value.__class__ is int:
            return value
        if value is None:
            return NONE
        if isinstance(value, str):
            return self.layout.text + self.layout.texts.index(value)
        if not isinstance(value, int):
            raise Misfit("a collection where a number is kept")
        return int(value)

    def put_known(self, out: list[int], known: tuple[tuple[int, int], ...]) -> None:
        """Who knows which pieces."""
        looks: dict[int, int] = {}
        for slot, seat in known:
            looks[slot] = looks.get(slot, 0) | 1 << seat
        for base, size in self.layout.pieces:
            out += [looks.get(slot, 0) for slot in range(base, base + size)]

    def put_lasting(self, out: list[int], lasting: tuple[Any, ...]) -> None:
        """The lasting effects."""
        out.append(len(lasting))
        for rule, args, tag in lasting:
            out += (rule, len(args), NONE if tag is None else tag, *map(self.number, args))

    def put_frames(self, out: list[int], frame: Frame | None) -> None:
        """A stack of frames, and sealed choices that are open on top."""
        frames: list[Frame] = []
        while frame is not None:
            frames.append(frame)
            frame = frame[1]
        out.append(len(frames))
        for one in reversed(frames):
            point = one[0]
            kept = self.layout.frames[point]
            if kept is None:
                raise Misfit("a frame that never waits here")
            values = dict(zip(self.program.points[point].kept, one[2:], strict=False))
            out.append(point)
            for local, code in kept:
                self.put(out, code, values[local])
        if frames and self.layout.sealed[frames[0][0]] is not None:
            self.put_children(out, self.layout.sealed[frames[0][0]], frames[0][-1])

    def put_children(self, out: list[int], code: Code, children: tuple[Any, ...]) -> None:
        """Sealed choices: of each seat whether it takes part, its frames or what it answered."""
        by_seat = {seat: (waiting, result) for seat, waiting, result in children}
        for seat in range(self.program.players):
            if seat not in by_seat:
                out.append(0)
                continue
            waiting, result = by_seat[seat]
            out.append(2 if waiting is None else 1)
            if waiting is None:
                self.put(out, code, result)
            else:
                self.put_frames(out, waiting)

    # --- numbers to slots --------------------------------------------------------------------------------------
    def decode(self, numbers: list[int]) -> Slots:
        """The slots of a position."""
        it = iter(numbers)
        S: Slots = list(self.program.initial)
        seeded, seed, counter = next(it), next(it), next(it)
        S[ir.RANDOM] = (seed % WORD, counter) if seeded else None
        for base, size, code in self.layout.groups:
            for slot in range(base, base + size):
                S[slot] = self.get(it, code)
        S[ir.KNOWN] = tuple(sorted(self.get_known(it)))
        S[ir.LASTING] = tuple(self.get_lasting(it))
        S[ir.CONTROL] = self.get_frames(it)
        return S

    def get(self, it: Iterator[int], code: Code) -> Any:
        """A value."""
        match code:
            case "n":
                return self.scalar(next(it))
            case "t":
                return self.truth(next(it))
            case "b":
                return tuple(next(it) for _ in range(next(it)))
            case "e":
                next(it)
                return ()
            case "p":
                rule, size = next(it), next(it)
                if size >= 0:
                    return rule, self.arguments(it, size, self.instances[rule])
                value = self.scalar(next(it))
                return value if rule < 0 else (rule, value)
            case "q":
                rule, size = next(it), next(it)
                return rule, self.arguments(it, size, self.instances[rule])
            case ["l", item]:
                return tuple(self.get(it, item) for _ in range(next(it)))
            case ["c", parts]:
                return tuple(self.get(it, part) for part in parts[: next(it)])
            case ["r", parts]:
                return tuple(self.get(it, part) for part in parts)
            case ["m", inner]:
                return self.get(it, inner) if next(it) else None
        raise Misfit(f"no such layout: {code}")

    def scalar(self, number: int) -> Any:
        """A number, a text or None."""
        if number == NONE:
            return None
        first, texts = self.layout.text, self.layout.texts
        return texts[number - first] if first <= number < first + len(texts) else number

    def truth(self, number: int) -> bool | None:
        """Yes, no or None."""
        return None if number == NONE else bool(number)

    def arguments(self, it: Iterator[int], size: int, types: tuple[ir.Type, ...]) -> tuple[Any, ...]:
        """The arguments of a rule, or of what lasts."""
        numbers = islice(it, size)
        return tuple(
            self.truth(x) if t is not None and yes_or_no(t) else self.scalar(x)
            for x, t in zip_longest(numbers, types[:size])
        )

    def get_known(self, it: Iterator[int]) -> Iterator[tuple[int, int]]:
        """Who knows which pieces."""
        for base, size in self.layout.pieces:
            for slot in range(base, base + size):
                seats = next(it)
                yield from ((slot, seat) for seat in everybody(self.program) if seats >> seat & 1)

    def get_lasting(self, it: Iterator[int]) -> Iterator[tuple[Any, ...]]:
        """The lasting effects."""
        for _ in range(next(it)):
            rule, size, tag = next(it), next(it), next(it)
            yield rule, self.arguments(it, size, self.program.lastings[rule]), self.scalar(tag)

    def get_frames(self, it: Iterator[int]) -> Frame | None:
        """A stack of frames, and the sealed choices on top of it."""
        frame: Frame | None = None
        for _ in range(next(it)):
            point = next(it)
            values = {local: self.get(it, code) for local, code in self.layout.frames[point] or ()}
            values.update(self.layout.constants[point])
            frame = (point, frame, *(values.get(local) for local in self.program.points[point].kept))
        if frame is not None and self.layout.sealed[frame[0]] is not None:
            frame = (*frame, tuple(self.get_children(it, self.layout.sealed[frame[0]])))
        return frame

    def get_children(self, it: Iterator[int], code: Code) -> Iterator[tuple[Any, ...]]:
        """Sealed choices."""
        for seat in range(self.program.players):
            state = next(it)
            if state == 1:
                yield seat, self.get_frames(it), None
            elif state == 2:
                yield seat, None, self.get(it, code)
