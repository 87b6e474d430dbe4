"""Rules that are always true: one procedure that runs them until nothing is left to do."""

from __future__ import annotations

from functools import partial

from rulespec import ir
from rulespec.checker import symbols
from rulespec.checker.alive import (
    bind_arguments,
    compile_limit,
    count_use,
    full_name,
    instance,
    reserve_procedure,
    tests,
    within_limit,
)
from rulespec.checker.body import Body
from rulespec.checker.context import CheckContext
from rulespec.checker.env import Env, call_frame
from rulespec.checker.expressions import Expressions
from rulespec.checker.rules import compile_procedure, note
from rulespec.checker.scoping import record
from rulespec.expr import syntax
from rulespec.expr.parser import ExprSyntaxError, parse_expr
from rulespec.ir.walk import conjunction
from rulespec.language.types import BOOL, INT, OptionType, Type, item_of
from rulespec.text.yaml_tree import ScalarNode


def prepare_always(context: CheckContext, expressions: Expressions) -> None:
    """What rules that are always true read, so that steps which write it call them."""
    ends = [lasting for lasting in context.lastings.values() if "until" in lasting.node]
    if not context.always and not ends:
        return
    context.always_procedure = len(context.out_procedures)
    context.out_procedures.append(None)
    env = call_frame([])
    for rule in context.always:
        always_items(context, expressions, rule, env)
    for lasting in ends:
        inner = call_frame([(p.name, p.type) for p in lasting.parameters])
        expressions.of(lasting.node.get("until"), inner, BOOL)
        env.frame.reads.update(inner.frame.reads)
        env.frame.reads.add(ir.LASTING)
    context.always_reads = set(env.frame.reads)


def always_items(
    context: CheckContext, expressions: Expressions, rule: symbols.Rule, env: Env
) -> tuple[Env, int, ir.Expr]:
    """The cases in which a rule that is always true has something to do: the environment, the local of a case, all cases."""
    node = rule.node.get("always")
    assert isinstance(node, ScalarNode)
    keys = ("during", "live", "where")
    if rule.kind is not None:
        inner, index = env.bind("this", rule.kind.type)
        parts = [t for t in (tests(context, expressions, rule, inner, keys),) if t is not None]
        parts.append(expressions.of(node, inner, BOOL)[0])
        return inner, index, within_limit(rule, index, ir.Const(rule.pieces), conjunction(parts))
    try:
        tree: object = parse_expr(node.value)
    except ExprSyntaxError:
        tree = None
    if isinstance(tree, syntax.Comp) and rule.lasting is None:
        items, t = expressions.of(node, env)
        inner, index = env.bind(tree.var, item_of(t))
        return inner, index, within_limit(rule, index, items, tests(context, expressions, rule, inner, keys))
    inner, index = env.hold(INT if rule.lasting is None else rule.lasting.arguments)
    if rule.lasting is not None:
        env.frame.reads.add(ir.LASTING)
        bound, wrap = bind_arguments(rule.lasting, inner, index)
        parts = [t for t in (tests(context, expressions, rule, bound, keys),) if t is not None]
        parts.append(expressions.of(node, bound, BOOL)[0])
        effects = ir.Op("lasting_of", (ir.Load(ir.LASTING), ir.Const(rule.lasting.index)))
        return inner, index, within_limit(rule, index, effects, wrap(conjunction(parts) or ir.Const(True)))
    parts = [t for t in (tests(context, expressions, rule, inner, keys),) if t is not None]
    parts.append(expressions.of(node, inner, BOOL)[0])
    return inner, index, within_limit(rule, index, ir.Const((0,)), conjunction(parts))


def compile_always(context: CheckContext, expressions: Expressions) -> None:
    """One procedure: as long as a rule that is always true has something to do, do it, in the order of the file."""
    if context.always_procedure is None:
        return
    body = Body(context, expressions, "rules that are always true", None)
    outside, context.always_procedure = context.always_procedure, None  # inside, the loop itself looks again
    env = call_frame([])
    env, unwinding = env.hold(ir.types.TARGET)
    head = body.here()
    idle = ir.Op("eq", (ir.Load(ir.BATCH), ir.Const(0)))
    end = body.unless(idle, None)
    for lasting in context.lastings.values():
        if "until" in lasting.node:
            end_by_condition(expressions, lasting, body, env, head)
    for rule in context.always:
        number, arguments = reserve_procedure(context, rule), always_arguments(context, expressions, rule)
        outer, env.frame.scopes, env.frame.ahead = env.frame.scopes, set(), set()
        _, index, items = always_items(context, expressions, rule, env)
        inner, kept = env.fresh(env.frame.types[index])
        some = body.unless(ir.Op("any_item", (items,)), rule.span)
        body.emit(ir.Let(kept, ir.Op("first", (items,)), rule.span))
        if (limit := compile_limit(rule)[0]) is not None:
            body.emit(count_use(rule, ir.Local(kept), f"limit of {limit}"))
        body.nest("add", rule.span)
        start = body.here()
        args: tuple[ir.Expr, ...] = (ir.Local(kept),) if arguments else ()
        if rule.lasting is not None:
            args = tuple(ir.Op("get", (ir.Local(kept), ir.Const(i))) for i in range(len(arguments)))
        body.run_procedure(number, args, inner, rule.span, BOOL)
        body.close_region(start, unwinding, body.at, partial(body.nest, "sub", rule.span), None, rule.span)
        body.emit(ir.Jump(head, rule.span))
        body.aim(some)
        note(context, rule, env)
        env.frame.scopes = outer
        compile_procedure(context, expressions, rule, arguments, [])
        record(context, "always", None, set(), {(f"rule {full_name(rule)}", frozenset())})
    body.aim(end)
    context.always_procedure = outside
    context.out_procedures[outside] = body.finish(0, env)
    record(context, "always", None, set(), body.calls)


def end_by_condition(expressions: Expressions, lasting: symbols.Lasting, body: Body, env: Env, head: int) -> None:
    """A lasting effect whose own `until` holds ends."""
    inner, index = env.hold(lasting.arguments)
    bound, wrap = bind_arguments(lasting, inner, index)
    test = wrap(expressions.of(lasting.node.get("until"), bound, BOOL)[0])
    effects = ir.Op("lasting_of", (ir.Load(ir.LASTING), ir.Const(lasting.index)))
    due = ir.Comp(index, effects, test)
    inner, k = env.fresh(lasting.arguments, OptionType(lasting.arguments))
    none = body.unless(ir.Op("any_item", (due,)), lasting.span)
    body.emit(ir.Let(k, ir.Op("first", (due,)), lasting.span))
    args = tuple(ir.Op("get", (ir.Local(k), ir.Const(i))) for i in range(len(lasting.parameters)))
    body.emit(ir.Cease(lasting.index, None, args, k + 1, lasting.span))
    if lasting.at_end is not None:
        body.run_procedure(lasting.at_end, args, inner, lasting.span)
    body.emit(ir.Jump(head, lasting.span))
    body.aim(none)


def always_arguments(context: CheckContext, expressions: Expressions, rule: symbols.Rule) -> list[tuple[str, Type]]:
    """What the procedure of a rule that is always true gets: the piece that carries it, or the case it found."""
    if rule.kind is not None or rule.lasting is not None:
        return instance(rule)
    inner, index, _ = always_items(context, expressions, rule, call_frame([]))
    return [(name, local.type) for name, local in inner.locals.items() if local.index == index]
