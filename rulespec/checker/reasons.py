"""Conditions of choices, with what is said where they do not hold."""

from __future__ import annotations

from rulespec import ir
from rulespec.checker import symbols
from rulespec.checker.body import Body
from rulespec.checker.env import Env
from rulespec.expr import parser, syntax
from rulespec.language.types import (
    BOOL,
    Type,
    UnknownType,
)  # fmt: skip
from rulespec.text.yaml_tree import ListNode, MapNode, Node, ScalarNode


def literal(text: str) -> ir.Text:
    """A text without expressions."""
    return ir.Text((text,) if text else ())


def reasons(body: Body, node: Node | None, env: Env, item: tuple[int, Type] | None = None) -> tuple[ir.Reason, ...]:
    """`only:` conditions with their reasons, and named conditions, which bring their own."""
    listed: list[ir.Reason] = []
    items = node.items if isinstance(node, ListNode) else [node] if node is not None else []
    for part in items:
        if isinstance(part, MapNode) and (test := part.get("if")) is not None:
            listed.append(reason(body, test, part.get("why"), env))
            env = env.knowing(body.facts(test, True))
        elif isinstance(part, ScalarNode):
            listed.extend(named_condition(body, part, env, item))
    return tuple(listed)


def reason(body: Body, test: Node, why: Node | None, env: Env) -> ir.Reason:
    """One condition; without a reason of its own, it is quoted."""
    expr = body.expressions.of(test, env, BOOL)[0]
    if why is not None:
        return ir.Reason(expr, body.expressions.text(why, env.knowing(body.facts(test, False))), test.span)
    text = test.value if isinstance(test, ScalarNode) else "not allowed"
    return ir.Reason(expr, literal(f"not: {text}"), test.span)


def named_condition(body: Body, word: ScalarNode, env: Env, item: tuple[int, Type] | None) -> list[ir.Reason]:
    """A condition by name: without parameters, or with one that the item is given to, or called with arguments."""
    tree = parser.expression(word, body.context.diagnostics)
    if tree is None:
        return []
    name = (
        tree.func.id
        if isinstance(tree, syntax.Call) and isinstance(tree.func, syntax.Name)
        else (tree.id if isinstance(tree, syntax.Name) else None)
    )
    function = body.context.names.get(name) if name else None
    if not isinstance(function, symbols.Function) or function.what != "condition":
        return [reason(body, word, None, env)]
    body.context.used.add(function.name)
    body.context.refs.add(("condition", function.name))
    inner = env
    wanted = function.parameters
    if isinstance(tree, syntax.Call):
        args = [body.expressions.tree(word, a, env, p.type)[0] for a, p in zip(tree.args, wanted, strict=False)]
    elif wanted and item is not None and all(p.default is not None for p in wanted[1:]):
        expr: ir.Expr = ir.Local(item[0])
        if not isinstance(item[1], UnknownType) and str(item[1]) != str(wanted[0].type):
            expr = body.expressions.convert((expr, item[1]), wanted[0].type, tree)
        args = [expr]
    else:
        args = []
    left_out = wanted[len(args) :]
    given = len(tree.args) if isinstance(tree, syntax.Call) else len(args)
    if given > len(wanted) or any(p.default is None for p in left_out):
        body.context.error(
            "E301",
            f"the condition `{function.name}` wants {len(wanted)} arguments and has {given}",
            word.span,
            expected=f"{function.name}({', '.join(map(symbols.signed, wanted))})",
        )
        return []
    args += [body.expressions.default(p, env) for p in left_out]
    return condition_reasons(body, function, args, inner)


def condition_reasons(body: Body, function: symbols.Function, args: list[ir.Expr], env: Env) -> list[ir.Reason]:
    """A condition's own reasons, with its parameters bound to the arguments; `enough` overrides each."""
    inner = env
    bound: list[int] = []
    for parameter in function.parameters:
        inner, index = inner.bind(parameter.name, parameter.type)
        bound.append(index)
    outer = Env(env.frame, {p.name: inner.locals[p.name] for p in function.parameters}, inner.depth)
    body.expressions.compile_function(function)
    env.frame.reads |= function.reads
    enough = None if function.enough is None else body.expressions.of(function.enough, outer, BOOL)[0]

    def wrap(expr: ir.Expr) -> ir.Expr:
        for index, arg in reversed(list(zip(bound, args, strict=True))):
            expr = ir.Bind(index, arg, expr)
        return expr

    listed: list[ir.Reason] = []
    known = outer
    for test, why in function.reasons:
        if isinstance(test, ScalarNode) and why is None:
            tree = parser.expression(test, body.context.diagnostics)
            called = body.context.names.get(tree.id) if isinstance(tree, syntax.Name) else None
            if isinstance(called, symbols.Function) and called.what == "condition" and not called.parameters:
                listed.extend(condition_reasons(body, called, [], known))
                continue
        first = reason(body, test, why, known)
        expr = first.test if enough is None else ir.Cond(enough, ir.Const(True), first.test)
        parts = tuple(p if isinstance(p, str) else (wrap(p[0]), p[1]) for p in first.why.parts)
        listed.append(ir.Reason(wrap(expr), ir.Text(parts), first.where))
        known = known.knowing(body.facts(test, True))
    return listed


def holds(tests: tuple[ir.Reason, ...]) -> ir.Expr:
    """All conditions together."""
    test: ir.Expr = ir.Const(True)
    for one in reversed(tests):
        test = one.test if test == ir.Const(True) else ir.Cond(one.test, test, ir.Const(False))
    return test


def cannot(text: str, test: ir.Expr) -> ir.Reason:
    """A reason of the engine's own."""
    return ir.Reason(test, literal(text))


def bound_text(text: ir.Text, index: int, value: ir.Expr) -> ir.Text:
    """A text whose expressions read a local that is bound to a value."""
    return ir.Text(tuple(p if isinstance(p, str) else (ir.Bind(index, value, p[0]), p[1]) for p in text.parts))
