"""When rules are alive and whose they are."""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import TYPE_CHECKING

from rulespec import ir
from rulespec.checker import symbols
from rulespec.checker.context import CheckContext
from rulespec.checker.env import Env
from rulespec.ir.walk import conjunction
from rulespec.language.registry import verbs
from rulespec.language.types import BOOL, PLAYER, OptionType, Type
from rulespec.text.yaml_tree import ListNode, Node, ScalarNode

if TYPE_CHECKING:
    from rulespec.checker.reader import Reader

LIMIT = re.compile(r"(once|twice|(0|[1-9][0-9]{0,17}) times) per (\w+)\Z")
ME = re.compile(r"\bme\b")
Wrap = Callable[[ir.Expr], ir.Expr]


def instance(rule: symbols.Rule) -> list[tuple[str, Type]]:
    """The arguments of a rule's instance: the piece that carries it, or those of the lasting effect."""
    if rule.lasting is not None:
        return [(p.name, p.type) for p in rule.lasting.parameters]
    return [] if rule.kind is None else [("this", rule.kind.type)]


def speaks_of_me(node: Node) -> bool:
    """Whether a rule needs to know whose it is."""
    if isinstance(node, ScalarNode):
        return bool(ME.search(node.value))
    if isinstance(node, ListNode):
        return any(speaks_of_me(item) for item in node)
    asks = any(key.value in verbs() and verbs()[key.value].traits.asks for key, _ in node.entries) and "by" not in node
    return asks or any(speaks_of_me(value) for _, value in node.entries)


def owner_of(context: CheckContext, expressions: Reader, rule: symbols.Rule, env: Env) -> ir.Expr | None:
    """Whose rule it is: what `me:` says, or the owner of the zone that the piece lies in."""
    written = rule.node.get("me")
    if written is not None:
        return expressions.of(written, env, PLAYER)[0]
    kind = rule.kind
    if kind is None or kind.location is None:
        return None
    rows = context.located(kind, context.kinds["Player"])
    if rows is None:
        return None
    env.frame.reads.add(kind.location)
    location = ir.Load(kind.location, ir.Local(env.locals["this"].index), len(kind.members))
    return ir.Op("row_or_none", (rows, location))


def owner_type(rule: symbols.Rule) -> Type:
    """The type of whose rule it is: nobody's, where the piece lies in no zone of a player."""
    return PLAYER if rule.node.get("me") is not None else OptionType(PLAYER)


def with_me(
    context: CheckContext, expressions: Reader, rule: symbols.Rule, env: Env, kept: Type | None = None
) -> tuple[Env, Wrap, ir.Expr | None]:
    """The environment with `me`, how to bind it around an expression, and the expression itself.

    `kept` is the type of the local, that of the expression if None.
    """
    if "me" in env.locals or not speaks_of_me(rule.node):
        return nobody(env)
    owner = owner_of(context, expressions, rule, env)
    if owner is None:
        return nobody(env)
    inner, index = env.hold(kept or owner_type(rule))
    inner = inner.called("me", index, PLAYER)
    return inner, lambda expr: ir.Bind(index, owner, expr), owner


def tests(
    context: CheckContext, expressions: Reader, rule: symbols.Rule, env: Env, keys: tuple[str, ...]
) -> ir.Expr | None:
    """The conditions of a rule under some of `during`, `live`, `where`, with `me` bound around them."""
    parts: list[ir.Expr] = []
    during = rule.node.get("during")
    if "during" in keys and isinstance(during, ScalarNode):
        scope = context.scopes.get(during.value)
        if scope is None:
            context.unknown("E109", "scope", during.value, during.span, context.scopes)
        else:
            context.used.add(scope.name)
            env.frame.reads.add(scope.alive)
            parts.append(ir.Op("lt", (ir.Const(0), ir.Load(scope.alive))))
    written = [rule.node.get(key) for key in keys if key != "during"]
    if rule.node.get("me") is not None and not any(speaks_of_me(node) for node in written if node is not None):
        inner, wrap, owner = nobody(env)  # whose it is may depend on the event, and does not matter here
    else:
        inner, wrap, owner = with_me(context, expressions, rule, env)
    conditions: list[ir.Expr] = []
    if owner is not None and rule.node.get("me") is None:
        conditions.append(ir.Op("not_", (ir.Op("is_none", (ir.Local(inner.locals["me"].index),)),)))
    for key in keys:
        if key in ("live", "where") and (node := rule.node.get(key)) is not None:
            conditions.append(expressions.of(node, inner, BOOL)[0])
    if conditions:
        parts.append(wrap(conjunction(conditions) or ir.Const(True)))
    return conjunction(parts)


