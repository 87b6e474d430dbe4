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

    made: dict[Key, Shelved] = field(default_factory=dict)
    making: dict[Key, asyncio.Task[None]] = field(default_factory=dict)
    turn: asyncio.Lock = field(default_factory=asyncio.Lock)

    def book(self, record: Record) -> Shelved | None:
        """The book of a table's game; None where it is being made: ask again.  A book without chapters could not be made."""
        key = (record.game, record.players, tuple(sorted(record.settings.items())), tuple(record.variants))
        if key in self.made:
            found = self.made[key]
            if not found.chapters:
                del self.made[key]  # it is tried anew when somebody asks next
            return found
        if key not in self.making:
            self.making[key] = asyncio.create_task(self.make(key, record))
        return None

    async def make(self, key: Key, record: Record) -> None:
        """Make a book and keep it."""
        try:
            async with self.turn:
                chapters = await make(record)
            if len(self.made) >= MOST_BOOKS:
                self.made.pop(next(iter(self.made)))
            places = {anchor: n for n, chapter in enumerate(chapters) for anchor in anchors(chapter["blocks"])}
            self.made[key] = Shelved(chapters, places)
        finally:
            del self.making[key]

    def close(self) -> None:
        """Make nothing more."""
        for task in self.making.values():
            task.cancel()


async def make(record: Record) -> Chapters:
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
