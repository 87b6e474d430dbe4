"""How entries of an observation look to a viewer, worked out anew only where something has changed from which a look follows.

Most zones and variables are always seen by the same seats, and most do not change from one decision to the next.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from enum import Enum
from typing import Any, Generic, TypeVar

from interpreter.runtime.renaming import Renaming
from interpreter.runtime.values import Slots
from interpreter.runtime.visibility import Entry, Viewer, sees
from interpreter.setup import Setup
from interpreter.views.alike import alike
from interpreter.views.observation import UNSEEN, variable_entry, zone_entry
from rulespec import ir

T = TypeVar("T")
MOST_KEPT = 256  # looks of one entry


class Follows(Enum):
    """From what the look of an entry follows, as long as its zone or variable is there."""

    VALUE = "the value"
    NUMBER = "how many pieces lie there and, where anything is known of pieces that are hidden, all that KNOWLEDGE says"
    KNOWLEDGE = "the value, and who knows which hidden piece"
    MORE = "that and other slots"


class Look(Generic[T]):
    """One entry for one viewer: `made` makes what is kept of its JSON data, `unseen` is there instead where nothing of it is seen."""

    def __init__(
        self,
        setup: Setup,
        what: ir.Zone | ir.Variable,
        entry: Entry,
        viewer: Viewer,
        made: Callable[[Any], T],
        unseen: T,
    ) -> None:
        self.setup, self.what, self.entry, self.made, self.unseen = setup, what, entry, made, unseen
        self.bits = setup.machine.sight.bits(viewer)
        self.follows = self.follows_from()
        self.kept: dict[Any, T] = {}

    def follows_from(self) -> Follows:
        """From what it follows."""
        setup, what, sight = self.setup, self.what, self.setup.machine.sight
        if isinstance(what, ir.Variable):
            return Follows.MORE if not fixed(what.seen) or setup.program.names_pieces(what.type) else Follows.VALUE
        if not fixed(what.seen, what.counted, what.top) or what.kind in alike(setup).groups:
            return Follows.MORE
        if sees(sight.mask([], what.seen, self.entry[1]), self.bits):
            return Follows.VALUE
        return Follows.NUMBER if what.top.who == "none" and not what.counts else Follows.KNOWLEDGE

    def finder(self, knowledge: bool) -> Callable[[Any], T | None]:
        """What finds it by the value alone, where nothing else matters; `knowledge`: whether anything is known of hidden pieces."""
        get = self.kept.get
        if self.what.scope is None and self.follows is Follows.VALUE:
            return get
        if self.what.scope is None and self.follows is Follows.NUMBER and not knowledge:
            return lambda pieces: get(len(pieces))
        return nothing

    def at(self, S: Slots, renaming: Renaming) -> T:
        """The look of a position."""
        if self.what.scope is not None and not S[self.what.scope]:
            return self.unseen
        if self.follows is Follows.MORE:
            return self.worked_out(S, renaming)
        key = self.key(S)
        look = self.kept.get(key)
        if look is None:
            look = self.worked_out(S, renaming)
            if len(self.kept) >= MOST_KEPT:
                self.kept.clear()
            self.kept[key] = look
        return look

    def key(self, S: Slots) -> Any:
        """What it is kept by."""
        value, knowledge = S[self.entry[0]], S[ir.KNOWN]
        if self.follows is Follows.VALUE:
            return value
        return (value, knowledge) if knowledge or self.follows is Follows.KNOWLEDGE else len(value)

    def worked_out(self, S: Slots, renaming: Renaming) -> T:
        """The look of what is there."""
        if isinstance(self.what, ir.Variable):
            data = variable_entry(self.setup, S, self.what, self.entry, self.bits, renaming)
        else:
            data = zone_entry(self.setup, S, self.what, self.entry, self.bits, renaming)
        return self.unseen if data is UNSEEN else self.made(data)


class Looks(Generic[T]):
    """Several of one viewer, in their order."""

    def __init__(self, looks: Sequence[Look[T]]) -> None:
        self.looks = looks
        self.finders = [[(look.finder(known), look.entry[0]) for look in looks] for known in (False, True)]

    def __iter__(self) -> Iterator[Look[T]]:
        return iter(self.looks)

    def at(self, S: Slots, renaming: Renaming) -> list[T]:
        """The looks of a position."""
        found: list[Any] = [find(S[slot]) for find, slot in self.finders[bool(S[ir.KNOWN])]]
        if None in found:
            for n, look in enumerate(self.looks):
                if found[n] is None:
                    found[n] = look.at(S, renaming)
        return found


def nothing(_: Any) -> None:
    """In place of what finds a look, where it must be worked out from more than its slot."""


def fixed(*viewers: ir.Viewers) -> bool:
    """Whether who sees something never changes."""
    return all(one.who != "function" for one in viewers)
