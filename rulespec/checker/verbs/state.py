"""Verbs of variables: setting, adding, losing, handing over."""

from __future__ import annotations

from rulespec import ir
from rulespec.checker import symbols
from rulespec.checker.body import Body
from rulespec.checker.env import Env
from rulespec.checker.inference import article
from rulespec.checker.publishing import publish
from rulespec.checker.reader import never_fits
from rulespec.language.registry import Traits, VerbKey, verb
from rulespec.language.types import (
    INT,
    BagType,
    EmptyType,
    IntType,
    NoneType,
    OptionType,
    SetType,
    Type,
    UnknownType,
    is_many,
    item_of,
    join,
)
from rulespec.text.source import Span
from rulespec.text.yaml_tree import MapNode, Node, ScalarNode

Target = tuple[symbols.Variable, ir.Expr | None] | int


def type_of(target: Target, env: Env) -> Type:
    """The type of what is set."""
    if isinstance(target, int):
        return next((v.type for v in env.locals.values() if v.index == target), INT)
    return target[0].type


def value_of(target: Target) -> ir.Expr:
    """What it holds now."""
    return ir.Local(target) if isinstance(target, int) else ir.Load(target[0].base, target[1], target[0].size)


def fixed(body: Body, target: Target, env: Env, span: Span) -> tuple[Target, Env]:
    """The target with its index in a local, so that it is worked out once."""
    if isinstance(target, int) or target[1] is None or isinstance(target[1], ir.Const | ir.Local):
        return target, env
    inner, index = env.fresh(INT)
    body.emit(ir.Let(index, target[1], span))
    return (target[0], ir.Local(index)), inner


@verb(
    "set",
    VerbKey(
        "expr", "a variable of the state, or a name made by `let`", required=True, offers=("state",), role="target"
    ),
    {
        "to": VerbKey("expr", "its new value", required=True, role="value"),
        "known to": VerbKey(
            "word",
            "`all`, where whoever sees the variable may know this value, whatever it is worked out of",
            words=("all",),
        ),
    },
    group="state",
    example=("- set: active\n  to: left_of(active)"),
    traits=Traits(assigns=("set",)),
)
def set_(body: Body, node: MapNode, value: Node, env: Env) -> Env:
    """Set a variable."""
    target = body.settable(value, env)
    if target is None:
        body.expressions.of(node.get("to"), env)
        return env
    expr, given = body.expressions.natural(node.get("to"), env, type_of(target, env))
    written = node.get("to")
    if written is not None and not isinstance(target, int) and not target[0].stops:
        never_fits(body.context, given, target[0].type, target[0].name, written.span)
    body.store(target, expr, node.span)
    if "known to" in node:
        body.context.public.add(node.span)
    publish(body, value, env, node.span)
    name = value.value if isinstance(value, ScalarNode) else ""
    after = env.forgetting(name.rpartition(".")[2])
    if not isinstance(given, OptionType | NoneType | UnknownType):
        after = after.knowing(frozenset({name}))
    return after


