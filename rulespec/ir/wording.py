"""Several things in one text, told apart also where their names hold commas."""

from __future__ import annotations

import re
from collections.abc import Sequence

PARTED = re.compile(r",\s|\sand\s")  # what also stands between items: an item that holds it would read as two


def separator(texts: Sequence[str]) -> str:
    """What stands between items: a semicolon where one of several would otherwise read as two."""
    return "; " if len(texts) > 1 and any(map(PARTED.search, texts)) else ", "


def joined(texts: Sequence[str]) -> str:
    """`a, b, c`; where an item holds a comma, `a, b; c; d`."""
    return separator(texts).join(texts)


def listing(texts: Sequence[str]) -> str:
    """`a, b and c`; where an item holds a comma, `a, b; c; and d`."""
    if len(texts) < 2:
        return texts[0] if texts else "nothing"
    between = separator(texts)
    return f"{between.join(texts[:-1])}{'; and ' if between == '; ' else ' and '}{texts[-1]}"
