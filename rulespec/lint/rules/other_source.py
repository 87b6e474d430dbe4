"""What is chosen from one place and taken from another."""

from __future__ import annotations

import re
from collections.abc import Iterator

from rulespec.expr import syntax
from rulespec.lint.finding import Finding, LintRule
from rulespec.lint.game import LintGame
from rulespec.lint.stages import below, parsed, steps
from rulespec.text.quoting import ticked
from rulespec.text.yaml_tree import ListNode, ScalarNode

RULE = LintRule("L110")


def check(game: LintGame) -> Iterator[Finding]:
    """A choice from somebody's zone whose answer a later step moves from the same zone of another."""
    zones = {zone.name for zone in game.context.zones}
    for step in steps(game):
        name, source = step.operand, step.part("candidates")
        if not isinstance(name, ScalarNode) or source is None:
            continue
        chosen = parsed(source.value)
        if not isinstance(chosen, syntax.Attr) or chosen.name not in zones:
            continue
        for later in below(ListNode(step.following, name.span), ()):
            what, origin = later.operand, later.part("source")
            if later.role("goal") is None or not isinstance(what, ScalarNode) or origin is None:
                continue
            taken = parsed(origin.value)
            if not re.fullmatch(rf"(1 of )?{re.escape(name.value)}", what.value) or not isinstance(taken, syntax.Attr):
                continue
            if taken.name == chosen.name and taken.obj != chosen.obj:
                yield Finding(
                    RULE,
                    f"{ticked(name.value)} is chosen from {ticked(source.value)} and taken from {ticked(origin.value)}",
                    origin.span,
                    help=("was the same place meant in both?",),
                    related=((source.span, "where it is chosen"),),
                )
