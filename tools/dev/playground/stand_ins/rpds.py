"""Stands in for `rpds` where there is only Python: what `referencing` and `jsonschema` use of it."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from typing import Any


class HashTrieMap(Mapping[Any, Any]):
    """A mapping that never changes."""

    def __init__(self, items: Any = (), **more: Any) -> None:
        self._items: dict[Any, Any] = dict(items, **more)

    @classmethod
    def convert(cls, value: Any) -> HashTrieMap:
        """A mapping as one of these."""
        return value if isinstance(value, cls) else cls(value)

    def __getitem__(self, key: Any) -> Any:
        return self._items[key]

    def __iter__(self) -> Iterator[Any]:
        return iter(self._items)

    def __len__(self) -> int:
        return len(self._items)

    def insert(self, key: Any, value: Any) -> HashTrieMap:
        """With one more."""
        return HashTrieMap({**self._items, key: value})

    def remove(self, key: Any) -> HashTrieMap:
        """Without one; raises KeyError."""
        items = dict(self._items)
        del items[key]
        return HashTrieMap(items)

    def update(self, *others: Any, **more: Any) -> HashTrieMap:
        """With those of others."""
        items = dict(self._items)
        for other in others:
            items.update(other)
        return HashTrieMap({**items, **more})


class HashTrieSet(frozenset[Any]):
    """A set that never changes."""

    def insert(self, value: Any) -> HashTrieSet:
        """With one more."""
        return HashTrieSet(self | {value})

    def update(self, *others: Iterable[Any]) -> HashTrieSet:
        """With those of others."""
        return HashTrieSet(self.union(*others))

    def remove(self, value: Any) -> HashTrieSet:
        """Without one."""
        return HashTrieSet(self - {value})


class List(tuple[Any, ...]):
    """A list that never changes."""

    __slots__ = ()

    def __new__(cls, *items: Any) -> List:
        """Of one iterable, or of items."""
        return super().__new__(cls, items[0] if len(items) == 1 and isinstance(items[0], Iterable) else items)

    def push_front(self, value: Any) -> List:
        """With one more at its beginning."""
        return List((value, *self))

    @property
    def first(self) -> Any:
        """The first one."""
        return self[0]

    @property
    def rest(self) -> List:
        """Without the first one."""
        return List(self[1:])
