"""A member of a closed list of words that no value can be."""

from __future__ import annotations

from collections.abc import Iterator

from rulespec.lint.finding import Finding, LintRule
from rulespec.lint.game import LintGame
from rulespec.text.quoting import ticked

RULE = LintRule("L011")


def check(game: LintGame) -> Iterator[Finding]:
    """Members that are named nowhere, of types that are never taken as a whole; the first is what variables start as."""
    for kind in game.kinds():
        if kind.what != "enum" or kind.name in game.context.wholes or not game.spoken_of(kind):
            continue
        for member, span in list(zip(kind.members, kind.spans, strict=True))[1:]:
            if not any((use, f"{kind.name}.{member}") in game.context.refs for use in ("member", "datum")):
                yield Finding(RULE, f"nothing names {ticked(member)}, so no {kind.name} is ever that", span)
