"""The verbs that ask for one of several named options."""

from __future__ import annotations

from dataclasses import replace
from itertools import zip_longest

from rulespec import ir
from rulespec.checker import symbols
from rulespec.checker.alive import count_use, reserve_procedure
from rulespec.checker.body import Body
from rulespec.checker.env import Env
from rulespec.checker.kinds import add_member, check_name
from rulespec.checker.lookahead import feasible
from rulespec.checker.menus import additions, case_of
from rulespec.checker.reasons import holds
from rulespec.checker.sentences import arguments
from rulespec.checker.sites import (
    BY,
    SAY,
    YES_OR_NO,
    branch,
    new_site,
    none_option,
    otherwise,
    question,
    run_declined,
    run_else,
    surely_chosen,
)
from rulespec.expr import parser, syntax
from rulespec.language.registry import Traits, VerbKey, verb
from rulespec.language.types import (
    BOOL,
    INT,
    OptionType,
    RecordType,
    Type,
)  # fmt: skip
from rulespec.text.yaml_tree import MapNode, Node, ScalarNode


@verb(
    "offer",
    VerbKey("new name", "what the chosen option is called", required=True),
    {
        "by": BY,
        "options": VerbKey("branches", "named options, each with `say`, `if`, `why`, `only`, `do`"),
        "from": VerbKey("expr", "a menu with its arguments", offers=("menus",)),
        "or none": VerbKey("none", "a willing no"),
        "else": VerbKey("steps", "what happens where no option is possible"),
        "say": SAY,
    },
    group="choices",
    example=(
        "- offer: action\n"
        "  by: active\n"
        "  options:\n"
        "    draw:\n"
        "      say: Draw a card\n"
        "      if: deck is not empty\n"
        "      why: The deck is empty\n"
        "      do:\n"
        "        - draw: 1\n"
        "          from: deck\n"
        "          to: active.hand\n"
        "    pass: {say: Pass}"
    ),
    traits=Traits(asks=True),
)
def offer(body: Body, node: MapNode, value: Node, env: Env) -> Env:
    """Ask a player for one of several named options, and do it."""
    if not isinstance(value, ScalarNode):
        return env
    if "from" in node:
        return offer_menu(body, node, value, env)
    player = body.player(node, env)
    options = node.get("options")
    entries = options.entries if isinstance(options, MapNode) else ()
    if not entries:
        if options is not None and not isinstance(options, MapNode):  # the schema has told that
            return env
        body.context.error("S003", "an offer has options", node.span, expected="options:, or from: a menu")
        return env
    kind = offer_kind(body, value, [key for key, _ in entries])
    return offered(body, node, value, env, player, kind, list(entries))


def offer_kind(body: Body, name: ScalarNode, keys: list[ScalarNode]) -> symbols.Kind:
    """The options' names as a type, so that the answer can be compared."""
    kind = symbols.Kind(len(body.context.kinds), f"{name.value} option {len(body.context.kinds)}", "enum", name.span)
    body.context.kinds[kind.name] = kind
    for key in keys:
        if check_name(body.context, key, "an option"):
            add_member(body.context, kind, key.value, key.value.replace("_", " "), key.span)
    return kind


def offered(
    body: Body,
    node: MapNode,
    value: ScalarNode,
    env: Env,
    player: ir.Expr,
    kind: symbols.Kind,
    entries: list[tuple[ScalarNode, Node]],
) -> Env:
    """Ask for one of the options that stand in the offer itself, and run its steps."""
    branches = tuple(branch(body, key.value, option, env, key.span) for key, option in entries)
    none = none_option(body, node.get("or none"), env)
    t: Type = kind.type if none is None and "else" not in node else OptionType(kind.type)
    after, live = env.bind(value.value, t)
    chosen = env.called(value.value, live, kind.type)
    behind, item = after.hold(kind.type)
    site = ir.Site(
        index=0,
        name=value.value,
        player=player,
        items=ir.Const(tuple(range(len(branches)))),
        item=item,
        type=ir.types.entity(kind.index),
        prompt=question(body, node, env.behind(behind), f"Choose {value.value.replace('_', ' ')}"),
        none=none,
        branches=branches,
        size=len(branches),
        move=body.move,
        where=node.span,
    )
    skip = body.unless(any_legal(branches, ir.Const(False)), node.span) if "else" in node else None
    body.emit(ir.Ask(new_site(body, site, env, kind.type), live, node.span))
    ends = run_options(body, node, entries, live, chosen)
    run_declined(body, node, live, after)
    run_else(body, node, live, skip, ends, after)
    return chosen if surely_chosen(node) else after


