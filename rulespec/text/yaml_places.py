"""The place in a file of each character of a YAML scalar's value, whatever escapes, folded lines and indentation are between.

Example: of `"a\\tb"` (quotes included, from offset 10) the value has three characters, at the offsets 11, 12 and 14.
"""

from __future__ import annotations

import re

from rulespec.text.source import Span

BLANKS = " \t\r\n"
BREAK = re.compile(r"\r\n|\r|\n")
FLOW_UNIT = re.compile(r"[ \t\r\n]+|[^ \t\r\n]")
SINGLE_UNIT = re.compile(r"[ \t\r\n]+|''|[^ \t\r\n]")
DOUBLE_UNIT = re.compile(r"\\(?:\r\n|[\r\n])[ \t\r\n]*|\\x.{2}|\\u.{4}|\\U.{8}|\\.|[ \t\r\n]+|[^ \t\r\n]")
UNITS = {"plain": FLOW_UNIT, "single": SINGLE_UNIT, "double": DOUBLE_UNIT}


def places_in(span: Span, style: str, value: str) -> list[tuple[int, int]]:
    """The file offsets (start, end) of each character of a scalar's value, and of its end; `span` is the scalar as it is written."""
    if style in ("literal", "folded"):
        places = block_places(span, value)
    else:
        places = flow_places(span, style, value)
    # libyaml's value and this reading agree (there is a test); if they did not, only a caret would be off.
    last = places[-1][1] if places else span.end
    places = places[: len(value)]
    places += [(last, last)] * (len(value) + 1 - len(places))
    return places


def flow_places(span: Span, style: str, value: str) -> list[tuple[int, int]]:
    quoted = style != "plain"
    text = span.source.text
    low, high = span.start + quoted, span.end - quoted
    places: list[tuple[int, int]] = []
    for unit in UNITS[style].finditer(text, low, high):
        start, end = unit.span()
        if len(places) > len(value):  # the value was cut, being too long
            break
        if unit[0][0] not in "\\" + BLANKS:
            places.append((start, end))
            continue
        breaks = [start + m.start() for m in BREAK.finditer(unit[0])]
        if unit[0][0] == "\\" and quoted and style == "double":
            if breaks and breaks[0] == start + 1:  # an escaped line break gives no character
                places += [(at, at + 1) for at in breaks[1:]]
            else:
                places.append((start, end))
        elif unit[0][0] == "\\":
            places.append((start, end))
        elif not breaks:
            places += [(at, at + 1) for at in range(start, end)]
        else:  # one break folds to a blank, n + 1 breaks to n
            places += [(at, at + 1) for at in breaks[1:] or breaks]
    places.append((high, high))
    return places


def block_places(span: Span, value: str) -> list[tuple[int, int]]:
    text = span.source.text
    header = BREAK.search(text, span.start, span.end)
    at = header.end() if header else span.end
    places: list[tuple[int, int]] = []
    done = 0
    # Value and text have the same characters other than blanks, in the same order.
    for solid in re.finditer(r"[^ \t\r\n]", value):
        low = at
        while at < span.end and text[at] in BLANKS:
            at += 1
        run = value[done : solid.start()]
        # Of the blanks between, those after the last break stand right before the character,
        # the others right after the one before; a run without a break may be a folded one.
        breaks = [m.start() for m in BREAK.finditer(text, low, at)]
        lead = len(run) if breaks and done else 0
        lead = run.rfind("\n") + 1 or lead
        tail = len(run) - lead
        newlines = iter(breaks)
        for i, char in enumerate(run[:lead]):
            place = next(newlines, low) if char == "\n" else min(low + i, at)
            places.append((place, place + 1))
        places += [(max(at - i, low), max(at - i, low) + 1) for i in range(tail, 0, -1)]
        places.append((at, at + 1))
        at += 1
        done = solid.end()
    end = min(at, span.end)
    places += [(end, end)] * (len(value) - done + 1)
    return places
