"""What a choice is from, and whether there will be anything to choose."""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import replace

from rulespec import ir
from rulespec.checker import symbols
from rulespec.checker.body import Body
from rulespec.checker.context import flag
from rulespec.checker.env import Env, Frame
from rulespec.checker.reasons import holds, reasons
from rulespec.checker.sentences import unlike
from rulespec.expr import parser, syntax
from rulespec.language import operators
from rulespec.language.facts import Result
from rulespec.language.registry import facts, verbs
from rulespec.language.types import (
    BOOL,
    INT,
    UNKNOWN,
    BagType,
    EntityType,
    IntType,
    ListType,
    SetType,
    Type,
    UnknownType,
    is_many,
    item_of,
)  # fmt: skip
from rulespec.system.records import dataclass
from rulespec.text.diagnostics import Diagnostics
from rulespec.text.quoting import ticked
from rulespec.text.yaml_tree import ListNode, MapNode, Node, ScalarNode

DEEPEST = 8  # calls of procedures that are looked into

Ahead = Callable[[Body, MapNode, tuple[Node, ...], Env, int], ir.Expr | None]


@dataclass(frozen=True, slots=True)
class Items:
    """What a choice is from."""

    items: ir.Expr
    item: Type
    bag: ir.Expr | None
    secret: bool
    distinct: bool = True  # surely none twice


def choose_items(body: Body, node: MapNode, env: Env) -> Items:
    """The candidates of a choice and whether some are hidden from others."""
    probe = Frame(env.frame.types)
    source = node.get("from")
    if named_again(body, source, env):
        return Items(ir.Const(()), UNKNOWN, None, False)
    expr, t = body.expressions.of(source, replace(env, frame=probe))
    env.frame.reads |= probe.reads
    env.frame.scopes |= probe.scopes
    env.frame.ahead |= probe.ahead
    secret = any(z.base in probe.reads and z.seen.who != "all" for z in body.context.zones) or any(
        v.base in probe.reads and v.seen.who != "all" for v in body.context.variables
    )
    if isinstance(t, BagType):
        return Items(ir.Op("bag_kinds", (expr,)), EntityType(t.kind), expr, secret)
    if is_many(t):
        return Items(expr, item_of(t), None, secret, isinstance(t, SetType) or differ(body, expr))
    if not isinstance(t, UnknownType):
        span = source.span if source is not None else node.span
        body.context.error(
            "E201",
            unlike(span.text, t, "something to choose from"),
            span,
            expected="a list, a set, a bag or an interval",
            found=str(t),
            help=[f"a range is written with two dots: {ticked('..'.join(ends.groups()))}"]
            if (ends := re.fullmatch(r"(\w+) *- *(\w+)", span.text)) is not None
            else [f"so many and fewer are {ticked(f'0..{span.text}')}"]
            if isinstance(t, IntType)
            else [],
        )
    return Items(ir.Const(()), UNKNOWN, None, secret)


def named_again(body: Body, source: Node | None, env: Env) -> bool:
    """Report `from: c in cards`, where `c` is nothing else: what is chosen has its name from `choose`."""
    if not isinstance(source, ScalarNode):
        return False
    tree = parser.expression(source, Diagnostics())
    if not isinstance(tree, syntax.In) or not isinstance(tree.item, syntax.Name):
        return False
    name = tree.item.id
    if name in env.locals or name in body.context.names or name in body.context.members:
        return False
    coll = source.value[tree.coll.start : tree.coll.end]
    body.context.error(
        "E201",
        f"{ticked(source.value)} asks whether {ticked(name)} is there, but something to choose from is needed here",
        source.span,
        expected="a list, a set, a bag or an interval",
        help=[f"`choose` gives it its name: {ticked(f'from: {coll}')}"],
    )
    return True


def differ(body: Body, expr: ir.Expr) -> bool:
    """Whether no item of a list is there twice, as is plain to see: pieces that lie in a zone, numbers of an interval, or some of them."""
    match expr:
        case ir.Comp(source=source, value=None) | ir.Op(operators.WITHOUT, (source, _)):
            return differ(body, source)
        case ir.Op(name, (source,)) if facts(name).result is Result.SORTED:
            return differ(body, source)
        case ir.Const(tuple() as items):
            return len(set(items)) == len(items)
        case ir.Op(operators.INTERVAL):
            return True
    return isinstance(expr, ir.Load) and body.zone_of(expr) is not None


def repeats(node: MapNode) -> bool:
    """Whether the same one may be chosen more than once."""
    return flag(node, "repeats", False)


