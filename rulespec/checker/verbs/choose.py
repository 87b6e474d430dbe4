"""The verbs that ask for one item, for several, or for an order."""

from __future__ import annotations

from dataclasses import replace

from rulespec import ir
from rulespec.checker import lookahead
from rulespec.checker.body import Body
from rulespec.checker.env import Env, LocalVar
from rulespec.checker.lookahead import Items, bounds, choose_items, repeats
from rulespec.checker.reasons import bound_text, cannot, holds, literal, reasons
from rulespec.checker.sites import (
    BY,
    SAY,
    coding,
    new_site,
    none_option,
    otherwise,
    question,
    store_into,
    surely_chosen,
)
from rulespec.language.registry import Traits, VerbKey, verb
from rulespec.language.types import (
    UNKNOWN,
    BagType,
    EntityType,
    ListType,
    OptionType,
    SetType,
    Type,
    UnknownType,
)  # fmt: skip
from rulespec.text.yaml_tree import MapNode, Node, ScalarNode

ROOM = 8  # locals that choices of several items keep to themselves: what is asked each time is worked out behind them


@verb(
    "choose",
    VerbKey("new name", "what the chosen one is called", required=True),
    {
        "by": BY,
        "from": VerbKey("expr", "what is thinkable: a list, set, bag or interval", required=True),
        "only": VerbKey("reasons", "what the rules allow, with reasons; the first that fails is shown"),
        "count": VerbKey("expr", "how many: a number or an interval; then the name is a set or bag"),
        "repeats": VerbKey("flag", "whether the same one may be chosen more than once"),
        "whole": VerbKey("reasons", "what all that are chosen must satisfy together"),
        "or none": VerbKey("none", "a willing no: its text, or `say`, `if`, `why`, `do`"),
        "else": VerbKey("steps", "what happens where nothing can be chosen"),
        "say": SAY,
        "shown": VerbKey("text", "how a candidate is shown"),
        "into": VerbKey("expr", "a variable that is set to the choice"),
    },
    group="choices",
    example=(
        "- choose: card\n"
        "  by: p\n"
        "  from: p.hand\n"
        "  only:\n"
        "    - if: card.colour == led or not must_follow(p)\n"
        '      why: "You hold {led} and must follow it"\n'
        "  say: Play a card to the trick"
    ),
    traits=Traits(binds=True, sealed=True, asks=True),
    ahead=lookahead.choose,
)
def choose(body: Body, node: MapNode, value: Node, env: Env) -> Env:
    """Ask a player for one item, or with `count` for several, in canonical order, item by item.

    The name lives to the end of the steps it stands among, as all names that steps make.
    """
    if not isinstance(value, ScalarNode):
        return env
    name = value.value
    if name in env.locals or (name in body.context.names and "into" not in node):
        body.context.error("E113", f"there is something named `{name}` already", value.span)
    if "count" in node:
        return choose_several(body, node, value, env)
    player = body.player(node, env)
    found = choose_items(body, node, env)
    inner, index = env.bind(name, found.item)
    legal = reasons(body, node.get("only"), inner, (index, found.item))
    none = none_option(body, node.get("or none"), env)
    shown = node.get("shown")
    code, low, size = coding(body, found.item)
    site = ir.Site(
        index=0,
        name=name,
        player=player,
        items=found.items,
        item=index,
        printer=body.context.printer(found.item),
        prompt=question(body, node, env, f"Choose {name.replace('_', ' ')}"),
        reasons=legal,
        none=none,
        shown=None if shown is None else body.expressions.text(shown, inner),
        code=code,
        low=low,
        size=size,
        secret=found.secret,
        move=body.move,
        where=node.span,
    )
    other = node.get("else")
    live = env.depth
    option = none is not None or other is not None
    result: Type = OptionType(found.item) if option and not isinstance(found.item, UnknownType) else found.item
    after, _ = env.bind(name, result)
    skip: int | None = None
    if other is not None:
        some = ir.Op(
            "lt", (ir.Const(0), ir.Op("size", (ir.Comp(index, found.items, holds(legal) if legal else None),)))
        )
        skip = body.unless(some, node.span)
    body.emit(ir.Ask(new_site(body, site, found.item), live, node.span))
    if "or none" in node and isinstance(node.get("or none"), MapNode):
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


