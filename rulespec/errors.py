"""The catalogue of all codes: what each means, an example of it, and its cure.

Families: Y files and YAML, S shape, E names and types, L lint, R run time, P play and answers,
T transcripts and saves, C command line, K cases. A code is never given a second meaning.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from textwrap import dedent, indent

FAMILIES = {
    "Y": "files and YAML",
    "S": "shape of a file",
    "E": "names and types",
    "L": "lint",
    "R": "run time",
    "P": "play and answers",
    "T": "transcripts and saves",
    "C": "command line",
    "K": "cases",
}


@dataclass(frozen=True, slots=True)
class ErrorCode:
    """One code. `bad` and `good` are example texts, empty where a text cannot show it."""

    code: str
    title: str
    cause: str
    bad: str
    good: str
    fix: str


CATALOGUE: dict[str, ErrorCode] = {}


def entry(code: str, title: str, *, cause: str, fix: str, bad: str = "", good: str = "") -> None:
    """Add a code; ValueError if it is malformed or taken."""
    if not re.fullmatch(r"[YSELRPTCK]\d{3}", code) or code in CATALOGUE:
        raise ValueError(f"the code {code} is malformed or taken")
    bad, good = (dedent(text).strip("\n") for text in (bad, good))
    CATALOGUE[code] = ErrorCode(code, title, cause, bad, good, fix)


def explain(code: str) -> str | None:
    """The page of the catalogue on a code, in any case; None if there is no such code."""
    found = CATALOGUE.get(code.strip().upper())
    if found is None:
        return None
    parts = [
        f"{found.code}: {found.title}",
        found.cause,
        found.bad and f"Wrong:\n\n{indent(found.bad, '    ')}",
        found.good and f"Right:\n\n{indent(found.good, '    ')}",
        f"What to do: {found.fix}",
    ]
    return "\n\n".join(part for part in parts if part)


# Files and YAML

entry(
    "Y001",
    "There is no such file",
    cause="The path names nothing.",
    fix="Check the spelling, and from which directory the path is meant.",
)
entry(
    "Y002",
    "The file cannot be read",
    cause="The path names a directory, a pipe or a device, or the file may not be read.",
    fix="Give the path of a plain file that you may read.",
)
entry(
    "Y003",
    "The file is too large",
    cause="A file may have 2,000,000 bytes.",
    fix="Move large tables to files of their own.",
)
entry(
    "Y004",
    "The file is not UTF-8",
    cause="The file has bytes that are not UTF-8: it was saved in another encoding.",
    fix="Save the file as UTF-8.",
)
entry(
    "Y005",
    "A character is not allowed",
    cause="Control characters, and line breaks that only some programs know, cannot stand in "
    "a file: people do not see them, and programs count lines by them differently.",
    fix='Delete the character; in double quotes it can be written as an escape, as in "\\u2028".',
)
entry(
    "Y010",
    "The file is not YAML",
    cause="The text cannot be read as YAML. Nothing after this place has been read.",
    bad="""
        title: Hearts: a game of tricks
    """,
    good="""
        title: "Hearts: a game of tricks"
    """,
    fix="Check indentation, brackets and quotes at this place; quote texts that hold `: ` or ` #`.",
)
entry(
    "Y011",
    "The file is empty",
    cause="The file has nothing but blanks and comments.",
    bad="""
        # to be written
    """,
    good="""
        name: hearts
    """,
    fix="Write the file, or delete it.",
)
entry(
    "Y012",
    "There are several documents in one file",
    cause="A line of `---` begins a second document.",
    bad="""
        name: hearts
        ---
        name: spades
    """,
    good="""
        name: hearts
    """,
    fix="Put each document into a file of its own.",
)
entry(
    "Y013",
    "A key is here twice",
    cause="Two entries of one mapping have the same key; only one could count.",
    bad="""
        hand: 5
        deck: 52
        hand: 7
    """,
    good="""
        hand: 7
        deck: 52
    """,
    fix="Delete one of the two, or give it another name.",
)
entry(
    "Y014",
    "Anchors and aliases are not allowed",
    cause="YAML can name a value with `&` and repeat it with `*`. That makes files that explode "
    "when read, and hides where a value comes from.",
    bad="""
        red: &cards [1, 2, 3]
        blue: *cards
    """,
    good="""
        red: [1, 2, 3]
        blue: [1, 2, 3]
    """,
    fix="Write the value out, or quote a text that begins with `&` or `*`.",
)
entry(
    "Y015",
    "Tags are not allowed",
    cause="A word that begins with `!` is a YAML tag, which would change how a value is read.",
    bad="""
        rank: !!str 7
    """,
    good="""
        rank: "7"
    """,
    fix="Delete the tag; quotes make a text of a number. Quote a text that begins with `!`.",
)
entry(
    "Y016",
    "The merge key is not allowed",
    cause="`<<` would copy entries from another mapping.",
    bad="""
        king:
          <<: {worth: 10}
          rank: 13
    """,
    good="""
        king:
          worth: 10
          rank: 13
    """,
    fix="Write the entries out.",
)
entry(
    "Y017",
    "A key is not a text",
    cause="What stands before a `:` must be a text, and not be left out.",
    bad="""
        [3, 4]: castle
    """,
    good="""
        "[3, 4]": castle
    """,
    fix="Quote the key.",
)
entry(
    "Y018",
    "A key in { } has no value",
    cause="Inside { } a comma begins the next key, even one that was meant as part of a text; "
    "the rest of the text is then a key without a value.",
    bad="""
        card: {text: draw one, or two}
    """,
    good="""
        card: {text: "draw one, or two"}
    """,
    fix="Quote the value, or write the mapping in block style, one key to a line.",
)
entry(
    "Y019",
    "Parentheses inside { } or [ ] do not match",
    cause="Inside { } and [ ] a comma ends a value, so a call of a function with several arguments is cut in two.",
    bad="""
        step: {if: same(a, b)}
    """,
    good="""
        step:
          if: same(a, b)
    """,
    fix="Write this in block style, one key or item to a line, or quote the value.",
)
entry(
    "Y020",
    "Nested too deep",
    cause="Lists and mappings may stand 64 deep in one another.",
    fix="Give inner parts a name and a place of their own.",
)
entry(
    "Y021",
    "Too many values in a file",
    cause="A file may have 100,000 keys, texts, lists and mappings.",
    fix="Move large tables to files of their own.",
)
entry(
    "Y022",
    "A text is too long",
    cause="One text may have 65,536 characters.",
    fix="Split the text.",
)
entry(
    "Y023",
    "A number is out of bounds",
    cause="A number may have 25 digits, and must be finite.",
    bad="""
        worth: .inf
    """,
    good="""
        worth: 1000
    """,
    fix="Write a smaller number, or quote it if it is meant as a text.",
)
entry(
    "Y024",
    "Directives are not allowed",
    cause="A line before the document that begins with `%` tells a YAML reader how to read.",
    bad="""
        %YAML 1.1
        ---
        name: hearts
    """,
    good="""
        name: hearts
    """,
    fix="Delete the line.",
)

# Expressions and types

entry(
    "E001",
    "The expression cannot be read",
    cause="An expression, a loop header, a type or a text with braces is not written as the language has it.",
    bad="""
        if: card.suit = led
    """,
    good="""
        if: card.suit == led
    """,
    fix="Put right what the message points at; it says what could stand there.",
)
entry(
    "E002",
    "The expression is too long or too deep",
    cause="An expression may have 4,096 characters, be nested or chained 64 deep, and its numbers may have 18 digits.",
    fix="Give a part of it a name: a value, a function or a `let`.",
)
