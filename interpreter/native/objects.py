"""Shared objects of games on disk: in a folder of the user's own, each known by what it is made of, none trusted that we have not
written.

An object is a file `KEY.so`, and a sealed entry of the same name says what its bytes are (see `rulespec.system.store`).  It is loaded only
if folder and file are the user's and nobody else may write to them, nor to the folders above, and if the bytes are those of the
entry.  What is loaded is the file that was read, by its descriptor.
"""

from __future__ import annotations

import hashlib
import json
import os
import re
import shutil
import sys
import time
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager, suppress
from functools import cache
from itertools import count
from pathlib import Path
from typing import TYPE_CHECKING, Any

from rulespec.system import files
from rulespec.system.folders import OTHERS_WRITE, Folder, Unsafe, own_folder
from rulespec.system.records import dataclass
from rulespec.system.store import EntryStore, default_folder, entry, open_own, read_whole
from rulespec.system.version import __version__
from rulespec.text.quoting import ticked

if TYPE_CHECKING:
    from interpreter.native.compiler import Compiler

FOLDER = "native"
FORMAT = 1
LARGEST = 64 << 20  # bytes of an object
MAX_TOTAL = 256 << 20  # bytes of all objects, and of what the packaged compiler keeps (48 MB, when it was measured)
COMPILERS = "compiler"
DESCRIPTORS = "/proc/self/fd"
NAMES = count(1)  # each is a spelling of its own
OBJECT = re.compile(r"([0-9a-f]{64})\.so")
DAY, MINUTE = 24 * 3600, 60  # seconds; what failed may have been for want of time or memory
# What a system or a compiler says, in English (see `compiling.run`), where a disk is full or memory is short for now.
PASSING = (
    "no space left", "disk quota exceeded", "file size limit", "file too large", "input/output error", "too many open files",
    "cannot allocate memory", "out of memory", "virtual memory exhausted", "resource temporarily unavailable",
    "read-only file system", "permission denied", "memoryerror", "bad_alloc",
)  # fmt: skip
GRACE = 3600  # seconds that an object may be without an entry: its writer writes that next
PACKAGES = (Path(__file__).resolve().parent.parent, Path(files.__file__).resolve().parent.parent)


@dataclass(frozen=True, slots=True)
class Built:
    """An object: its file (None where it could not be made, and then why), its bytes, and the seconds of processor
    time that writing and compiling took."""

    path: Path | None
    size: int = 0
    emitting: float = 0.0
    compiling: float = 0.0
    problem: str = ""
    left: tuple[tuple[str, str], ...] = ()  # see `kit.Written`
    layout: Any = None  # see `kit.Written`
    name: str = ""  # what it is loaded by, while the file is open

    @property
    def handed(self) -> int:
        """How many places of the program have no C."""
        return len(self.left)


