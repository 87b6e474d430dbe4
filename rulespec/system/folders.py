"""Folders held by a descriptor, and folders that nobody else can change or replace.

`own_folder` looks at each folder and link on the way to one, as the `StrictModes` of OpenSSH do.  It begins at the root, so that what was
found sound cannot be changed by others while the rest is looked at, and what it gives is the folder itself: names in it
are opened, replaced and removed by its descriptor, and a link among them is never followed.  Windows has neither owners nor descriptors
of this kind; there folders are names, and the rights of a user's folders keep others out.
"""

from __future__ import annotations

import errno
import os
import stat
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from functools import cache
from pathlib import Path

from rulespec.system.records import dataclass

ROOT = 0  # the user who may do everything anyway
OTHERS_WRITE = stat.S_IWGRP | stat.S_IWOTH
MOST_LINKS = 40  # on the way to a folder, as Linux has it
PLAIN = sum(getattr(os, name, 0) for name in ("O_BINARY", "O_CLOEXEC", "O_NOFOLLOW"))


@dataclass(frozen=True, slots=True)
class Folder:
    """A folder: by its descriptor, where it is open, so that it no longer counts what its path means; else by its path."""

    path: Path
    handle: int | None = None

    def open(self, name: str, flags: int, mode: int = 0o600) -> int:
        """A descriptor of a file in it, which is no link.  Raises OSError."""
        return os.open(self._place(name), flags | PLAIN, mode, dir_fd=self.handle)

    def status(self, name: str) -> os.stat_result:
        """What a name in it is; of a link, the link's own.  Raises OSError."""
        return os.stat(self._place(name), dir_fd=self.handle, follow_symlinks=False)

    def rename(self, name: str, new: str) -> None:
        """Give a file another name, in place of the file or link that has it.  Raises OSError."""
        os.replace(self._place(name), self._place(new), src_dir_fd=self.handle, dst_dir_fd=self.handle)

    def remove(self, name: str) -> None:
        """Delete a file, if that is possible."""
        with suppress(OSError):
            os.unlink(self._place(name), dir_fd=self.handle)

    def allow(self, name: str, mode: int) -> None:
        """Set the rights of a file in it.  Raises OSError."""
        os.chmod(self._place(name), mode, dir_fd=self.handle)

    def touch(self, name: str) -> None:
        """Set the times of a file in it to now.  Raises OSError."""
        os.utime(self._place(name), dir_fd=self.handle, follow_symlinks=self.handle is None)

    def names(self) -> list[str]:
        """What is in it.  Raises OSError."""
        return os.listdir(self.path if self.handle is None else self.handle)

    def _place(self, name: str) -> str:
        return name if self.handle is not None else os.path.join(self.path, name)


class Unsafe(PermissionError):
    """Somebody else could change a folder, or what it is: `strerror` says why, `filename` which."""

    def __init__(self, why: str, path: str) -> None:
        super().__init__(errno.EPERM, why, path)


@contextmanager
def own_folder(path: Path, make: bool = False) -> Iterator[Folder]:
    """A folder that belongs to the user, in which nobody else but root can change anything, held open.

    With `make` it is made, with those above it, where they are not there: for the user alone, and never in a folder of others.  Raises
    OSError; of these Unsafe, where somebody else could write to it, or rename it or what leads to it.
    """
    if not hasattr(os, "geteuid"):
        if make:
            path.mkdir(parents=True, exist_ok=True)
        os.stat(path)
        yield Folder(path)
        return
    way = sound_way(path, make)
    handle = os.open(way, os.O_RDONLY | os.O_DIRECTORY | PLAIN)
    try:
        if not owned_by_user(os.fstat(handle), OTHERS_WRITE):
            raise Unsafe("the folder is not only the user's", way)
        yield Folder(Path(way), handle)
    finally:
        os.close(handle)


def sound_way(path: Path, make: bool) -> str:
    """The path of a folder without links; each folder and link on the way is the user's or root's, and nobody else can change one."""
    first, *names = path.absolute().parts
    here, ahead, links = first, names[::-1], 0
    check_folder(os.lstat(here), here)
    while ahead:
        name = ahead.pop()
        if name == os.pardir:
            here = os.path.dirname(here)
            continue
        there = os.path.join(here, name)
        status = status_of(there, make)
        if not stat.S_ISLNK(status.st_mode):
            check_folder(status, there)
            here = there
            continue
        links += 1
        if links > MOST_LINKS:
            raise OSError(errno.ELOOP, os.strerror(errno.ELOOP), there)
        if status.st_uid not in (ROOT, os.geteuid()):
            raise Unsafe("the link belongs to another user", there)
        target = os.readlink(there)
        here = first if os.path.isabs(target) else here
        ahead += [part for part in reversed(target.split(os.sep)) if part not in ("", os.curdir)]
    return here


def status_of(path: str, make: bool) -> os.stat_result:
    """What is at a path, a folder made now where nothing is, with `make`.  Raises OSError."""
    try:
        return os.lstat(path)
    except FileNotFoundError:
        if not make:
            raise
    with suppress(FileExistsError):  # another process may make it at the same time
        os.mkdir(path, 0o700)
    return os.lstat(path)


def check_folder(status: os.stat_result, path: str) -> None:
    """Raise Unsafe unless a folder keeps what is in it from others: it is the user's or root's, and others may not write to it, or, where
    it is sticky as `/tmp` is, may neither rename nor remove what is not theirs."""
    if not stat.S_ISDIR(status.st_mode):
        raise NotADirectoryError(errno.ENOTDIR, os.strerror(errno.ENOTDIR), path)
    if status.st_uid not in (ROOT, os.geteuid()):
        raise Unsafe("the folder belongs to another user", path)
    if status.st_mode & stat.S_ISVTX:
        return
    if status.st_mode & stat.S_IWOTH or (
        status.st_mode & stat.S_IWGRP and not alone_in_group(status.st_gid, os.geteuid())
    ):
        raise Unsafe("others may write to the folder", path)


@cache
def alone_in_group(group: int, user: int) -> bool:
    """Whether a group is the user's or root's own and nobody else is in it: many systems give each user one, with the right to write."""
    import grp  # noqa: PLC0415  (rarely needed, and not there on Windows)
    import pwd  # noqa: PLC0415

    try:
        names = {pwd.getpwuid(one).pw_name for one in (ROOT, user)}
        others = set(grp.getgrgid(group).gr_mem) - names
    except KeyError:
        return False
    users = {one.pw_uid for one in pwd.getpwall() if one.pw_gid == group}
    return bool(users) and users <= {ROOT, user} and not others


def owned_by_user(status: os.stat_result, forbidden: int) -> bool:
    """Whether a file or folder belongs to the user, and nobody else has any of the forbidden rights to it."""
    if not hasattr(os, "geteuid"):
        return True
    return status.st_uid == os.geteuid() and not status.st_mode & forbidden
