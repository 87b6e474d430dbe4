"""What a viewer of a table is sent: its whole view, or what has changed since the one before.  Made once for all who see the same."""

from __future__ import annotations

import hashlib
from typing import Any

from rulespec.system.records import dataclass

from .messages import written
from .patches import difference

WORTH = 0.7  # of the size of a view: a larger patch is not sent


@dataclass(frozen=True, slots=True)
class Shown:
    """A view as the texts that are sent of it: `whole`, and the `patch` that leads there from the view of `before`."""

    at: str
    view: dict[str, Any]
    whole: str
    before: str = ""
    patch: str | None = None

    def text(self, have: str) -> str | None:
        """What leads somebody here who has the view of an `at`; None where he has this one."""
        if have == self.at:
            return None
        return self.patch if self.patch is not None and have == self.before else self.whole


def following(before: Shown | None, seat: str | None, view: dict[str, Any], answers: int, can_undo: bool) -> Shown:
    """The view of a position, which the caller gives away, after the one that the viewer was shown before.

    `seat` is the seat's id, None for spectators; `answers` are those that it has given.
    """
    del view["at"]
    text = written(view)
    at = f"{answers}.{hashlib.sha256(text.encode()).hexdigest()[:16]}{'u' if can_undo else ''}"
    if before is not None and at == before.at:
        return before
    view["at"] = at
    who = {} if seat is None else {"seat": seat}
    undoing = {"can_undo": True} if can_undo else {}
    head = written({"type": "view", **who, "at": at, **undoing, "view": {"at": at}})
    whole = f"{head[:-2]},{text[1:]}}}"  # written once: it is most of what an answer costs
    if before is None:
        return Shown(at, view, whole)
    steps = list(difference(before.view, view))
    patch = written({"type": "patch", **who, "from": before.at, "at": at, **undoing, "patch": steps})
    return Shown(at, view, whole, before.at, patch if len(patch) < WORTH * len(whole) else None)