def any_legal(branches: tuple[ir.Branch, ...], otherwise: ir.Expr) -> ir.Expr:
    """Whether one of the branches may be taken, or else what is said."""
    for one in reversed(branches):
        otherwise = ir.Cond(holds(one.reasons), ir.Const(True), otherwise)
    return otherwise


def run_options(body: Body, node: MapNode, entries: list[tuple[ScalarNode, Node]], live: int, env: Env) -> list[int]:
    """Run the steps of the option whose number is in local `live`; the jumps from their ends."""
    ends: list[int] = []
    for number, (_, option) in enumerate(entries):
        steps = option.get("do") if isinstance(option, MapNode) else None
        if steps is None:
            continue
        next_one = body.unless(ir.Op("eq", (ir.Local(live), ir.Const(number))), option.span, "option")
        test = option.get("if") if isinstance(option, MapNode) else None
        body.block(steps, env.knowing(body.facts(test, True)))
        ends.append(body.jump(node.span))
        body.aim(next_one)
    return ends


def offer_menu(body: Body, node: MapNode, value: ScalarNode, env: Env) -> Env:
    """An offer of a menu: its own options, and those that live rules of pieces add."""
    written = node.get("from")
    opened = open_menu(body, written, env) if isinstance(written, ScalarNode) else None
    if opened is None:
        return env
    menu, inside = opened
    added_rules = tuple(number for _, number in added(menu))
    options = menu.node.get("options")
    entries = list(options.entries) if isinstance(options, MapNode) else []
    optional = node.get("or none") is not None or "else" in node
    choice = ir.types.choice(len(entries), added_rules)
    answer, live = inside.hold(ir.types.option(choice) if optional else choice)
    asked, item = answer.hold(choice)
    args = tuple(ir.Local(inside.locals[p.name].index) for p in menu.parameters)
    behind = replace(asked, locals=env.locals)
    player = body.player(node, behind)
    in_menu = Env(env.frame, {p.name: inside.locals[p.name] for p in menu.parameters}, asked.depth)
    branches = tuple(branch(body, key.value, option, in_menu, key.span) for key, option in entries)
    none = none_option(body, node.get("or none"), behind)
    site = ir.Site(
        index=0,
        name=value.value,
        player=player,
        items=menu_items(body, menu, len(branches), in_menu),
        item=item,
        type=ir.types.INT,
        prompt=question(body, node, behind, f"Choose {value.value.replace('_', ' ')}"),
        none=none,
        branches=branches,
        code="index",
        move=body.move,
        arguments=args,
        where=node.span,
    )
    skip = None
    if "else" in node:
        skip = body.unless(any_legal(branches, any_addition(body, menu, in_menu)), node.span)
    body.emit(ir.Ask(new_site(body, site, behind, menu=menu), live, node.span))
    ends = run_options(body, node, entries, live, in_menu)
    ends += run_additions(body, node, menu, args, live, answer)
    after = env.behind(answer)
    run_declined(body, node, live, after)
    run_else(body, node, live, skip, ends, after)
    t: Type = RecordType("option", ())
    return env.called(value.value, live, OptionType(t) if optional and not surely_chosen(node) else t)


def open_menu(body: Body, written: ScalarNode, env: Env) -> tuple[symbols.Menu, Env] | None:
    """Resolve `from:` to a menu and put its arguments into new locals; the menu and the environment with them, None where reported."""
    context = body.context
    tree = parser.expression(written, context.diagnostics)
    called = tree.func if isinstance(tree, syntax.Call) else tree
    name = called.id if isinstance(called, syntax.Name) else ""
    menu = context.menus.get(name)
    if menu is None or called is None:
        context.unknown("E111", "menu", name or written.value, written.span, context.menus)
        return None
    context.refer("menu", menu.name, written.at(called.start, called.end), menu.span)
    body.sets_off(f"menu {menu.name}", written.span)
    given = tree.args if isinstance(tree, syntax.Call) else ()
    if len(given) > len(menu.parameters) or any(p.default is None for p in menu.parameters[len(given) :]):
        context.error(
            "E301",
            f"the menu `{menu.name}` needs {arguments(len(menu.parameters))} and has {len(given)}",
            written.span,
            expected=", ".join(map(symbols.signed, menu.parameters)),
        )
        return None
    inside = env
    for parameter, arg in zip_longest(menu.parameters, given):
        if arg is None:
            expr = body.expressions.default(parameter, inside)
        else:
            expr = body.expressions.given_tree(written, arg, replace(inside, locals=env.locals), parameter)
        inside, index = inside.bind(parameter.name, parameter.type)
        body.emit(ir.Let(index, expr, written.span))
    return menu, inside