def bounds(body: Body, node: MapNode, env: Env) -> tuple[ir.Expr | None, ir.Expr | None]:
    """`count:` as its least and most; None for an open end."""
    written = node.get("count")
    if not isinstance(written, ScalarNode):
        return None, None
    tree = parser.expression(written, body.context.diagnostics)
    if tree is None:
        return None, None
    if isinstance(tree, syntax.Interval):
        low = None if tree.low is None else body.expressions.tree(written, tree.low, env, INT)[0]
        high = None if tree.high is None else body.expressions.tree(written, tree.high, env, INT)[0]
        return low or ir.Const(0), high
    expr, t = body.expressions.tree(written, tree, env)
    if isinstance(t, ListType):  # a name for an interval
        return ir.Op("first", (expr,)), ir.Op("last", (expr,))
    exact = body.expressions.tree(written, tree, env, INT)[0]
    return exact, exact


def has_enough(body: Body, step: MapNode, env: Env, candidates: Items, legal: ir.Expr) -> ir.Expr:
    """Whether there are as many legal items as the choice needs."""
    if "count" not in step:
        return ir.Op("lt", (ir.Const(0), ir.Op("size", (legal,))))
    low, _ = bounds(body, step, env)
    if low is None:
        return ir.Const(True)
    size: ir.Expr = ir.Op("size", (legal,))
    if repeats(step):  # a single one will do, as often as it takes
        size = ir.Cond(ir.Op("lt", (ir.Const(0), size)), low, ir.Const(0))
    elif candidates.bag is not None:
        size = ir.Op("bag_size", (ir.Op("bag_only", (candidates.bag, legal)),))
    return ir.Op("le", (low, size))


def feasible(body: Body, node: Node | None, env: Env, depth: int = 0) -> ir.Expr | None:
    """Whether the first choice of some steps has something to choose; None where nothing needs to be asked.

    A verb that may come first says how it is looked into (`VerbDef.ahead`): a function of the body, its step, the steps after
    it, the environment, and how many calls deep it stands.
    """
    steps = node.items if isinstance(node, ListNode) else (node,) if node is not None else ()
    if not steps or depth > DEEPEST:
        return None
    step = steps[0]
    if isinstance(step, ScalarNode):
        step = MapNode(((step, ScalarNode("", "plain", step.span)),), step.span)
    if not isinstance(step, MapNode) or not step.entries:
        return None
    name = step.entries[0][0].value
    if name in verbs():
        ahead: Ahead | None = verbs()[name].ahead
        return None if ahead is None else ahead(body, step, steps[1:], env, depth)
    procedure = body.context.procedures.get(name)
    if procedure is None or "if" in step:
        return None
    return called(body, procedure, step, env, depth)


def choose(body: Body, step: MapNode, _after: tuple[Node, ...], env: Env, _depth: int) -> ir.Expr | None:
    """A choice: whether enough of its candidates are legal, unless it may be declined."""
    name = step.entries[0][1]
    if any(key in step for key in ("or none", "else", "if")) or "from" not in step or not isinstance(name, ScalarNode):
        return None
    candidates = choose_items(body, step, env)
    inner, index = env.bind(name.value, candidates.item)
    legal = reasons(body, step.get("only"), inner, (index, candidates.item))
    passed = ir.Comp(index, candidates.items, holds(legal) if legal else None)
    return has_enough(body, step, env, candidates, passed)


def let(body: Body, step: MapNode, after: tuple[Node, ...], env: Env, depth: int) -> ir.Expr | None:
    """A name: the steps after it, with its value."""
    name = step.entries[0][1]
    if not isinstance(name, ScalarNode) or "if" in step:
        return None
    declared = body.expressions.type(step.get("is")) if "is" in step else None
    expr, t = body.expressions.of(step.get("be"), env, declared)
    inner, index = env.bind(name.value, declared or t)
    rest = feasible(body, ListNode(after, step.span), inner, depth)
    return None if rest is None else ir.Bind(index, expr, rest)


def branches(body: Body, step: MapNode, _after: tuple[Node, ...], env: Env, depth: int) -> ir.Expr | None:
    """A branch: the steps of the side that will be taken."""
    condition = step.entries[0][1]
    then = feasible(body, step.get("then"), env.knowing(body.facts(condition, True)), depth)
    other = feasible(body, step.get("else"), env, depth) if "else" in step else None
    if then is None and other is None:
        return None
    test = body.expressions.of(condition, env, BOOL)[0]
    return ir.Cond(test, then or ir.Const(True), other or ir.Const(True))


def called(body: Body, procedure: symbols.Procedure, step: MapNode, env: Env, depth: int) -> ir.Expr | None:
    """A call: the first steps of the procedure, with its arguments."""
    key, value = step.entries[0]
    args = body.arguments(procedure, key, value, step, env)
    inner, first = env.fresh(*(parameter.type for parameter in procedure.parameters))
    inner = Env(env.frame, {}, inner.depth)
    bound = list(range(first, inner.depth))
    for index, parameter in zip(bound, procedure.parameters, strict=True):
        inner = inner.called(parameter.name, index, parameter.type)
    rest = feasible(body, procedure.node.get("do"), inner, depth + 1)
    if rest is None:
        return None
    for index, arg in reversed(list(zip(bound, args, strict=True))):
        rest = ir.Bind(index, arg, rest)
    return rest
