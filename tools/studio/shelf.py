"""The rulebooks of the games that are written: of the text as it stands."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import TYPE_CHECKING

from rulespec.text.diagnostics import RulespecError
from rulespec.text.disk import unsaved

from ..serve.library import Chapters, Library, drawn

if TYPE_CHECKING:
    from ..serve.storage import Record

Texts = Mapping[Path, str]


class Shelf(Library):
    """Makes a book when somebody asks, in this process."""

    def __init__(self, texts: Callable[[str], Texts]) -> None:
        """`texts` are those of a game that are not saved."""
        super().__init__()
        self.texts = texts

    async def chapters(self, record: Record) -> Chapters:
        """Those of a table's game; none where its text has faults."""
        try:
            return await asyncio.to_thread(chapters, record, self.texts(record.game))
        except RulespecError:
            return []


def chapters(record: Record, texts: Texts) -> Chapters:
    """The chapters of a book; raises RulespecError."""
    from ..book.data import of_chapter
    from ..book.rulebook import rulebook

    with unsaved(texts):
        book = rulebook(record.game, record.players, (), ())
    return [drawn(of_chapter(chapter)) for chapter in book.chapters]
