"""Entries that rest on the code of this package: no other version of it, and no code that was changed since, is given or makes one."""

from __future__ import annotations

import hashlib
import json
import os
import sys
from collections.abc import Iterable
from functools import cache
from importlib.util import find_spec
from pathlib import Path
from typing import Any

from rulespec.system.store import EntryStore
from rulespec.system.version import IMPORTED, __version__

PACKAGE = Path(__file__).resolve().parent.parent
NOT_CODE = ("__pycache__", "data", "_tools")  # folders of the package on which no program depends
# Libraries on which reading and checking a game depend.
LIBRARIES = ("yaml", "jsonschema", "jsonschema_rs", "lark", "networkx")


class CodeEntries:
    """The entries in a store, of one kind; `code` is the folders of more code on which they depend."""

    def __init__(self, store: EntryStore, kind: Any, code: tuple[Path, ...] = ()) -> None:
        self.store = store
        self.kind = kind
        self.code = code

    def name(self, *parts: Any) -> str | None:
        """The name of an entry; None if this package is not in plain files."""
        made_of = fingerprint(self.code)
        if made_of is None:
            return None
        return hashlib.sha256(json.dumps([made_of[0], self.kind, *parts]).encode()).hexdigest()

    def get(self, *parts: Any) -> Any:
        """The data of an entry, or None."""
        name = self.name(*parts)
        return None if name is None else self.store.get(name)

    def put(self, data: Any, *parts: Any) -> None:
        """Store an entry: see `put_all`."""
        self.put_all([(data, parts)])

    def put_all(self, entries: Iterable[tuple[Any, tuple[Any, ...]]]) -> None:
        """Store entries, unless the code was changed since it was imported: then it is not known what made them."""
        made_of = fingerprint(self.code)
        if made_of is None or made_of[1] > IMPORTED or made_of != measure(self.code):
            return
        for data, parts in entries:
            name = self.name(*parts)
            if name is not None:
                self.store.put(name, data)


@cache
def fingerprint(code: tuple[Path, ...] = ()) -> tuple[str, float] | None:
    """The result of `measure` when this was first called, before anything is made of the code."""
    return measure(code)


def measure(code: tuple[Path, ...] = ()) -> tuple[str, float] | None:
    """A digest of this package, of more folders and of the libraries, and when the newest file was changed; None if that is not known.

    Files are compared by name, size and times: reading them all would take longer than all else.
    """
    try:
        package = [one for folder in (PACKAGE, *code) for one in stamps(folder)]
        origins = [spec.origin for spec in map(find_spec, LIBRARIES) if spec is not None]
        package += [stamp(origin, os.stat(origin)) for origin in origins if origin is not None]
    except (OSError, ValueError):
        return None
    text = repr((__version__, sys.implementation.cache_tag, sorted(package)))
    return hashlib.sha256(text.encode()).hexdigest(), max(changed for *_, changed in package) / 1e9


def stamps(folder: str | Path) -> list[tuple[str, int, int, int]]:
    """The stamps of all files of this package below a folder.  Raises OSError."""
    entries = []
    with os.scandir(folder) as files:
        for file in files:
            if file.is_dir():
                entries += [] if file.name in NOT_CODE else stamps(file.path)
            else:
                entries.append(stamp(file.path, file.stat()))
    return entries


def stamp(file: str, status: os.stat_result) -> tuple[str, int, int, int]:
    """Name, size and times of a file."""
    return file, status.st_size, status.st_mtime_ns, status.st_ctime_ns
