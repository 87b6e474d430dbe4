"""The frames of a position with those locals only that a seat can know; `Hidden` stands for the others.

Which these are follows from who was asked what and from where control is, never from what others answered: that a local is
shown or not tells nothing.
"""

from __future__ import annotations

from typing import Any

from interpreter.position import Position
from interpreter.runtime.hidden import Hidden
from interpreter.runtime.values import Frame
from interpreter.views.glimpse import dimmed
from interpreter.views.provenance import SECRET, Provenance
from interpreter.views.since import Since
from rulespec import ir


class Frames:
    """What a seat knows of the frames of a position, as far as a program's provenance tells.

    `before` is what was known of the frames before an answer that hid what came of it, None where nothing was; `told` is whether the
    seat knows that answer.  What surely waited on is as it was; what ran since may follow from what was known.
    """

    def __init__(
        self, provenance: Provenance, position: Position, seat: int, before: Frame | None = None, told: bool = False
    ) -> None:
        self.provenance = provenance
        self.program = provenance.program
        self.seat = seat
        self.slots = position.slots
        self.sight = position.setup.machine.sight
        self.new = frames(position.slots[ir.CONTROL])
        self.asked = position.pending().of(seat) is not None
        # The names of the questions that others have answered.
        self.others = {site for actor, site, _, _ in position.answers() if actor != seat}
        self.old = frames(before)
        self.since: Since | None = None
        if self.old and self.new:
            self.since = Since.after(provenance, self.others, told, self.old, self.new)
        elif self.new and all(actor < 0 for actor, *_ in position.answers()):
            self.since = Since.start(provenance, self.new)

    def stack(self) -> Frame | None:
        """What is known of them."""
        stack: Frame | None = None
        for at, one in enumerate(self.new):
            if self.since is not None and at < self.since.depth:
                stack = (one[0], stack, *self.old[at][2:])
            else:
                stack = self.frame(one, stack, self.since, at, at == len(self.new) - 1)
        return stack

    def frame(self, frame: Frame, parent: Frame | None, since: Since | None, at: int, top: bool) -> Frame:
        """One frame, the one at a depth of those that `since` is about."""
        number, _, *values = frame
        point = self.program.points[number]
        told = self.told(number) if top and self.asked else {}
        shown = []
        for k, value in zip(point.kept, values, strict=False):
            known = value if since is not None and since.knows(at, point.position, k) else self.value(point, k, value)
            shown.append(self.dimmed(told[k], value) if isinstance(known, Hidden) and k in told else known)
        if isinstance(self.program.instruction(number), ir.Fork):
            shown.append(tuple(self.child(child, since, at, point.position) for child in values[-1]))
        return (number, parent, *shown)

    def child(self, child: tuple[Any, ...], since: Since | None, at: int, position: int) -> tuple[Any, ...]:
        """The sealed choice of a player, of the frame at a depth that waits at a position: another's answer is not seen.

        It has one frame, since nothing is called in there.
        """
        seat, frame, result = child
        if frame is None:
            return seat, None, result if seat == self.seat else Hidden()
        within = None if since is None else since.within(at, position)
        return seat, self.frame(frame, None, within, 0, seat == self.seat), result

    def told(self, point: int) -> dict[int, ir.Type]:
        """The locals that a question itself tells, and how they are shown: who is asked, out of what, what the prompt says."""
        site = self.program.site_of(point)
        if site is None:
            return {}
        shown = [(site.player, ir.types.INT), (site.items, ir.Type("list", parts=(site.type,)))]
        shown += [part for part in site.prompt.parts if not isinstance(part, str)]
        return {e.index: printer for e, printer in shown if isinstance(e, ir.Local)}

    def dimmed(self, printer: ir.Type, value: Any) -> Any:
        """What a seat reads of a value that it is shown."""
        return dimmed(
            self.program, printer, value, self.sight.masks(self.slots, printer, value), self.sight.bits(self.seat)
        )

    def value(self, point: ir.Point, local: int, value: Any) -> Any:
        """A local's value, if the seat can know it: if it comes of what all see and of questions that only the seat answered."""
        sources, aside = self.provenance.of(point.procedure, point.position, local)
        if SECRET in sources or any(self.program.sites[site].name in self.others for site in sources):
            return Hidden()
        if aside:
            open_ = self.provenance.closed.open
            return tuple(v if all(low + k in open_ for low in aside) else Hidden() for k, v in enumerate(value))
        return value


def frames(frame: Frame | None) -> list[Frame]:
    """A frame and those that wait for it, the lowest first."""
    out: list[Frame] = []
    while frame is not None:
        out.append(frame)
        frame = frame[1]
    return out[::-1]
