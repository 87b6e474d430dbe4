"""Conditions of choices, with what is said where they do not hold."""

from __future__ import annotations

from dataclasses import replace

from rulespec import ir
from rulespec.checker import symbols
from rulespec.checker.body import Body
from rulespec.checker.env import Env
from rulespec.checker.sentences import arguments
from rulespec.expr import parser, syntax
from rulespec.language.types import (
    BOOL,
    Type,
    UnknownType,
    item_of,
)  # fmt: skip
from rulespec.text.yaml_tree import ListNode, MapNode, Node, ScalarNode

GENERAL = "The rules do not allow it"  # what is said where nobody said why
TRUE = ir.Const(True)


def literal(text: str) -> ir.Text:
    """A text without expressions."""
    return ir.Text((text,) if text else ())


def reasons(body: Body, node: Node | None, env: Env, item: tuple[int, Type] | None = None) -> tuple[ir.Reason, ...]:
    """`only:` conditions with their reasons, and named conditions, which bring their own."""
    listed: list[ir.Reason] = []
    items = node.items if isinstance(node, ListNode) else [node] if node is not None else []
    for part in items:
        if isinstance(part, MapNode) and (test := part.get("if")) is not None:
            listed.extend(tests(body, test, part.get("why"), env))
            env = env.knowing(body.facts(test, True))
        elif isinstance(part, ScalarNode):
            listed.extend(named_condition(body, part, env, item))
    return tuple(listed)


def tests(body: Body, test: Node, why: Node | None, env: Env) -> list[ir.Reason]:
    """A condition with its reason; what the conditions in it say where it has none, or else a general one."""
    tree = parse(test) if why is None else None
    if tree is not None and isinstance(test, ScalarNode):
        return parts(body, test, tree, env)
    return [reason(body, test, why, env)]


def reason(body: Body, test: Node, why: Node | None, env: Env) -> ir.Reason:
    """One condition with its reason, or a general one."""
    expr = body.expressions.of(test, env, BOOL)[0]
    told = literal(GENERAL)
    if why is not None:
        told = body.expressions.text(why, env.knowing(body.facts(test, False)))
    return ir.Reason(expr, told, test.span)


def named_condition(body: Body, word: ScalarNode, env: Env, item: tuple[int, Type] | None) -> list[ir.Reason]:
    """A condition without a reason of its own: what is said comes from the conditions in it.

    A condition by name may stand without arguments where it has one parameter, which the item is given to.
    """
    tree = parser.expression(word, body.context.diagnostics)
    if tree is None:
        return []
    if isinstance(tree, syntax.Name) and (function := condition_of(body, tree)) is not None:
        args = given_item(body, function, tree, item)
        return called(body, word, tree, function, args, len(args), env)
    return parts(body, word, tree, env)


def condition_of(body: Body, tree: syntax.Expr) -> symbols.Function | None:
    """The condition that an expression names or calls."""
    name = tree.func if isinstance(tree, syntax.Call) else tree
    function = body.context.names.get(name.id) if isinstance(name, syntax.Name) else None
    return function if isinstance(function, symbols.Function) and function.what == "condition" else None


def mentioned(body: Body, word: ScalarNode, tree: syntax.Expr, function: symbols.Function) -> None:
    """Keep in mind that an expression names or calls a condition."""
    name = tree.func if isinstance(tree, syntax.Call) else tree
    body.context.refer("condition", function.name, word.at(name.start, name.end), function.span)


def given_item(
    body: Body, function: symbols.Function, tree: syntax.Expr, item: tuple[int, Type] | None
) -> list[ir.Expr]:
    """The item of a choice as the argument of a condition that wants one."""
    wanted = function.parameters
    if not wanted or item is None or any(p.default is None for p in wanted[1:]):
        return []
    local = ir.Local(item[0])
    if isinstance(item[1], UnknownType) or str(item[1]) == str(wanted[0].type):
        return [local]
    return [body.expressions.argument((local, item[1]), wanted[0], tree)]


