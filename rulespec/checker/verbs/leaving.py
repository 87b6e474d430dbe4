"""Verbs that leave: a loop, a procedure with or without a result, a phase or scope, the game."""

from __future__ import annotations

from rulespec import ir
from rulespec.checker.body import Body
from rulespec.checker.env import Env
from rulespec.checker.inference import article
from rulespec.language.registry import Traits, VerbKey, verb
from rulespec.language.types import (
    BOOL,
    PLAYERS,
    UNKNOWN,
    UnknownType,
)
from rulespec.text.yaml_tree import MapNode, Node, ScalarNode


@verb(
    "give",
    VerbKey("expr", "the result", required=True),
    {},
    group="control",
    example="- give: first(most(p in players by p.coins))",
    traits=Traits(leaves=True, inside="result"),
)
def give(body: Body, node: MapNode, value: Node, env: Env) -> Env:
    """Leave the procedure with a result."""
    if body.gives is None:
        expr, t = body.expressions.of(value, env)
        written = "`gives:`" if isinstance(t, UnknownType) else f"`gives: {t}`"
        body.context.error(
            "E503", f"`{body.name}` gives nothing", value.span, help=[f"declare the result with {written}"]
        )
    else:
        expr = body.expressions.of(value, env, body.gives)[0]
    if body.open:
        kept, index = env.hold(body.gives or UNKNOWN)
        body.emit(ir.Let(index, expr, node.span))
        body.at = kept
        body.clean_down_to(0)
        expr = ir.Local(index)
    body.emit(ir.Return(expr, node.span))
    return env


@verb(
    "stop",
    VerbKey("expr", "nothing"),
    {},
    group="control",
    example="- stop",
    traits=Traits(sealed=True, leaves=True, inside="loop"),
)
def stop(body: Body, node: MapNode, _value: Node, env: Env) -> Env:
    """Leave the innermost loop."""
    body.at = env
    body.leave_loop(node.span)
    return env


@verb(
    "stop when",
    VerbKey("expr", "a yes or no", required=True, role="exit"),
    {},
    group="control",
    example="- stop when: deck is empty",
    traits=Traits(sealed=True, inside="loop"),
)
def stop_when(body: Body, node: MapNode, value: Node, env: Env) -> Env:
    """Leave the innermost loop if the condition holds."""
    skip = body.unless(body.expressions.of(value, env, BOOL)[0], node.span, "if")
    body.at = env
    body.leave_loop(node.span)
    body.aim(skip)
    return env.knowing(body.facts(value, False))


@verb("return", VerbKey("expr", "nothing"), {}, group="control", example="- return", traits=Traits(leaves=True))
def return_(body: Body, node: MapNode, value: Node, env: Env) -> Env:
    """Leave the procedure, which gives no result, or the rule."""
    blank = isinstance(value, ScalarNode) and not value.value  # what stands there, the schema has reported
    if body.gives is not None and not body.rule and blank:
        body.context.error("E503", f"`{body.name}` gives {article(body.gives)}", node.span, help=["use `give:`"])
    body.at = env
    body.clean_down_to(0)
    body.emit(ir.Return(ir.Const(True) if body.rule else None, node.span))
    return env


@verb(
    "end",
    VerbKey("name", "a phase, a scope, or `game`", required=True, offers=("phases", "scopes")),
    {},
    group="control",
    example="- end: turn",
    traits=Traits(leaves=True, ends=True),
)
def end(body: Body, node: MapNode, value: Node, env: Env) -> Env:
    """Leave a phase or scope that is going on, however deep inside it; `end: game` ends the game at once."""
    if not isinstance(value, ScalarNode):
        return env
    phases = {name for name, p in body.context.procedures.items() if p.phase}
    if value.value not in {*phases, *body.context.scopes, "game"}:
        known = [*phases, *body.context.scopes, "game"]
        meant = next((name for name in known if name in value.value.split()), "")
        hint = f"write `end: {meant}`" if meant else ""
        body.context.unknown("E114", "phase or scope", value.value, value.span, () if hint else known, hint=hint)
        return env
    body.context.used.add(value.value)
    left = body.context.procedures.get(value.value) or body.context.scopes.get(value.value)
    if left is not None:
        body.context.mention("phase or scope", value.value, value.span, left.span)
    body.emit(ir.Unwind(body.context.target(value.value if value.value != "game" else "the game"), node.span))
    return env


@verb(
    "win",
    VerbKey("expr", "a player, several, or `all`", required=True, role="winner"),
    {},
    group="control",
    example="- win: p",
    traits=Traits(leaves=True, ends=True),
)
def win(body: Body, node: MapNode, value: Node, env: Env) -> Env:
    """End the game at once; these players have won, the others have lost."""
    body.assign(ir.WINNERS, body.expressions.players(value, env), "winners", node.span)
    body.emit(ir.Unwind(body.context.target("the game"), node.span))
    return env


@verb(
    "lose game",
    VerbKey("expr", "a player, several, or `all`", required=True, role="loser"),
    {},
    group="control",
    example="- lose game: p",
    traits=Traits(leaves=True, ends=True),
)
def lose_game(body: Body, node: MapNode, value: Node, env: Env) -> Env:
    """End the game at once; these players have lost, the others have won.  `all`: the players have lost to the game."""
    body.context.defeats = True
    _, losers = env.hold(PLAYERS)
    body.emit(ir.Let(losers, body.expressions.players(value, env), node.span))
    everyone = ir.Setting("players")
    others = ir.Op("minus", (ir.Op("seats", (everyone,)), ir.Local(losers)))
    body.assign(ir.WINNERS, others, "winners", node.span)
    returns = ir.Op("by_sides", (ir.Load(ir.WINNERS), ir.Local(losers), everyone))
    body.assign(ir.RETURNS, returns, "returns", node.span)
    body.emit(ir.Unwind(body.context.target("the game"), node.span))
    return env