def added(menu: symbols.Menu) -> list[tuple[symbols.Rule, int]]:
    """The rules that add to a menu, each with its number in the program."""
    return [(rule, rule.index) for rule in menu.additions if rule.index is not None]


def menu_items(body: Body, menu: symbols.Menu, branches: int, env: Env) -> ir.Expr:
    """The candidates of a menu: the numbers of its own options, then pairs (rule, case) of what rules add."""
    items: ir.Expr = ir.Const(tuple(range(branches)))
    for rule, number in added(menu):
        inner, index = env.hold(case_of(rule))
        pair = ir.Op("pack", (ir.Const(number), ir.Local(index)))
        cases = additions(body.context, body.expressions, rule, inner, index)
        items = ir.Op("concat", (items, ir.Comp(index, cases, None, pair)))
    return items


def any_addition(body: Body, menu: symbols.Menu, env: Env) -> ir.Expr:
    """Whether one of the options that rules add may be taken."""
    some: ir.Expr = ir.Const(False)
    for rule, _ in reversed(added(menu)):
        inner, index = env.hold(case_of(rule))
        possible = additions(body.context, body.expressions, rule, inner, index, legal=True)
        some = ir.Cond(ir.Op("lt", (ir.Const(0), ir.Op("size", (possible,)))), ir.Const(True), some)
    return some


def run_additions(
    body: Body, node: MapNode, menu: symbols.Menu, args: tuple[ir.Expr, ...], live: int, env: Env
) -> list[int]:
    """Run the rule whose option was taken, if one was (the answer is in local `live`); the jumps from behind the calls."""
    ends: list[int] = []
    for rule, number in added(menu):
        next_one = body.unless(ir.Op("is_addition", (ir.Local(live), ir.Const(number))), rule.span)
        case = ir.Op("get", (ir.Local(live), ir.Const(1)))
        instance: tuple[ir.Expr, ...] = () if rule.kind is None else (case,)
        if rule.lasting is not None:
            instance = tuple(ir.Op("get", (case, ir.Const(i))) for i in range(len(rule.lasting.parameters)))
        if rule.counter is not None:
            body.emit(count_use(rule, case, f"limit of {rule.name}"))
        body.run_procedure(reserve_procedure(body.context, rule), (*instance, *args), env, rule.span, BOOL)
        ends.append(body.jump(node.span))
        body.aim(next_one)
    return ends


@verb(
    "may",
    VerbKey("text", "the question", required=True),
    {
        "by": BY,
        "do": VerbKey("steps", "steps if the answer is yes", required=True),
        "if": VerbKey("expr", "whether it is asked at all"),
        "why": VerbKey("text", "why it may not be asked"),
        "else": VerbKey("steps", "steps if the answer is no, or nothing is asked"),
    },
    group="choices",
    example=("- may: Draw another card?\n  by: active\n  do:\n    - draw: 1\n      from: deck\n      to: active.hand"),
    traits=Traits(asks=True),
)
def may(body: Body, node: MapNode, value: Node, env: Env) -> Env:
    """Ask a player yes or no.  Nothing is asked where `if` does not hold or the first choice of `do` would be empty."""
    guard = node.get("if")
    inner = env.knowing(body.facts(guard, True))
    skips = [] if guard is None else [body.unless(body.expressions.of(guard, env, BOOL)[0], node.span, "if")]
    ahead = feasible(body, node.get("do"), inner)
    if ahead is not None:
        skips.append(body.unless(ahead, node.span))
    player = body.player(node, inner)
    asked, live = env.fresh(INT, INT)
    site = ir.Site(
        index=0,
        name="may",
        player=player,
        items=ir.Const((0, 1)),
        item=live + 1,
        type=ir.types.INT,
        prompt=body.expressions.text(value, inner.behind(asked)),
        branches=YES_OR_NO,
        size=2,
        move=body.move,
        where=node.span,
    )
    body.emit(ir.Ask(new_site(body, site, inner), live, node.span))
    skips.append(body.unless(ir.Op("eq", (ir.Local(live), ir.Const(0))), node.span))
    body.block(node.get("do"), inner)
    other = node.get("else")
    end = body.jump(node.span) if other is not None else None
    for position in skips:
        body.aim(position)
    if end is not None:
        body.at = env
        otherwise(body, other, env, node.span)
        body.aim(end)
    return env
