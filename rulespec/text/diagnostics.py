"""Diagnostics: findings with their places, and their rendering as text and JSON."""

from __future__ import annotations

import unicodedata
from collections.abc import Iterable, Iterator
from dataclasses import replace
from typing import Any, Literal

from rulespec.system.records import dataclass
from rulespec.text.source import Span

Severity = Literal["error", "warning", "note"]

MAX_STORED = 200
MAX_WIDTH = 160
MAX_MESSAGE = 1_000  # characters
MAX_NOTE = 4_000
FEW_LINES = 6  # in which the same is wrong, that are named
_COLOURS = {"error": "\x1b[1;31m", "warning": "\x1b[1;33m", "note": "\x1b[1;34m"}
_BOLD, _RESET = "\x1b[1m", "\x1b[0m"


def _cut(text: str, most: int) -> str:
    return text if len(text) <= most else f"{text[: most - 1]}…"


@dataclass(frozen=True, slots=True)
class Diagnostic:
    """One finding. `origin` is the name of the file where there is no span; `also` are places at which the same is wrong."""

    code: str
    message: str
    span: Span | None = None
    severity: Severity = "error"
    expected: str | None = None
    found: str | None = None
    help: tuple[str, ...] = ()
    related: tuple[tuple[Span, str], ...] = ()
    origin: str | None = None
    also: tuple[Span, ...] = ()

    def __post_init__(self) -> None:
        """Shorten message and help: a text of a game that they quote may be as long as its file."""
        shorter: dict[str, object] = {
            name: _cut(text, MAX_NOTE)
            for name in ("expected", "found", "origin")
            if (text := getattr(self, name)) is not None and len(text) > MAX_NOTE
        }
        if len(self.message) > MAX_MESSAGE:
            shorter["message"] = _cut(self.message, MAX_MESSAGE)
        if any(len(text) > MAX_NOTE for text in self.help):
            shorter["help"] = tuple(_cut(text, MAX_NOTE) for text in self.help)
        if any(len(text) > MAX_NOTE for _, text in self.related):
            shorter["related"] = tuple((span, _cut(text, MAX_NOTE)) for span, text in self.related)
        for name, value in shorter.items():
            object.__setattr__(self, name, value)

    @property
    def file(self) -> str | None:
        """The name of the file that the finding is about, if it is about one."""
        return self.span.source.name if self.span else self.origin


class Diagnostics:
    """Collects findings: at most one for each code and place, and MAX_STORED of each severity.

    `dropped` counts those beyond that limit.
    """

    def __init__(self) -> None:
        self._stored: list[Diagnostic] = []
        self._seen: set[tuple[str, Span | str]] = set()
        self._counts: dict[Severity, int] = {"error": 0, "warning": 0, "note": 0}
        self.dropped = 0
        self._subjects: dict[str, int] = {}  # what a finding is about, and where it is stored
        self.refused: set[str] = (
            set()
        )  # words of the language that were meant as names: where they are used is no new fault
        self.incomplete = False  # whether a file is missing, so that nothing is known of what it may declare
        self.silenced: Diagnostic | None = None  # the first finding that was left out as it is said elsewhere

    def add(
        self,
        code: str,
        message: str,
        span: Span | None = None,
        *,
        severity: Severity = "error",
        expected: str | None = None,
        found: str | None = None,
        help: Iterable[str] = (),
        related: Iterable[tuple[Span, str]] = (),
        origin: str | None = None,
        subject: str = "",
    ) -> None:
        """Store a finding, unless the same code was stored for the same span.

        Without a span, findings are the same if their code and message are.  Findings about one `subject`, such as a missing name,
        are one that has several places.
        """
        self.keep(
            Diagnostic(code, message, span, severity, expected, found, tuple(help), tuple(related), origin), subject
        )

    def keep(self, one: Diagnostic, subject: str = "") -> None:
        """Store a finding that exists already, as `add` does."""
        if (at := self._subjects.get(subject)) is not None and one.span is not None:
            first = self._stored[at]
            if one.span != first.span and one.span not in first.also and len(first.also) < MAX_STORED:
                self._stored[at] = replace(first, also=(*first.also, one.span))
            return
        if self._counts[one.severity] >= MAX_STORED:
            self.dropped += 1
            return
        key = (one.code, one.message if one.span is None else one.span)
        if key in self._seen:
            return
        self._seen.add(key)
        self._counts[one.severity] += 1
        if subject:
            self._subjects[subject] = len(self._stored)
        self._stored.append(one)

    def take(self, others: Diagnostics) -> None:
        """Store the findings of another collection; those that it dropped count as dropped here."""
        for one in others:
            self.keep(one)
        self.dropped += others.dropped
        self.refused |= others.refused
        self.incomplete = self.incomplete or others.incomplete
        self.silenced = self.silenced or others.silenced

    def silence(self, code: str, message: str, span: Span | None) -> None:
        """Leave out an error that follows from another; the first is kept for `unsilenced`."""
        if self.silenced is None:
            self.silenced = Diagnostic(code, message, span)

    def unsilenced(self) -> None:
        """Store what was left out if there is no error at all: nothing wrong may pass without a word."""
        if self.silenced is not None and not self.has_errors:
            self.keep(self.silenced)

    @property
    def errors(self) -> tuple[Diagnostic, ...]:
        """The findings of severity error, as they came."""
        return tuple(d for d in self._stored if d.severity == "error")

    @property
    def has_errors(self) -> bool:
        """Whether there is any error."""
        return self._counts["error"] > 0

    def sorted(self) -> tuple[Diagnostic, ...]:
        """All findings by file, place and code; those without a place come first in their file.

        The last says how many more there were, if not all could be kept.
        """
        ordered = sorted(self._stored, key=lambda d: (d.file or "", d.span.start if d.span else -1, d.code))
        if self.dropped:
            message = f"{self.dropped} more findings are not shown"
            ordered.append(Diagnostic("Y025", message, origin=ordered[-1].file, help=("mend these first",)))
        return tuple(ordered)

    def __iter__(self) -> Iterator[Diagnostic]:
        return iter(self._stored)

    def __len__(self) -> int:
        return len(self._stored)


