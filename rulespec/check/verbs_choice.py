"""Verbs that ask: nothing else in the language asks anybody anything."""

from __future__ import annotations

from dataclasses import dataclass, replace

from rulespec import ir, model
from rulespec.check.body import Body
from rulespec.check.env import Env, Frame, LocalVar
from rulespec.check.expressions import article, high_of, low_of
from rulespec.check.verbs_control import leave_loop, leaves, loop
from rulespec.expr import parser, syntax
from rulespec.registry import Key, verb
from rulespec.source import Span
from rulespec.types import (
    BOOL,
    INT,
    PLAYER,
    UNKNOWN,
    BagType,
    BoolType,
    EntityType,
    IntType,
    ListType,
    OptionType,
    RecordType,
    SetType,
    Type,
    UnknownType,
    is_many,
    item_of,
)  # fmt: skip
from rulespec.yamltree import Mapping, Node, Scalar, Sequence

BY = Key("expr", "the player who chooses; `me` if left out")
SAY = Key("text", "the question")


def literal(text: str) -> ir.Text:
    """A text without expressions."""
    return ir.Text((text,) if text else ())


# --- reasons ----------------------------------------------------------------------------------------------------------
def reasons(body: Body, node: Node | None, env: Env, item: tuple[int, Type] | None = None) -> tuple[ir.Reason, ...]:
    """`only:` conditions with their reasons, and named conditions, which bring their own."""
    made: list[ir.Reason] = []
    items = node.items if isinstance(node, Sequence) else [node] if node is not None else []
    for part in items:
        if isinstance(part, Mapping) and (test := part.get("if")) is not None:
            made.append(reason(body, test, part.get("why"), env))
            env = env.knowing(body.facts(test, True))
        elif isinstance(part, Scalar):
            made.extend(named_condition(body, part, env, item))
    return tuple(made)


def reason(body: Body, test: Node, why: Node | None, env: Env) -> ir.Reason:
    """One condition; without a reason of its own, it is quoted."""
    expr = body.expressions.of(test, env, BOOL)[0]
    if why is not None:
        return ir.Reason(expr, body.expressions.text(why, env.knowing(body.facts(test, False))))
    text = test.value if isinstance(test, Scalar) else "not allowed"
    return ir.Reason(expr, literal(f"not: {text}"))


def named_condition(body: Body, word: Scalar, env: Env, item: tuple[int, Type] | None) -> list[ir.Reason]:
    """A condition by name: without parameters, or with one that the item is given to, or called with arguments."""
    tree = parser.expression(word, body.game.diagnostics)
    if tree is None:
        return []
    name = tree.func.id if isinstance(tree, syntax.Call) and isinstance(tree.func, syntax.Name) else (
        tree.id if isinstance(tree, syntax.Name) else None)  # fmt: skip
    function = body.game.names.get(name) if name else None
    if not isinstance(function, model.Function) or function.what != "condition":
        return [reason(body, word, None, env)]
    body.game.used.add(function.name)
    inner = env
    wanted = function.parameters
    if isinstance(tree, syntax.Call):
        args = [body.expressions.tree(word, a, env, p.type)[0] for a, p in zip(tree.args, wanted, strict=False)]
        if len(tree.args) != len(wanted):
            body.game.error("E301", f"`{function.name}` wants {len(wanted)} arguments and has {len(tree.args)}", word.span)
            return []
    elif not wanted:
        args = []
    elif len(wanted) == 1 and item is not None:
        expr: ir.Expr = ir.Local(item[0])
        if not isinstance(item[1], UnknownType) and str(item[1]) != str(wanted[0].type):
            expr = body.expressions.convert((expr, item[1]), wanted[0].type, tree)
        args = [expr]
    else:
        body.game.error("E301", f"the condition `{function.name}` wants {len(wanted)} arguments", word.span,
                        expected=f"{function.name}({', '.join(p.name for p in wanted)})")  # fmt: skip
        return []
    return condition_reasons(body, function, args, inner)


def condition_reasons(body: Body, function: model.Function, args: list[ir.Expr], env: Env) -> list[ir.Reason]:
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

    made: list[ir.Reason] = []
    known = outer
    for test, why in function.reasons:
        if isinstance(test, Scalar) and why is None:
            tree = parser.expression(test, body.game.diagnostics)
            called = body.game.names.get(tree.id) if isinstance(tree, syntax.Name) else None
            if isinstance(called, model.Function) and called.what == "condition" and not called.parameters:
                made.extend(condition_reasons(body, called, [], known))
                continue
        own = reason(body, test, why, known)
        expr = own.test if enough is None else ir.Cond(enough, ir.Const(True), own.test)
        parts = tuple(p if isinstance(p, str) else (wrap(p[0]), p[1]) for p in own.why.parts)
        made.append(ir.Reason(wrap(expr), ir.Text(parts)))
        known = known.knowing(body.facts(test, True))
    return made


def holds(tests: tuple[ir.Reason, ...]) -> ir.Expr:
    """All conditions together."""
    made: ir.Expr = ir.Const(True)
    for own in reversed(tests):
        made = own.test if made == ir.Const(True) else ir.Cond(own.test, made, ir.Const(False))
    return made


def cannot(text: str, test: ir.Expr) -> ir.Reason:
    """A reason of the engine's own."""
    return ir.Reason(test, literal(text))


