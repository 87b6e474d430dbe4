"""The rulebooks of the games that are played: made once for each, by a process of its own, since reading a game takes seconds."""

from __future__ import annotations

import asyncio
import json
import sys
from collections.abc import Iterator
from dataclasses import field
from typing import Any

from rulespec.system.records import dataclass

from . import journal
from .storage import Record

PATIENCE = 120  # seconds until a book is given up
MOST_BYTES = 16_000_000
MOST_BOOKS = 100  # that are kept; a game has a book for each number of players and way to play

Key = tuple[Any, ...]
Chapters = list[dict[str, Any]]


@dataclass(frozen=True, slots=True)
class Shelved:
    """A book: its chapters, and in which of them each place is that links lead to."""

    chapters: Chapters
    places: dict[str, int]


@dataclass
class Library:
    """The books, by game, players, options and variants; one is made at a time, and nobody waits for it."""

    books: dict[Key, asyncio.Task[Shelved]] = field(default_factory=dict)
    turn: asyncio.Lock = field(default_factory=asyncio.Lock)

    def book(self, record: Record) -> Shelved | None:
        """The book of a table's game; None where it is being made: ask again.  A book without chapters could not be made."""
        key = (record.game, record.players, tuple(sorted(record.settings.items())), tuple(record.variants))
        making = self.books.get(key)
        if making is None:
            if len(self.books) >= MOST_BOOKS:
                self.books.pop(next(iter(self.books))).cancel()
            self.books[key] = asyncio.create_task(self.make(record))
            return None
        if not making.done():
            return None
        problem = making.exception()
        if problem is not None:
            journal.fault(f"the rulebook of {record.game}", problem)
        found = Shelved([], {}) if problem is not None else making.result()
        if not found.chapters:
            del self.books[key]  # it is tried anew when somebody asks next
        return found

    async def make(self, record: Record) -> Shelved:
        """Make a book."""
        async with self.turn:
            chapters = await self.chapters(record)
        return Shelved(
            chapters, {anchor: n for n, chapter in enumerate(chapters) for anchor in anchors(chapter["blocks"])}
        )

    def forget(self, game: str) -> None:
        """The rules of a game are others now."""
        for key in [key for key in self.books if key[0] == game]:
            self.books.pop(key).cancel()

    async def chapters(self, record: Record) -> Chapters:
        """What is in a book."""
        return await made(record)

    def close(self) -> None:
        """Make nothing more."""
        for task in self.books.values():
            task.cancel()


async def made(record: Record) -> Chapters:
    """Have a book made; none where that fails, which the log says."""
    words = ["-m", "rulespec", "book", "--players", str(record.players), "--json"]
    for name, value in record.settings.items():
        words += ["--option", f"{name}={value}"]
    for name in record.variants:
        words += ["--variant", name]
    shut = asyncio.subprocess.DEVNULL
    process = await asyncio.create_subprocess_exec(
        sys.executable,
        *words,
        "--",
        record.game,
        stdout=asyncio.subprocess.PIPE,
        stderr=shut,
        stdin=shut,
    )
    try:
        out, _ = await asyncio.wait_for(process.communicate(), PATIENCE)
        chapters = json.loads(out)["chapters"] if process.returncode == 0 and len(out) <= MOST_BYTES else []
    except (TimeoutError, ValueError, KeyError):
        chapters = []
    finally:
        if process.returncode is None:
            process.kill()
    if not chapters:
        journal.LOG.error("the rulebook of %s is not made", record.game)
    return [drawn(chapter) for chapter in chapters]


def drawn(chapter: dict[str, Any]) -> dict[str, Any]:
    """A chapter without its pictures: the table is in front of whoever reads."""
    return {**chapter, "blocks": [block for block in chapter["blocks"] if block["is"] != "picture"]}


def anchors(part: Any) -> Iterator[str]:
    """Where links may lead to, anywhere in what a chapter holds."""
    if isinstance(part, dict):
        if "anchor" in part:
            yield part["anchor"]
        part = list(part.values())
    if isinstance(part, list):
        for inner in part:
            yield from anchors(inner)
