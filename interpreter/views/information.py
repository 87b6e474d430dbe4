"""Information states: all that a seat has seen and done, with perfect recall.

A seat's information state is the list of its observations, each where it differs from the one
before, and of its own actions.  What others do in secret thus leaves no trace, not even a count.
Chance is followed as decisions, so that it is the same list however chance was answered.
"""

from __future__ import annotations

from typing import Any

from interpreter.position import Position
from interpreter.runtime.visibility import Viewer
from interpreter.views.alike import names
from interpreter.views.following import followed, step
from interpreter.views.seen import canonical, seen


def news(position: Position, seat: Viewer, entries: Any, last: tuple[str, str]) -> Any:
    """The entries with what a viewer sees now, if that is news, and what it saw last.

    That chance was asked is no news by itself: it would tell of draws that nobody may see.
    """
    full, bare = seen(position, seat)
    if position.is_chance_node():
        return (entries, last) if bare == last[1] else ((bare, entries), ("", bare))
    return (entries, last) if full == last[0] else ((full, entries), (full, bare))


def joined(entries: Any) -> str:
    """Linked entries as one JSON list, the oldest first."""
    parts: list[str] = []
    while entries is not None:
        text, entries = entries
        parts.append(text)
    return f"[{','.join(reversed(parts))}]"


class Texts:
    """The fold that makes information states: linked texts, the newest first, and what was seen last."""

    name = "information"

    def begin(self) -> Any:
        """Before anything was seen."""
        return None, ("", "")

    def seen(self, kept: Any, position: Position, seat: Viewer) -> Any:
        """With what is seen now."""
        return news(position, seat, *kept)

    def did(self, kept: Any, before: Position, seat: int, site: str, action: int) -> Any:
        """With what the seat itself answered."""
        name = before.action_to_string(action, seat, names(before, seat))
        return (canonical({"at": site, "did": name}), kept[0]), kept[1]


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
        return tuple(entries for entries, _ in self.kept)

    @classmethod
    def start(cls, position: Position) -> InformationTracker:
        """Before the first decision."""
        return cls((TEXTS.begin(),) * position.setup.num_players).seen(position)

    def after(self, before: Position, position: Position) -> InformationTracker:
        """After one decision of `before` has been answered and `position` is the result.

        Raises ValueError if there was more than one answer between them.
        """
        if position.history is None or position.history[1] is not before.history:
            raise ValueError("a tracker follows one answered decision at a time")
        actor, site, action, _ = position.history[0]
        if actor < 0:
            return self.seen(position)
        kept = list(self.kept)
        kept[actor] = TEXTS.did(kept[actor], before, actor, site, action)
        return InformationTracker(tuple(kept)).seen(position)

    def seen(self, position: Position) -> InformationTracker:
        """With what each seat sees now, where that is news."""
        return InformationTracker(tuple(step(TEXTS, kept, position, seat) for seat, kept in enumerate(self.kept)))

    def information_state(self, seat: int) -> str:
        """The information state of a seat, as canonical JSON."""
        return joined(self.kept[seat][0])


def information_state(position: Position, seat: Viewer) -> str:
    """The information state of a seat, from what was worked out earlier in its game on.

    A spectator's (seat None) is the list of what a spectator saw.  Raises IllegalAction P009 where no history is kept.
    """
    position.recorded("information state")
    return joined(followed(position, seat, TEXTS)[0])
