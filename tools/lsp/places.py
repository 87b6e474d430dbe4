"""Places of a text as the protocol has them: lines and UTF-16 code units from 0, where ours are characters."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from lsprotocol import types
from pygls.uris import from_fs_path, to_fs_path

if TYPE_CHECKING:
    from rulespec.text.source import Source, Span


def units(text: str) -> int:
    """How many UTF-16 code units a text has."""
    return len(text.encode("utf-16-le", "surrogatepass")) // 2


def position(source: Source, offset: int) -> types.Position:
    """The position of a character."""
    line, column = source.position(offset)
    return types.Position(line - 1, units(source.line(line)[: column - 1]))


def range_of(span: Span) -> types.Range:
    """The range of a span."""
    return types.Range(position(span.source, span.start), position(span.source, span.end))


def offset(source: Source, at: types.Position) -> int:
    """The character at a position; the end of the line, or of the text, for one that lies beyond."""
    try:
        start, line = source.line_start(at.line + 1), source.line(at.line + 1)
    except IndexError:
        return len(source.text)
    before = line.encode("utf-16-le", "surrogatepass")[: 2 * max(at.character, 0)]
    return start + len(before.decode("utf-16-le", "ignore"))


def path_of(uri: str) -> Path | None:
    """The file that an address means; None for what is no file."""
    name = to_fs_path(uri) if uri.startswith("file:") else None
    try:
        return None if name is None else Path(name).resolve()
    except (OSError, RuntimeError, ValueError):  # links in a circle, a NUL
        return None


def uri_of(path: Path) -> str:
    """The address of a file."""
    uri = from_fs_path(str(path))
    assert uri is not None  # it is None for no path
    return str(uri)