def choose_several(body: Body, node: MapNode, value: ScalarNode, env: Env) -> Env:
    """Several items: a set of them one after another, or a bag kind by kind."""
    behind = env.skip(ROOM)
    player = body.player(node, behind)
    found = choose_items(body, node, behind)
    low, high = bounds(body, node, behind)
    if repeats(node) and found.bag is None and high is None and (written := node.get("count")) is not None:
        body.context.error(
            "E201", "what may be chosen more than once needs a most", written.span, expected="an interval: 1..4"
        )
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
        done_tests.append(
            ir.Reason(
                ir.Bind(whole_index, ir.Local(k), own.test), bound_text(own.why, whole_index, ir.Local(k)), own.where
            )
        )
    done = ir.NoneOption("done", literal("Done"), tuple(done_tests))
    code, first, size = coding(body, found.item)
    shown = node.get("shown")
    asked = question(body, node, behind, f"Choose {value.value.replace('_', ' ')}")
    count = ir.Op("size", (ir.Local(k),)), ir.Printer("int")
    prompt = ir.Text((*asked.parts, " (", count, " of ", (most, ir.Printer("int")), ")"))
    site = ir.Site(
        index=0,
        name=value.value,
        player=player,
        items=following,
        item=index,
        printer=body.context.printer(found.item),
        prompt=prompt,
        reasons=tests,
        none=done,
        shown=None if shown is None else body.expressions.text(shown, inner),
        code=code,
        low=first,
        size=size,
        secret=found.secret,
        move=body.move,
        where=node.span,
    )
    body.emit(ir.Ask(new_site(body, site, found.item), k + 1, node.span))
    more = body.unless(ir.Op("is_none", (ir.Local(k + 1),)), node.span)
    ended = body.jump(node.span)
    body.aim(more)
    body.emit(ir.Let(k, ir.Op("concat", (ir.Local(k), ir.Op("pack", (ir.Local(k + 1),)))), node.span))
    body.emit(ir.Jump(head, node.span))
    for position in (full, none_left, ended):
        body.aim(position)
    enough_or_else(body, node, whole_holds(enough, whole, whole_index, k), k, outer)
    after, _ = env.bind(value.value, SetType(found.item))
    store_into(body, node, k, SetType(found.item), env, False)
    return after


def whole_holds(enough: ir.Expr, whole: tuple[ir.Reason, ...], index: int, k: int) -> ir.Expr:
    """Whether there is enough in local `k`, and all of it together is as it must be."""
    return ir.Cond(enough, ir.Bind(index, ir.Local(k), holds(whole)), ir.Const(False)) if whole else enough


def enough_or_else(body: Body, node: MapNode, enough: ir.Expr, k: int, outer: Env) -> None:
    """The end of a choice of several: `else` where it could not be completed, a fault where there is none."""
    if "else" in node:
        short = body.unless(ir.Op("not_", (enough,)), node.span)
        body.live = k + 1
        otherwise(body, node.get("else"), outer, node.span)
        body.aim(short)
    else:
        body.emit(ir.Claim(enough, literal("There is not enough to choose from"), node.span))


