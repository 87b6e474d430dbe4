"""A folder of entries: JSON data by name, authenticated with a key of the folder, bounded in size, safe with many writers.

A cache may be missing, full, read-only, damaged or somebody else's: it then has no entries.  No function here raises because
of what is on disk.  Entries of others are refused because the folder belongs to the user and nobody else may write to it,
and because each entry is authenticated with a secret key in that folder that only the user can read.
"""

from __future__ import annotations

import hashlib
import hmac
import json
import os
import re
import stat
import sys
from contextlib import suppress
from pathlib import Path
from typing import Any

from rulespec.system import files

VARIABLE = "RULESPEC_CACHE"
OFF = "off"

MAX_ENTRY = 16 << 20  # bytes of an entry
MAX_TOTAL = 64 << 20  # bytes of all entries
MAX_COUNT = 2_000  # entries
KEPT = 0.75  # of both limits, after the least recently used entries were removed

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


def owned_by_user(status: os.stat_result, forbidden: int) -> bool:
    """Whether a file or folder belongs to the user, and nobody else has any of the forbidden rights to it."""
    if not hasattr(os, "geteuid"):
        return True  # Windows: the rights of a user's folders keep others out
    return status.st_uid == os.geteuid() and not status.st_mode & forbidden


class EntryStore:
    """The entries in a folder, which need not exist yet."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder

    def get(self, name: str) -> Any:
        """The data of an entry; None if there is none that is authentic.  `name` is 64 hexadecimal digits."""
        key = self.key() if self.trusted() else None
        path = self.path(name)
        content = None if key is None else read_own(path, MAX_ENTRY + 1024, 0o022)
        if key is None or content is None or not content.startswith(MARK):
            return None
        head, _, body = content.partition(b"\n")
        if not hmac.compare_digest(head, MARK + seal(key, name, body)):
            return None
        try:
            data = json.loads(body)
        except (ValueError, RecursionError):
            return None
        with suppress(OSError):
            os.utime(path)  # last use, for `trim`
        return data

    def put(self, name: str, data: Any) -> None:
        """Store an entry, if that is possible."""
        try:
            body = json.dumps(data, separators=(",", ":"), allow_nan=False).encode()
        except (ValueError, RecursionError):
            return
        if len(body) > MAX_ENTRY:
            return
        with suppress(OSError):
            self.make()
            key = (self.key() or self.new_key()) if self.trusted() else None
            if key is not None:
                content = MARK + seal(key, name, body) + b"\n" + body
                files.replace(self.path(name), content, mode=files.PRIVATE, keep_mode=False)
                self.trim()

    def make(self) -> None:
        """Make the folder, unless it exists, or root would make it in somebody's home.  Raises OSError."""
        above = next((folder for folder in (self.folder, *self.folder.parents) if folder.exists()), None)
        if above is None or above == self.folder:
            return
        if not hasattr(os, "geteuid") or os.stat(above).st_uid in (os.geteuid(), 0):
            self.folder.mkdir(mode=0o700, parents=True, exist_ok=True)

    def path(self, name: str) -> Path:
        """The file of an entry."""
        return self.folder / f"{name}.json"

    def trusted(self) -> bool:
        """Whether the folder exists, belongs to the user, and nobody else may write to it."""
        try:
            status = os.stat(self.folder)
        except OSError:
            return False
        return stat.S_ISDIR(status.st_mode) and owned_by_user(status, 0o022)

    def key(self) -> bytes | None:
        """The secret key of this folder; None if there is none, or others could read it."""
        key = read_own(self.folder / "key", KEY_BYTES, 0o077)
        return key if key is not None and len(key) == KEY_BYTES else None

    def new_key(self) -> bytes | None:
        """A new secret key, or the one that another process made at the same time.  Raises OSError."""
        files.replace(self.folder / "key", os.urandom(KEY_BYTES), mode=files.PRIVATE, keep_mode=False)
        return self.key()

    def trim(self) -> None:
        """Remove the least recently used entries, if there are too many, and temporary files that were never finished."""
        files.remove_leftovers(self.folder)
        entries: list[tuple[int, int, str]] = []
        with os.scandir(self.folder) as listing:
            for file in listing:
                try:
                    status = file.stat(follow_symlinks=False)
                except OSError:
                    continue  # removed by somebody else
                if ENTRY.fullmatch(file.name):
                    entries.append((status.st_mtime_ns, status.st_size, file.path))
        size, count = sum(entry[1] for entry in entries), len(entries)
        if size <= MAX_TOTAL and count <= MAX_COUNT:
            return
        for _, own_size, path in sorted(entries):
            if size <= MAX_TOTAL * KEPT and count <= MAX_COUNT * KEPT:
                break
            files.remove(Path(path))
            size, count = size - own_size, count - 1


def seal(key: bytes, name: str, body: bytes) -> bytes:
    """What proves that an entry with this name was written by whoever has the key."""
    return hashlib.blake2b(name.encode() + b"\n" + body, key=key, digest_size=32).hexdigest().encode()


def read_own(path: Path, limit: int, forbidden: int) -> bytes | None:
    """The content of a plain file of the user, None if it is not one, is longer, or others have a forbidden right to it."""
    flags = os.O_RDONLY
    for name in ("O_BINARY", "O_CLOEXEC", "O_NOFOLLOW", "O_NONBLOCK"):  # a pipe must not block
        flags |= getattr(os, name, 0)
    try:
        handle = os.open(path, flags)
        with os.fdopen(handle, "rb") as file:
            status = os.fstat(handle)
            if not stat.S_ISREG(status.st_mode) or not owned_by_user(status, forbidden) or status.st_size > limit:
                return None
            content = file.read(limit + 1)
    except (OSError, ValueError):
        return None
    return content if len(content) <= limit else None
