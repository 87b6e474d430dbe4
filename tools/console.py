"""Output: data on stdout, messages on stderr, colour only where it is wanted.

Everything that the command line prints goes through here.  Texts are written in the encoding of the
stream; what it cannot say is said in plain letters, so that no sign of a game's texts ends a command.
"""

import codecs
import io
import json
import os
import re
import shutil
import sys
import time
import unicodedata
from typing import Any, TextIO

NO_BREAK = "\N{NO-BREAK SPACE}"
SILENT = 20.0  # seconds between lines of progress where stderr is no terminal
HANDLER = "rulespec.plain"  # the error handler of our streams

PLAIN = {
    **dict.fromkeys("‐‑‒–—―−", "-"),
    **dict.fromkeys("‘’‚′", "'"),
    **dict.fromkeys("“”„″", '"'),
    "…": "...",
    "•": "*",
    "·": ".",
    "×": "x",
    "→": "->",
    "←": "<-",
    "≤": "<=",
    "≥": ">=",
    "½": "1/2",
    NO_BREAK: " ",
}

# What spelling and the direction of letters need, and terminals show as signs of their own.
UNSEEN = dict.fromkeys("\u200c\u200d\u200e\u200f\u061c", "")

STYLED = re.compile(r"\x1b\[[0-9;]*m")
STYLES = {
    "bold": "1",
    "dim": "2",
    "red": "31",
    "green": "32",
    "yellow": "33",
    "blue": "34",
    "magenta": "35",
    "cyan": "36",
}


def prepare() -> None:
    """Make the standard streams unable to fail on a character."""
    codecs.register_error(HANDLER, in_plain_letters)
    if sys.stdout is None:  # closed by whoever started us
        sys.stdout = open(os.devnull, "w")  # noqa: SIM115
    if sys.stderr is None:
        sys.stderr = open(os.devnull, "w")  # noqa: SIM115
    if sys.stdin is None:
        sys.stdin = open(os.devnull)  # noqa: SIM115
    for stream in (sys.stdout, sys.stderr):
        if isinstance(stream, io.TextIOWrapper):
            stream.reconfigure(errors=HANDLER)
    if isinstance(sys.stdin, io.TextIOWrapper):
        sys.stdin.reconfigure(errors="replace")


def in_plain_letters(error: UnicodeError) -> tuple[str | bytes, int]:
    """A codec's error handler: accents are dropped, dashes and quotes become ASCII, the rest `?`."""
    if not isinstance(error, UnicodeEncodeError):
        raise error
    return "".join(plain(c) for c in error.object[error.start : error.end]), error.end


def plain(character: str) -> str:
    """The nearest ASCII text."""
    if character in PLAIN:
        return PLAIN[character]
    decomposed = unicodedata.normalize("NFKD", character)
    return "".join(c for c in decomposed if c.isascii()) or "?"


def abandon() -> None:
    """Write no more to stdout: Python would fail once more when it closes it on its way out."""
    try:
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
    except (OSError, ValueError):
        sys.stdout = open(os.devnull, "w")  # noqa: SIM115


def reason(error: OSError) -> str:
    """The message of an OSError, with the path."""
    text = os.strerror(error.errno) if error.errno else str(error)
    return f"{error.filename}: {text}" if error.filename else text


def printable(text: str) -> str:
    """The text in one line without control characters: a game's texts must not steer a terminal, nor look like lines of ours."""
    if text.isprintable():
        return text
    shown = {"\n": " ", "\t": " ", NO_BREAK: NO_BREAK, **UNSEEN}
    return "".join(c if c.isprintable() else shown.get(c, "\N{REPLACEMENT CHARACTER}") for c in text)


def printable_lines(text: str) -> list[str]:
    """The lines of a text that we have written, each without control characters."""
    return [printable(line) for line in text.split("\n")]


def data(text: str = "") -> None:
    """A line of what was asked for, on stdout."""
    print(text)


def before_waiting() -> None:
    """Have all that was said seen before somebody or something takes its time: a pipe keeps lines back."""
    sys.stdout.flush()