# --- looking one choice ahead -----------------------------------------------------------------------------------------
def feasible(body: Body, node: Node | None, env: Env, depth: int = 0) -> ir.Expr | None:
    """Whether the first choice of some steps has something to choose; None where nothing needs to be asked."""
    steps = list(node.items) if isinstance(node, Sequence) else [node] if node is not None else []
    if not steps or depth > 8:
        return None
    step = steps[0]
    game = body.game
    if isinstance(step, Scalar):
        step = Mapping(((step, Scalar("", "plain", step.span)),), step.span)
    if not isinstance(step, Mapping) or not step.entries:
        return None
    key, value = step.entries[0]
    if key.value == "choose":
        if "or none" in step or "else" in step or "if" in step or "from" not in step or not isinstance(value, Scalar):
            return None
        found = choose_items(body, step, env)
        inner, index = env.bind(value.value, found.item)
        legal = reasons(body, step.get("only"), inner, (index, found.item))
        return has_enough(body, step, env, found, ir.Comp(index, found.items, holds(legal) if legal else None))
    if key.value == "let" and isinstance(value, Scalar) and "if" not in step:
        declared = body.expressions.type(step.get("is")) if "is" in step else None
        expr, t = body.expressions.of(step.get("be"), env, declared)
        inner, index = env.bind(value.value, declared or t)
        rest = feasible(body, Sequence(tuple(steps[1:]), step.span), inner, depth)
        return None if rest is None else ir.Bind(index, expr, rest)
    if key.value == "if":
        then = feasible(body, step.get("then"), env.knowing(body.facts(value, True)), depth)
        other = feasible(body, step.get("else"), env, depth) if "else" in step else None
        if then is None and other is None:
            return None
        test = body.expressions.of(value, env, BOOL)[0]
        return ir.Cond(test, then or ir.Const(True), other or ir.Const(True))
    procedure = game.procedures.get(key.value)
    if procedure is not None and "if" not in step:
        args = body.arguments(procedure, key, value, step, env)
        inner = Env(env.frame, {}, env.depth)
        bound: list[int] = []
        for parameter in procedure.parameters:
            inner, index = inner.bind(parameter.name, parameter.type)
            bound.append(index)
        rest = feasible(body, procedure.node.get("do"), inner, depth + 1)
        if rest is None:
            return None
        for index, arg in reversed(list(zip(bound, args, strict=True))):
            rest = ir.Bind(index, arg, rest)
        return rest
    return None


def has_enough(body: Body, step: Mapping, env: Env, found: Items, legal: ir.Expr) -> ir.Expr:
    """Whether there are as many legal items as the choice needs."""
    if "count" not in step:
        return ir.Op("lt", (ir.Const(0), ir.Op("size", (legal,))))
    low, _ = bounds(body, step, env)
    if low is None:
        return ir.Const(True)
    size: ir.Expr = ir.Op("size", (legal,))
    if repeats(step):  # a single one will do, as often as it takes
        size = ir.Cond(ir.Op("lt", (ir.Const(0), size)), low, ir.Const(0))
    elif found.bag is not None:
        size = ir.Op("bag_size", (ir.Op("bag_only", (found.bag, legal)),))
    return ir.Op("le", (low, size))


def repeats(node: Mapping) -> bool:
    """Whether the same one may be chosen more than once."""
    flag = node.get("repeats")
    return isinstance(flag, Scalar) and flag.value == "yes"


# --- choose -----------------------------------------------------------------------------------------------------------
@dataclass(frozen=True, slots=True)
class Items:
    """What a choice is from."""

    items: ir.Expr
    item: Type
    bag: ir.Expr | None
    secret: bool


def choose_items(body: Body, node: Mapping, env: Env) -> Items:
    """The candidates of a choice and whether some are hidden from others."""
    probe = Frame()
    source = node.get("from")
    expr, t = body.expressions.of(source, replace(env, frame=probe))
    env.frame.locals = max(env.frame.locals, probe.locals)
    env.frame.reads |= probe.reads
    env.frame.scopes |= probe.scopes
    secret = any(z.base in probe.reads and z.seen.who != "all" for z in body.game.zones) or any(
        v.base in probe.reads and v.seen.who != "all" for v in body.game.variables
    )
    if isinstance(t, BagType):
        return Items(ir.Op("bag_kinds", (expr,)), EntityType(t.kind), expr, secret)
    if is_many(t):
        return Items(expr, item_of(t), None, secret)
    if not isinstance(t, UnknownType):
        span = source.span if source is not None else node.span
        body.game.error("E201", f"this is {article(t)}, and something to choose from is expected", span,
                        expected="a list, a set, a bag or an interval", found=str(t))  # fmt: skip
    return Items(ir.Const(()), UNKNOWN, None, secret)


def coding(body: Body, t: Type) -> tuple[str, int, int]:
    """How candidates of a type become actions: by value where they are few and known, else by position."""
    if isinstance(t, EntityType):
        return "value", 0, len(body.game.kinds[t.kind].members)
    if isinstance(t, IntType) and t.low is not None and t.high is not None and t.high - t.low < 10_000:
        return "value", t.low, t.high - t.low + 1
    return "index", 0, 0


def new_site(body: Body, site: ir.Site) -> int:
    """Add a site to the program; its number."""
    body.game.out_sites.append(replace(site, index=len(body.game.out_sites)))
    return len(body.game.out_sites) - 1


