"""A variable that nothing reads."""

from __future__ import annotations

from collections.abc import Iterator

from rulespec.checker import symbols
from rulespec.lint.finding import Finding, LintRule
from rulespec.lint.game import LintGame
from rulespec.text.yaml_tree import MapNode, ScalarNode

RULE = LintRule("L012")


def check(game: LintGame) -> Iterator[Finding]:
    """Variables that are not read in play; what only its own changes or cases read counts as unread."""
    for variable in game.context.variables:
        if variable.base in game.used.reads or ("sight", variable.name) in game.context.in_play:
            continue
        if variable.told or variable.remembers or (variable.base in game.changed and meant_to_be_seen(game, variable)):
            continue
        if variable.base in game.changed or variable.initial is not None:
            who = "only cases read" if variable.base in game.in_cases.reads else "no rule reads"
            yield Finding(
                RULE,
                f"{who} the variable `{variable.name}`",
                variable.span,
                help=("use it in a rule, or delete it; if it is there for people to see, say so: `seen by: all`",),
            )
        else:
            yield Finding(RULE, f"no rule uses the variable `{variable.name}`", variable.span)


def meant_to_be_seen(game: LintGame, variable: symbols.Variable) -> bool:
    """Whether the game says itself, and not by default, that somebody sees a variable, on the table and not only in data."""
    if not variable.shown:
        return False
    node = game.entry_of(variable.span)
    seen = node.get("seen by") if isinstance(node, MapNode) else None
    return isinstance(seen, ScalarNode) and seen.value != "none"
