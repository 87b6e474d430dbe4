"""A reason that says the contrary of its condition: `if: hand is empty`, `why: There is nothing to sell`."""

from __future__ import annotations

import re
from collections.abc import Iterator

from rulespec.checker import symbols
from rulespec.lint.finding import Finding, LintRule
from rulespec.lint.game import LintGame
from rulespec.lint.trees import written
from rulespec.text.quoting import ticked
from rulespec.text.yaml_tree import MapNode, ScalarNode

RULE = LintRule("L120")
THING = r"[\w.]+(?:\([\w., ]*\))?"
NONE = re.compile(rf"{THING} is (empty|none)|size\({THING}\) == 0|{THING} == 0")
SOME = re.compile(rf"{THING} is (not empty|known)|size\({THING}\) (> 0|>= 1)")
NOTHING = re.compile(
    r"\b(nothing|nobody|empty|used up|none left|no more|(there|it) (is|are) no(ne)?|(has|have) no(ne)?)\b",
    re.IGNORECASE,
)
SOMETHING = re.compile(r"\b(full|taken|occupied|already|somebody|someone|not empty)\b", re.IGNORECASE)
RULES = re.compile(
    r"\b(must|only|should|has to|have to|may|might|can|cannot|could|need|needs|until|unless|not)\b", re.IGNORECASE
)


def check(game: LintGame) -> Iterator[Finding]:
    """Conditions of one part, or functions that are one, that want nothing or something to be there, and reasons that tell the same.

    A reason says why something is refused: the contrary of what is wanted.  One that states a rule (`it must be empty`) is left alone.
    """
    for node in written(game):
        test, why = (node.get("if"), node.get("why")) if isinstance(node, MapNode) else (None, None)
        if not isinstance(test, ScalarNode) or not isinstance(why, ScalarNode):
            continue
        wanted = condition(game, test.value)
        lacking = NOTHING.search(why.value)
        there = SOMETHING.search(why.value)
        rule = RULES.search(why.value.replace("not empty", ""))
        if rule or bool(lacking) == bool(there):
            continue
        word = lacking if NONE.fullmatch(wanted) else there if SOME.fullmatch(wanted) else None
        if word is not None:
            yield Finding(
                RULE,
                f"this is allowed where {ticked(wanted)}, and refused because of that",
                test.span,
                help=("is the condition turned round?",),
                related=((why.at(*word.span()), "the reason"),),
            )


def condition(game: LintGame, text: str) -> str:
    """A condition, or what a function of that name says."""
    symbol = game.context.names.get(text)
    body = symbol.node if isinstance(symbol, symbols.Function) else None
    return " ".join((body.value if isinstance(body, ScalarNode) else text).split())
