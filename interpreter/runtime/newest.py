"""What was worked out of objects that never change, such as the slots of a position: the newest of it is kept."""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Callable, Hashable
from typing import Any, Generic, TypeVar

V = TypeVar("V")
Key = tuple[tuple[int, ...], Hashable]


class Newest(Generic[V]):
    """Values by the identity of the objects that they were worked out of, and by what else they depend on; at most so many.

    The objects are kept with their value, so that nothing else gets their ids.
    """

    def __init__(self, most: int) -> None:
        self.most = most
        self.kept: OrderedDict[Key, tuple[tuple[Any, ...], V]] = OrderedDict()

    def recall(self, objects: tuple[Any, ...], of: Hashable) -> V | None:
        """The value that is kept, or None."""
        entry = self.kept.get((tuple(map(id, objects)), of))
        return None if entry is None else entry[1]

    def keep(self, objects: tuple[Any, ...], of: Hashable, value: V) -> V:
        """Keep a value, and give it back; the oldest goes where there are too many."""
        self.kept[tuple(map(id, objects)), of] = objects, value
        if len(self.kept) > self.most:
            self.kept.popitem(last=False)  # in one go: several threads may keep
        return value

    def once(self, objects: tuple[Any, ...], of: Hashable, work: Callable[[], V]) -> V:
        """The value that is kept; worked out where there is none."""
        entry = self.kept.get((tuple(map(id, objects)), of))
        return self.keep(objects, of, work()) if entry is None else entry[1]
