"""Values with layers: a base, then named changes in order, some of them made by rules."""

from __future__ import annotations

from rulespec import ir
from rulespec.checker import symbols
from rulespec.checker.alive import (
    bind_arguments,
    tests,
    with_me,
)
from rulespec.checker.context import CheckContext
from rulespec.checker.env import Env, LocalVar, Typed
from rulespec.checker.reader import Reader
from rulespec.checker.scoping import during
from rulespec.expr import parser, syntax
from rulespec.ir.walk import conjunction
from rulespec.language.types import BOOL, EntityType, IntType, UnknownType
from rulespec.system.records import dataclass
from rulespec.text.quoting import ticked
from rulespec.text.yaml_tree import ListNode, MapNode, ScalarNode

STEPS = {"raise to": "greatest_number", "lower to": "least_number", "set to": "set", "add": "add", "subtract": "sub"}
MODIFIERS = {"add": "add", "subtract": "sub", "set": "set", "raise": "greatest_number", "cap": "least_number"}


def layered(expressions: Reader, function: symbols.Function, node: MapNode, env: Env) -> Typed:
    """The value of a mapping with `base` and `layers`."""
    context = expressions.context
    value, t = expressions.of(node.get("base"), env, function.result)
    if isinstance(t, IntType):
        t = IntType() if function.result is None else function.result
    layers = node.get("layers")
    for layer in layers.items if isinstance(layers, ListNode) else ():
        if not isinstance(layer, MapNode) or not layer.entries:
            context.error(
                "S001", "this is no layer", layer.span, expected="modifiers, raise to, set to, add, clamp, ..."
            )
            continue
        key, written = layer.entries[0]
        acc_env, acc = env.hold(t)
        if key.value == "modifiers" and isinstance(written, ScalarNode):
            if written.value not in MODIFIERS:
                context.unknown("S004", "kind of modifier", written.value, written.span, MODIFIERS)
                continue
            value = modified(expressions, function, written.value, value, acc, acc_env)
            continue
        before = value
        if key.value == "clamp" and isinstance(written, ScalarNode):
            value = clamped(expressions, written, value, acc, acc_env)
        elif key.value in STEPS:
            amount = expressions.of(written, acc_env, t)[0]
            changed = apply(STEPS[key.value], ir.Local(acc), amount)
            if (test := layer.get("if")) is not None:
                changed = ir.Cond(expressions.of(test, acc_env, BOOL)[0], changed, ir.Local(acc), test.span)
            value = ir.Bind(acc, value, changed)
        else:
            context.unknown("S002", "layer", key.value, key.span, [*STEPS, "modifiers", "clamp"])
        if (name := context.scalar(layer.get("named"))) is not None:
            value = unless_ignored(expressions, function, name.value, before, value, acc_env)
    return value, t


def unless_ignored(
    expressions: Reader, function: symbols.Function, name: str, before: ir.Expr, after: ir.Expr, env: Env
) -> ir.Expr:
    """The value after a layer with a name, or before it where a rule has it ignored."""
    inner, flag = env.hold(BOOL)
    ignored = modified(expressions, function, "ignore", ir.Const(False), flag, inner, name)
    return after if ignored == ir.Const(False) else ir.Cond(ignored, before, after)


def apply(op: str, old: ir.Expr, amount: ir.Expr) -> ir.Expr:
    """One change of a value."""
    return amount if op == "set" else ir.Op(op, (old, amount))


def clamped(expressions: Reader, written: ScalarNode, value: ir.Expr, acc: int, env: Env) -> ir.Expr:
    """`clamp: 2..6`, with open ends."""
    tree = parser.expression(written, expressions.context.diagnostics)
    if not isinstance(tree, syntax.Interval):
        if tree is not None:
            expressions.context.error("E201", "this is no interval", written.span, expected="low..high")
        return value
    amount: ir.Expr = ir.Local(acc)
    if tree.low is not None:
        amount = ir.Op("greatest_number", (amount, expressions.tree(written, tree.low, env, IntType())[0]))
    if tree.high is not None:
        amount = ir.Op("least_number", (amount, expressions.tree(written, tree.high, env, IntType())[0]))
    return ir.Bind(acc, value, amount)


def modified(
    expressions: Reader,
    function: symbols.Function,
    layer: str,
    value: ir.Expr,
    acc: int,
    env: Env,
    named: str | None = None,
) -> ir.Expr:
    """The value after all rules that modify it in this layer, in the order of the file; `named`: those that ignore that layer."""
    context = expressions.context
    for rule, part in context.modifiers.get(function.name, ()):
        by = part.get("by")
        of = part.get("of") if part is not rule.node else rule.node.get("modify")
        if not isinstance(by, MapNode) or not isinstance(of, ScalarNode) or layer not in by:
            continue
        ignored = context.scalar(by.get("ignore"))
        if named is not None and (ignored is None or ignored.value != named):
            continue
        if rule.lasting is not None:
            inner, index = env.hold(rule.lasting.arguments)
            bound, wrap = bind_arguments(rule.lasting, inner, index)
            env.frame.reads.add(ir.LASTING)
            source: ir.Expr = ir.Op("lasting_of", (ir.Load(ir.LASTING), ir.Const(rule.lasting.index)))
        elif rule.kind is not None:
            bound, index = env.hold(rule.kind.type)
            source, wrap = ir.Const(rule.pieces), lambda expr: expr
        else:
            bound, index, source, wrap = env, -1, ir.Const(()), lambda expr: expr
        changed = change(expressions, Modifier(rule, by, of, layer, function), acc, bound, index, env)
        if changed is None:
            continue
        context.modified.add((by.span, layer))
        if index < 0:
            value = ir.Bind(acc, value, changed)
        else:
            value = ir.Fold(acc, value, index, source, wrap(changed))
    return value