class RulespecError(Exception):
    """The findings because of which a call has no result. `str()` renders all of them."""

    def __init__(self, diagnostics: Iterable[Diagnostic]) -> None:
        if isinstance(diagnostics, Diagnostics):
            diagnostics = diagnostics.sorted()
        self.diagnostics = tuple(diagnostics)
        super().__init__(self.diagnostics)

    def __str__(self) -> str:
        return "\n".join(render(d) for d in self.diagnostics)


def nearest(name: str, candidates: Iterable[str]) -> str | None:
    """The candidate that `name` is most likely a misspelling of; None if none is close.

    Case, `-` and `_` do not count; an edit is a letter added, lost, changed or swapped with the
    next, and a third of the letters may be edited.  Where none is so close, the first of several words
    is taken for the whole: `starts` for `starts with`.
    """
    wanted = _folded(name)
    best: tuple[int, str] | None = None
    begun: str | None = None
    for candidate in candidates:
        folded = _folded(candidate)
        if begun is None and len(wanted) > 2 and candidate.casefold().startswith(f"{name.casefold()} "):
            begun = candidate
        limit = max(len(wanted), len(folded)) // 3
        if candidate == name or abs(len(wanted) - len(folded)) > limit or len(wanted) > 80:
            continue
        distance = _edits(wanted, folded)
        if distance <= limit and (best is None or (distance, candidate) < best):
            best = (distance, candidate)
    return best[1] if best else begun


def _folded(name: str) -> str:
    return name.casefold().replace("-", "_").replace(" ", "_")


def _edits(a: str, b: str) -> int:
    before: list[int] = []
    last = list(range(len(b) + 1))
    for i, x in enumerate(a, 1):
        row = [i]
        for j, y in enumerate(b, 1):
            cost = min(row[j - 1] + 1, last[j] + 1, last[j - 1] + (x != y))
            if i > 1 and j > 1 and x == b[j - 2] and a[i - 2] == y:
                cost = min(cost, before[j - 2] + 1)
            row.append(cost)
        before, last = last, row
    return last[-1]


def render(d: Diagnostic, *, colour: bool = False) -> str:
    """A finding as text: message, place, source line with carets, and help."""
    paint = _Paint(colour)
    spans = [span for span in (d.span, *(s for s, _ in d.related)) if span]
    gutter = " " * max((len(str(span.line)) for span in spans), default=1)
    lines = [paint(d.severity, f"{d.severity}[{d.code}]") + paint.bold(f": {_within(d.message, gutter + '  ')}")]
    if d.span:
        lines += _excerpt(d.span, gutter, "-->", "^", d.severity, "", paint)
    elif d.origin is not None:
        lines.append(f"{gutter}{paint('note', '-->')} {_in_one_line(d.origin)}")
    for span, note in d.related:
        lines += _excerpt(span, gutter, ":::", "-", "note", f" {_within(note, gutter + '  ')}", paint)
    notes = [("expected", d.expected), ("found", d.found), *(("help", h) for h in d.help), ("also", _lines(d))]
    shown = [(title, text) for title, text in notes if text is not None]
    if shown and spans:
        lines.append(f"{gutter} {paint('note', '|')}")
    for title, text in shown:
        indent = "\n" + " " * (len(gutter) + len(title) + 5)
        body = indent.join(_clean(text).split("\n"))
        lines.append(f"{gutter} {paint('note', '=')} {paint.bold(title + ':')} {body}")
    return "\n".join(lines)