def called(
    body: Body,
    word: ScalarNode,
    tree: syntax.Expr,
    function: symbols.Function,
    args: list[ir.Expr],
    given: int,
    env: Env,
) -> list[ir.Reason]:
    """The reasons of a condition that is called; `given` is how many arguments are written."""
    mentioned(body, word, tree, function)
    wanted = function.parameters
    left_out = wanted[len(args) :]
    if given > len(wanted) or any(p.default is None for p in left_out):
        body.context.error(
            "E301",
            f"the condition `{function.name}` needs {arguments(len(wanted))} and has {given}",
            word.span,
            expected=f"{function.name}({', '.join(map(symbols.signed, wanted))})",
        )
        return []
    return condition_reasons(body, function, [*args, *(body.expressions.default(p, env) for p in left_out)], env)


# --- conditions in conditions -------------------------------------------------------------------------
# Each gives reasons that hold together just where the condition holds; the first that fails says why.


def parts(body: Body, word: ScalarNode, tree: syntax.Expr, env: Env) -> list[ir.Reason]:
    """The reasons of the conditions in an expression, however nested; one general reason where nobody said why."""
    if says_why(body, tree):
        known = body.expressions.facts
        match tree:
            case syntax.Name():
                function = condition_of(body, tree)
                assert function is not None
                return called(body, word, tree, function, [], 0, env)
            case syntax.Call() if (function := condition_of(body, tree)) is not None:
                pairs = zip(tree.args, function.parameters, strict=False)
                args = [body.expressions.given_tree(word, arg, env, p) for arg, p in pairs]
                return called(body, word, tree, function, args, len(tree.args), env)
            case syntax.Unary(op="not", x=x):
                inner = denied(x)
                return denied_condition(body, word, tree, x, env) if inner is None else parts(body, word, inner, env)
            case syntax.Call(func=syntax.Name(id="all"), args=(syntax.Comp() as comp,)):
                return of_all(body, word, tree, comp, env)
            case syntax.Call(func=syntax.Name(id="any"), args=(syntax.Comp() as comp,)):
                return of_any(body, word, tree, comp, env)
            case syntax.Binary(op="and", left=left, right=right):
                behind = parts(body, word, right, env.knowing(known(left, True)))
                return [*parts(body, word, left, env), *behind]
            case syntax.Binary(op="or", left=left, right=right):
                where_not = env.knowing(known(left, False))
                if says_why(body, left):
                    other = test_of(body, word, right, where_not)
                    return [weaker(one, one.test, other) for one in parts(body, word, left, env)]
                first = test_of(body, word, left, env)
                return [weaker(one, first, one.test) for one in parts(body, word, right, where_not)]
            case syntax.If(cond=cond, then=then, other=other):
                test = test_of(body, word, cond, env)
                yes = parts(body, word, then, env.knowing(known(cond, True)))
                no = parts(body, word, other, env.knowing(known(cond, False)))
                return [
                    *(replace(one, test=ir.Cond(test, one.test, TRUE)) for one in yes),
                    *(replace(one, test=ir.Cond(test, TRUE, one.test)) for one in no),
                ]
    return [ir.Reason(test_of(body, word, tree, env), literal(GENERAL), word.span)]


def says_why(body: Body, tree: syntax.Expr, within: frozenset[str] = frozenset()) -> bool:
    """Whether somebody says why where a condition in this expression does not hold."""
    match tree:
        case syntax.Binary(op="and" | "or", left=one, right=two) | syntax.If(then=one, other=two):
            return says_why(body, one, within) or says_why(body, two, within)
        case syntax.Unary(op="not", x=x) if (inner := denied(x)) is not None:
            return says_why(body, inner, within)
        case syntax.Unary(op="not", x=x):
            function = condition_of(body, x)
            return function is not None and function.why_not is not None
        case syntax.Call(func=syntax.Name(id="all"), args=(syntax.Comp(key=syntax.Node() as key, word="have"),)):
            return says_why(body, key, within)
        case syntax.Call(func=syntax.Name(id="any"), args=(syntax.Comp(where=syntax.Node() as where, value=None),)):
            return says_why(body, where, within)
    function = condition_of(body, tree)
    if function is None or function.name in within:
        return False
    for test, why in function.reasons:
        inner = parse(test)
        if why is not None or (inner is not None and says_why(body, inner, within | {function.name})):
            return True
    return False