@dataclass(frozen=True, slots=True)
class Modifier:
    """What a rule says of a value: `of` names the value, and `by` has the key `layer` with what changes."""

    rule: symbols.Rule
    by: MapNode
    of: ScalarNode
    layer: str
    function: symbols.Function

    @property
    def target(self) -> str:
        """Whose value is meant: a type, a member, or empty where the value alone is named."""
        return self.of.value.rpartition(".")[0].strip()


def change(expressions: Reader, modifier: Modifier, acc: int, bound: Env, index: int, env: Env) -> ir.Expr | None:
    """What one rule makes of the value: unchanged where it is not alive or speaks of another; None if it means another value."""
    context, rule, by = expressions.context, modifier.rule, modifier.by
    this = env.locals.get("this")
    hidden = {"this", *own_names(modifier.function)}
    names = {name: local for name, local in bound.locals.items() if name not in hidden}
    if rule.kind is not None:
        names["this"] = LocalVar(index, rule.kind.type)
    elif this is not None and (not modifier.target or modifier.target in context.kinds):
        names["this"] = this  # a rule about every member speaks of the one whose value it is
    outer, env.frame.scopes = env.frame.scopes, set()
    ahead, env.frame.ahead = env.frame.ahead, set()
    bare = Env(env.frame, names, bound.depth)
    inner, wrap, _ = with_me(context, expressions, rule, bare)
    specific = about(expressions, modifier, this, inner)
    if specific is None:
        env.frame.scopes, env.frame.ahead = outer, ahead
        return None
    alive = tests(context, expressions, rule, bare, ("during", "live", "where"))
    parts = [] if alive is None else [alive]
    if (condition := by.get("if")) is not None:
        specific.append(expressions.of(condition, inner, BOOL)[0])
    if modifier.layer == "ignore":
        changed: ir.Expr = ir.Const(True)
    else:
        amount = expressions.of(by.get(modifier.layer), inner, modifier.function.result)[0]
        changed = wrap(apply(MODIFIERS[modifier.layer], ir.Local(acc), amount))
    if specific:
        parts.append(wrap(conjunction(specific) or ir.Const(True)))
    whole = conjunction(parts)
    going_on = during(context, context.scalar(rule.node.get("during")))
    env.frame.scopes = outer | (env.frame.scopes - going_on)
    env.frame.ahead = ahead | {(what, opened | going_on) for what, opened in env.frame.ahead}
    return changed if whole is None else ir.Cond(whole, changed, ir.Local(acc), by.span)


def about(expressions: Reader, modifier: Modifier, this: LocalVar | None, env: Env) -> list[ir.Expr] | None:
    """The tests that the value is that of the member which is meant; None if it is another value altogether."""
    context, function, target = expressions.context, modifier.function, modifier.target
    if not target:
        if alone(context, function, modifier.of):
            return []
        context.modified.add((modifier.by.span, modifier.layer))  # which value is meant has been reported
        return None
    if target in context.kinds:
        if function.owner is not context.kinds[target]:
            return None
        context.used.add(target)
        return []
    owner, t = expressions.of(ScalarNode(target, modifier.of.style, modifier.of.at(0, len(target))), env)
    if isinstance(t, UnknownType):
        return []
    if not isinstance(t, EntityType) or function.owner is not context.kinds[t.kind] or this is None:
        return None
    return [ir.Op("eq", (owner, ir.Local(this.index)))]


def own_names(function: symbols.Function) -> set[str]:
    """The names of a value's own parameters, which rules that modify it do not see."""
    return {parameter.name for parameter in function.parameters}


def alone(context: CheckContext, function: symbols.Function, of: ScalarNode) -> bool:
    """Whether a value named without its type is the only one of that name; reported otherwise."""
    owners = [
        k.name
        for k in context.kinds.values()
        if isinstance(v := k.attributes.get(function.name), symbols.Function) and v.what == "value"
    ]
    if len(owners) > 1:
        context.error(
            "E415",
            f"`{function.name}` is a value of {len(owners)} types",
            of.span,
            help=["write " + " or ".join(f"{owner}.{function.name}" for owner in owners)],
        )
        return False
    return True


def check_modifiers(context: CheckContext) -> None:
    """Every change that a rule makes meets a value with a layer for it."""
    for name, changes in context.modifiers.items():
        for rule, part in changes:
            by = part.get("by")
            of = part.get("of") if part is not rule.node else rule.node.get("modify")
            if not isinstance(by, MapNode) or not isinstance(of, ScalarNode):
                continue
            values = [
                v
                for k in context.kinds.values()
                if isinstance(v := k.attributes.get(name), symbols.Function) and v.what == "value"
            ]
            value = context.names.get(name)
            if isinstance(value, symbols.Function) and value.what == "function":
                values.append(value)
            if not values:
                known = {
                    n
                    for k in context.kinds.values()
                    for n, v in k.attributes.items()
                    if isinstance(v, symbols.Function)
                }
                context.unknown("E415", "value", name, of.span, sorted(known))
                continue
            for key, written in by.entries:
                if key.value in (*MODIFIERS, "ignore") and (by.span, key.value) not in context.modified:
                    layer = ticked(
                        f"named: {written.value}"
                        if key.value == "ignore" and isinstance(written, ScalarNode)
                        else f"modifiers: {key.value}"
                    )
                    context.error(
                        "E416",
                        f"{ticked(of.value)} has no layer {layer}",
                        key.span,
                        related=[(values[0].span, "the value")],
                    )
