"""A folder of entries: JSON data by name, authenticated with a key of the folder, bounded in size, safe with many writers.

A cache may be missing, full, read-only, damaged or somebody else's: it then has no entries.  No function here raises because
of what is on disk.  Entries of others are refused because the folder belongs to the user and nobody else may write to it
or to those above it (`folders.own_folder`), and because each entry is authenticated with a secret key in that folder that
only the user can read.
"""

from __future__ import annotations

import hashlib
import hmac
import json
import os
import re
import stat
import sys
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager, suppress
from pathlib import Path
from typing import Any, BinaryIO

from rulespec.system import files
from rulespec.system.folders import OTHERS_WRITE, Folder, own_folder, owned_by_user

VARIABLE = "RULESPEC_CACHE"
OFF = "off"

MAX_ENTRY = 16 << 20  # bytes of an entry
MAX_TOTAL = 64 << 20  # bytes of all entries
MAX_COUNT = 2_000  # entries
KEPT = 0.75  # of both limits, after the least recently used entries were removed

KEY = "key"  # the file of the secret
KEY_BYTES = 32
MARK = b"rulespec cache 1 "
ENTRY = re.compile(r"[0-9a-f]{64}\.json")


def default_folder() -> Path | None:
    """The folder that the environment names, or else the platform's folder for caches; None if there is no cache."""
    chosen = os.environ.get(VARIABLE)
    if chosen:
        return None if chosen.casefold() == OFF else Path(chosen).absolute()
    try:
        if sys.platform == "win32":
            local = os.environ.get("LOCALAPPDATA")
            base = Path(local) if local else Path.home() / "AppData" / "Local"
            return base / "rulespec" / "cache"
        if sys.platform == "darwin":
            return Path.home() / "Library" / "Caches" / "rulespec"
        given = Path(os.environ.get("XDG_CACHE_HOME", ""))
        return (given if given.is_absolute() else Path.home() / ".cache") / "rulespec"
    except RuntimeError:  # no home
        return None


class EntryStore:
    """The entries in a folder, which need not exist yet."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder

    @contextmanager
    def opened(self, make: bool = False) -> Iterator[Folder | None]:
        """The folder, held open; None where it is not there, or somebody else could change it (see `own_folder`)."""
        with ExitStack() as stack:
            try:
                folder = stack.enter_context(own_folder(self.folder, make))
            except OSError:
                folder = None
            yield folder

    def get(self, name: str) -> Any:
        """The data of an entry; None if there is none that is authentic.  `name` is 64 hexadecimal digits."""
        with self.opened() as folder:
            return None if folder is None else self.get_from(folder, name)

    def get_from(self, folder: Folder, name: str) -> Any:
        """`get`, from the folder as it was opened."""
        key = secret(folder)
        file = None if key is None else open_own(folder, entry(name), MAX_ENTRY + 1024, OTHERS_WRITE)
        if key is None or file is None:
            return None
        with file:
            content = read_whole(file, MAX_ENTRY + 1024)
            if content is None or not content.startswith(MARK):
                return None
            head, _, body = content.partition(b"\n")
            if not hmac.compare_digest(head, MARK + seal(key, name, body)):
                return None
            try:
                data = json.loads(body)
            except (ValueError, RecursionError):
                return None
            with suppress(OSError):
                folder.touch(entry(name))  # last use, for `trim`
        return data

    def put(self, name: str, data: Any) -> None:
        """Store an entry, if that is possible."""
        with self.opened(make=True) as folder:
            if folder is not None:
                self.put_into(folder, name, data)

    def put_into(self, folder: Folder, name: str, data: Any) -> None:
        """`put`, into the folder as it was opened."""
        try:
            body = json.dumps(data, separators=(",", ":"), allow_nan=False).encode()
        except (ValueError, RecursionError):
            return
        if len(body) > MAX_ENTRY:
            return
        with suppress(OSError):
            key = secret(folder) or new_secret(folder)
            if key is not None:
                files.replace_in(folder, entry(name), MARK + seal(key, name, body) + b"\n" + body)
                trim(folder)


def entry(name: str) -> str:
    """The file of an entry."""
    return f"{name}.json"


def secret(folder: Folder) -> bytes | None:
    """The secret key of a folder; None if there is none, or others could read it."""
    key = read_own(folder, KEY, KEY_BYTES, 0o077)
    return key if key is not None and len(key) == KEY_BYTES else None


def new_secret(folder: Folder) -> bytes | None:
    """A new secret key, or the one that another process made at the same time.  Raises OSError."""
    files.replace_in(folder, KEY, os.urandom(KEY_BYTES))
    return secret(folder)


def trim(folder: Folder) -> None:
    """Remove the least recently used entries, if there are too many, and temporary files that were never finished."""
    files.remove_leftovers(folder)
    entries: list[tuple[int, int, str]] = []
    for name in folder.names():
        if ENTRY.fullmatch(name):
            with suppress(OSError):  # removed by somebody else
                status = folder.status(name)
                entries.append((status.st_mtime_ns, status.st_size, name))
    size, count = sum(entry[1] for entry in entries), len(entries)
    if size <= MAX_TOTAL and count <= MAX_COUNT:
        return
    for _, own_size, name in sorted(entries):
        if size <= MAX_TOTAL * KEPT and count <= MAX_COUNT * KEPT:
            break
        folder.remove(name)
        size, count = size - own_size, count - 1


def seal(key: bytes, name: str, body: bytes) -> bytes:
    """What proves that an entry with this name was written by whoever has the key."""
    return hashlib.blake2b(name.encode() + b"\n" + body, key=key, digest_size=32).hexdigest().encode()


def open_own(folder: Folder, name: str, limit: int, forbidden: int) -> BinaryIO | None:
    """A plain file of the user, open; None if it is not one, is longer, or others have a forbidden right to it."""
    try:
        handle = folder.open(name, os.O_RDONLY | getattr(os, "O_NONBLOCK", 0))  # a pipe must not block
    except (OSError, ValueError):
        return None
    status = os.fstat(handle)
    if stat.S_ISREG(status.st_mode) and owned_by_user(status, forbidden) and status.st_size <= limit:
        return os.fdopen(handle, "rb")
    os.close(handle)
    return None


def read_whole(file: BinaryIO, limit: int) -> bytes | None:
    """All of an open file; None if it is longer."""
    try:
        content = file.read(limit + 1)
    except OSError:
        return None
    return content if len(content) <= limit else None


def read_own(folder: Folder, name: str, limit: int, forbidden: int) -> bytes | None:
    """The content of a file that `open_own` opens, else None."""
    file = open_own(folder, name, limit, forbidden)
    if file is None:
        return None
    with file:
        return read_whole(file, limit)
