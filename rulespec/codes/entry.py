"""An entry of the catalogue of codes."""

from __future__ import annotations

from textwrap import dedent

from rulespec.system.records import dataclass


@dataclass(frozen=True, slots=True)
class ErrorCode:
    """One code. `bad` and `good` are example texts, empty where a text cannot show it."""

    code: str
    title: str
    cause: str
    bad: str
    good: str
    fix: str


def entry(code: str, title: str, *, cause: str, fix: str, bad: str = "", good: str = "") -> ErrorCode:
    """An entry; example texts may be indented like the code around them."""
    return ErrorCode(code, title, cause, dedent(bad).strip("\n"), dedent(good).strip("\n"), fix)