def denied(tree: syntax.Expr) -> syntax.Expr | None:
    """`not` of an expression with the `not` further in, where that is the same; None where it stands as far in as it can."""
    at = {"start": tree.start, "end": tree.end}
    match tree:
        case syntax.Unary(op="not", x=x):
            return x
        case syntax.Binary(op="and" | "or" as op, left=left, right=right):
            other: syntax.BinaryOp = "or" if op == "and" else "and"
            return syntax.Binary(other, negation(left), negation(right), **at)
        case syntax.If(cond=cond, then=then, other=other_one):
            return syntax.If(cond, negation(then), negation(other_one), **at)
        case syntax.Call(
            func=syntax.Name(id="any") as func, args=(syntax.Comp(where=syntax.Node() as where, value=None) as comp,)
        ):
            every = replace(comp, where=None, key=negation(where), word="have")
            return syntax.Call(replace(func, id="all"), (every,), **at)
        case syntax.Call(
            func=syntax.Name(id="all") as func, args=(syntax.Comp(key=syntax.Node() as key, word="have") as comp,)
        ):
            fails = negation(key)
            where = fails if comp.where is None else syntax.Binary("and", comp.where, fails, **at)
            some = replace(comp, where=where, key=None, word=None)
            return syntax.Call(replace(func, id="any"), (some,), **at)
    return None


def negation(tree: syntax.Expr) -> syntax.Expr:
    """`not` of an expression."""
    return syntax.Unary("not", tree, start=tree.start, end=tree.end)


def denied_condition(body: Body, word: ScalarNode, tree: syntax.Expr, named: syntax.Expr, env: Env) -> list[ir.Reason]:
    """`not c(x)`: what the condition says under `why not`."""
    function = condition_of(body, named)
    assert function is not None and function.why_not is not None
    mentioned(body, word, named, function)
    given = named.args if isinstance(named, syntax.Call) else ()
    test = test_of(body, word, tree, env)  # which reports arguments that do not fit
    if len(given) > len(function.parameters) or any(p.default is None for p in function.parameters[len(given) :]):
        return []
    pairs = zip(given, function.parameters, strict=False)
    args = [body.expressions.given_tree(word, arg, env, p) for arg, p in pairs]
    args += [body.expressions.default(p, env) for p in function.parameters[len(given) :]]
    bound, outer = with_parameters(function, env)
    for holds_too, _ in function.reasons if function.enough is None else ():
        outer = outer.knowing(body.facts(holds_too, True))
    told = body.expressions.text(function.why_not, outer)
    for index, arg in reversed(list(zip(bound, args, strict=True))):
        told = bound_text(told, index, arg)
    return [ir.Reason(test, told, word.span)]


def with_parameters(function: symbols.Function, env: Env) -> tuple[list[int], Env]:
    """Locals for the parameters of a condition, behind those of the place, and the environment that knows these alone."""
    behind, first = env.fresh(*(parameter.type for parameter in function.parameters))
    bound = list(range(first, behind.depth))
    inner = Env(env.frame, {}, behind.depth)
    for index, parameter in zip(bound, function.parameters, strict=True):
        inner = inner.called(parameter.name, index, parameter.type)
    return bound, inner


def parse(test: Node) -> syntax.Expr | None:
    """The expression in a scalar; None where it is none, which is reported with the condition."""
    try:
        return parser.parse_expr(test.value) if isinstance(test, ScalarNode) else None
    except parser.ExprSyntaxError:
        return None


