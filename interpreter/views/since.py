"""What follows of the locals of frames from what was known of them before an answer."""

from __future__ import annotations

from collections.abc import Mapping
from collections.abc import Set as AbstractSet
from itertools import pairwise
from typing import Any

from interpreter.runtime.hidden import Hidden
from interpreter.runtime.values import Frame
from interpreter.views.definitions import ARGUMENT, EARLIER, Written
from interpreter.views.provenance import SECRET, Branch, Definition, Key, Provenance
from rulespec import ir
from rulespec.ir.reads import numbers, reads

DEEPEST = 8  # calls within calls whose results are followed


class Activation:
    """A procedure that ran since an answer, and where its locals may have been written since.

    It has begun since, called by an instruction of `caller`; or it went on with the locals `earlier`, and then `told` is the position of
    the answer if the seat knows it.  `others` are the names of the questions that others have answered.
    """

    def __init__(
        self,
        provenance: Provenance,
        others: AbstractSet[str],
        procedure: int,
        caller: tuple[Activation, int] | None = None,
    ) -> None:
        self.provenance = provenance
        self.others = others
        self.procedure = procedure
        self.caller = caller
        self.code = provenance.program.procedures[procedure].code
        self.definitions = provenance.definitions[procedure]
        self.written: list[Written | None] = provenance.unasked.begun(procedure)
        self.earlier: Mapping[int, Any] = {}
        self.resumed: int | None = None
        self.callee: Activation | None = None  # what it waited for
        self.told = False
        self.depth: int = 0 if caller is None else caller[0].depth + 1
        # What holds if all else that is in it holds; shared by all activations of one question.
        self.assumed: set[tuple[Activation, Key]] = set() if caller is None else caller[0].assumed

    def went_on(self, frame: Frame, told: bool, callee: Activation | None) -> None:
        """It has not begun since, but gone on from a frame that waited for an answer, or for another that went on."""
        point = self.provenance.program.points[frame[0]]
        self.written = self.provenance.unasked.gone_on(frame[0])
        self.earlier = dict(zip(point.kept, frame[2:], strict=False))
        self.resumed, self.told, self.callee = point.position, told, callee
        if callee is not None:
            self.assumed = callee.assumed

    def knows(self, position: int, local: int) -> bool:
        """Whether the seat knows what a local holds before an instruction that ran since."""
        written = self.written[position]
        writers = None if written is None else written.get(local)
        if not writers or not all(self.wrote(writer, local) for writer in writers):
            return False
        return self.decided(self.definitions.merging(position, writers))

    def wrote(self, writer: int, local: int) -> bool:
        """Whether the seat knows what was written into a local at a position."""
        if writer == EARLIER:
            return not hides(self.earlier.get(local))
        if self.provenance.told(self.procedure, writer, local):
            return True
        return self.argument(local) if writer == ARGUMENT else self.key(Definition(self.procedure, writer, local))

    def decided(self, branches: AbstractSet[int]) -> bool:
        """Whether the seat knows how branches went, as far as control came to them."""
        return all(self.key(Branch(self.procedure, at)) for at in branches if self.written[at] is not None)

    def argument(self, local: int) -> bool:
        """Whether the seat knows what it was called with."""
        if self.caller is None:
            return False
        by, at = self.caller
        match by.code[at]:
            case ir.Call(_, args):
                return by.works_out(at, args[local])
            case ir.Fork(_, _, args):
                return local == 0 or by.works_out(at, args[local - 1])  # the first is whose choice it is
        return False

    def works_out(self, at: int, e: ir.Expr | None) -> bool:
        """Whether the seat can work out an expression of an instruction."""
        return not self.provenance.closed.reads(e) and all(self.knows(at, k) for k in numbers(reads(e)))

    def key(self, key: Key) -> bool:
        """Whether nothing decides a key that the seat does not know."""
        if (self, key) in self.assumed:
            return True
        self.assumed.add((self, key))
        if isinstance(key, Definition) and key in self.provenance.aside:
            return False
        if isinstance(key, Definition | Branch):
            called = self.called(key.at)
            if called is not None:
                return called.result() if isinstance(key, Definition) else called.decided(called.definitions.branches)
        inputs = self.provenance.inputs.get(key)
        if inputs is None:
            return True
        # Nobody was asked since, so that no answer came of an instruction that ran since but the one that was waited for.
        hidden = isinstance(key, Definition | Branch) and key.at == self.resumed and not self.told
        direct = inputs.sources if hidden else inputs.sources & {SECRET}
        sources = direct.union(*(self.provenance.sources.get(one, ()) for one in inputs.keys))
        sites = self.provenance.program.sites
        if SECRET in sources or any(sites[site].name in self.others for site in sources):
            return False
        return all(self.knows(position, local) for _, position, local in inputs.locals)

    def called(self, at: int) -> Activation | None:
        """What an instruction called, if that is to be followed."""
        if at == self.resumed:
            return self.callee
        i = self.code[at]
        if isinstance(i, ir.Call) and self.depth < DEEPEST:
            return Activation(self.provenance, self.others, i.procedure, (self, at))
        return None

    def result(self) -> bool:
        """Whether the seat knows what it gave."""
        returns = [at for at, i in enumerate(self.code) if isinstance(i, ir.Return) and self.written[at] is not None]
        return all(self.works_out(at, self.code[at].value) for at in returns) and (  # type: ignore[union-attr]
            len(returns) == 1 or self.decided({branch for at in returns for branch in self.definitions.deciding[at]})
        )


