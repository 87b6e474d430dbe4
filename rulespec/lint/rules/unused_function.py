"""A function, value or condition that nothing uses."""

from __future__ import annotations

from collections.abc import Iterator

from rulespec.checker import symbols
from rulespec.lint.analysis import functions
from rulespec.lint.finding import Finding, LintRule
from rulespec.lint.game import LintGame
from rulespec.text.quoting import ticked

RULE = LintRule("L016")


def check(game: LintGame) -> Iterator[Finding]:
    """Functions that neither play nor bots nor what is to hold always needs; conditions also count where a choice names them.

    Of what a procedure uses that nothing runs, that is told instead.
    """
    named = {name for kind, name in game.context.in_play if kind == "condition"}
    wanted = game.used.functions | game.unrun.functions
    for function in functions(game.context):
        if function.what not in ("function", "value", "condition") or function.index in wanted:
            continue
        if not (function.what == "condition" and function.name in named):
            who = "only cases use" if function.index in game.in_cases.functions else "nothing uses"
            yield Finding(RULE, f"{who} the {function.what} {ticked(shown(function))}", function.span)


def shown(function: symbols.Function) -> str:
    """A value with the kind whose value it is."""
    return function.name if function.owner is None else f"{function.owner.name}.{function.name}"