def test_of(body: Body, word: ScalarNode, tree: syntax.Expr, env: Env) -> ir.Expr:
    """A condition, of which nobody asks why."""
    return body.expressions.tree(word, tree, env, BOOL)[0]


def weaker(one: ir.Reason, first: ir.Expr, second: ir.Expr) -> ir.Reason:
    """A reason that only counts where neither condition holds."""
    return replace(one, test=ir.Cond(first, TRUE, second))


def of_all(body: Body, word: ScalarNode, tree: syntax.Call, comp: syntax.Comp, env: Env) -> list[ir.Reason]:
    """`all(x in items have c)`: the reason of the first item that fails, in the order of the items."""
    whole = test_of(body, word, tree, env)
    if not isinstance(whole, ir.Op) or not isinstance(failing := whole.args[0], ir.Comp) or comp.key is None:
        return []  # reported
    inner, index = env.bind(comp.var, item_type(body, word, comp, env))  # `failing` are the items that do not have it
    inner = inner.knowing(body.expressions.header(comp))
    listed = parts(body, word, comp.key, inner)
    return [for_item(one, index, ir.Op("first", (failing,)), whole) for one in listed]


def of_any(body: Body, word: ScalarNode, tree: syntax.Call, comp: syntax.Comp, env: Env) -> list[ir.Reason]:
    """`any(x in items where c)`: the reason of the first item; a general one where there is none."""
    whole = test_of(body, word, tree, env)
    if not isinstance(whole, ir.Op) or not isinstance(passing := whole.args[0], ir.Comp) or comp.where is None:
        return []  # reported
    items = passing.source
    inner, index = env.bind(comp.var, item_type(body, word, comp, env))
    some = ir.Op("lt", (ir.Const(0), ir.Op("size", (items,))))
    nobody = ir.Reason(ir.Cond(whole, TRUE, some), literal(GENERAL), word.span)
    listed = parts(body, word, comp.where, inner)
    return [nobody, *(for_item(one, index, ir.Op("first", (items,)), whole) for one in listed)]


def item_type(body: Body, word: ScalarNode, comp: syntax.Comp, env: Env) -> Type:
    """What the items of a comprehension are."""
    outer, body.expressions.scalar = body.expressions.scalar, word
    try:
        return item_of(body.expressions.collection(comp.coll, env)[1])
    finally:
        body.expressions.scalar = outer


def for_item(one: ir.Reason, index: int, item: ir.Expr, whole: ir.Expr) -> ir.Reason:
    """A reason about one item of several, which counts only where the whole does not hold."""
    return ir.Reason(ir.Cond(whole, TRUE, ir.Bind(index, item, one.test)), bound_text(one.why, index, item), one.where)


def condition_reasons(body: Body, function: symbols.Function, args: list[ir.Expr], env: Env) -> list[ir.Reason]:
    """A condition's own reasons, with its parameters bound to the arguments; `enough` overrides each."""
    bound, outer = with_parameters(function, env)
    if not body.expressions.compile_function(function):
        body.context.error(
            "E303", f"`{function.name}` is defined by itself", function.span, help=["conditions must not be recursive"]
        )
        return []
    env.using(function)
    enough = None if function.enough is None else body.expressions.of(function.enough, outer, BOOL)[0]

    def wrap(expr: ir.Expr) -> ir.Expr:
        for index, arg in reversed(list(zip(bound, args, strict=True))):
            expr = ir.Bind(index, arg, expr)
        return expr

    listed: list[ir.Reason] = []
    known = outer
    for test, why in function.reasons:
        for one in tests(body, test, why, known):
            expr = one.test if enough is None else ir.Cond(enough, TRUE, one.test)
            told = tuple(p if isinstance(p, str) else (wrap(p[0]), p[1]) for p in one.why.parts)
            listed.append(ir.Reason(wrap(expr), ir.Text(told), one.where))
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
