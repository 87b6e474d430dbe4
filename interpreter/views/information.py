"""Information states: all that a seat has seen and done, with perfect recall.

A seat's information state is the list of what it saw, did and was told, in this order: its observations, its own actions, and the lines
of the log that it reads.  An observation is in it where it differs from the one before, or comes after an action of its own: that it is
asked again is an event for who is asked.  What others do in secret thus leaves no trace, not even a count.  What one step draws is
one event.  Chance is followed as decisions, so that it is the same list however chance was answered.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, NamedTuple

from interpreter.position import Position
from interpreter.runtime.visibility import Viewer
from interpreter.views.alike import names
from interpreter.views.following import followed, step
from interpreter.views.observation import Line, lines, worded
from interpreter.views.seen import quoted, seen

PIECE = 16  # texts that are joined beforehand


class Entries(NamedTuple):
    """Texts in their order, in linked pairs with the newest first; those of long ago also joined, so that few are left to be joined."""

    linked: Any = None
    newest: int = 0  # how many are not in `pieces`
    pieces: Any = None  # linked as well

    def and_then(self, text: str) -> Entries:
        """With one more."""
        linked, newest, pieces = self
        if newest == PIECE:
            newest, pieces = 0, (",".join(listed(linked, newest)), pieces)
        return Entries((text, linked), newest + 1, pieces)

    def joined(self) -> str:
        """As one JSON list."""
        return f"[{','.join([*listed(self.pieces), *listed(self.linked, self.newest)])}]"


def listed(linked: Any, most: int = -1) -> list[str]:
    """Linked texts, all or so many of the newest, the oldest first."""
    texts: list[str] = []
    while linked is not None and len(texts) != most:
        text, linked = linked
        texts.append(text)
    texts.reverse()
    return texts


def news(position: Position, seat: Viewer, entries: Entries, last: tuple[str, str]) -> tuple[Entries, tuple[str, str]]:
    """The entries with what a viewer sees now, if that is news, and what it saw last.

    That chance was asked is no news by itself: it would tell of draws that nobody may see.
    """
    full, bare = seen(position, seat)
    if position.is_chance_node():
        return (entries, last) if bare == last[1] else (entries.and_then(bare), ("", bare))
    return (entries, last) if full == last[0] else (entries.and_then(full), (full, bare))


class Texts:
    """The fold that makes information states: their entries, and what was seen last."""

    name = "information"

    def begin(self) -> Any:
        """Before anything was seen."""
        return Entries(), ("", "")

    def told(self, kept: Any, position: Position, seat: Viewer, lines: Sequence[Line]) -> Any:
        """With lines of the log."""
        entries, last = kept
        for line in lines:
            entries = entries.and_then(f'{{"told":{quoted(worded(position.setup.machine.says, line, seat))}}}')
        return entries, last

    def seen(self, kept: Any, position: Position, seat: Viewer) -> Any:
        """With what is seen now."""
        return news(position, seat, *kept)

    def did(self, kept: Any, before: Position, seat: int, site: str, action: int) -> Any:
        """With what the seat itself answered."""
        name = before.action_to_string(action, seat, names(before, seat))
        entries, (_, bare) = kept
        return entries.and_then(f'{{"at":{quoted(site)},"did":{quoted(name)}}}'), ("", bare)


TEXTS = Texts()


class InformationTracker:
    """The information states of all seats along one line of play; never changed in place.

    Start with `InformationTracker.start(position)`, then `tracker.after(before, position)` for each single
    answered decision.  Both states must have chance as decisions.
    """

    __slots__ = ("kept",)

    def __init__(self, kept: tuple[Any, ...]) -> None:
        self.kept = kept  # for each seat what `TEXTS` has come to

    @property
    def entries(self) -> tuple[Any, ...]:
        """For each seat a linked list (text, rest), the newest first."""
        return tuple(entries.linked for entries, _ in self.kept)

    @classmethod
    def start(cls, position: Position) -> InformationTracker:
        """Before the first decision."""
        return cls((TEXTS.begin(),) * position.setup.num_players).seen(None, position)

    def after(self, before: Position, position: Position) -> InformationTracker:
        """After one decision of `before` has been answered and `position` is the result.

        Raises ValueError if there was more than one answer between them.
        """
        if position.history is None or position.history[1] is not before.history:
            raise ValueError("a tracker follows one answered decision at a time")
        actor, site, action, _ = position.history[0]
        if actor < 0:
            return self.seen(before, position)
        kept = list(self.kept)
        kept[actor] = TEXTS.did(kept[actor], before, actor, site, action)
        return InformationTracker(tuple(kept)).seen(before, position)

    def seen(self, before: Position | None, position: Position) -> InformationTracker:
        """With what each seat was told since the position before, and what it sees now, where that is news."""
        written = lines(position.log, None if before is None else before.log)
        return InformationTracker(
            tuple(step(TEXTS, kept, before, position, written, seat) for seat, kept in enumerate(self.kept))
        )

    def information_state(self, seat: int) -> str:
        """The information state of a seat, as canonical JSON."""
        entries: Entries = self.kept[seat][0]
        return entries.joined()


def information_state(position: Position, seat: Viewer) -> str:
    """The information state of a seat, from what was worked out earlier in its game on.

    A spectator's (seat None) is the list of what a spectator saw.  Raises IllegalAction P009 where no history is kept.
    """
    position.recorded("information state")
    entries: Entries = followed(position, seat, TEXTS)[0]
    return entries.joined()
