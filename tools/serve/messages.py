"""What a client may say: one JSON object a message, each part of it of a form and a size that are known."""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Mapping
from typing import Any, NamedTuple

from interpreter.files import saves
from rulespec.text.quoting import ticked

PROTOCOL = 1
MOST_BYTES = 16_384  # of a message
MOST_ITEMS = 400  # of a list in one
LONGEST_TEXT = 300
BIGGEST = 2**63

Forms = Mapping[str, Mapping[str, Callable[[Any], bool]]]
WORD = re.compile(r"[\w.:+-]{1,80}")


class Malformed(Exception):
    """Raised for what makes no sense; its text says why."""


class Message(NamedTuple):
    """What was said, in a form that is known: `id` is empty where none was given."""

    type: str
    id: str
    data: dict[str, Any]


def word(value: Any) -> bool:
    """A short name."""
    return isinstance(value, str) and WORD.fullmatch(value) is not None


def thing(value: Any) -> bool:
    """What a view calls a thing: the name of its type, a slash, and its own."""
    return isinstance(value, str) and value.count("/") == 1 and all(map(word, value.split("/")))


def text(value: Any) -> bool:
    """What somebody has written."""
    return isinstance(value, str) and len(value) <= LONGEST_TEXT


def flag(value: Any) -> bool:
    """Yes or no."""
    return isinstance(value, bool)


def number(value: Any) -> bool:
    """A whole number that is not negative."""
    return type(value) is int and 0 <= value < BIGGEST


def numbers(value: Any) -> bool:
    """A list of them."""
    return isinstance(value, list) and len(value) <= MOST_ITEMS and all(number(one) for one in value)


def words(value: Any) -> bool:
    """A list of short names."""
    return isinstance(value, list) and len(value) <= MOST_ITEMS and all(word(one) for one in value)


def seconds(value: Any) -> bool:
    """A short time."""
    return type(value) in (int, float) and 0 <= value <= 60


def settings(value: Any) -> bool:
    """Options of a game, by name."""
    return isinstance(value, dict) and len(value) <= 100 and all(word(k) and word(v) for k, v in value.items())


# The parts of each message; those with `?` may be missing.  Others are skipped.
FORMS: Forms = {
    "hello": {"protocol": number, "token": word, "table?": word, "have?": word},
    "view": {},
    "answer": {"id": word, "at": word, "actions?": numbers, "several?": numbers},
    "select": {"id": word, "at": word, "picked": numbers},
    "why": {"id": word, "at": word, "action": number},
    "ahead": {"id": word, "at": word, "action?": number},
    "about": {"id": word, "at": word, "thing": thing},
    "rules": {"id": word},
    "book": {"id": word, "chapter": number},
    "undo": {"id": word, "at?": word, "withdraw?": flag},
    "agree": {"ask": number, "yes": flag},
    "here": {"seat": word},
    "away": {},
    "begin": {"id": word},
    "stand": {"id": word},
    "chat": {"text": text},
    "record": {"id": word},
    "step": {"id": word, "step": number},
    "again": {"id": word},
    "links": {"id": word},
    "seat": {"id": word, "seat": word, "by": word},
    "case": {"id": word, "name?": text},
    "pace": {"id": word, "seconds": seconds},
    "open": {
        "id": word, "game": word, "players?": number, "people?": words, "together?": flag, "variants?": words,
        "options?": settings, "bot?": word,
    },
    "close": {"id": word, "table": word},
}  # fmt: skip


def read(frame: str | bytes, forms: Forms = FORMS, most: int = MOST_BYTES) -> Message:
    """A message of one of these forms, from a frame; raises Malformed."""
    if not isinstance(frame, str):
        raise Malformed("messages are text")
    if len(frame) > most:
        raise Malformed(f"messages have at most {most} bytes")
    try:
        data = json.loads(frame, object_pairs_hook=saves.single)
    except saves.Doubled:
        raise Malformed("the message has a key twice") from None
    except (ValueError, RecursionError):
        raise Malformed("the message is not JSON") from None
    if not isinstance(data, dict):
        raise Malformed("a message is a JSON object")
    name = data.get("type")
    form = forms.get(name) if isinstance(name, str) else None
    if not isinstance(name, str) or form is None:
        raise Malformed("the `type` is none that is known")
    parts: dict[str, Any] = {}
    for key, fits in form.items():
        part = key.removesuffix("?")
        if data.get(part) is None:
            if key == part:
                raise Malformed(f"{ticked(name)} has no {ticked(part)}")
        elif not fits(data[part]):
            raise Malformed(f"{ticked(part)} of {ticked(name)} is not of the right form")
        else:
            parts[part] = data[part]
    ident = parts.get("id", "")
    if len(ident) > 40:
        raise Malformed(f"`id` of {ticked(name)} is not of the right form")
    return Message(name, ident, parts)


def written(message: dict[str, Any]) -> str:
    """A message of the server as text."""
    return json.dumps(message, ensure_ascii=False, separators=(",", ":"))
