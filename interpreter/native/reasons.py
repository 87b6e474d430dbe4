"""Why C leaves an answer to Python, in words: for each number that `rs_why` of `abi.h` tells, in its order."""

from __future__ import annotations

REASONS = (
    "it ends in an error of the rules, or looks at what the rules would not come to",
    "it takes more work than C counts for one answer",
    "procedures or functions run within each other deeper than C goes",
    "more procedures wait for each other than C has room for",
    "a list or set has more items than C has room for",
    "chance draws from more outcomes than C has room for",
    "a question has more answers than C has room for",
    "more lasting effects go on than C has room for",
    "the rules have no C there",
    "C has no room for this position",
)


def reason(number: int) -> str:
    """The words of a number that C tells."""
    return REASONS[number] if 0 <= number < len(REASONS) else REASONS[0]