def question(body: Body, node: Mapping, env: Env, default: str) -> ir.Text:
    """The prompt of a choice."""
    say = node.get("say")
    return literal(default) if say is None else body.expressions.text(say, env)


def none_option(body: Body, node: Node | None, env: Env) -> ir.NoneOption | None:
    """`or none`: a text, or a mapping with `say`, `if`, `why`."""
    if node is None:
        return None
    if isinstance(node, Scalar):
        return ir.NoneOption("none", body.expressions.text(node, env))
    if not isinstance(node, Mapping):
        return ir.NoneOption("none", literal("None"))
    say, test = node.get("say"), node.get("if")
    text = literal("None") if say is None else body.expressions.text(say, env)
    own = () if test is None else (reason(body, test, node.get("why"), env),)
    return ir.NoneOption("none", text, (*own, *reasons(body, node.get("only"), env)))


@verb("choose", Key("new name", "what the chosen one is called", required=True),
      {"by": BY, "from": Key("expr", "what is thinkable: a list, set, bag or interval", required=True),
       "only": Key("reasons", "what the rules allow, with reasons; the first that fails is shown"),
       "count": Key("expr", "how many: a number or an interval; then the name is a set or bag"),
       "repeats": Key("flag", "whether the same one may be chosen more than once"),
       "whole": Key("reasons", "what all that are chosen must satisfy together"),
       "or none": Key("none", "a willing no: its text, or `say`, `if`, `why`, `do`"),
       "else": Key("steps", "what happens where nothing can be chosen"),
       "say": SAY, "shown": Key("text", "how a candidate is shown"),
       "into": Key("expr", "a variable that is set to the choice")},
      group="choices", example="- choose: card\n  by: p\n  from: p.hand\n  only:\n    - if: card.colour == led or not must_follow(p)\n      why: \"You hold {led} and must follow it\"\n  say: Play a card to the trick")  # fmt: skip
def choose(body: Body, node: Mapping, value: Node, env: Env) -> Env:
    """Ask a player for one item, or with `count` for several, in canonical order, item by item."""
    if not isinstance(value, Scalar):
        return env
    name = value.value
    if name in env.locals or (name in body.game.names and "into" not in node):
        body.game.error("E113", f"there is a `{name}` already", value.span)
    if "count" in node:
        return choose_several(body, node, value, env)
    player = body.player(node, env)
    found = choose_items(body, node, env)
    inner, index = env.bind(name, found.item)
    legal = reasons(body, node.get("only"), inner, (index, found.item))
    none = none_option(body, node.get("or none"), env)
    shown = node.get("shown")
    code, low, size = coding(body, found.item)
    site = ir.Site(0, name, player, found.items, index, body.game.printer(found.item), question(body, node, env, f"Choose {name.replace('_', ' ')}"),
                   legal, none, (), None if shown is None else body.expressions.text(shown, inner),
                   code, low, size, found.secret, body.move, (), node.span)  # type: ignore[arg-type]  # fmt: skip
    other = node.get("else")
    live = env.depth
    option = none is not None or other is not None
    result: Type = OptionType(found.item) if option and not isinstance(found.item, UnknownType) else found.item
    after, _ = env.bind(name, result)
    skip: int | None = None
    if other is not None:
        some = ir.Op("lt", (ir.Const(0), ir.Op("size", (ir.Comp(index, found.items, holds(legal) if legal else None),))))
        skip = body.unless(some, node.span)
    body.emit(ir.Ask(new_site(body, site), live, node.span))
    if "or none" in node and isinstance(node.get("or none"), Mapping):
        steps = node.get("or none").get("do")  # type: ignore[union-attr]
        if steps is not None:
            taken = body.unless(ir.Op("is_none", (ir.Local(live),)), node.span)
            body.block(steps, after)
            body.aim(taken)
    store_into(body, node, live, found.item, env, none is not None)
    if skip is not None:
        end = body.jump(node.span)
        body.aim(skip)
        body.emit(ir.Let(live, ir.Const(None), node.span))
        body.live = after.depth
        otherwise(body, other, after, node.span)
        body.aim(end)
    return env.bind(name, found.item)[0] if surely_chosen(node) else after


def otherwise(body: Body, node: Node | None, env: Env, span: Span) -> None:
    """`else: skip`, `else: stop`, or steps."""
    if isinstance(node, Scalar) and node.value == "stop":
        leave_loop(body, span)
    else:
        body.block(node, env)


def store_into(body: Body, node: Mapping, live: int, t: Type, env: Env, optional: bool) -> None:
    """`into:` a variable."""
    into = node.get("into")
    if into is None:
        return
    target = body.settable(into, Env(env.frame, env.locals, max(env.depth, live + 1), env.known, env.sealed))
    if target is None:
        return
    value: ir.Expr = ir.Local(live)
    if isinstance(target, tuple):
        wanted = target[0].type
        given = OptionType(t) if optional else t
        from rulespec.types import fits

        if not fits(given, wanted):
            body.game.error("E201", f"this is {article(given)}, and `{target[0].name}` is {article(wanted)}", into.span)
    body.store(target, value, node.span)


def bounds(body: Body, node: Mapping, env: Env) -> tuple[ir.Expr | None, ir.Expr | None]:
    """`count:` as its least and most; None for an open end."""
    written = node.get("count")
    if not isinstance(written, Scalar):
        return None, None
    tree = parser.expression(written, body.game.diagnostics)
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


