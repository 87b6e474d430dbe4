"""Source texts and spans of them, read from the files of a game."""

from __future__ import annotations

import os
import re
from bisect import bisect_right
from collections.abc import Iterable
from dataclasses import field
from functools import lru_cache
from pathlib import Path, PurePath
from typing import Protocol

from rulespec.system.records import dataclass
from rulespec.text.disk import MAX_BYTES, circular, content, place
from rulespec.text.quoting import ticked

MAX_TOGETHER = 8_000_000  # bytes of all files of a game
MAX_FILES = 500  # of a game
BOM = "\ufeff"

_BREAK = re.compile(r"\r\n|\r|\n")
# All that YAML forbids, and U+0085, U+2028, U+2029: line breaks in YAML 1.1 but not in 1.2, nor
# in any editor, so that line numbers would differ.
_FORBIDDEN = re.compile(
    r"[\x00-\x08\x0b\x0c\x0e-\x1f\x7f-\x9f]|[\u2028-\u202e\u2066-\u2069\ud800-\udfff\ufeff\ufffe\uffff]"
)
_UNSHOWABLE = re.compile(rf"\r|{_FORBIDDEN.pattern}")  # a terminal obeys them, and so would what is shown of the game
# Embeddings, overrides and isolates show text in another order than it has, up to the end of the line.  The
# marks U+200E, U+200F and U+061C have an effect on their neighbours alone, and texts in Hebrew and Arabic need them;
# U+200C and U+200D are spelling in Persian and in emoji.
_REORDERS = re.compile("[\u202a-\u202e\u2066-\u2069]")


@dataclass(frozen=True, slots=True, eq=False)
class Source:
    """A text with a name. Two sources are equal only if they are the same object."""

    name: str
    text: str = field(repr=False)
    _starts: list[int] = field(default_factory=list, init=False, repr=False)

    def _line_starts(self) -> list[int]:
        if not self._starts:
            # Editors count columns after a byte order mark.
            self._starts.append(1 if self.text.startswith(BOM) else 0)
            self._starts.extend(m.end() for m in _BREAK.finditer(self.text))
        return self._starts

    def position(self, offset: int) -> tuple[int, int]:
        """The 1-based (line, column) of a character; an offset outside the text is clamped."""
        starts = self._line_starts()
        offset = min(max(offset, starts[0]), max(len(self.text), starts[0]))
        line = bisect_right(starts, offset)
        return line, offset - starts[line - 1] + 1

    def line_start(self, number: int) -> int:
        """The offset of the first character of a 1-based line; IndexError if there is none."""
        starts = self._line_starts()
        if not 1 <= number <= len(starts):
            raise IndexError(f"{self.name} has no line {number}")
        return starts[number - 1]

    def line(self, number: int) -> str:
        """The text of a 1-based line, without its line break; IndexError if there is none."""
        start = self.line_start(number)
        starts = self._line_starts()
        end = starts[number] if number < len(starts) else len(self.text)
        return self.text[start:end].rstrip("\r\n")


@dataclass(frozen=True, slots=True)
class Span:
    """The characters start..end (end excluded) of a source."""

    source: Source
    start: int
    end: int

    @property
    def line(self) -> int:
        """The 1-based line of the first character."""
        return self.source.position(self.start)[0]

    @property
    def column(self) -> int:
        """The 1-based column of the first character, counted in characters."""
        return self.source.position(self.start)[1]

    @property
    def text(self) -> str:
        """The characters themselves."""
        return self.source.text[self.start : self.end]

    def holds(self, other: Span) -> bool:
        """Whether another span begins within this one."""
        return other.source is self.source and self.start <= other.start < self.end

    def label(self) -> str:
        """The place as `file:line:column`."""
        line, column = self.source.position(self.start)
        return f"{self.source.name}:{line}:{column}"


class Reporter(Protocol):
    """The part of `diagnostics.Diagnostics` that this module needs; it stands below that module and cannot import it."""

    def add(
        self,
        code: str,
        message: str,
        span: Span | None = None,
        *,
        found: str | None = None,
        help: Iterable[str] = (),
        origin: str | None = None,
    ) -> None:
        """Store a finding."""


def check_characters(source: Source, diagnostics: Reporter) -> bool:
    """Whether all characters of a source may stand in a text file; reports the first that may not.

    Reports Y005.
    """
    match = _FORBIDDEN.search(source.text, 1 if source.text.startswith(BOM) else 0)
    if match is None:
        return True
    code = ord(match[0])
    diagnostics.add(
        "Y005",
        f"the character U+{code:04X} is not allowed in a file",
        Span(source, match.start(), match.end()),
        help=("delete it" if code else "is this a text file? delete the NUL character",),
    )
    return False


