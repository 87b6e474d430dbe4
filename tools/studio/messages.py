"""What a page of the studio may say, in the manner of `tools.serve.messages`."""

from __future__ import annotations

from typing import Any

from rulespec.text.disk import MAX_BYTES

from ..serve.messages import Forms, flag, number, text, word

MOST = 6 * MAX_BYTES  # of a message: a file, each character of which may be escaped


def long(value: Any) -> bool:
    """The text of a file."""
    return isinstance(value, str) and len(value) <= MAX_BYTES


def spoken(value: Any) -> bool:
    """A message for the language server."""
    return isinstance(value, str) and len(value) <= MOST


def digest(value: Any) -> bool:
    """What a text is known by: empty for none."""
    return value == "" or word(value)


FORMS: Forms = {
    "hello": {"protocol": number, "token": word, "page": word, "game?": text},
    "lsp": {"text": spoken},
    "open": {"id": word, "game": text},
    "files": {"id": word},
    "read": {"id": word, "file": text, "again?": flag},
    "draft": {"id": word, "file": text, "before": digest, "text": long},
    "undraft": {"id": word, "file": text},
    "save": {"id": word, "file": text, "before": digest, "text": long},
    "look": {"id": word, "file": text},
    "deal": {"id": word, "players?": number, "people": word},
    "trace": {"id": word, "case": text},
    "played": {"id": word},
    "case": {"id": word, "name": text, "first": number},
    "where": {"id": word, "what": word, "name": long},
    "lit": {"id": word, "file": text, "line": number},
    "make": {"id": word, "what": word, "name": text, "title?": text, "of": text},
}