ROOM = 8  # locals that choices of several items keep to themselves: what is asked each time is worked out behind them


def choose_several(body: Body, node: Mapping, value: Scalar, env: Env) -> Env:
    """Several items: a set of them one after another, or a bag kind by kind."""
    behind = env.skip(ROOM)
    player = body.player(node, behind)
    found = choose_items(body, node, behind)
    low, high = bounds(body, node, behind)
    if repeats(node) and found.bag is None and high is None and (written := node.get("count")) is not None:
        body.game.error("E201", "what may be chosen more than once needs a most", written.span, expected="an interval: 1..4")
    if found.bag is not None or repeats(node):
        return choose_bag(body, node, value, env, player, found, low, high)
    k = env.depth  # the chosen so far
    outer = env.skip(1)
    inner, index = outer.bind(value.value, found.item)
    legal = reasons(body, node.get("only"), inner, (index, found.item))
    allowed: ir.Expr = ir.Comp(index, found.items, holds(legal)) if legal else found.items
    most = ir.Op("size", (allowed,)) if high is None else high
    least = low or ir.Const(0)
    whole_env, whole_index = inner.bind("", SetType(found.item))
    whole_locals = {**whole_env.locals, value.value: LocalVar(whole_index, SetType(found.item))}
    whole_env = replace(whole_env, locals=whole_locals)
    whole = reasons(body, node.get("whole"), whole_env)
    whole_test = holds(whole) if whole else None
    body.emit(ir.Let(k, ir.Const(()), node.span))
    head = body.here()
    full = body.unless(ir.Op("lt", (ir.Op("size", (ir.Local(k),)), most)), node.span)
    following = ir.Op("legal_after", (found.items, ir.Local(k)))
    candidate = ir.Op("concat", (ir.Local(k), ir.Op("pack", (ir.Local(index),))))
    completable = ir.Completable(candidate, allowed, least, most, whole_index, whole_test)
    why = literal("The choice could not be completed after this one")
    if whole:
        why = whole[0].why if not any(isinstance(p, tuple) for p in whole[0].why.parts) else why
    tests = (*legal, ir.Reason(completable, why))
    some = ir.Op("lt", (ir.Const(0), ir.Op("size", (ir.Comp(index, following, holds(tests)),))))
    none_left = body.unless(some, node.span)
    enough = ir.Op("le", (least, ir.Op("size", (ir.Local(k),))))
    done_tests = [cannot("More must be chosen", enough)]
    for own in whole:
        done_tests.append(ir.Reason(ir.Bind(whole_index, ir.Local(k), own.test), bound_text(own.why, whole_index, ir.Local(k))))
    done = ir.NoneOption("done", literal("Done"), tuple(done_tests))
    code, first, size = coding(body, found.item)
    shown = node.get("shown")
    site = ir.Site(0, value.value, player, following, index, body.game.printer(found.item),
                   question(body, node, behind, f"Choose {value.value.replace('_', ' ')}"), tests, done, (),
                   None if shown is None else body.expressions.text(shown, inner), code, first, size, found.secret,  # type: ignore[arg-type]
                   body.move, (), node.span)  # fmt: skip
    body.emit(ir.Ask(new_site(body, site), k + 1, node.span))
    more = body.unless(ir.Op("is_none", (ir.Local(k + 1),)), node.span)
    ended = body.jump(node.span)
    body.aim(more)
    body.emit(ir.Let(k, ir.Op("concat", (ir.Local(k), ir.Op("pack", (ir.Local(k + 1),)))), node.span))
    body.emit(ir.Jump(head, node.span))
    for position in (full, none_left, ended):
        body.aim(position)
    if "else" in node:
        short = body.unless(ir.Op("lt", (ir.Op("size", (ir.Local(k),)), least)), node.span)
        body.live = k + 1
        otherwise(body, node.get("else"), outer, node.span)
        body.aim(short)
    else:
        body.emit(ir.Claim(enough, literal("There is not enough to choose from"), node.span))
    after, _ = env.bind(value.value, SetType(found.item))
    store_into(body, node, k, SetType(found.item), env, False)
    return after


def bound_text(text: ir.Text, index: int, value: ir.Expr) -> ir.Text:
    """A text whose expressions read a local that is bound to a value."""
    return ir.Text(tuple(p if isinstance(p, str) else (ir.Bind(index, value, p[0]), p[1]) for p in text.parts))