def change(body: Body, node: MapNode, amount: Node, place: Node | None, env: Env, sign: str) -> Env:
    """Add to or take from a number, bag, set or list; `as` names what really changed of a number."""
    target = body.settable(place, env)
    if target is None:
        body.expressions.of(amount, env)
        return env
    t = type_of(target, env)
    target, inner = fixed(body, target, env, node.span)
    old = value_of(target)
    name = node.get("as")
    if isinstance(t, IntType):
        before = 0
        if isinstance(name, ScalarNode):
            inner, before = inner.fresh(INT)
            body.emit(ir.Let(before, old, node.span))
        expr, _ = body.expressions.of(amount, inner, INT)
        body.store(target, ir.Op("add" if sign == "+" else "sub", (old, expr)), node.span)
        publish(body, place, env, node.span)
        if isinstance(name, ScalarNode):
            pair = (old, ir.Local(before)) if sign == "+" else (ir.Local(before), old)
            _, amount_of = inner.hold(INT)
            body.emit(ir.Let(amount_of, ir.Op("sub", pair), node.span))
            return body.result(name, INT, env, amount_of, node.span)
        return env
    if isinstance(name, ScalarNode):
        body.context.error("E510", "only a number that is added or lost has an amount to name", name.span)
    if isinstance(t, BagType):
        expr, _ = body.expressions.of(amount, inner, t)
        body.store(target, ir.Op("bag_add" if sign == "+" else "bag_sub", (old, expr)), node.span)
        publish(body, place, env, node.span)
    elif is_many(t):
        expr, given = body.expressions.of(amount, inner, None)
        if not is_many(given) and not isinstance(given, EmptyType | UnknownType):
            expr, _ = body.expressions.of(amount, inner, item_of(t))
            expr = ir.Op("pack", (expr,))
        elif is_many(given) and join(item_of(given), item_of(t)) is None:
            body.context.error("E207", f"{article(given)} cannot be added to {article(t)}", amount.span)
        op = "minus" if sign == "-" else "union" if isinstance(t, SetType) else "concat"
        body.store(target, ir.Op(op, (old, expr)), node.span)
        publish(body, place, env, node.span)
    elif not isinstance(t, UnknownType):
        body.context.error(
            "E207",
            f"nothing can be {'added to' if sign == '+' else 'taken from'} {article(t)}",
            place.span if place is not None else node.span,
            found=str(t),
        )
    return env


@verb(
    "add",
    VerbKey("expr", "how much, or what", required=True, role="amount"),
    {
        "to": VerbKey("expr", "a variable", required=True, offers=("state",), role="goal"),
        "as": VerbKey("new name", "how much was really added", role="result"),
    },
    group="state",
    example="- add: 2\n  to: p.coins",
)
def add(body: Body, node: MapNode, value: Node, env: Env) -> Env:
    """Add to a number, a bag, a set or a list.  Where the variable `stops`, it stops at its end."""
    return change(body, node, value, node.get("to"), env, "+")


@verb(
    "lose",
    VerbKey("expr", "how much, or what", required=True, role="amount"),
    {
        "from": VerbKey("expr", "a variable", required=True, offers=("state",), role="source"),
        "as": VerbKey("new name", "how much was really lost", role="result"),
    },
    group="state",
    example="- lose: 1\n  from: p.coins",
)
def lose(body: Body, node: MapNode, value: Node, env: Env) -> Env:
    """Take from a number, a bag, a set or a list: of a list, one item for each that is named.

    Where the variable `stops`, it stops at its end.
    """
    return change(body, node, value, node.get("from"), env, "-")


@verb(
    "transfer",
    VerbKey("expr", "how much, or `all`", required=True, role="amount"),
    {
        "from": VerbKey("expr", "a variable", required=True, role="source"),
        "to": VerbKey("expr", "a variable", required=True, role="goal"),
    },
    group="state",
    example="- transfer: 1\n  from: p.coins\n  to: q.coins",
)
def transfer(body: Body, node: MapNode, value: Node, env: Env) -> Env:
    """Take from one variable and add the same to another."""
    source = body.settable(node.get("from"), env)
    if source is None:
        return env
    source, inner = fixed(body, source, env, node.span)
    goal = body.settable(node.get("to"), inner)
    if goal is None:
        return env
    goal, inner = fixed(body, goal, inner, node.span)
    t = type_of(source, env)
    if isinstance(value, ScalarNode) and value.value == "all":
        amount = value_of(source)
    else:
        amount = body.expressions.of(value, inner, t if isinstance(t, BagType) else INT)[0]
    _, index = inner.fresh(t)
    body.emit(ir.Let(index, amount, node.span))
    minus, plus = ("bag_sub", "bag_add") if isinstance(t, BagType) else ("sub", "add")
    if not isinstance(t, BagType | IntType) or join(t, type_of(goal, env)) is None:
        if not isinstance(t, UnknownType):
            body.context.error(
                "E207",
                f"{article(t)} cannot be handed over to {article(type_of(goal, env))}",
                node.span,
            )
        return env
    body.store(source, ir.Op(minus, (value_of(source), ir.Local(index))), node.span)
    body.store(goal, ir.Op(plus, (value_of(goal), ir.Local(index))), node.span)
    return env
