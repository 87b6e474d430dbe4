"""Values with layers: a base, then named changes in order, some of them made by rules."""

from __future__ import annotations

from rulespec import ir, model
from rulespec.check.env import Env, Typed
from rulespec.check.expressions import Expressions
from rulespec.check.scoping import during
from rulespec.check.rules import bind_arguments, conjunction, tests, with_me
from rulespec.expr import parser, syntax
from rulespec.types import BOOL, IntType, Type
from rulespec.yamltree import Mapping, Scalar, Sequence

STEPS = {"raise to": "greatest_number", "lower to": "least_number", "set to": "set", "add": "add", "subtract": "sub"}
MODIFIERS = {"add": "add", "subtract": "sub", "set": "set", "raise": "greatest_number", "cap": "least_number"}


def layered(expressions: Expressions, function: model.Function, node: Mapping, env: Env) -> Typed:
    """The value of a mapping with `base` and `layers`."""
    game = expressions.game
    value, t = expressions.of(node.get("base"), env, function.result)
    if isinstance(t, IntType):
        t = IntType() if function.result is None else function.result
    layers = node.get("layers")
    for layer in layers.items if isinstance(layers, Sequence) else ():
        if not isinstance(layer, Mapping) or not layer.entries:
            game.error("S001", "a layer is expected here", layer.span, expected="modifiers, raise to, set to, add, clamp, ...")
            continue
        key, written = layer.entries[0]
        acc_env, acc = env.bind("", t)
        if key.value == "modifiers" and isinstance(written, Scalar):
            if written.value not in MODIFIERS:
                game.unknown("S004", "kind of modifier", written.value, written.span, MODIFIERS)
                continue
            value = modified(expressions, function, written.value, value, acc, acc_env, t)
            continue
        if key.value == "clamp" and isinstance(written, Scalar):
            value = clamped(expressions, written, value, acc, acc_env)
        elif key.value in STEPS:
            amount = expressions.of(written, acc_env, t)[0]
            changed = apply(STEPS[key.value], ir.Local(acc), amount)
            if (test := layer.get("if")) is not None:
                changed = ir.Cond(expressions.of(test, acc_env, BOOL)[0], changed, ir.Local(acc))
            value = ir.Bind(acc, value, changed)
        else:
            game.unknown("S002", "layer", key.value, key.span, [*STEPS, "modifiers", "clamp"])
    return value, t


def apply(op: str, old: ir.Expr, amount: ir.Expr) -> ir.Expr:
    """One change of a value."""
    return amount if op == "set" else ir.Op(op, (old, amount))


def clamped(expressions: Expressions, written: Scalar, value: ir.Expr, acc: int, env: Env) -> ir.Expr:
    """`clamp: 2..6`, with open ends."""
    tree = parser.expression(written, expressions.game.diagnostics)
    if not isinstance(tree, syntax.Interval):
        if tree is not None:
            expressions.game.error("E201", "an interval is expected here", written.span, expected="low..high")
        return value
    made: ir.Expr = ir.Local(acc)
    if tree.low is not None:
        made = ir.Op("greatest_number", (made, expressions.tree(written, tree.low, env, IntType())[0]))
    if tree.high is not None:
        made = ir.Op("least_number", (made, expressions.tree(written, tree.high, env, IntType())[0]))
    return ir.Bind(acc, value, made)


def modified(expressions: Expressions, function: model.Function, layer: str, value: ir.Expr, acc: int, env: Env,
             t: Type) -> ir.Expr:  # fmt: skip
    """The value after all rules that modify it in this layer, in the order of the file."""
    game = expressions.game
    for rule, part in game.modifiers.get(function.name, ()):
        by = part.get("by")
        if not isinstance(by, Mapping) or layer not in by:
            continue
        amount = by.get(layer)
        of = part.get("of") if part is not rule.node else rule.node.get("modify")
        if not isinstance(of, Scalar):
            continue
        if rule.lasting is not None:
            inner, index = env.bind("", t)
            bound, wrap = bind_arguments(rule.lasting, inner, index)
            env.frame.reads.add(ir.LASTING)
            source: ir.Expr = ir.Op("lasting_of", (ir.Load(ir.LASTING), ir.Const(rule.lasting.index)))
        elif rule.kind is not None:
            bound, index = env.bind("", rule.kind.type)
            source, wrap = ir.Const(rule.pieces), lambda expr: expr
        else:
            bound, index, source, wrap = env, -1, ir.Const(()), lambda expr: expr
        changed = change(expressions, rule, part, by, of, amount, MODIFIERS[layer], function, acc, bound, index, env)
        if changed is None:
            continue
        if index < 0:
            value = ir.Bind(acc, value, changed)
        else:
            value = ir.Fold(acc, value, index, source, wrap(changed))
    return value


def change(expressions: Expressions, rule: model.Rule, part: Mapping, by: Mapping, of: Scalar, amount: object, op: str,
           function: model.Function, acc: int, bound: Env, index: int, env: Env) -> ir.Expr | None:  # fmt: skip
    """What one rule makes of the value: unchanged where it is not alive or speaks of another."""
    game = expressions.game
    this = env.locals.get("this")
    locals_ = {name: v for name, v in bound.locals.items() if name != "this"}
    if rule.kind is not None and index >= 0:
        from rulespec.check.env import LocalVar

        locals_["this"] = LocalVar(index, rule.kind.type)
    outer, env.frame.scopes = env.frame.scopes, set()
    own = Env(env.frame, locals_, bound.depth)
    parts: list[ir.Expr] = []
    test = tests(game, expressions, rule, own, ("during", "live", "where"))
    if test is not None:
        parts.append(test)
    inner, wrap, _ = with_me(game, expressions, rule, own)
    specific: list[ir.Expr] = []
    if (condition := by.get("if")) is not None:
        specific.append(expressions.of(condition, inner, BOOL)[0])
    target = of.value.rpartition(".")[0].strip()
    if target and this is not None:
        owner, owner_type = expressions.of(Scalar(target, of.style, of.at(0, len(target))), inner)
        specific.append(ir.Op("eq", (owner, ir.Local(this.index))))
        del owner_type
    value = expressions.of(amount, inner, function.result)[0]  # type: ignore[arg-type]
    changed: ir.Expr = wrap(apply(op, ir.Local(acc), value))
    if specific:
        parts.append(wrap(conjunction(specific) or ir.Const(True)))
    whole = conjunction(parts)
    outer |= env.frame.scopes - during(game, game.scalar(rule.node.get("during")))
    env.frame.scopes = outer
    return changed if whole is None else ir.Cond(whole, changed, ir.Local(acc))