def choose_bag(body: Body, node: Mapping, value: Scalar, env: Env, player: ir.Expr, found: Items, low: ir.Expr | None,
               high: ir.Expr | None) -> Env:  # fmt: skip
    """So many of each kind: one number a kind, in the order of the rows, each leaving a way to complete the choice."""
    if not isinstance(found.item, EntityType):
        if not isinstance(found.item, UnknownType):
            body.game.error("E201", "only members of a type with names can be chosen more than once", value.span)
        return env.bind(value.value, UNKNOWN)[0]
    kind = body.game.kinds[found.item.kind]
    size = body.game.size_of(kind)
    k = env.depth  # the bag so far
    outer = env.skip(1)
    inner, index = outer.skip(3).bind(value.value, found.item)  # after three locals of the loop, the last of them its kind
    legal = reasons(body, node.get("only"), inner, (index, found.item))
    allowed = ir.Comp(index, found.items, holds(legal) if legal else None)
    least = low or ir.Const(0)
    everything: ir.Expr
    if found.bag is not None:
        everything = ir.Op("bag_only", (found.bag, allowed))
    else:
        everything = ir.Op("bag_all", (allowed, high or ir.Const(0), size))
    most = ir.Op("bag_size", (everything,)) if high is None else ir.Op("least_number", (high, ir.Op("bag_size", (everything,))))
    whole_env, whole_index = inner.bind("", BagType(kind.name))
    whole = reasons(body, node.get("whole"), replace(
        whole_env, locals={**whole_env.locals, value.value: LocalVar(whole_index, BagType(kind.name))}))  # fmt: skip
    nothing = ir.Const((0,) * len(kind.members))
    possible: ir.Expr = ir.Op("le", (least, ir.Op("bag_size", (everything,))))
    if whole:
        ways = ir.Op("bag_ways", (nothing, everything, least, most))
        possible = ir.Op("lt", (ir.Const(0), ir.Op("size", (ir.Comp(whole_index, ways, holds(whole)),))))
    body.emit(ir.Let(k, nothing, node.span))
    body.emit(ir.Let(k + 1, ir.Cond(possible, ir.Op("bag_kinds", (everything,)), ir.Const(())), node.span))
    body.emit(ir.Let(k + 2, ir.Const(0), node.span))
    head = body.emit(ir.Next(k + 1, -1, node.span))
    amount = whole_env.skip(1).depth - 1  # the number being considered
    parts = (ir.Local(k), everything, ir.Local(k + 3), least, most)
    numbers = ir.Op("bag_amounts", parts)
    tests: tuple[ir.Reason, ...] = ()
    if whole:
        with_amount = ir.Op("bag_add", (ir.Local(k), ir.Op("bag_one", (ir.Local(amount), ir.Local(k + 3), size))))
        rest = ir.Op("bag_after", (everything, ir.Local(k + 3)))
        ways = ir.Op("bag_ways", (with_amount, rest, least, most))
        can = ir.Op("lt", (ir.Const(0), ir.Op("size", (ir.Comp(whole_index, ways, holds(whole)),))))
        text = whole[0].why if not any(isinstance(p, tuple) for p in whole[0].why.parts) else literal("Not all together")
        tests = (ir.Reason(can, text),)
    prompt = question(body, node, env.skip(ROOM), f"Choose {value.value.replace('_', ' ')}")
    label = ir.Text((*prompt.parts, " - how many ", (ir.Local(k + 3), ir.Printer("entity", kind.index)), "?"))
    site = ir.Site(0, value.value, player, numbers, amount, ir.Printer("int"), label, tests, None, (), None, "value", 0,
                   1000, found.secret, body.move, (), node.span)  # fmt: skip
    left: ir.Expr = ir.Comp(amount, numbers, holds(tests)) if tests else numbers
    only_one = body.unless(ir.Op("lt", (ir.Const(1), ir.Op("size", (left,)))), node.span)
    body.emit(ir.Ask(new_site(body, site), k + 4, node.span))
    asked = body.jump(node.span)
    body.aim(only_one)
    body.emit(ir.Let(k + 4, ir.Op("first", (left,)), node.span))
    body.aim(asked)
    body.emit(ir.Let(k, ir.Op("bag_add", (ir.Local(k), ir.Op("bag_one", (ir.Local(k + 4), ir.Local(k + 3), size)))), node.span))
    body.emit(ir.Jump(head, node.span))
    body.aim(head)
    enough: ir.Expr = ir.Op("le", (least, ir.Op("bag_size", (ir.Local(k),))))
    if whole:
        enough = ir.Cond(enough, ir.Bind(whole_index, ir.Local(k), holds(whole)), ir.Const(False))
    if "else" in node:
        short = body.unless(ir.Op("not_", (enough,)), node.span)
        body.live = k + 1
        otherwise(body, node.get("else"), outer, node.span)
        body.aim(short)
    else:
        body.emit(ir.Claim(enough, literal("There is not enough to choose from"), node.span))
    after, _ = env.bind(value.value, BagType(kind.name))
    store_into(body, node, k, BagType(kind.name), env, False)
    return after


# --- offers -----------------------------------------------------------------------------------------------------------
def branch(body: Body, name: str, node: Node, env: Env) -> ir.Branch:
    """One named option: its text, its conditions, and one choice of looking ahead."""
    if not isinstance(node, Mapping):
        return ir.Branch(name, literal(name.replace("_", " ")))
    say, test = node.get("say"), node.get("if")
    text = literal(name.replace("_", " ").capitalize()) if say is None else body.expressions.text(say, env)
    tests: list[ir.Reason] = []
    if test is not None:
        tests.append(reason(body, test, node.get("why"), env))
        env = env.knowing(body.facts(test, True))
    tests.extend(reasons(body, node.get("only"), env))
    ahead = feasible(body, node.get("do"), env)
    if ahead is not None:
        tests.append(cannot("There is nothing to choose there", ahead))
    return ir.Branch(name, text, tuple(tests))


@verb("offer", Key("new name", "what the chosen option is called", required=True),
      {"by": BY, "options": Key("branches", "named options, each with `say`, `if`, `why`, `only`, `do`"),
       "from": Key("expr", "a menu with its arguments"),
       "or none": Key("none", "a willing no"), "else": Key("steps", "what happens where no option is possible"), "say": SAY},
      group="choices", example="- offer: action\n  by: active\n  options:\n    draw:\n      say: Draw a card\n      if: deck is not empty\n      why: The deck is empty\n      do:\n        - draw: 1\n          from: deck\n          to: active.hand\n    pass: {say: Pass}")  # fmt: skip
