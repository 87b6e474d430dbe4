"""A procedure or phase that never runs."""

from __future__ import annotations

from collections.abc import Iterator

from rulespec.lint.finding import Finding, LintRule
from rulespec.lint.game import LintGame

RULE = LintRule("L020")


def check(game: LintGame) -> Iterator[Finding]:
    """Procedures to which no way leads from the phase `game`; that cases run them is no use in play."""
    for procedure in game.context.procedures.values():
        if procedure.index not in game.used.procedures:
            noun = "phase" if procedure.phase else "procedure"
            who = "only cases run" if procedure.index in game.in_cases.procedures else "nothing runs"
            yield Finding(RULE, f"{who} the {noun} `{procedure.name}`", procedure.span)