def reserve_procedure(context: CheckContext, rule: symbols.Rule) -> int:
    """The number of the procedure that runs a rule; it is compiled later."""
    if full_name(rule) not in context.reserved:
        context.reserved[full_name(rule)] = len(context.out_procedures)
        context.out_procedures.append(None)
    return context.reserved[full_name(rule)]


def bind_arguments(lasting: symbols.Lasting, env: Env, index: int) -> tuple[Env, Wrap]:
    """The parameters of a lasting effect as names for the parts of the tuple in a local."""
    inner = env
    bound: list[tuple[int, int]] = []
    for position, parameter in enumerate(lasting.parameters):
        inner, local = inner.bind(parameter.name, parameter.type)
        bound.append((local, position))

    def wrap(expr: ir.Expr) -> ir.Expr:
        for local, position in reversed(bound):
            expr = ir.Bind(local, ir.Op("get", (ir.Local(index), ir.Const(position))), expr)
        return expr

    return inner, wrap


def unbound(expr: ir.Expr) -> ir.Expr:
    """Nothing is bound around the expression."""
    return expr


def nobody(env: Env) -> tuple[Env, Wrap, ir.Expr | None]:
    """The environment without `me`, with nothing to bind around an expression."""
    return env, unbound, None


def full_name(rule: symbols.Rule) -> str:
    """A name that no other rule has."""
    owner = "lasting" if rule.lasting is not None else "" if rule.kind is None else rule.kind.name
    return f"{owner}.{rule.name}" if owner else rule.name


def limit_place(rule: symbols.Rule, case: ir.Expr) -> tuple[int, ir.Expr | None, int]:
    """Where the use of a rule is counted: for each piece that carries it by itself."""
    assert rule.counter is not None
    if rule.kind is None:
        return rule.counter, None, 1
    places = tuple((piece, number) for number, piece in enumerate(rule.pieces))
    return rule.counter, ir.Op("row", (ir.Const(places), case)), len(places)


def count_use(rule: symbols.Rule, case: ir.Expr, name: str) -> ir.Store:
    """One more use of a rule, counted where `limit_place` says."""
    base, index, size = limit_place(rule, case)
    more = ir.Op("add", (ir.Load(base, index, size), ir.Const(1)))
    return ir.Store(
        base=base, index=index, size=size, value=more, low=None, high=None, stops=False, name=name, where=rule.span
    )


def within_limit(rule: symbols.Rule, index: int, items: ir.Expr, test: ir.Expr | None) -> ir.Expr:
    """The items that pass a test while the limit of the rule is not used up; `index` is the local of an item in the test."""
    parts = [part for part in (not_used_up(rule, ir.Local(index)), test) if part is not None]
    whole = conjunction(parts)
    return items if whole is None else ir.Comp(index, items, whole)


def not_used_up(rule: symbols.Rule, case: ir.Expr) -> ir.Expr | None:
    """Whether the limit of the rule allows one more use, by the piece that carries it; None where it has no limit."""
    limit, counter = compile_limit(rule)
    if limit is None or counter is None:
        return None
    return ir.Op("lt", (ir.Load(*limit_place(rule, case)), ir.Const(limit)))


def compile_limit(rule: symbols.Rule) -> tuple[int | None, int | None]:
    """`limit: once per turn`: how often, and where it is counted."""
    node = rule.node.get("limit")
    if not isinstance(node, ScalarNode):
        return None, None
    match = LIMIT.match(node.value)
    if match is None:
        return None, None
    times = {"once": 1, "twice": 2}.get(match[1]) or int(match[2])
    return times, rule.counter
