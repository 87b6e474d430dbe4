"""Cases that the host of a table has written of what is played there: where they may be, and which one goes on."""

from __future__ import annotations

from collections.abc import Container
from pathlib import Path

from rulespec.text.diagnostics import Diagnostics
from rulespec.text.locate import find

from ..casebook.book import book_of, writable
from ..casebook.recording import Recording
from . import journal
from .tables import Reply, Table


def allow(table: Table, games: Container[str]) -> None:
    """Let the host of a table write cases, if its game is one of `games`, named by a path, and this process may write there.

    A case that goes on when the server stops goes on with the table.
    """
    record = table.record
    if record.game not in games or record.variants or not Path(record.game).exists():
        return
    file = find(record.game, Diagnostics())
    if file is not None and writable(book_of(file)):
        table.recording = Recording(record.game)
        table.recording.name, table.recording.first = record.case or None, record.case_first


def begun(table: Table, name: str) -> str:
    """Begin a case; what came of it, in words."""
    assert table.recording is not None
    said = table.recording.begin(name, table.state)
    keep(table)
    return said


def keep(table: Table) -> None:
    """Save which case goes on; where that fails, it goes on until the server stops."""
    assert table.recording is not None
    table.record.case, table.record.case_first = table.recording.name or "", table.recording.first
    try:
        table.keep_record()
    except OSError as problem:
        journal.fault(f"table {table.home.name}", problem)


def told(table: Table, said: str = "") -> Reply:
    """Which case goes on, None where none does, and what is said of it."""
    assert table.recording is not None
    return {"type": "case", "name": table.recording.name, "text": said}
