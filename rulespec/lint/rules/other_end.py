"""An end of the game that is the contrary of what the game says of itself."""

from __future__ import annotations

import re
from collections.abc import Iterator

from rulespec.checker import symbols
from rulespec.expr import syntax
from rulespec.lint.finding import Finding, LintRule
from rulespec.lint.game import LintGame
from rulespec.lint.stages import parsed
from rulespec.lint.trees import nodes
from rulespec.text.yaml_tree import MapNode, ScalarNode

RULE = LintRule("L115")
MOST = re.compile(r"\b(most|highest|best|longest|greatest|richest)\b", re.IGNORECASE)
LEAST = re.compile(
    r"\b(least|lowest|fewest|smallest|shortest|worst|poorest|not|golf|low|misère|misere)\b", re.IGNORECASE
)


def check(game: LintGame) -> Iterator[Finding]:
    """Games whose `about` says that the most or the highest wins and nothing of the least, and whose end looks for the least."""
    about, end = game.context.root.get("about"), game.context.root.get("end of game")
    if not isinstance(about, ScalarNode) or not isinstance(end, MapNode):
        return
    word = MOST.search(about.value)
    if word is None or LEAST.search(about.value):
        return
    for key, node in end.entries:
        for scalar in nodes(node) if key.value in ("winners", "rank") else ():
            tree = parsed(scalar.value) if isinstance(scalar, ScalarNode) else None
            place = least(game, tree) if tree is not None else None
            if place is not None and isinstance(scalar, ScalarNode):
                yield Finding(
                    RULE,
                    f"the least wins here, and `about` speaks of the {word[0].lower()}",
                    scalar.at(place.start, place.end),
                    help=("write `most` for `least`, leave out the minus, or say in `about` that the least wins",),
                    related=((about.at(*word.span()), "what people read"),),
                )


def least(game: LintGame, tree: syntax.Node) -> syntax.Node | None:
    """Where an expression asks for the least: by `least`, by a negative key, or in the function that it calls."""
    match tree:
        case syntax.Call(syntax.Name("least")):
            return tree
        case syntax.Call(syntax.Name("most" | "ranking"), (syntax.Comp() as comp,)) if comp.key is not None:
            key = comp.key.items[0] if isinstance(comp.key, syntax.Tuple) else comp.key
            negative = isinstance(key, syntax.Unary) and key.op == "neg"
            if negative or (isinstance(key, syntax.Binary) and key.op == "-" and key.left == syntax.Num(0)):
                return key
        case syntax.Name(word):
            symbol = game.context.names.get(word)
            body = symbol.node if isinstance(symbol, symbols.Function) else None
            inner = parsed(body.value) if isinstance(body, ScalarNode) else None
            if inner is not None and not isinstance(inner, syntax.Name) and least(game, inner) is not None:
                return tree
        case _:
            pass
    return None
