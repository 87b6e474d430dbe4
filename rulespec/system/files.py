"""Files that are replaced whole: whoever reads one finds what was there or what is there now, never half of it."""

from __future__ import annotations

import errno
import os
import re
import stat
import time
from contextlib import suppress
from pathlib import Path
from types import ModuleType

from rulespec.system.folders import Folder

try:
    import fcntl as _fcntl

    fcntl: ModuleType | None = _fcntl
except ImportError:  # Windows: a file that is open cannot be deleted there
    fcntl = None

STALE = 3600  # seconds after which a file that was being written is taken for abandoned, where that cannot be asked
TEMPORARY = re.compile(r"\.(?P<name>.+)\.[0-9a-f]{32}\.new")
PRIVATE = 0o600  # rights of a file that its owner alone may read


def replace(
    path: str | os.PathLike[str],
    content: str | bytes,
    *,
    durable: bool = False,
    mode: int = 0o666,
    keep_mode: bool = True,
) -> None:
    """Write a file (text as UTF-8, its line ends as they are) so that it is there whole or as it was.  Raises OSError.

    `durable`: it is on the disk when this returns, whatever happens to the machine afterwards.  `mode` is the rights of a new
    file, less the user's mask; a file that was there keeps its own with `keep_mode`.  Through a symbolic link the file
    behind it is replaced.  What writers that were killed have left behind of this file is removed.
    """
    target = Path(os.path.realpath(path))
    data = content.encode() if isinstance(content, str) else content
    before = mode_of(target)
    replace_in(Folder(target.parent), target.name, data, durable, mode, before if keep_mode else None)
    if durable and os.name == "posix":
        sync_folder(target.parent)


def replace_in(
    folder: Folder, name: str, content: bytes, durable: bool = False, mode: int = PRIVATE, exactly: int | None = None
) -> None:
    """Write a file in a folder so that it is there whole or as it was; a link of that name is itself replaced.  Raises OSError.

    See `replace`; `exactly` is the rights of the file whatever the user's mask.
    """
    remove_leftovers(folder, name)
    temporary, handle = create(folder, name, mode)
    try:
        with os.fdopen(handle, "wb") as file:
            file.write(content)
            file.flush()
            if exactly is not None:
                folder.allow(temporary, exactly)
            if durable:
                os.fsync(handle)
            if fcntl is not None:
                folder.rename(temporary, name)  # while it is still locked
        if fcntl is None:
            folder.rename(temporary, name)
    except BaseException:
        folder.remove(temporary)
        raise


def mode_of(path: Path) -> int | None:
    """The rights of a file that is to be replaced, None if there is none; raises OSError if it is no plain file."""
    try:
        status = os.stat(path)
    except FileNotFoundError:
        return None
    if stat.S_ISDIR(status.st_mode):
        raise IsADirectoryError(errno.EISDIR, os.strerror(errno.EISDIR), str(path))
    if not stat.S_ISREG(status.st_mode):
        raise OSError(errno.EINVAL, "this is no plain file", str(path))
    return stat.S_IMODE(status.st_mode)


def create(folder: Folder, name: str, mode: int) -> tuple[str, int]:
    """A new file beside another, open and locked as long as it is."""
    while True:
        temporary = f".{name}.{os.urandom(16).hex()}.new"
        handle = folder.open(temporary, os.O_WRONLY | os.O_CREAT | os.O_EXCL, mode)
        if lock(handle) is not False and os.fstat(handle).st_nlink:
            return temporary, handle
        os.close(handle)  # somebody took it for abandoned before it was locked
        folder.remove(temporary)


def lock(handle: int) -> bool | None:
    """Lock an open file: False where another process has, None where files cannot be locked."""
    if fcntl is None:
        return None
    try:
        fcntl.flock(handle, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError:
        return False
    except OSError:
        return None
    return True


def remove_leftovers(folder: Folder, name: str | None = None) -> None:
    """Remove what `replace` began to write in a folder and nobody goes on with: of the file `name`, or of all files."""
    with suppress(OSError):
        for found in folder.names():
            match = TEMPORARY.fullmatch(found)
            if match is not None and name in (None, match["name"]):
                remove_abandoned(folder, found)


def remove_abandoned(folder: Folder, name: str) -> None:
    """Remove a file that was being written, unless its writer lives."""
    if fcntl is None:
        folder.remove(name)  # which fails while it is open
        return
    with suppress(OSError):
        handle = folder.open(name, os.O_WRONLY | os.O_NONBLOCK)
        try:
            locked = lock(handle)
            if locked or (locked is None and os.fstat(handle).st_mtime < time.time() - STALE):
                folder.remove(name)
        finally:
            os.close(handle)


def sync_folder(folder: Path) -> None:
    """Make sure that the disk has the names of a folder.  Raises OSError."""
    handle = os.open(folder, os.O_RDONLY)
    try:
        os.fsync(handle)
    finally:
        os.close(handle)