def offer(body: Body, node: Mapping, value: Node, env: Env) -> Env:
    """Ask a player for one of several named options, and do it."""
    if not isinstance(value, Scalar):
        return env
    if "from" in node:
        return offer_menu(body, node, value, env)
    player = body.player(node, env)
    options = node.get("options")
    entries = options.entries if isinstance(options, Mapping) else ()
    if not entries:
        body.game.error("S003", "an offer has options", node.span, expected="options:, or from: a menu")
        return env
    kind = offer_kind(body, value, [key for key, _ in entries])
    return offered(body, node, value, env, player, kind, list(entries))


def offer_kind(body: Body, name: Scalar, keys: list[Scalar]) -> model.Kind:
    """The options' names as a type, so that the answer can be compared."""
    from rulespec.check.kinds import add_member, check_name

    kind = model.Kind(len(body.game.kinds), f"{name.value} option {len(body.game.kinds)}", "enum", name.span)
    body.game.kinds[kind.name] = kind
    for key in keys:
        if check_name(body.game, key, "an option"):
            add_member(body.game, kind, key.value, key.value.replace("_", " "), key.span)
    return kind


def offered(body: Body, node: Mapping, value: Scalar, env: Env, player: ir.Expr, kind: model.Kind,
            entries: list[tuple[Scalar, Node]]) -> Env:  # fmt: skip
    branches = tuple(branch(body, key.value, option, env) for key, option in entries)
    none = none_option(body, node.get("or none"), env)
    size = len(branches)
    items = ir.Const(tuple(range(size)))
    live = env.depth
    env.skip(1)
    site = ir.Site(0, value.value, player, items, live, ir.Printer("entity", kind.index),
                   question(body, node, env, f"Choose {value.value.replace('_', ' ')}"), (), none, branches, None, "value", 0,
                   size, False, body.move, (), node.span)  # fmt: skip
    chosen, _ = env.bind(value.value, kind.type)
    t: Type = kind.type if none is None and "else" not in node else OptionType(kind.type)
    after, _ = env.bind(value.value, t)
    skip = None
    if "else" in node:
        some: ir.Expr = ir.Const(False)
        for own in reversed(branches):
            some = ir.Cond(holds(own.reasons), ir.Const(True), some)
        skip = body.unless(some, node.span)
    body.emit(ir.Ask(new_site(body, site), live, node.span))
    ends: list[int] = []
    for number, (_, option) in enumerate(entries):
        steps = option.get("do") if isinstance(option, Mapping) else None
        if steps is None:
            continue
        next_one = body.unless(ir.Op("eq", (ir.Local(live), ir.Const(number))), option.span)
        test = option.get("if") if isinstance(option, Mapping) else None
        body.block(steps, chosen.knowing(body.facts(test, True)))
        ends.append(body.jump(node.span))
        body.aim(next_one)
    declined = node.get("or none")
    if isinstance(declined, Mapping) and "do" in declined:
        taken = body.unless(ir.Op("is_none", (ir.Local(live),)), node.span)
        body.block(declined.get("do"), after)
        body.aim(taken)
    if skip is not None:
        ends.append(body.jump(node.span))
        body.aim(skip)
        body.emit(ir.Let(live, ir.Const(None), node.span))
        body.live = after.depth
        otherwise(body, node.get("else"), after, node.span)
    for position in ends:
        body.aim(position)
    return chosen if surely_chosen(node) else after


def surely_chosen(node: Mapping) -> bool:
    """Whether the ways without an answer all leave, so that what follows has one."""
    declined = node.get("or none")
    if declined is not None and not (isinstance(declined, Mapping) and leaves(declined.get("do"))):
        return False
    return "else" not in node or leaves(node.get("else"))


