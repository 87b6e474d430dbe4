"""Bytes as edits of sound texts: the same bytes make the same text, whoever draws them."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

# What breaks readers: brackets, quotes, words of the language, numbers at the bounds, characters that are odd.
PIECES = (
    "", " ", "\n", "  ", "\t", "\r\n", ":", ": ", "- ", ",", "#",
    "'", '"', "{", "}", "[", "]", "(", ")",
    "|", ">", "!", "&", "*", "?",
    "%", "@", "`", "~", "null", "yes", "no", "none", "me", "p1", "p9", "players", "all", "0", "-1", "1", "007", "1e9", "0x10", "99999",
    "100001",
    "9223372036854775807", "9223372036854775808",
    "-9223372036854775809", "1" * 30, "1..9", "9..1", "0..", "a.b", "a.b.c", "x" * 300,
    "not ", " and ", " or ", " in ", " where ", " then ", " else ", "if ", "sum(", "count(", "list(", "set(",
    "first(", "those(", "{x}", "{",
    "é", "\u202e", "\u2028", "\0", "\x1b", "\ufeff", "\U0001f600", "\ud800", "\\", "\\n",
    "<<: ", "--- ", "...", "true", "NaN", "1.5", "[[[[", "}}}}",
)  # fmt: skip


def mutated(seeds: Sequence[str], data: bytes) -> str:
    """A sound text with edits: the first byte chooses the text, each six after it an edit."""
    if not data:
        return seeds[0]
    text = seeds[data[0] % len(seeds)]
    for what, high, low, length, piece, other in edits(data[1:97]):
        at = (high << 8 | low) % (len(text) + 1)
        end = min(len(text), at + length % 40)
        match what % 7:
            case 0:
                text = text[:at] + text[end:]
            case 1:
                text = text[:at] + PIECES[piece % len(PIECES)] + text[at:]
            case 2:
                text = text[:at] + PIECES[piece % len(PIECES)] + text[end:]
            case 3:
                text = text[:end] + text[at:]
            case 4:  # a line goes elsewhere
                lines = text.split("\n")
                lines.insert(piece % (len(lines) + 1), lines.pop(at % len(lines)))
                text = "\n".join(lines)
            case 5:  # what stands here is put there too
                there = (piece << 8 | other) % (len(text) + 1)
                text = text[:there] + text[at:end] + text[there:]
            case _:
                lines = text.split("\n")
                line = at % len(lines)
                lines[line] = " " * (piece % 9) + lines[line].lstrip(" ")
                text = "\n".join(lines)
    return text


def edits(data: bytes) -> Iterator[tuple[int, int, int, int, int, int]]:
    """The edits in some bytes."""
    for k in range(0, len(data) - 5, 6):
        a, b, c, d, e, f = data[k : k + 6]
        yield a, b, c, d, e, f
