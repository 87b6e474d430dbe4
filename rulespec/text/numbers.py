"""The one spelling of whole numbers, wherever people write them: in games, commands, answers and files."""

from __future__ import annotations

import re

from rulespec.text.quoting import ticked

MAX_DIGITS = 25
WHOLE = r"(?:0|-?[1-9][0-9]*)"  # to the base ten, no zero before others, no `+`, no `_`; digits are those of ASCII

_WHOLE = re.compile(WHOLE)
_RANGE = re.compile(rf"\s*({WHOLE})\s*(?:\.\.\s*({WHOLE})\s*)?")
_DECIMAL = re.compile(rf"-?(?:0|[1-9][0-9]{{0,{MAX_DIGITS - 1}}})(?:\.[0-9]{{1,{MAX_DIGITS}}})?")
_ALIKE = re.compile(r"([-+]?)(\d{1,25}|0[xX][0-9a-fA-F]{1,16}|0[oO][0-7]{1,16})")


def whole(text: str) -> int | None:
    """The number that a text spells; None for any other text, and for more than MAX_DIGITS digits."""
    return int(text) if len(text.removeprefix("-")) <= MAX_DIGITS and _WHOLE.fullmatch(text) else None


def natural(text: str) -> int | None:
    """The number that a text spells, if it is not negative."""
    number = whole(text)
    return None if number is None or number < 0 else number


def decimal(text: str) -> float | None:
    """The number that a text spells which may have a fraction, such as `0.5`; None for any other text."""
    return float(text) if _DECIMAL.fullmatch(text) else None


def whole_range(text: str) -> tuple[int, int] | None:
    """The ends of a range such as `2..5`, or a number as both of them; None for any other text."""
    match = _RANGE.fullmatch(text)
    low = None if match is None else whole(match[1])
    high = low if match is None or match[2] is None else whole(match[2])
    return None if low is None or high is None else (low, high)


def respelt(text: str) -> str | None:
    """How a number or a range is spelt rightly that is spelt otherwise: `017`, `+3`, `0x1F`, `1..04`; None where neither is meant."""
    ends = [part.strip() for part in text.split("..")]
    numbers = [_ALIKE.fullmatch(end) for end in ends]
    if len(ends) > 2 or all(whole(end) is not None for end in ends):
        return None
    spelt = [str(_value(match[1], match[2])) for match in numbers if match is not None]
    return "..".join(spelt) if len(spelt) == len(ends) else None


def _value(sign: str, digits: str) -> int:
    number = int(digits) if digits.isdecimal() else int(digits, 0)
    return -number if sign == "-" else number


def spelling(text: str) -> tuple[str, ...]:
    """The help where a number is wanted and a text is another spelling of one."""
    right = respelt(text)
    return () if right is None else (f"write {ticked(right)}: digits alone, and no zero before others",)
