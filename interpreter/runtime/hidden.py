"""What stands in the place of a value that a viewer does not see."""

from __future__ import annotations

from typing import Any, NoReturn


class NotSeen(Exception):
    """Something was looked at that the viewer does not see."""


class Hidden:
    """A value that is there and not seen.  It can lie in a collection and be counted, and no more."""

    __slots__ = ()

    def look(self, *_: Any) -> NoReturn:
        raise NotSeen

    __eq__ = __ne__ = __lt__ = __le__ = __gt__ = __ge__ = look
    __hash__ = __index__ = __int__ = __bool__ = __len__ = __iter__ = __getitem__ = __contains__ = look
    __add__ = __radd__ = __sub__ = __rsub__ = __mul__ = __rmul__ = __neg__ = __abs__ = look
    __floordiv__ = __rfloordiv__ = __mod__ = __rmod__ = __str__ = __repr__ = look


class Share(Hidden):
    """Some of the counts of a bag, of which only the sum of all is seen; `more` is what is known to have been added to them."""

    __slots__ = ("counts", "more", "size", "total")

    def __init__(self, counts: frozenset[int], size: int, total: int, more: int = 0) -> None:
        self.counts = counts
        self.size = size
        self.total = total
        self.more = more

    def __add__(self, other: Any) -> Any:
        if other.__class__ is int:
            return Share(self.counts, self.size, self.total, self.more + other)
        if not isinstance(other, Share) or other.counts & self.counts:
            raise NotSeen
        both, more = self.counts | other.counts, self.more + other.more
        return self.total + more if len(both) == self.size else Share(both, self.size, self.total, more)

    __radd__ = __add__
