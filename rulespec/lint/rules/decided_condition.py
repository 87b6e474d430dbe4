"""A condition that always or never holds."""

from __future__ import annotations

import re
from collections.abc import Iterator

from rulespec.analysis.domain import Fact
from rulespec.ir.wording import listing
from rulespec.lint.finding import Finding, LintRule
from rulespec.lint.game import LintGame
from rulespec.lint.rules.out_of_range import shown
from rulespec.text.quoting import ticked

RULE = LintRule("L030")
COMPARED = re.compile(r"(?P<left>[^=<>!]+?) *(?P<sign>==|!=|<=|>=|<|>) *(?P<right>[^=<>!]+)\Z")
NUMBER = re.compile(r"-?[0-9]+\Z")


def check(game: LintGame) -> Iterator[Finding]:
    """Conditions with one answer in every setup, by the ranges of what they speak of and the conditions before them."""
    for span, holds, sides in game.ranges.decided():
        text = " ".join(span.text.split())
        proof = because(text, sides)
        yield Finding(
            RULE,
            f"{ticked(text)} is {'always' if holds else 'never'} true here{f': {proof}' if proof else ''}",
            span,
            help=()
            if proof
            else ("by the ranges of what it compares and the conditions around it, it has no other answer",),
        )


def because(text: str, sides: tuple[Fact, Fact] | None) -> str:
    """What the sides of a comparison of numbers are, as a proof; empty where it is of something else, or a side may be any number."""
    match = COMPARED.match(text)
    if match is None or sides is None or re.search(r"\b(and|or|not|if|in)\b", text):
        return ""
    written = match["left"].strip(), match["right"].strip()
    numbers = [NUMBER.match(side) is not None for side in written]
    if match["sign"] in ("==", "!=") and not any(numbers):
        return ""  # members of a type, perhaps
    if any(side.low is None and side.high is None for side in sides):
        return ""
    return listing(
        [
            f"{ticked(name)} is {shown(side.low, side.high)}"
            for name, side, number in zip(written, sides, numbers, strict=True)
            if not number
        ]
    )
