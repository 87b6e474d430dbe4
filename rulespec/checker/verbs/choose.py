"""The verbs that ask for one item, for several, or for an order."""

from __future__ import annotations

from rulespec import ir
from rulespec.checker import lookahead
from rulespec.checker.body import Body
from rulespec.checker.env import Env
from rulespec.checker.lookahead import choose_items
from rulespec.checker.multi_choice import choose_several
from rulespec.checker.reasons import holds, reasons
from rulespec.checker.sentences import taken
from rulespec.checker.sites import (
    BY,
    SAY,
    assigned,
    check_steps,
    coding,
    new_site,
    none_option,
    question,
    run_declined,
    run_else,
    store_into,
    surely_chosen,
)
from rulespec.language.registry import Traits, VerbKey, verb
from rulespec.language.types import (
    ListType,
    OptionType,
    Type,
    UnknownType,
)  # fmt: skip
from rulespec.text.yaml_tree import MapNode, Node, ScalarNode


@verb(
    "choose",
    VerbKey("new name", "what the chosen one is called", required=True),
    {
        "by": BY,
        "from": VerbKey("expr", "what is thinkable: a list, set, bag or interval", required=True, role="candidates"),
        "only": VerbKey("reasons", "what the rules allow, with reasons; the first that fails is shown"),
        "count": VerbKey(
            "expr",
            "how many: a number or an interval; then the name is a set, a bag, or a list where items may be equal",
        ),
        "repeats": VerbKey("flag", "whether the same one may be chosen more than once"),
        "whole": VerbKey("reasons", "what all that are chosen must satisfy together"),
        "or none": VerbKey("none", "a willing no: its text, or `say`, `if`, `why`, `do`"),
        "else": VerbKey("steps", "what happens where nothing can be chosen"),
        "say": SAY,
        "shown": VerbKey("text", "how a candidate is shown"),
        "into": VerbKey("expr", "a variable that is set to the choice", role="target"),
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
    traits=Traits(binds=True, sealed=True, asks=True, assigns=("into",)),
    ahead=lookahead.choose,
)
def choose(body: Body, node: MapNode, value: Node, env: Env) -> Env:
    """Ask a player for one item, or with `count` for several, in canonical order, item by item.

    Of equal items in a list so many can be chosen as there are, and each different choice is one.  `or none` with `count` is said instead
    of the first item or number; then the name is none.

    The name lives to the end of the steps it stands among, as all names that steps make.
    """
    if not isinstance(value, ScalarNode):
        return env
    name = value.value
    if name in env.locals or (name in body.context.names and "into" not in node):
        taken(body.context, value)
    if "count" in node:
        return choose_several(body, node, value, env)
    player = body.player(node, env)
    source = choose_items(body, node, env)
    inner, index = env.bind(name, source.item)
    legal = reasons(body, node.get("only"), inner, (index, source.item))
    none = none_option(body, node.get("or none"), env)
    shown = node.get("shown")
    code, low, size = coding(body, source.item)
    site = ir.Site(
        index=0,
        name=name,
        player=player,
        items=source.items,
        item=index,
        type=body.context.type_of(source.item),
        prompt=question(body, node, env, f"Choose {name.replace('_', ' ')}"),
        reasons=legal,
        none=none,
        shown=None if shown is None else body.expressions.text(shown, inner),
        code=code,
        low=low,
        size=size,
        secret=source.secret,
        move=body.move,
        where=node.span,
    )
    option = none is not None or "else" in node
    result: Type = OptionType(source.item) if option and not isinstance(source.item, UnknownType) else source.item
    after, live = env.bind(name, result)
    skip: int | None = None
    if "else" in node:
        some = ir.Comp(index, source.items, holds(legal) if legal else None)
        skip = body.unless(ir.Op("lt", (ir.Const(0), ir.Op("size", (some,)))), node.span)
    body.emit(ir.Ask(new_site(body, site, env, source.item), live, node.span))
    run_declined(body, node, live, after)
    store_into(body, node, live, source.item, env, none is not None)
    run_else(body, node, live, skip, [], after)
    after = env.called(name, live, source.item) if surely_chosen(node) else after
    return assigned(node.get("into"), after, optional=option)


@verb(
    "arrange",
    VerbKey("new name", "what the order is called", required=True),
    {"by": BY, "from": VerbKey("expr", "what is arranged", required=True, role="candidates"), "say": SAY},
    group="choices",
    example=("- arrange: order\n  by: p\n  from: those(c in p.hand where c.value > 3)\n  say: In which order?"),
    traits=Traits(asks=True),
)
def arrange(body: Body, node: MapNode, value: Node, env: Env) -> Env:
    """Ask a player for an order of all items, the first one first."""
    if not isinstance(value, ScalarNode):
        return env
    player = body.player(node, env)
    source = choose_items(body, node, env)
    t = ListType(source.item)
    inner, k = env.fresh(t, source.item, source.item)  # the order so far; the answer; a candidate
    answer, index = k + 1, k + 2
    check_steps(body, source, ir.Op("size", (source.items,)), node.span)
    body.emit(ir.Let(k, ir.Const(()), node.span))
    head = body.here()
    rest = ir.Op("minus", (source.items, ir.Local(k)))
    two = body.unless(ir.Op("lt", (ir.Const(1), ir.Op("size", (rest,)))), node.span)
    code, low, size = coding(body, source.item)
    site = ir.Site(
        index=0,
        name=value.value,
        player=player,
        items=rest,
        item=index,
        type=body.context.type_of(source.item),
        prompt=question(body, node, env.behind(inner), "Which comes next?"),
        code=code,
        low=low,
        size=size,
        secret=source.secret,
        move=body.move,
        tray=ir.Tray("order", ir.Local(k), body.context.type_of(t), None, ir.Op("size", (source.items,))),
        where=node.span,
    )
    body.emit(ir.Ask(new_site(body, site, env, source.item), answer, node.span))
    body.emit(ir.Let(k, ir.Op("concat", (ir.Local(k), ir.Op("pack", (ir.Local(answer),)))), node.span))
    body.emit(ir.Jump(head, node.span))
    body.aim(two)
    body.emit(ir.Let(k, ir.Op("concat", (ir.Local(k), rest)), node.span))
    return env.called(value.value, k, t)