def choose_bag(
    body: Body,
    node: MapNode,
    value: ScalarNode,
    env: Env,
    player: ir.Expr,
    found: Items,
    low: ir.Expr | None,
    high: ir.Expr | None,
) -> Env:
    """So many of each kind: one number a kind, in the order of the rows, each leaving a way to complete the choice."""
    if not isinstance(found.item, EntityType):
        if not isinstance(found.item, UnknownType):
            body.context.error("E201", "only members of a type with names can be chosen more than once", value.span)
        return env.bind(value.value, UNKNOWN)[0]
    kind = body.context.kinds[found.item.kind]
    size = body.context.size_of(kind)
    k = env.depth  # the bag so far
    outer = env.skip(1)
    inner, index = outer.skip(3).bind(
        value.value, found.item
    )  # after three locals of the loop, the last of them its kind
    legal = reasons(body, node.get("only"), inner, (index, found.item))
    allowed = ir.Comp(index, found.items, holds(legal) if legal else None)
    least = low or ir.Const(0)
    everything: ir.Expr
    if found.bag is not None:
        everything = ir.Op("bag_only", (found.bag, allowed))
    else:
        everything = ir.Op("bag_all", (allowed, high or ir.Const(0), size))
    most = (
        ir.Op("bag_size", (everything,))
        if high is None
        else ir.Op("least_number", (high, ir.Op("bag_size", (everything,))))
    )
    whole_env, whole_index = inner.bind("", BagType(kind.name))
    whole = reasons(
        body,
        node.get("whole"),
        replace(whole_env, locals={**whole_env.locals, value.value: LocalVar(whole_index, BagType(kind.name))}),
    )
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
        text = (
            whole[0].why if not any(isinstance(p, tuple) for p in whole[0].why.parts) else literal("Not all together")
        )
        tests = (ir.Reason(can, text),)
    prompt = question(body, node, env.skip(ROOM), f"Choose {value.value.replace('_', ' ')}")
    label = ir.Text((*prompt.parts, " - how many ", (ir.Local(k + 3), ir.Printer("entity", kind.index)), "?"))
    site = ir.Site(
        index=0,
        name=value.value,
        player=player,
        items=numbers,
        item=amount,
        printer=ir.Printer("int"),
        prompt=label,
        reasons=tests,
        size=1000,
        secret=found.secret,
        move=body.move,
        where=node.span,
    )
    left: ir.Expr = ir.Comp(amount, numbers, holds(tests)) if tests else numbers
    only_one = body.unless(ir.Op("lt", (ir.Const(1), ir.Op("size", (left,)))), node.span)
    body.emit(ir.Ask(new_site(body, site, found.item), k + 4, node.span))
    asked = body.jump(node.span)
    body.aim(only_one)
    body.emit(ir.Let(k + 4, ir.Op("first", (left,)), node.span))
    body.aim(asked)
    body.emit(
        ir.Let(
            k, ir.Op("bag_add", (ir.Local(k), ir.Op("bag_one", (ir.Local(k + 4), ir.Local(k + 3), size)))), node.span
        )
    )
    body.emit(ir.Jump(head, node.span))
    body.aim(head)
    enough = ir.Op("le", (least, ir.Op("bag_size", (ir.Local(k),))))
    enough_or_else(body, node, whole_holds(enough, whole, whole_index, k), k, outer)
    after, _ = env.bind(value.value, BagType(kind.name))
    store_into(body, node, k, BagType(kind.name), env, False)
    return after


@verb(
    "arrange",
    VerbKey("new name", "what the order is called", required=True),
    {"by": BY, "from": VerbKey("expr", "what is arranged", required=True), "say": SAY},
    group="choices",
    example=("- arrange: order\n  by: p\n  from: those(c in p.hand where c.value > 3)\n  say: In which order?"),
    traits=Traits(asks=True),
)
def arrange(body: Body, node: MapNode, value: Node, env: Env) -> Env:
    """Ask a player for an order of all items, the first one first."""
    if not isinstance(value, ScalarNode):
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
    site = ir.Site(
        index=0,
        name=value.value,
        player=player,
        items=rest,
        item=index,
        printer=body.context.printer(found.item),
        prompt=question(body, node, behind, "Which comes next?"),
        code=code,
        low=low,
        size=size,
        secret=found.secret,
        move=body.move,
        where=node.span,
    )
    body.emit(ir.Ask(new_site(body, site, found.item), k + 1, node.span))
    body.emit(ir.Let(k, ir.Op("concat", (ir.Local(k), ir.Op("pack", (ir.Local(k + 1),)))), node.span))
    body.emit(ir.Jump(head, node.span))
    body.aim(two)
    body.emit(ir.Let(k, ir.Op("concat", (ir.Local(k), rest)), node.span))
    return env.bind(value.value, ListType(found.item))[0]
