"""Steps that are written as a sentence, `add 2 to coins`: the whole step that is meant, so that it can be copied."""

from __future__ import annotations

import re

from rulespec.text.quoting import ticked

from . import foreign_steps, foreign_words, registry

LONG = 120  # letters of a sentence that is worth repeating
BLOCKS = ("then", "do")  # under which of a verb's keys its steps stand
ARROW = re.compile(r"\A(?:[=-]+>|=+)\s*")  # between a verb and its value
CHANGED = re.compile(
    r"(?P<place>[A-Za-z_][\w.]*) *(?P<sign>[+-]) *(?P<value>[\w.]+)"
)  # a variable and how much more or less
PLAIN = re.compile(r"[\w.+*-]+(?: [\w.+*<>=-]+)*\Z")  # a value that YAML takes without quotes, also within braces


def sentence(words: str) -> str:
    """The step that a sentence means which begins with a verb, as a hint; empty if it begins with none.

    In block style if it has steps of its own (`if coins > 3`), else in one line.
    """
    name = first_verb(words)
    if name is None or len(words) > LONG:
        return ""
    if name == "return":
        return foreign_steps.returned(words)
    verb = registry.verbs()[name]
    rest = ARROW.sub("", words[len(name) :].strip()).rstrip(":").removesuffix(" times").strip()
    block = next((key for key in BLOCKS if key in verb.keys and verb.keys[key].required), None)
    if block is not None:
        head = f"{name}: {rest or '...'}"
        return f"write {ticked(head)}, and below it `{block}:` with the steps"
    parts = [name, *re.split(rf"\b({'|'.join(map(re.escape, verb.keys))})\b:?", rest)] if verb.keys else [name, rest]
    pairs = [(key.strip(), value.strip()) for key, value in zip(parts[::2], parts[1::2], strict=True)]
    given = {key for key, value in pairs if value}
    pairs += [(key, "...") for key, about in verb.keys.items() if about.required and key not in given]
    written = ", ".join(f"{key}: {value if PLAIN.fullmatch(value) else quoted(value)}" for key, value in pairs if value)
    if len(pairs) == 1:
        return f"a colon follows the verb: {ticked(written or f'{name}: ...')}"
    return whole(written)


def assigned(name: str, value: str) -> str:
    """The step that is meant where a verb's own value holds what belongs under another key, `set: score = 4`; empty if none is."""
    verb = registry.verbs()[name]
    missing = [key for key, about in verb.keys.items() if about.required]
    match = foreign_words.ASSIGNMENT.match(value) if len(value) <= LONG else None
    if match is not None and missing == ["to"] and not match["sign"]:
        return whole(f"{name}: {match['place'].strip()}, to: {match['value'].strip()}")
    match = match or CHANGED.fullmatch(value)
    if name == "set" and match is not None and match["sign"] in ("+", "-"):
        word, key = ("add", "to") if match["sign"] == "+" else ("lose", "from")
        return whole(f"{word}: {match['value'].strip()}, {key}: {match['place'].strip()}")
    beginning = (
        re.match(rf"(?s).+\b({'|'.join(map(re.escape, missing))})\b.+", value)
        if missing and len(value) <= LONG
        else None
    )
    return sentence(f"{name} {value}") if beginning is not None else ""


def whole(entries: str) -> str:
    """The hint that shows a step in one line."""
    step = f"{{{entries}}}"
    return f"write the whole step: {ticked(step)}"


def quoted(value: str) -> str:
    """A value as YAML takes it within braces."""
    return value if value == "..." else "'" + value.replace("'", "''") + "'"


def first_verb(words: str) -> str | None:
    """The longest verb with which the words begin."""
    return max((verb for verb in registry.verbs() if f"{words} ".startswith(f"{verb} ")), key=len, default=None)