def offer_menu(body: Body, node: Mapping, value: Scalar, env: Env) -> Env:
    """An offer of a menu: its own options, and those that live rules of pieces add."""
    from rulespec.check.rules import additions, limit_place, reserve_procedure

    game = body.game
    written = node.get("from")
    if not isinstance(written, Scalar):
        return env
    tree = parser.expression(written, game.diagnostics)
    name = tree.func.id if isinstance(tree, syntax.Call) and isinstance(tree.func, syntax.Name) else (
        tree.id if isinstance(tree, syntax.Name) else "")  # fmt: skip
    menu = game.menus.get(name)
    if menu is None or tree is None:
        game.unknown("E111", "menu", name or written.value, written.span, game.menus)
        return env
    game.used.add(menu.name)
    body.sets_off(f"menu {menu.name}")
    given = tree.args if isinstance(tree, syntax.Call) else ()
    if len(given) != len(menu.parameters):
        game.error("E301", f"the menu `{menu.name}` wants {len(menu.parameters)} arguments", written.span,
                   expected=", ".join(f"{p.name}: {p.type}" for p in menu.parameters))  # fmt: skip
        return env
    inside = env
    for parameter, arg in zip(menu.parameters, given, strict=True):
        expr = body.expressions.tree(written, arg, replace(inside, locals=env.locals), parameter.type)[0]
        inside, index = inside.bind(parameter.name, parameter.type)
        body.emit(ir.Let(index, expr, written.span))
    args = tuple(ir.Local(inside.locals[p.name].index) for p in menu.parameters)
    behind = replace(inside.skip(1), locals=env.locals)
    player = body.player(node, behind)
    options = menu.node.get("options")
    entries = list(options.entries) if isinstance(options, Mapping) else []
    own = Env(env.frame, {p.name: inside.locals[p.name] for p in menu.parameters}, inside.depth)
    branches = tuple(branch(body, key.value, option, own) for key, option in entries)
    live = inside.depth
    items: ir.Expr = ir.Const(tuple(range(len(branches))))
    index = live + 1
    for rule in menu.additions:
        if rule.index is not None:
            pair = ir.Op("pack", (ir.Const(rule.index), ir.Local(index)))
            more = additions(body.game, body.expressions, rule, own.skip(2), index)
            items = ir.Op("concat", (items, ir.Comp(index, more, None, pair)))
    none = none_option(body, node.get("or none"), behind)
    site = ir.Site(0, value.value, player, items, live, ir.Printer("int"),
                   question(body, node, behind, f"Choose {value.value.replace('_', ' ')}"), (), none, branches, None, "index", 0, 0,
                   False, body.move, args, node.span)  # fmt: skip
    chosen: Type = RecordType("option", ())
    t: Type = chosen if none is None and "else" not in node else OptionType(chosen)
    skip = None
    if "else" in node:
        some: ir.Expr = ir.Const(False)
        for rule in reversed([rule for rule in menu.additions if rule.index is not None]):
            possible = additions(body.game, body.expressions, rule, own.skip(2), index, legal=True)
            some = ir.Cond(ir.Op("lt", (ir.Const(0), ir.Op("size", (possible,)))), ir.Const(True), some)
        for one in reversed(branches):
            some = ir.Cond(holds(one.reasons), ir.Const(True), some)
        skip = body.unless(some, node.span)
    body.emit(ir.Ask(new_site(body, site), live, node.span))
    after = replace(own, depth=live + 1)
    ends: list[int] = []
    for number, (_, option) in enumerate(entries):
        steps = option.get("do") if isinstance(option, Mapping) else None
        if steps is None:
            continue
        next_one = body.unless(ir.Op("eq", (ir.Local(live), ir.Const(number))), option.span)
        body.block(steps, after.knowing(body.facts(option.get("if") if isinstance(option, Mapping) else None, True)))
        ends.append(body.jump(node.span))
        body.aim(next_one)
    for rule in menu.additions:
        if rule.index is None:
            continue
        next_one = body.unless(ir.Op("is_addition", (ir.Local(live), ir.Const(rule.index))), rule.span)
        case = ir.Op("get", (ir.Local(live), ir.Const(1)))
        instance: tuple[ir.Expr, ...] = () if rule.kind is None else (case,)
        if rule.lasting is not None:
            instance = tuple(ir.Op("get", (case, ir.Const(i))) for i in range(len(rule.lasting.parameters)))
        if rule.counter is not None:
            counter = ir.Load(*limit_place(rule, case))
            more = ir.Op("add", (counter, ir.Const(1)))
            name_of_limit = f"limit of {rule.name}"
            body.emit(ir.Store(counter.base, counter.index, counter.size, more, None, None, False, name_of_limit, rule.span))
        body.emit(ir.Call(reserve_procedure(game, rule), (*instance, *args), live + 1, rule.span))
        inside.skip(3)
        ends.append(body.jump(node.span))
        body.aim(next_one)
    declined = node.get("or none")
    if isinstance(declined, Mapping) and "do" in declined:
        taken = body.unless(ir.Op("is_none", (ir.Local(live),)), node.span)
        body.block(declined.get("do"), replace(env, depth=live + 1))
        body.aim(taken)
    if skip is not None:
        ends.append(body.jump(node.span))
        body.aim(skip)
        body.emit(ir.Let(live, ir.Const(None), node.span))
        body.live = live + 1
        otherwise(body, node.get("else"), replace(env, depth=live + 1), node.span)
    for position in ends:
        body.aim(position)
    # the answer moves down to where the menu's arguments were
    body.emit(ir.Let(env.depth, ir.Local(live), node.span))
    return env.bind(value.value, chosen if surely_chosen(node) else t)[0]


@verb("may", Key("text", "the question", required=True),
      {"by": BY, "do": Key("steps", "steps if the answer is yes", required=True), "if": Key("expr", "whether it is asked at all"),
       "why": Key("text", "why it may not be asked"), "else": Key("steps", "steps if the answer is no, or nothing is asked")},
      group="choices", example="- may: Draw another card?\n  by: active\n  do:\n    - draw: 1\n      from: deck\n      to: active.hand")  # fmt: skip
def may(body: Body, node: Mapping, value: Node, env: Env) -> Env:
    """Ask a player yes or no.  Nothing is asked where `if` does not hold or the first choice of `do` would be empty."""
    guard = node.get("if")
    inner = env.knowing(body.facts(guard, True))
    tests: list[ir.Expr] = [] if guard is None else [body.expressions.of(guard, env, BOOL)[0]]
    ahead = feasible(body, node.get("do"), inner)
    if ahead is not None:
        tests.append(ahead)
    skips = [body.unless(test, node.span) for test in tests]
    player = body.player(node, inner)
    live = env.depth
    env.skip(1)
    branches = (ir.Branch("yes", literal("Yes")), ir.Branch("no", literal("No")))
    site = ir.Site(0, "may", player, ir.Const((0, 1)), live, ir.Printer("int"), body.expressions.text(value, inner), (), None,
                   branches, None, "value", 0, 2, False, body.move, (), node.span)  # fmt: skip
    body.emit(ir.Ask(new_site(body, site), live, node.span))
    skips.append(body.unless(ir.Op("eq", (ir.Local(live), ir.Const(0))), node.span))
    body.block(node.get("do"), inner)
    other = node.get("else")
    end = body.jump(node.span) if other is not None else None
    for position in skips:
        body.aim(position)
    if end is not None:
        body.live = env.depth
        otherwise(body, other, env, node.span)
        body.aim(end)
    return env


