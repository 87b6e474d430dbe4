"""What C calls that is written already: the one place that reads it.

Nothing else asks a text of C what it is: what a text is says its type (`texts`), what a value is says its `Val`.  Whether C may be a
fault is asked of what was put together from hundreds of templates, of the library's too, and each of them says so by the calls in it.
"""

from __future__ import annotations

import re
from collections.abc import Set as AbstractSet

CALL = re.compile(r"\b(\w+)\(S\b(?!->)")
COUNTING = frozenset(
    {"paidM", "paidW", "FUEL"}
)  # what only counts, and so is no fault that who looks at C would come to


def may_fail(code: str, sure: AbstractSet[str]) -> bool:
    """Whether C may be a fault; `sure` are functions that never are."""
    return any(name not in sure and name not in COUNTING for name in CALL.findall(code))


def has_effect(code: str) -> bool:
    """Whether C may be a fault, or counts what it does."""
    return CALL.search(code) is not None


def loops(code: str) -> int:
    """How many loops there are in C."""
    return code.count("for(")
