"""A score that has nothing to do with who wins."""

from __future__ import annotations

from collections.abc import Iterator

from rulespec.checker import symbols
from rulespec.lint.finding import Finding, LintRule
from rulespec.lint.game import LintGame
from rulespec.lint.stages import read
from rulespec.text.yaml_tree import MapNode, Node

RULE = LintRule("L113")


def check(game: LintGame) -> Iterator[Finding]:
    """Games whose end tells a score of variables and zones, and finds the winners by none of them."""
    end = game.context.root.get("end of game")
    if not isinstance(end, MapNode) or (score := end.get("score")) is None:
        return
    finds = [(key, node) for key, node in end.entries if key.value in ("rank", "winners", "returns")]
    told = state(game, score)
    if not finds or not told:
        return
    used = set().union(*(state(game, node) for _, node in finds))
    if used and not used & told:
        yield Finding(
            RULE,
            "nothing of the score decides who wins",
            finds[0][1].span,
            help=("was a number of the score meant here?",),
            related=((game.line_of(score.span), "the score"),),
        )


def state(game: LintGame, node: Node) -> set[str]:
    """The variables and zones that expressions read, through functions and values, too; players of the table apart."""
    parts = {v.name for v in game.context.variables} | {zone.name for zone in game.context.zones}
    seen: set[str] = set()
    todo = read(node)
    attributes = {name: s for kind in game.context.kinds.values() for name, s in kind.attributes.items()}
    while todo:
        word = todo.pop()
        if word in seen:
            continue
        seen.add(word)
        for symbol in (game.context.names.get(word), attributes.get(word)):
            if isinstance(symbol, symbols.Function) and symbol.node is not None:
                todo |= read(symbol.node)
    return seen & parts