def unshowable(text: str) -> tuple[int, str] | None:
    """Where the first character stands that no text may have, though it be written by an escape, and why it may not; None without one."""
    match = _UNSHOWABLE.search(text)
    if match is None:
        return None
    why = (
        "it changes the order in which others are shown"
        if _REORDERS.match(match[0])
        else "nobody sees it, and a terminal may obey it"
    )
    return match.start(), f"the character U+{ord(match[0]):04X} is not allowed in a text: {why}"


def read_source(
    path: str | os.PathLike[str], name: str | None = None, *, diagnostics: Reporter, mark: bool = False
) -> Source | None:
    """The text of a UTF-8 file, without its byte order mark unless `mark` wants it; None if it cannot be used.

    `name` is how diagnostics call the file. Reports Y001 to Y005; raises nothing.
    """
    shown = name if name is not None else PurePath(path).as_posix()
    try:
        data = _read_bytes(path, shown, diagnostics)
    except FileNotFoundError:
        diagnostics.add("Y001", f"there is no file {ticked(shown)}", origin=shown)
        return None
    except (OSError, ValueError) as error:
        # ValueError: a NUL in the path.
        reason = getattr(error, "strerror", None) or str(error)
        diagnostics.add("Y002", f"{ticked(shown)} cannot be read: {reason}", origin=shown)
        return None
    if data is None:
        return None
    try:
        source = known_source(shown, data.decode("utf-8" if mark else "utf-8-sig"))
    except UnicodeDecodeError:
        _report_encoding(data, shown, diagnostics)
        return None
    return source if check_characters(source, diagnostics) else None


@lru_cache(maxsize=256)
def known_source(name: str, text: str) -> Source:
    """A source, the same one for the same text: a game and its variants are read from the same files."""
    return Source(name, text)


def shown_path(file: Path) -> str:
    """A path as messages show it: relative to the current folder, where that is shorter."""
    try:
        return str(place(file).relative_to(Path.cwd()))
    except (OSError, RuntimeError, ValueError):
        return str(file)


def inside(folder: Path, word: str) -> Path | None:
    """The path that a relative name means in a folder; None if it leads out of the folder."""
    try:
        path = place(folder / word)
    except (OSError, RuntimeError, ValueError):  # a NUL
        return None
    found = bool(word) and path.is_relative_to(place(folder)) and not circular(folder / word)  # 3.13 resolves any links
    return path if found else None


NO_TEXTS = (  # how files begin that people take for texts
    (b"PK\x03\x04", "a document or an archive"),
    (b"{\\rtf", "a document of a word processor"),
    (b"\xd0\xcf\x11\xe0", "a document of a word processor"),
    (b"%PDF", "a PDF"),
    (b"\x89PNG", "a picture"),
    (b"\xff\xd8\xff", "a picture"),
    (b"GIF8", "a picture"),
)


def _read_bytes(path: str | os.PathLike[str], shown: str, diagnostics: Reporter) -> bytes | None:
    kind, data = content(path)
    document = next((what for begins, what in NO_TEXTS if data.startswith(begins)), None)
    if document is not None:
        cure = "rules are plain text: write them in a text editor, and save them as `.yaml`"
        diagnostics.add("Y004", f"{ticked(shown)} is {document} and no text", origin=shown, help=(cure,))
        return None
    if kind in ("folder", "other"):
        what = "a directory" if kind == "folder" else "not a regular file"
        diagnostics.add("Y002", f"{ticked(shown)} is {what}", origin=shown)
        return None
    if kind == "large":
        report_size(shown, diagnostics)
        return None
    return data


def report_size(shown: str, diagnostics: Reporter) -> None:
    """Report Y003, a text over the limit."""
    diagnostics.add(
        "Y003",
        f"{ticked(shown)} is larger than {MAX_BYTES:_} bytes",
        origin=shown,
        help=("move large tables to files of their own",),
    )


def _report_encoding(data: bytes, shown: str, diagnostics: Reporter) -> None:
    text = data.decode("utf-8", "replace")
    wide = data.startswith((b"\xff\xfe", b"\xfe\xff"))
    try:
        offset = len(text)
        data.decode("utf-8")
    except UnicodeDecodeError as error:
        offset = len(data[: error.start].decode("utf-8"))
    encoding = "UTF-16" if wide else f"the byte 0x{data[len(text[:offset].encode())]:02x}"
    diagnostics.add(
        "Y004",
        f"{ticked(shown)} is not UTF-8 text",
        Span(Source(shown, text), offset, offset + 1),
        found=encoding,
        help=("save the file as UTF-8",),
    )
