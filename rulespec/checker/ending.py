"""How a game ends: its last steps, and what each player gets."""

from __future__ import annotations

from rulespec import ir
from rulespec.checker import symbols
from rulespec.checker.body import Body
from rulespec.checker.context import CheckContext
from rulespec.checker.env import Env
from rulespec.checker.expressions import Expressions
from rulespec.language.types import (
    INT,
    PLAYER,
    PLAYERS,
    ListType,
)
from rulespec.text.yaml_tree import MapNode


def end_of_game(context: CheckContext) -> MapNode:
    """The section that says how a game ends."""
    node = context.root.get("end of game")
    return node if isinstance(node, MapNode) else MapNode((), context.root.span)


def ending(context: CheckContext, expressions: Expressions, body: Body, env: Env) -> None:
    """What follows when the game is over: last steps, then the returns."""
    node = end_of_game(context)
    body.block(node.get("before"), env)
    body.emit(ir.Finish(returns(expressions, node, env), node.span))


def returns(expressions: Expressions, node: MapNode, env: Env) -> ir.Expr:
    """What each player gets: `returns`, or from `winners` or `rank`; a `win` goes before."""
    players = ir.Setting("players")
    zero: ir.Expr = ir.Op("by_winners", (ir.Const(()), players))
    value = zero
    if (own := node.get("returns")) is not None:
        function = symbols.Function(
            "returns", "hidden", [symbols.Parameter("this", PLAYER, own.span)], own, own.span, INT
        )
        expressions.compile_function(function)
        index = env.bind("", PLAYER)[1]
        value = ir.Comp(index, ir.Op("seats", (players,)), None, ir.Invoke(function.index or 0, (ir.Local(index),)))
    elif (own := node.get("winners")) is not None:
        value = ir.Op("by_winners", (expressions.of(own, env, PLAYERS)[0], players))
    elif (own := node.get("rank")) is not None:
        expr, _ = expressions.of(own, env, ListType(ListType(PLAYER)))
        value = ir.Op("by_rank", (expr, players))
    named = ir.Op("by_winners", (ir.Load(ir.WINNERS), players))
    return ir.Cond(ir.Op("is_none", (ir.Load(ir.WINNERS),)), value, named)
