"""What the disk says of the files of a game: the only module of the package that looks at them or reads them.

Work that is `watched` keeps each question with its answer: as long as all of them are answered as they were (`unchanged`), the work would
come to the same result.
"""

from __future__ import annotations

import errno
import hashlib
import os
import stat
from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import contextmanager
from contextvars import ContextVar
from dataclasses import field
from functools import wraps
from pathlib import Path
from typing import TypeVar

from rulespec.system.records import dataclass

MAX_BYTES = 2_000_000  # of a file
T = TypeVar("T")
Question = tuple[str, str]  # what is asked, of which path
Answer = str | list[str]


@dataclass(slots=True)
class Watch:
    """What was asked, and the answers; `sound` while no question was answered in two ways, or by something that is not on the disk."""

    answers: dict[Question, Answer] = field(default_factory=dict)
    sound: bool = True

    def keep(self, question: Question, answer: Answer) -> None:
        """Store an answer."""
        self.sound &= self.answers.setdefault(question, answer) == answer

    def take(self, other: Watch) -> None:
        """Store the answers that other work was given."""
        self.sound &= other.sound
        for question, answer in other.answers.items():
            self.keep(question, answer)


_WATCH: ContextVar[Watch | None] = ContextVar("watch", default=None)
_UNSAVED: ContextVar[Mapping[Path, str] | None] = ContextVar("unsaved", default=None)


@contextmanager
def watched() -> Iterator[Watch]:
    """Keep what is asked meanwhile; who watches around this is told too."""
    outer, watch = _WATCH.get(), Watch()
    before = _WATCH.set(watch)
    try:
        yield watch
    finally:
        _WATCH.reset(before)
        if outer is not None:
            outer.take(watch)


@contextmanager
def unsaved(texts: Mapping[Path, str]) -> Iterator[None]:
    """Read these texts in place of the files at their (resolved) paths, whether these are there or not: an editor's, not saved yet.

    The result of work that is watched cannot be kept then.
    """
    before = _UNSAVED.set(texts)
    try:
        yield
    finally:
        _UNSAVED.reset(before)


def instead_of(path: str) -> bytes | None:
    """The text that is read in place of a file, if there is one."""
    texts = _UNSAVED.get()
    text = texts.get(Path(path).resolve()) if texts else None
    if text is None:
        return None
    if (watch := _WATCH.get()) is not None:
        watch.sound = False
    return text.encode("utf-8", "surrogatepass")


def rest_on(watch: Watch) -> None:
    """Work that is watched goes by the result of other work."""
    if (own := _WATCH.get()) is not None:
        own.take(watch)


# --- questions ----------------------------------------------------------------------------------------------------------
QUESTIONS: dict[str, Callable[[str], Answer]] = {}


def question(answer: Callable[[T], Answer]) -> Callable[[Callable[[str], T]], Callable[[str | os.PathLike[str]], T]]:
    """A function that looks at a path is a question: its answer is what `answer` says of the result, or the error that it raises."""

    def made(look: Callable[[str], T]) -> Callable[[str | os.PathLike[str]], T]:
        def reply(path: str) -> tuple[Answer, T | None, Exception | None]:
            try:
                found = look(path)
            except OSError as error:
                return f"error {error.errno}", None, error
            except (RuntimeError, ValueError) as error:  # links that lead to each other, a NUL
                return f"error {type(error).__name__}", None, error
            return answer(found), found, None

        @wraps(look)
        def asked(path: str | os.PathLike[str]) -> T:
            text = os.fspath(path)
            told, found, error = reply(text)
            if (watch := _WATCH.get()) is not None:
                watch.keep((look.__name__, text), told)
            if error is not None:
                raise error
            return found  # type: ignore[return-value]

        QUESTIONS[look.__name__] = lambda path: reply(path)[0]
        return asked

    return made


def unchanged(answers: Iterable[tuple[Question, Answer]]) -> bool:
    """Whether the disk says the same again."""
    return all(what in QUESTIONS and QUESTIONS[what](path) == answer for (what, path), answer in answers)


def word(found: str) -> Answer:
    """The answer is the word that was found."""
    return found


def listed(found: list[str]) -> Answer:
    """The answer is the list that was found."""
    return found


def digest(found: tuple[str, bytes]) -> Answer:
    """The answer is what a path is, and a digest of its bytes."""
    return [found[0], hashlib.sha256(found[1]).hexdigest()]


@question(word)
def kind(path: str) -> str:
    """`file`, `folder` or `other`.  Raises OSError, and ValueError for a path that none can have."""
    if instead_of(path) is not None:
        return "file"
    status = os.stat(path)
    return "file" if stat.S_ISREG(status.st_mode) else "folder" if stat.S_ISDIR(status.st_mode) else "other"


@question(word)
def resolved(path: str) -> str:
    """A path without links.  Raises OSError, RuntimeError and ValueError."""
    return str(Path(path).resolve())


@question(listed)
def names(path: str) -> list[str]:
    """What is in a folder, by name.  Raises OSError."""
    return sorted(os.listdir(path))


@question(digest)
def content(path: str) -> tuple[str, bytes]:
    """What a path is, as `kind` says, and the bytes of a file; of one with more than `MAX_BYTES` only that it is `large`.

    Raises OSError and ValueError.
    """
    text = instead_of(path)
    if text is not None:
        return ("file", text) if len(text) <= MAX_BYTES else ("large", b"")
    # The kind and the size first: a pipe would block, and a huge file would fill the memory.
    status = os.stat(path)
    if not stat.S_ISREG(status.st_mode):
        return "folder" if stat.S_ISDIR(status.st_mode) else "other", b""
    if status.st_size > MAX_BYTES:
        return "large", b""
    with open(path, "rb") as file:
        data = file.read(MAX_BYTES + 1)
    return ("file", data) if len(data) <= MAX_BYTES else ("large", b"")


# --- what follows from them ---------------------------------------------------------------------------------------------
def is_file(path: Path) -> bool:
    """Whether a path is that of a file; False for a path that the system refuses."""
    return is_kind(path, "file")


def is_folder(path: Path) -> bool:
    """Whether a path is that of a folder; False for a path that the system refuses."""
    return is_kind(path, "folder")


def is_kind(path: Path, wanted: str) -> bool:
    try:
        return kind(path) == wanted
    except (OSError, ValueError):  # too long a name, links that lead to each other, a NUL
        return False


def files_named(folder: Path, ending: str) -> list[Path]:
    """What is in a folder under a name with an ending; nothing where there is no such folder."""
    try:
        return [folder / name for name in names(folder) if name.endswith(ending)]
    except OSError:
        return []


def place(path: Path) -> Path:
    """A path without links.  Raises OSError, RuntimeError and ValueError."""
    return Path(resolved(path))


def circular(path: Path) -> bool:
    """Whether a path is that of a link that leads to itself, by way of others or not."""
    try:
        kind(path)
    except OSError as error:
        return error.errno == errno.ELOOP
    except ValueError:  # a NUL
        return False
    return False