class Since:
    """The frames of a position, the lowest first, as procedures that ran since an answer; those below `depth` surely waited."""

    def __init__(self, frames: list[Activation | None], depth: int, same: bool) -> None:
        self.frames = frames
        self.depth = depth
        self.same = same  # whether the one at the depth may wait where it waited before

    @classmethod
    def after(
        cls, provenance: Provenance, others: AbstractSet[str], told: bool, old: list[Frame], new: list[Frame]
    ) -> Since:
        """After an answer to the frames `old`; `told` is whether the seat knows it."""
        points = provenance.program.points
        depth = provenance.unasked.resumed([frame[0] for frame in old], [frame[0] for frame in new])
        out: list[Activation | None] = [None] * depth
        first: Activation | None = None
        for frame in old[depth:][::-1]:
            above, first = first, Activation(provenance, others, points[frame[0]].procedure)
            first.went_on(frame, told and above is None, above)
        assert first is not None
        return cls([*out, first, *begun(first, new[depth:])], depth, old[depth][0] == new[depth][0])

    @classmethod
    def start(cls, provenance: Provenance, new: list[Frame]) -> Since:
        """Since the beginning of the game."""
        first = Activation(provenance, frozenset(), provenance.program.points[new[0][0]].procedure)
        return cls([first, *begun(first, new)], -1, False)

    def knows(self, at: int, position: int, local: int) -> bool:
        """Whether the seat knows what a local holds of the frame at a depth."""
        frame = self.frames[at]
        if frame is None:
            return False
        before = set(frame.assumed)
        known = frame.knows(position, local)
        if not known:  # what was assumed on the way need not hold
            frame.assumed.clear()
            frame.assumed.update(before)
        return known

    def within(self, at: int, position: int) -> Since | None:
        """The frame of a sealed choice at a depth; None if it may have begun before the answer."""
        frame = self.frames[at]
        if frame is None or (at == self.depth and self.same):
            return None
        code = frame.code[position]
        assert isinstance(code, ir.Fork)
        return Since([Activation(frame.provenance, frame.others, code.procedure, (frame, position))], -1, False)


def begun(first: Activation, frames: list[Frame]) -> list[Activation]:
    """The activations above the first of some frames, which it called since, one the other."""
    points = [first.provenance.program.points[frame[0]] for frame in frames]
    out = [first]
    for below, point in pairwise(points):
        out.append(Activation(first.provenance, first.others, point.procedure, (out[-1], below.position)))
    return out[1:]


def hides(value: Any) -> bool:
    """Whether there is something in a value that is not seen."""
    return isinstance(value, Hidden) or (isinstance(value, tuple) and any(map(hides, value)))