@verb("arrange", Key("new name", "what the order is called", required=True),
      {"by": BY, "from": Key("expr", "what is arranged", required=True), "say": SAY},
      group="choices", example="- arrange: order\n  by: p\n  from: those(c in p.hand where c.value > 3)\n  say: In which order?")  # fmt: skip
def arrange(body: Body, node: Mapping, value: Node, env: Env) -> Env:
    """Ask a player for an order of all items, the first one first."""
    if not isinstance(value, Scalar):
        return env
    behind = env.skip(ROOM)
    player = body.player(node, behind)
    found = choose_items(body, node, behind)
    k = env.depth
    index = k + 1
    body.emit(ir.Let(k, ir.Const(()), node.span))
    head = body.here()
    rest = ir.Op("minus", (found.items, ir.Local(k)))
    two = body.unless(ir.Op("lt", (ir.Const(1), ir.Op("size", (rest,)))), node.span)
    code, low, size = coding(body, found.item)
    site = ir.Site(0, value.value, player, rest, index, body.game.printer(found.item),
                   question(body, node, behind, "Which comes next?"), (), None, (), None, code, low, size,  # type: ignore[arg-type]
                   found.secret, body.move, (), node.span)  # fmt: skip
    body.emit(ir.Ask(new_site(body, site), k + 1, node.span))
    body.emit(ir.Let(k, ir.Op("concat", (ir.Local(k), ir.Op("pack", (ir.Local(k + 1),)))), node.span))
    body.emit(ir.Jump(head, node.span))
    body.aim(two)
    body.emit(ir.Let(k, ir.Op("concat", (ir.Local(k), rest)), node.span))
    return env.bind(value.value, ListType(found.item))[0]


@verb("together", Key("binder", "who: a name in a set of players", required=True),
      {"do": Key("steps", "choices only, each on the same state", required=True),
       "then": Key("steps", "what follows for each player, with all answers known")},
      group="choices", example="- together: p in players\n  do:\n    - choose: bid\n      by: p\n      from: p.hand\n  then:\n    - move: p.bid\n      to: p.shown")  # fmt: skip
def together(body: Body, node: Mapping, value: Node, env: Env) -> Env:
    """Sealed choices: each player answers unseen by the others, all on the same state; then all are opened.

    Afterwards `q.name` is what player q chose under that name.
    """
    game = body.game
    if not isinstance(value, Scalar):
        return env
    if body.sealed:
        game.error("E502", "`together` cannot stand in `together`", node.entries[0][0].span)
        return env
    inner, index, items, where, t = body.expressions.binder(value, env)
    if not isinstance(t, EntityType | UnknownType) or (isinstance(t, EntityType) and t.kind != "Player"):
        game.error("E201", f"players choose together, and this is {article(t)}", value.span, expected="a set of Player")
        return env
    if where is not None:
        items = ir.Comp(index, items, where)
    names = {v.index: n for n, v in inner.locals.items()}
    player_name = names.get(index, "")
    child = Body(game, body.expressions, f"{body.name}: together", node.span)
    child.sealed, child.move = True, body.move
    shifted = {name: LocalVar(v.index + 1, v.type) for name, v in env.locals.items()}
    shifted[player_name] = LocalVar(0, PLAYER)
    shifted.setdefault("me", LocalVar(0, PLAYER))
    sealed = {name: (local + 1, position, part) for name, (local, position, part) in env.sealed.items()}
    child_env = Env(Frame(env.depth + 1), shifted, env.depth + 1, env.known, sealed)
    child.gives = RecordType("answers", ())
    child.scopes = list(body.scopes)
    end = child.block(node.get("do"), child_env)
    answers = [(name, v) for name, v in end.locals.items() if name not in shifted]
    child.emit(ir.Return(ir.Op("pack", tuple(ir.Local(v.index) for _, v in answers)), node.span))
    number = len(game.out_procedures)
    game.out_procedures.append(child.finish(env.depth + 1, end))
    env.frame.reads |= child_env.frame.reads
    env.frame.scopes |= child_env.frame.scopes
    args = tuple(ir.Local(i) for i in range(env.depth))
    body.emit(ir.Fork(items, number, args, env.depth, node.span))
    results = env.depth
    after = env.skip(1)
    opened = {name: (results, position, v.type) for position, (name, v) in enumerate(answers)}
    after = replace(after, sealed={**after.sealed, **opened})
    steps = node.get("then")
    if steps is not None:
        within, position = after.skip(2).bind(player_name, PLAYER)
        again = ir.Op("present", (ir.Local(results),))
        if where is None and isinstance(t, EntityType):
            again = ir.Op("in_order", (items, ir.Local(results)))
        loop(body, steps, after, within, again, node.span)
        del position
    return after


__all__ = ["BoolType", "high_of", "low_of"]
