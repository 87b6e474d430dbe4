"""What the look of an entry follows from, so that it need not be worked out again: besides its value perhaps who knows which piece.

Most zones and variables are always seen by the same seats, and most do not change from one decision to the next.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from enum import Enum
from typing import Any, TypeVar

from interpreter.runtime.values import Slots
from interpreter.runtime.visibility import Viewer, sees
from interpreter.setup import Setup
from interpreter.views.alike import alike
from interpreter.views.observation import Entry
from rulespec import ir

T = TypeVar("T")


class Follows(Enum):
    """From what the look of an entry follows, as long as its zone or variable is there."""

    VALUE = "the value"
    NUMBER = "how many pieces lie there and, where anything is known of pieces that are hidden, all that KNOWLEDGE says"
    KNOWLEDGE = "the value, and who knows which hidden piece"
    MORE = "that and other slots"


def follows(setup: Setup, what: ir.Zone | ir.Variable, entry: Entry, viewer: Viewer) -> Follows:
    """From what an entry's look for a viewer follows."""
    sight = setup.machine.sight
    if isinstance(what, ir.Variable):
        return Follows.MORE if not fixed(what.seen) or setup.program.names_pieces(what.type) else Follows.VALUE
    if not fixed(what.seen, what.counted, what.top) or what.kind in alike(setup).groups:
        return Follows.MORE
    if sees(sight.mask([], what.seen, entry[1]), sight.bits(viewer)):
        return Follows.VALUE
    return Follows.NUMBER if what.top.who == "none" and not what.counts else Follows.KNOWLEDGE


def key(S: Slots, slot: int, by: Follows) -> Any:
    """What the look of a slot is kept by, where it does not follow from more."""
    if by is Follows.VALUE:
        return S[slot]
    knowledge = S[ir.KNOWN]
    return (S[slot], knowledge) if knowledge or by is Follows.KNOWLEDGE else len(S[slot])


def finder(
    what: ir.Zone | ir.Variable, by: Follows, kept: Mapping[Any, T], knowledge: bool
) -> Callable[[Any], T | None]:
    """What finds the look of a slot by its value alone, where nothing else matters (or nothing but whether there is any `knowledge`)."""
    if what.scope is None and by is Follows.VALUE:
        return kept.get
    if what.scope is None and by is Follows.NUMBER and not knowledge:
        return lambda pieces, get=kept.get: get(len(pieces))  # type: ignore[misc]
    return nothing


def nothing(_: Any) -> None:
    """In place of what finds a look, where it must be worked out from more than its slot."""


def fixed(*viewers: ir.Viewers) -> bool:
    """Whether who sees something never changes."""
    return all(one.who != "function" for one in viewers)