class ObjectStore:
    """The objects in a folder, which need not exist yet."""

    def __init__(self, folder: Path) -> None:
        self.entries = EntryStore(folder)
        self.folder = folder

    def get(self, key: str) -> Built | None:
        """An object that can be trusted, or why it could not be made when that was tried; None where neither is known."""
        with self.opened(key) as built:
            return built

    @contextmanager
    def opened(self, key: str) -> Iterator[Built | None]:
        """`get`, with the file open, so that `Built.name` loads the bytes that were looked at."""
        with ExitStack() as stack:
            folder = stack.enter_context(self.entries.opened())
            yield None if folder is None else self.look(folder, key, stack)

    def look(self, folder: Folder, key: str, stack: ExitStack) -> Built | None:
        """`get`, of a folder that is open; the file stays open as long as the stack."""
        match self.entries.get_from(folder, key):
            case {"problem": str(problem), "until": until} if time.time() < until:
                return Built(None, problem=problem)
            case {"sha256": str(digest), "seconds": [emitting, compiling], "left": [*found], "layout": layout}:
                file = open_own(folder, f"{key}.so", LARGEST, OTHERS_WRITE)
                content = None if file is None else read_whole(stack.enter_context(file), LARGEST)
                if file is None or content is None or hashlib.sha256(content).hexdigest() != digest:
                    return None
                path = folder.path / f"{key}.so"
                left = tuple((str(where), str(why)) for where, why in found)
                name = loadable(file.fileno(), path)
                return Built(path, len(content), float(emitting), float(compiling), "", left, layout, name)
        return None

    def put(
        self,
        key: str,
        content: bytes,
        seconds: tuple[float, float],
        left: tuple[tuple[str, str], ...] = (),
        layout: Any = None,
    ) -> Built | None:
        """Keep an object; None where that is not possible.  `layout` is JSON data."""
        digest = hashlib.sha256(content).hexdigest()
        data = {"sha256": digest, "seconds": list(seconds), "left": left, "layout": layout}
        with self.entries.opened(make=True) as folder, suppress(OSError):
            if folder is not None:
                files.replace_in(folder, f"{key}.so", content, mode=0o700)
                self.entries.put_into(folder, key, data)
                self.trim(folder)
        return self.get(key)

    def refuse(self, key: str, problem: str) -> Built:
        """Remember for a day that an object could not be made, so that not every run tries it again; for a minute, where
        the machine was short of something that is soon there again."""
        seconds = MINUTE if any(word in problem.casefold() for word in PASSING) else DAY
        self.entries.put(key, {"problem": problem[:2000], "until": time.time() + seconds})
        return Built(None, problem=problem)

    def beside(self) -> Path | None:
        """The folder in which the packaged compiler keeps its own libraries, within the bound of all; None if it may keep nothing."""
        with self.entries.opened(make=True) as folder:
            return None if folder is None else folder.path / COMPILERS

    def problem(self) -> str:
        """Why nothing can be kept here, in a few words: somebody else could change it; empty where nobody can."""
        try:
            with own_folder(self.folder):
                return ""
        except Unsafe as error:
            return f"{error.strerror}: {ticked(error.filename)}"
        except OSError:
            return ""  # such as one that is not there yet

    def trim(self, folder: Folder) -> None:
        """Remove old objects without an entry and, above the bound of all, those that were used least recently.  Raises OSError."""
        kept: list[tuple[int, int, str]] = []
        for file in folder.names():
            name = OBJECT.fullmatch(file)
            if name is None:
                continue
            with suppress(OSError):  # another process may remove it
                status = folder.status(file)
                used = written(folder, entry(name[1]))
                if used is None and time.time() - status.st_mtime > GRACE:
                    folder.remove(file)
                else:
                    kept.append((status.st_mtime_ns if used is None else used, status.st_size, name[1]))
        libraries = folder.path / COMPILERS
        beside = weight(libraries)
        if beside > MAX_TOTAL // 2:
            shutil.rmtree(libraries, ignore_errors=True)
            beside = 0
        total = beside + sum(size for _, size, _ in kept)
        for _, size, key in sorted(kept):
            if total <= MAX_TOTAL:
                break
            folder.remove(entry(key))
            folder.remove(f"{key}.so")
            total -= size


def loadable(handle: int, path: Path) -> str:
    """What the system's loader takes an open file by: its descriptor.  Where descriptors have no names (macOS), the path, which nobody
    else can give another meaning, as all folders on the way are the user's or root's.

    The loader gives what it has loaded by a name to whoever comes with that name again, and numbers of descriptors are
    used again: each name is spelt in its own way, since `//` and `/./` mean `/`.
    """
    spelling = f"{next(NAMES):b}".translate({ord("0"): "/", ord("1"): "./"})
    name = f"{DESCRIPTORS}/{spelling}{handle}"
    try:
        return name if os.path.samestat(os.stat(name), os.fstat(handle)) else str(path)
    except OSError:
        return str(path)


def weight(folder: Path) -> int:
    """The bytes of all files below a folder; 0 where there is none."""
    total = 0
    for above, _, names in os.walk(folder):
        for name in names:
            with suppress(OSError):
                total += os.lstat(os.path.join(above, name)).st_size
    return total


def written(folder: Folder, name: str) -> int | None:
    """When a file was written or used last, in nanoseconds; None where it is not there."""
    try:
        return folder.status(name).st_mtime_ns
    except OSError:
        return None


def object_store() -> ObjectStore | None:
    """The user's objects; None where nothing is to be kept."""
    folder = default_folder()
    return None if folder is None else ObjectStore(folder / FOLDER)


def key_of(program: str, compiler: Compiler) -> str:
    """What an object is known by: the digest of its program, whatever writes C of it, the compiler and its flags."""
    flags = compiler.flags(0)  # those of larger texts follow from the program
    made_of = [FORMAT, emitter(), sys.byteorder, compiler.identity, *flags, program]
    return hashlib.sha256(json.dumps(made_of).encode()).hexdigest()


@cache
def emitter() -> str:
    """What the code that writes C is made of: all of these packages, by names, sizes and times of their files."""
    stamps: list[Any] = [__version__]
    for package in PACKAGES:
        for folder, inner, names in os.walk(package):
            inner[:] = sorted(name for name in inner if name not in ("__pycache__", "data", "_tools"))
            for name in sorted(names):
                if name.endswith((".py", ".h")):
                    status = os.stat(os.path.join(folder, name))
                    stamps.append([os.path.join(folder, name), status.st_size, status.st_mtime_ns])
    return hashlib.sha256(json.dumps(stamps).encode()).hexdigest()