def message(text: str = "") -> None:
    """A line about the work, on stderr."""
    sys.stdout.flush()
    print(text, file=sys.stderr, flush=True)


def data_json(value: Any) -> None:
    """A value for a program: one line, the same bytes everywhere."""
    print(json.dumps(value, ensure_ascii=True, separators=(", ", ": ")))


def is_terminal(stream: TextIO) -> bool:
    """Whether a stream is a terminal."""
    try:
        return stream.isatty()
    except ValueError:  # closed
        return False


def interactive() -> bool:
    """Whether questions can be asked: both ends are a terminal."""
    return is_terminal(sys.stdin) and is_terminal(sys.stdout)


def colours(stream: TextIO) -> bool:
    """Whether to colour what goes to this stream (https://no-color.org)."""
    if os.environ.get("NO_COLOR") or os.environ.get("TERM") == "dumb":
        return False
    return is_terminal(stream)


def paint(text: str, *styles: str, stream: TextIO | None = None) -> str:
    """The text in these styles, if the stream (stdout) shows colours."""
    if not text or not colours(stream or sys.stdout):
        return text
    return f"\x1b[{';'.join(STYLES[s] for s in styles)}m{text}\x1b[0m"


def paint_message(text: str, *styles: str) -> str:
    """The same for what goes to stderr."""
    return paint(text, *styles, stream=sys.stderr)


def bare(text: str) -> str:
    """The text without its styles."""
    return STYLED.sub("", text)


def width() -> int:
    """How many columns to use."""
    return max(40, min(shutil.get_terminal_size((80, 24)).columns, 110))


def error(code: str, text: str, hint: str | None = None) -> None:
    """An error that is about no file, in the shape of those that are."""
    lines = printable_lines(text.strip().rstrip("."))
    title = paint_message(f"error[{code}]", "bold", "red")
    message(title + paint_message(f": {lines[0]}", "bold"))
    for line in lines[1:]:
        message(f"  {line.strip()}")
    if hint is not None:
        message(f"  {paint_message('=', 'blue')} {paint_message('help:', 'bold')} {hint}")


class Progress:
    """A progress line on a terminal's stderr, removed at the end; elsewhere a line now and then, so that no run of minutes is silent."""

    def __init__(self, title: str, total: int | None = None) -> None:
        self.what = title
        self.total = total
        self.on = is_terminal(sys.stderr)
        self.shown = 0.0 if self.on else time.monotonic()

    def __call__(self, done: int) -> None:
        now = time.monotonic()
        if now - self.shown < (0.1 if self.on else SILENT):
            return
        self.shown = now
        of = f" of {self.total:,}" if self.total is not None else ""
        text = f"{done:,}{of} {self.what}"
        if self.on:
            print(f"\r{text}", end="", file=sys.stderr, flush=True)
        else:
            message(text)

    def done(self) -> None:
        """Take the line away."""
        if self.on and self.shown:
            self.shown = 0.0
            print("\r\x1b[K", end="", file=sys.stderr, flush=True)


def wrapped(text: str, indent: str = "") -> list[str]:
    """The text in lines that fit; they do not break at a NO_BREAK."""
    import textwrap

    lines = textwrap.wrap(text, width(), initial_indent=indent, subsequent_indent=indent)
    return [line.replace(NO_BREAK, " ") for line in lines]


def clear() -> None:
    """Clear the screen of a terminal, with what was scrolled away, and do nothing elsewhere."""
    if is_terminal(sys.stdout) and os.environ.get("TERM") != "dumb":
        print("\x1b[H\x1b[2J\x1b[3J", end="", flush=True)


def columns(rows: list[list[str]], *, right: frozenset[int] = frozenset()) -> list[str]:
    """Rows as lines with their columns under each other; those in `right` lean to the right."""
    if not rows:
        return []
    widths = [max(len(row[i]) for row in rows) for i in range(len(rows[0]))]
    lines = []
    for row in rows:
        cells = [
            cell.rjust(size) if i in right else cell.ljust(size)
            for i, (cell, size) in enumerate(zip(row, widths, strict=True))
        ]
        lines.append("  ".join(cells).rstrip())
    return lines
