"""A winner of whom the condition that ends the game does not speak."""

from __future__ import annotations

from collections.abc import Iterator

from rulespec.checker import symbols
from rulespec.expr import syntax
from rulespec.language.types import PLAYER
from rulespec.lint.finding import Finding, LintRule
from rulespec.lint.game import LintGame
from rulespec.lint.stages import alone, names, parsed, read, steps
from rulespec.text.quoting import ticked
from rulespec.text.yaml_tree import ListNode

RULE = LintRule("L108")


def check(game: LintGame) -> Iterator[Finding]:
    """`win` of a name under a condition that looks for any player and does not speak of that name."""
    for step in steps(game):
        test, then = step.part("test"), step.node.get("then")
        tree = parsed(test.value) if test is not None else None
        if tree is None or not isinstance(then, ListNode) or test is None:
            continue
        searched = [node for node in syntax.walk(tree) if isinstance(node, syntax.Comp) and of_players(node.coll)]
        spoken = names(tree) | spoken_of(game, tree)
        for item in then.items:
            winning = alone(item)
            winner = winning.part("winner") if winning is not None else None
            name = parsed(winner.value) if winner is not None else None
            if not searched or winner is None or not isinstance(name, syntax.Name):
                continue
            if name.id not in spoken | {"all", "players"} and is_one(game, name.id):
                yield Finding(
                    RULE,
                    f"{ticked(name.id)} wins, and the condition is about any player: {ticked(searched[0].var)} may be another",
                    winner.span,
                    help=(f"let those win who fulfil it: `those({searched[0].var} in players where ...)`",),
                    related=((test.span, "the condition"),),
                )


def of_players(coll: syntax.Node) -> bool:
    """Whether something goes through the players."""
    return bool(names(coll) & {"players", "Player"})


def is_one(game: LintGame, name: str) -> bool:
    """Whether a name is a player who may be any: no seat and no function."""
    symbol = game.context.names.get(name)
    return (symbol is None and not game.context.members.get(name)) or (
        isinstance(symbol, symbols.Variable) and symbol.type == PLAYER
    )


def spoken_of(game: LintGame, tree: syntax.Node) -> set[str]:
    """The names in the functions that an expression calls."""
    words: set[str] = set()
    todo = names(tree)
    while todo:
        symbol = game.context.names.get(todo.pop())
        if isinstance(symbol, symbols.Function) and symbol.node is not None:
            more = read(symbol.node) - words
            words |= more
            todo |= more
    return words
