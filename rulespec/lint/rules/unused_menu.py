"""A menu that is never offered."""

from __future__ import annotations

from collections.abc import Iterator

from rulespec.lint.finding import Finding, LintRule
from rulespec.lint.game import LintGame

RULE = LintRule("L024")


def check(game: LintGame) -> Iterator[Finding]:
    """Menus that no `offer` names; the rules that add to one are shown with it."""
    for menu in game.context.menus.values():
        if ("menu", menu.name) not in game.context.in_play:
            yield Finding(
                RULE,
                f"nothing offers the menu `{menu.name}`",
                menu.span,
                related=tuple((rule.span, "this rule adds to it") for rule in menu.additions[:3]),
            )
