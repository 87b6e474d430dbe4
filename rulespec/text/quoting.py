"""How messages show a text that somebody wrote."""

from __future__ import annotations


def ticked(value: object) -> str:
    """A text as a message shows it: in backquotes, on one line; in quotes where it is empty or has backquotes itself."""
    text = str(value).rstrip("\r\n").replace("\r\n", "\\n").replace("\n", "\\n").replace("\r", "\\r")
    if text and "`" not in text:
        return f"`{text}`"
    return f"'{text}'" if '"' in text and "'" not in text else f'"{text}"'
