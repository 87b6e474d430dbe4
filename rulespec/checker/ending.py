"""How a game ends: its last steps, and what each player gets."""

from __future__ import annotations

from collections.abc import Iterable

from rulespec import ir
from rulespec.checker import symbols
from rulespec.checker.body import Body
from rulespec.checker.context import CheckContext
from rulespec.checker.env import Env, Frame, call_frame
from rulespec.checker.expressions import Expressions
from rulespec.checker.scoping import ENDING, record
from rulespec.checker.shares import Shares, divided
from rulespec.checker.utility import Stated
from rulespec.language.types import (
    INT,
    PLAYER,
    PLAYERS,
    ListType,
)
from rulespec.text.yaml_tree import MapNode, Node, ScalarNode


def end_of_game(context: CheckContext) -> MapNode:
    """The section that says how a game ends."""
    node = context.root.get("end of game")
    return node if isinstance(node, MapNode) else MapNode((), context.root.span)


def ending(context: CheckContext, expressions: Expressions, body: Body, env: Env) -> None:
    """What follows when the game is over: last steps, who has won where no step named them, then the returns."""
    node = end_of_game(context)
    body.block(node.get("before"), env)
    without_scopes(context, env.frame, "before", node, body.calls)
    winning, losing = node.get("winners"), node.get("losers")
    open_ = ir.Op("is_none", (ir.Load(ir.WINNERS),))  # no step has named the winners
    winners: ir.Expr | None = None
    if losing is not None:
        losers = expressions.players(losing, env)
        without_scopes(context, env.frame, "losers", node)
        env, lost = env.fresh(PLAYERS)
        body.emit(ir.Let(lost, losers, node.span))
        others = ir.Op("minus", (ir.Op("seats", (ir.Setting("players"),)), ir.Local(lost)))
        winners = others if winning is None else expressions.players(winning, env)
        env, won = env.fresh(PLAYERS)
        body.emit(ir.Let(won, winners, node.span))
        winners = ir.Local(won)
        sides = ir.Op("by_sides", (winners, ir.Local(lost), ir.Setting("players")))
        body.assign(ir.RETURNS, ir.Cond(open_, sides, ir.Load(ir.RETURNS)), "returns", node.span)
    elif winning is not None:
        winners = expressions.players(winning, env)
    if winners is not None:
        without_scopes(context, env.frame, "winners", node)
        body.assign(ir.WINNERS, ir.Cond(open_, winners, ir.Load(ir.WINNERS)), "winners", node.span)
    value = returns(context, expressions, node, env)
    if losing is not None or context.defeats:
        given = in_parts(ir.Load(ir.RETURNS), context.unit, env)
        value = ir.Cond(ir.Op("is_none", (ir.Load(ir.RETURNS),)), value, given)
    stated = node.get("utility")
    if isinstance(stated, MapNode):
        value = Stated(context, expressions, stated).held(body, value, env)
    body.emit(ir.Finish(value, node.span))


def without_scopes(
    context: CheckContext, frame: Frame, key: str, node: MapNode, calls: Iterable[tuple[str, frozenset[str]]] = ()
) -> None:
    """Note which scopes a part of the section reads, though none is going on when the game is over."""
    if (part := node.get(key)) is not None:
        record(context, f"{ENDING}{key}", part.span, frame.scopes, {*calls, *frame.ahead})
    frame.scopes, frame.ahead = set(), set()


def in_parts(numbers: ir.Expr, unit: int, env: Env) -> ir.Expr:
    """Returns in the parts in which the formula counts them."""
    if unit == 1:
        return numbers
    _, index = env.hold(INT)
    return ir.Comp(index, numbers, None, ir.Op("mul", (ir.Local(index), ir.Const(unit))))


def returns(context: CheckContext, expressions: Expressions, node: MapNode, env: Env) -> ir.Expr:
    """What each player gets: by who has won where somebody is named, otherwise `returns` or `rank`."""
    players = ir.Setting("players")
    named: ir.Expr = ir.Op("by_winners", (ir.Load(ir.WINNERS), players))
    if node.get("winners") is not None or node.get("losers") is not None:
        return named
    value: ir.Expr = ir.Op("by_winners", (ir.Const(()), players))
    if (formula := node.get("returns")) is not None:
        function = formula_of(context, expressions, formula, env.frame)
        without_scopes(context, env.frame, "returns", node)
        _, index = env.hold(PLAYER)
        value = ir.Comp(index, ir.Op("seats", (players,)), None, ir.Invoke(function, (ir.Local(index),)))
        named = in_parts(named, context.unit, env)
    elif (groups := node.get("rank")) is not None:
        expr, _ = expressions.of(groups, env, ListType(ListType(PLAYER)))
        without_scopes(context, env.frame, "rank", node)
        value = ir.Op("by_rank", (expr, players))
    return ir.Cond(ir.Op("is_none", (ir.Load(ir.WINNERS),)), value, named)


def formula_of(context: CheckContext, expressions: Expressions, formula: Node, outer: Frame) -> int:
    """The function of a player that gives what he gets, with `/` in parts of 1; what it reads is noted in `outer`."""
    this = symbols.Parameter("this", PLAYER, formula.span)
    tree = expressions.parsed(formula, INT) if isinstance(formula, ScalarNode) and "/" in formula.value else None
    if tree is None or not isinstance(formula, ScalarNode) or not divided(tree):
        function = symbols.Function("returns", "hidden", [this], formula, formula.span, INT)
        expressions.compile_function(function)
        outer.scopes |= function.scopes
        outer.ahead |= function.ahead
        return function.index or 0
    env = call_frame([("this", PLAYER)])
    body, context.unit = Shares(context, expressions, formula).compiled(tree, env)
    outer.scopes |= env.frame.scopes
    outer.ahead |= env.frame.ahead
    return context.add_function("returns", 1, env, body, INT, formula.span)
