"""Sentences with emphasis and links in them, as one text: what is written between marks that no author can write.

Marks are letters of Unicode's private use, which `plain` takes out of every text that comes from a game.  Renderers turn them
into Markdown or HTML; everything else in a sentence is text, and is escaped there.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator

STRONG, EMPHASIS, CODE, LINK, AIM, END, PLACE, NEW, GONE = (chr(0xE000 + n) for n in range(9))
TAGS = {STRONG: "strong", EMPHASIS: "em", CODE: "code", NEW: "ins", GONE: "del"}  # in HTML, and as data
MARKS = re.compile("[\ue000-\uf8ff]")
TARGET = re.compile(f"[{LINK}{PLACE}]([^{AIM}]*){AIM}")
PARTS = re.compile(f"([{LINK}{PLACE}][^{AIM}]*{AIM}|[{STRONG}{EMPHASIS}{CODE}{NEW}{GONE}{END}])")


def plain(text: str) -> str:
    """A text of a game on one line, without marks."""
    return MARKS.sub("", " ".join(text.split()))


def strong(text: str) -> str:
    """A text that stands out: a name where it is explained."""
    return f"{STRONG}{text}{END}"


def emphasis(text: str) -> str:
    """A name that somebody gave."""
    return f"{EMPHASIS}{text}{END}"


def code(text: str) -> str:
    """A text just as it is written."""
    return f"{CODE}{plain(text)}{END}"


def link(text: str, anchor: str) -> str:
    """A text that leads to a part of the book."""
    return f"{LINK}{anchor}{AIM}{text}{END}"


def new(text: str) -> str:
    """What another version has not."""
    return f"{NEW}{text}{END}"


def gone(text: str) -> str:
    """What only another version has; its links would lead nowhere."""
    return f"{GONE}{unlinked(text)}{END}"


def rendered(text: str, words: Callable[[str, str], str], around: Callable[[str, str], tuple[str, str]]) -> str:
    """A sentence in another notation.

    `words` writes a plain text, given also the end of what it stands in; `around` says what stands before and behind what a mark,
    with its anchor, encloses: of a place, it is all that stands there.
    """
    out: list[str] = []
    ends: list[str] = []
    for mark, part in tokens(text):
        if not mark:
            out.append(words(part, ends[-1] if ends else ""))
        elif mark == END:
            out.append(ends.pop() if ends else "")
        else:
            before, after = around(mark, part)
            out.append(before)
            if mark != PLACE:
                ends.append(after)
    return "".join((*out, *reversed(ends)))


def unlinked(text: str) -> str:
    """A sentence without links and places."""
    return rendered(text, lambda part, _: part, lambda mark, _: ("", "") if mark in (LINK, PLACE) else (mark, END))


def quoted(text: str) -> str:
    """Words that players are shown."""
    return f"“{text}”"


def place(anchor: str) -> str:
    """A place within a paragraph, to which links lead."""
    return f"{PLACE}{anchor}{AIM}"


def bare(text: str) -> str:
    """A sentence without its marks, as somebody would read it aloud."""
    return MARKS.sub("", TARGET.sub("", text))


def tokens(text: str) -> Iterator[tuple[str, str]]:
    """The parts of a sentence: a mark, with the anchor of a link or a place, or plain text under the mark `""`."""
    for part in PARTS.split(text):
        if target := TARGET.fullmatch(part):
            yield part[0], target[1]
        elif part:
            yield (part, "") if part in (STRONG, EMPHASIS, CODE, NEW, GONE, END) else ("", part)


def capital(text: str) -> str:
    """A sentence with a capital at its beginning, behind any marks."""
    at, inside = 0, False
    while at < len(text):
        letter = text[at]
        if letter in (LINK, PLACE):
            inside = True
        elif letter == AIM:
            inside = False
        elif not inside and not MARKS.match(letter) and letter not in "“(":
            return text[:at] + letter.upper() + text[at + 1 :]
        at += 1
    return text


def sentence(text: str) -> str:
    """A text as a sentence: a capital at its beginning, and a full stop where there is no other end."""
    text = capital(text.strip())
    ended = bare(text).rstrip()
    return text if not ended or ended[-1] in ".!?:…" or ended.endswith((".”", "!”", "?”")) else f"{text}."