def _lines(d: Diagnostic) -> str | None:
    """The lines at which the same is wrong; None where there are none."""
    own = d.file
    places = sorted((span.source.name != own, span.source.name, span.line) for span in d.also)
    lines = [f"{name}:{line}" if elsewhere else f"{line}" for elsewhere, name, line in places]
    lines = list(dict.fromkeys(line for line in lines if d.span is None or line != f"{d.span.line}"))
    if not lines:
        return None
    more = len(lines) - FEW_LINES
    noun = "line" if len(lines) == 1 else "lines"
    return f"{noun} {', '.join(lines[:FEW_LINES])}" + (f" and {more} more" if more > 0 else "")


def to_json(d: Diagnostic) -> dict[str, Any]:
    """A finding as JSON data; every key is always present, positions are 1-based, ends are excluded."""
    return {
        "code": d.code,
        "severity": d.severity,
        "message": d.message,
        "file": d.file,
        "range": _range(d.span) if d.span else None,
        "expected": d.expected,
        "found": d.found,
        "help": list(d.help),
        "related": [{"file": span.source.name, "range": _range(span), "message": note} for span, note in d.related],
        "also": [{"file": span.source.name, "range": _range(span)} for span in d.also],
    }


def _range(span: Span) -> dict[str, int]:
    line, column = span.source.position(span.start)
    end_line, end_column = span.source.position(span.end)
    return {"line": line, "column": column, "end_line": end_line, "end_column": end_column}


class _Paint:
    def __init__(self, on: bool) -> None:
        self.on = on

    def __call__(self, role: str, text: str) -> str:
        return f"{_COLOURS[role]}{text}{_RESET}" if self.on else text

    def bold(self, text: str) -> str:
        return f"{_BOLD}{text}{_RESET}" if self.on else text


def _excerpt(span: Span, gutter: str, arrow: str, mark: str, role: str, note: str, paint: _Paint) -> list[str]:
    line, column = span.source.position(span.start)
    text = span.source.line(line)
    first = min(column - 1, len(text))
    length = min(max(span.end - span.start, 1), max(len(text) - first, 1))
    prefix = suffix = ""
    if len(text) > MAX_WIDTH:
        # The window keeps a third of its width for what stands before the span.
        low = min(max(first - MAX_WIDTH // 3, 0), len(text) - MAX_WIDTH)
        high = low + MAX_WIDTH
        prefix, suffix = "…" if low else "", "…" if high < len(text) else ""
        text, first = text[low:high], first - low
        length = min(length, max(len(text) - first, 1))
    shown = [_visible(ch) for ch in text]
    pad = " " * len(prefix) + "".join(s if s == "\t" else " " * _width(s) for s in shown[:first])
    under = sum(1 if s == "\t" else _width(s) for s in shown[first : first + length])
    bar = paint("note", "|")
    body = f"{prefix}{''.join(shown)}{suffix}"
    carets = paint(role, mark * max(under, 1) + note)
    return [
        f"{gutter}{paint('note', arrow)} {_clean(span.label())}",
        f"{gutter} {bar}",
        f"{paint('note', str(line).rjust(len(gutter)))} {bar} {body}".rstrip(),
        f"{gutter} {bar} {pad}{carets}",
    ]


def _visible(ch: str) -> str:
    """A character as it may be sent to a terminal: control characters become escapes."""
    if ch == "\t" or (ch.isprintable() and ch.isascii()):
        return ch
    if unicodedata.category(ch) in {"Cc", "Cf", "Cs", "Co", "Cn", "Zl", "Zp"}:
        code = ord(ch)
        return f"\\x{code:02x}" if code < 0x100 else f"\\u{code:04x}"
    return ch


def _width(shown: str) -> int:
    """The terminal columns of a text."""
    return sum(0 if unicodedata.combining(c) else 2 if unicodedata.east_asian_width(c) in "WF" else 1 for c in shown)


def _clean(text: str) -> str:
    return "".join(ch if ch == "\n" else _visible(ch) for ch in text)


def _within(text: str, indent: str) -> str:
    """A text of several lines, changed so that none of them looks like a separate finding."""
    return _clean(text).replace("\n", f"\n{indent}")


def _in_one_line(text: str) -> str:
    return "".join(map(_visible, text))
