"""The folder of a studio: the games in it, and their files.  Nothing else is read for the page, and nothing else written.

A file is named by its path from the folder of its game.  No part of such a name is hidden or a link, so that it leads nowhere else.
"""

from __future__ import annotations

import hashlib
import os
import re
from collections.abc import Iterator
from contextlib import suppress
from functools import cached_property
from pathlib import Path
from typing import Any

from rulespec.loading.owner import main_in
from rulespec.loading.reading import read_head, read_root
from rulespec.system import files
from rulespec.system.records import dataclass
from rulespec.system.resources import games_dir
from rulespec.text.disk import MAX_BYTES, files_named, is_file
from rulespec.text.locate import MAIN, folders
from rulespec.text.source import Span

ENDINGS = (".yaml", ".yml", ".csv", ".md")
PART = re.compile(r"(?!\.)[^/\\\x00-\x1f:]{1,120}")
MOST_FILES = 500
MOST_GAMES = 200
DEEPEST = 4  # folders below that of a game
SHIPPED = "shipped/"  # how the names of games begin that come with Rulespec, and are only read


class Refused(Exception):
    """Raised for what the studio does not do; its text says why."""


class Conflict(Exception):
    """Raised where a file is another one than that which was changed; with its text now, None where it is gone."""

    def __init__(self, text: str | None) -> None:
        super().__init__("somebody else has changed the file")
        self.text = text


@dataclass(frozen=True, slots=True)
class Project:
    """A game: its name in the studio, its main file, and whether it may be written to."""

    name: str
    main: Path
    writable: bool

    @property
    def folder(self) -> Path:
        """Where its files are."""
        return self.main.parent

    def path(self, name: str) -> Path:
        """The path of one of its files, which need not be there; raises Refused."""
        parts = name.split("/")
        if len(parts) > DEEPEST or not all(map(PART.fullmatch, parts)) or not name.endswith(ENDINGS):
            raise Refused("a file of a game is named by letters, and ends in .yaml, .csv or .md")
        path = self.folder
        for part in parts:
            path = path / part
            if path.is_symlink():
                raise Refused("links are not followed")
        return path

    def called(self, path: str) -> str:
        """What one of its files is named here, by its path as messages show it; the path itself of any other."""
        try:
            return Path(path).resolve().relative_to(self.folder.resolve()).as_posix()
        except (OSError, RuntimeError, ValueError):
            return path

    def place(self, span: Span) -> dict[str, Any]:
        """Where something stands, for the page: file, line and column, these from 1."""
        line, column = span.source.position(span.start)
        return {"file": self.called(span.source.name), "line": line, "column": column}

    def names(self) -> list[str]:
        """Its files: the main one first, then those beside it, then those in folders."""
        found = sorted(files_below(self.folder, DEEPEST), key=lambda name: (name.count("/"), name))
        main = self.main.name
        return [main, *(name for name in found if name != main)][:MOST_FILES]

    def times(self) -> dict[str, tuple[int, int]]:
        """When each of its files was written last, and its size."""
        found = {}
        for name in self.names():
            with suppress(OSError, Refused):
                status = self.path(name).stat()
                found[name] = status.st_mtime_ns, status.st_size
        return found

    def read(self, name: str) -> str | None:
        """The text of a file; None where there is none.  Raises Refused and OSError."""
        try:
            handle = os.open(self.path(name), os.O_RDONLY | getattr(os, "O_NOFOLLOW", 0) | getattr(os, "O_NONBLOCK", 0))
        except FileNotFoundError:
            return None
        with os.fdopen(handle, "rb") as file:
            data = file.read(MAX_BYTES + 1)
        if len(data) > MAX_BYTES:
            raise Refused(f"the file has more than {MAX_BYTES:_} bytes")
        try:
            return data.decode()
        except UnicodeDecodeError:
            raise Refused("the file is not UTF-8") from None

    def write(self, name: str, before: str, text: str) -> str:
        """Give a file another text, if it is still the one of a digest (empty: there was none); the digest of the new one.

        Raises Conflict, Refused and OSError, and nothing has changed then.
        """
        path = self.path(name)
        if not self.writable:
            raise Refused("this game comes with Rulespec, and is only read here: make a copy or a variant of it")
        if len(text.encode("utf-8", "surrogatepass")) > MAX_BYTES:
            raise Refused(f"a file has at most {MAX_BYTES:_} bytes")
        now = self.read(name)
        if digest(now) != before and now != text:
            raise Conflict(now)
        path.parent.mkdir(parents=True, exist_ok=True)
        files.replace(path, text, durable=True)
        return digest(text)


def digest(text: str | None) -> str:
    """What a text is known by; empty for no text."""
    return "" if text is None else hashlib.sha256(text.encode("utf-8", "surrogatepass")).hexdigest()[:32]


def files_below(folder: Path, depth: int, above: str = "") -> Iterator[str]:
    """The files of a game in a folder and below it; not those that are hidden, nor what links lead to."""
    try:
        entries = sorted(os.scandir(folder), key=lambda entry: entry.name)
    except OSError:
        return
    for entry in entries[: MOST_FILES * 2]:
        if not PART.fullmatch(entry.name) or entry.is_symlink():
            continue
        if entry.is_dir(follow_symlinks=False):
            if depth > 1 and not (Path(entry.path) / MAIN).exists():
                yield from files_below(Path(entry.path), depth - 1, f"{above}{entry.name}/")
        elif entry.name.endswith(ENDINGS):
            yield above + entry.name


class Projects:
    """The games of a folder that is written to, and those that come with Rulespec."""

    def __init__(self, root: Path, main: Path | None = None) -> None:
        """`main` is the file of the only game that is meant of a folder."""
        self.root = root.resolve()
        self.main = main

    def own(self) -> list[Project]:
        """The games of the folder: itself, or the folders in it."""
        main = self.main or main_of(self.root)
        if main is not None:
            return [Project(self.root.name or "game", main, True)]
        found = []
        for folder in sorted(self.root.iterdir()):
            if PART.fullmatch(folder.name) and folder.is_dir() and not folder.is_symlink():
                main = main_of(folder)
                if main is not None:
                    found.append(Project(folder.name, main, True))
        return found[:MOST_GAMES]

    def shipped(self, game: str) -> Project | None:
        """A game that comes with Rulespec, by its id."""
        main = games_dir() / game / MAIN
        return Project(SHIPPED + game, main, False) if PART.fullmatch(game) and main.is_file() else None

    @cached_property
    def all_shipped(self) -> list[Project]:
        """The games that come with Rulespec."""
        return [one for folder in folders() if (one := self.shipped(folder.name)) is not None]

    def named(self, name: str) -> Project:
        """A game by its name in the studio; raises Refused."""
        if name.startswith(SHIPPED):
            found = self.shipped(name.removeprefix(SHIPPED))
        else:
            found = next((one for one in self.own() if one.name == name), None)
        if found is None:
            raise Refused("there is no such game here")
        return found

    @property
    def whole(self) -> bool:
        """Whether the folder is that of a game, so that no other game can be put into it."""
        return self.main is not None or main_of(self.root) is not None


def main_of(folder: Path) -> Path | None:
    """The main file of the game in a folder, or the only variant that stands alone there."""
    found = main_in(folder)
    if found is None:
        alone = [path for path in files_named(folder, ".yaml") if is_file(path) and "extends" in read_root(path)]
        found = alone[0] if len(alone) == 1 else None
    return found


def title(project: Project) -> str:
    """The name of a game for people, from the head of its file."""
    return read_head(project.main).title or project.name
