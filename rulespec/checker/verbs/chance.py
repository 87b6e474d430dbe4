"""Verbs of chance: drawing, dealing, picking, rolling."""

from __future__ import annotations

from rulespec import ir
from rulespec.checker import symbols
from rulespec.checker.body import Body, OpenLoop
from rulespec.checker.env import Env, looping
from rulespec.checker.sentences import unlike
from rulespec.checker.verbs.pieces import ZoneRef, among, load, targets, touch
from rulespec.language.registry import Traits, VerbKey, verb
from rulespec.language.types import (
    INT,
    PLAYER,
    UNKNOWN,
    BagType,
    EntityType,
    IntType,
    ListType,
    Type,
    UnknownType,
    is_many,
    item_of,
)  # fmt: skip
from rulespec.text.source import Span
from rulespec.text.yaml_tree import MapNode, Node, ScalarNode

ALL = "all"  # of a zone, where it is said how many are dealt


def refill(body: Body, zone: symbols.Zone, index: ir.Expr | None, env: Env, span: Span) -> None:
    """When a zone that refills is empty, everything of the other zone goes into it; a pile is turned over onto a pile."""
    if zone.refill is None:
        return
    size = "bag_size" if zone.counts else "size"
    full = body.unless(ir.Op("eq", (ir.Op(size, (load(zone, index),)), ir.Const(0))), span)
    inner = env
    if zone.per and isinstance(zone.per[0], symbols.Kind):
        inner, this = env.bind("this", zone.per[0].type)
        body.emit(ir.Let(this, index or ir.Const(0), span))
    other = body.zone(zone.refill, inner)
    if other is not None:
        if zone.counts:
            body.emit(ir.MoveCounts(load(*other), other[0].index, other[1], zone.index, index, span))
        else:
            # Each piece goes beneath those before it: what lay at the bottom comes to lie on top.
            turned = zone.order == other[0].order == "pile"
            body.emit(ir.Move(load(*other), zone.index, index, turned, span))
    body.aim(full)


def draw_loop(
    body: Body, number: ir.Expr, source: ZoneRef, goals: list[tuple[ir.Expr | None, ZoneRef]], env: Env, span: Span
) -> int:
    """Draw one at a time while there are any; the local that gathers what was drawn."""
    zone, index = source
    gathered = BagType(zone.kind.name) if zone.counts else ListType(zone.kind.type)
    inner, k = env.fresh(gathered, INT, zone.kind.type)  # what was drawn; then how often, and the one just drawn
    body.emit(ir.Let(k, ir.Const((0,) * len(zone.kind.members) if zone.counts else ()), span))
    body.emit(ir.Let(k + 1, number, span))
    head = body.here()
    ended = body.unless(ir.Op("lt", (ir.Const(0), ir.Local(k + 1))), span)
    refill(body, zone, index, inner, span)
    size = "bag_size" if zone.counts else "size"
    empty = body.unless(ir.Op("lt", (ir.Const(0), ir.Op(size, (load(zone, index),)))), span)
    kind = body.context.type_of(zone.kind.type)
    if zone.counts:
        kinds, weights = ir.Op("bag_kinds", (load(zone, index),)), ir.Op("bag_weights", (load(zone, index),))
        body.emit(ir.Draw(kinds, weights, k + 2, kind, zone.name, span, k + 1))
    elif zone.order == "pile":
        body.emit(ir.Let(k + 2, ir.Op("last", (load(zone, index),)), span))
    else:
        body.emit(ir.Draw(load(zone, index), None, k + 2, kind, zone.name, span, k + 1))
    one = ir.Op("bag_one", (ir.Const(1), ir.Local(k + 2), body.context.size_of(zone.kind)))
    for test, goal in goals:
        skip = None if test is None else body.unless(test, span)
        if zone.counts:
            body.emit(ir.MoveCounts(one, zone.index, index, goal[0].index, goal[1], span))
        else:
            body.emit(ir.Move(ir.Op("pack", (ir.Local(k + 2),)), goal[0].index, goal[1], False, span))
        if skip is not None:
            body.aim(skip)
    more = (
        ir.Op("bag_add", (ir.Local(k), one))
        if zone.counts
        else ir.Op("concat", (ir.Local(k), ir.Op("pack", (ir.Local(k + 2),))))
    )
    body.emit(ir.Let(k, more, span))
    body.emit(ir.Let(k + 1, ir.Op("sub", (ir.Local(k + 1), ir.Const(1))), span))
    body.emit(ir.Jump(head, span))
    body.aim(ended)
    body.aim(empty)
    touch(body, zone)
    return k


def named(body: Body, node: MapNode, t: Type, env: Env, live: int | None = None) -> Env:
    """`as:` the value in a local; in a new one, if none is given."""
    name = node.get("as")
    if not isinstance(name, ScalarNode):
        return env
    return body.result(name, t, env, env.hold(t)[1] if live is None else live, node.span)


def check_drawable(body: Body, zone: symbols.Zone, node: MapNode) -> None:
    source = node.get("from")
    span = node.span if source is None else source.span
    if zone.order == "set" and not zone.counts:
        body.context.error(
            "E408",
            f"`{zone.name}` has no top and is not shuffled, so nothing is drawn from it",
            span,
            help=["declare `order: shuffled` or `order: as laid`, or use `pick:`"],
        )


@verb(
    "draw",
    VerbKey("expr", "how many", required=True, role="amount"),
    {
        "from": VerbKey("expr", "a shuffled zone, a pile or a bag", required=True, offers=("zones",), role="deck"),
        "to": VerbKey("expr", "a zone", required=True, offers=("zones",), role="goal"),
        "as": VerbKey("new name", "what was drawn, as a list or bag", role="result"),
    },
    group="chance",
    example="- draw: 1\n  from: deck\n  to: p.hand",
    traits=Traits(binds=True),
)
def draw(body: Body, node: MapNode, value: Node, env: Env) -> Env:
    """Move pieces from a zone as far as it reaches: the top ones of a pile, random ones of a shuffled zone or bag."""
    number = body.expressions.of(value, env, INT)[0]
    source = body.zone(node.get("from"), env)
    goals = targets(body, node.get("to"), env)
    if source is None or not goals:
        return named(body, node, UNKNOWN, env)
    check_drawable(body, source[0], node)
    for _, goal in goals:
        if goal[0].kind is not source[0].kind:
            body.context.error(
                "E407", f"`{goal[0].name}` holds {goal[0].kind.name}, not {source[0].kind.name}", node.span
            )
            return env
    drawn = draw_loop(body, number, source, goals, env, node.span)
    zone = source[0]
    return named(body, node, BagType(zone.kind.name) if zone.counts else ListType(zone.kind.type), env, drawn)


@verb(
    "deal",
    VerbKey("expr", "how many to each, or `all`: one each, in turn, until none is left", required=True, role="amount"),
    {
        "from": VerbKey("expr", "a shuffled zone, a pile or a bag", required=True, offers=("zones",), role="deck"),
        "to": VerbKey("name", "a zone that each player has", required=True, offers=("zones",), role="goal"),
        "among": VerbKey("expr", "the players, in order; all if left out"),
    },
    group="chance",
    example="- deal: 2\n  from: deck\n  to: hand",
)
def deal(body: Body, node: MapNode, value: Node, env: Env) -> Env:
    """Deal so many to each player, as far as they reach; `all` goes round until none is left."""
    context = body.context
    source = body.zone(node.get("from"), env)
    name = node.get("to")
    goal = context.names.get(name.value) if isinstance(name, ScalarNode) else None
    if (
        not isinstance(goal, symbols.Zone)
        or not goal.per
        or goal.per[0] is not context.kinds["Player"]
        or len(goal.per) != 1
    ):
        if isinstance(name, ScalarNode):
            one = "." in name.value
            zones = [] if one else [z.name for z in context.zones if z.per and z.per[0] is context.kinds["Player"]]
            hint = f"`deal` gives to each player; to one: `draw: ...` with `to: {name.value}`" if one else ""
            context.unknown("E405", "zone `per: Player`", name.value, name.span, zones, hint=hint)
        return env
    assert isinstance(name, ScalarNode)
    context.refer("zone", goal.name, name.span, goal.span)
    if source is None:
        return env
    check_drawable(body, source[0], node)
    players = among(body, node, env)
    inner, k = env.fresh(*looping(ListType(PLAYER)))
    p = k + 2
    everything = isinstance(value, ScalarNode) and value.value == ALL
    rounds = body.here()
    if everything:
        left = ir.Op("bag_size" if source[0].counts else "size", (load(*source),))
        cards, anybody = (ir.Op("lt", (ir.Const(0), many)) for many in (left, ir.Op("size", (players,))))
        done = body.unless(ir.Cond(cards, anybody, ir.Const(False)), node.span)
    body.emit(ir.Let(k, players, node.span))
    body.emit(ir.Let(k + 1, ir.Const(0), node.span))
    head = body.emit(ir.Next(k, -1, node.span))
    body.loops.append(OpenLoop(regions=len(body.open)))
    number: ir.Expr = ir.Const(1) if everything else body.expressions.of(value, env.behind(inner), INT)[0]
    draw_loop(body, number, source, [(None, (goal, ir.Local(p)))], inner, node.span)
    body.loops.pop()
    body.emit(ir.Jump(head, node.span))
    body.aim(head)
    if everything:
        body.emit(ir.Jump(rounds, node.span))
        body.aim(done)
    return env


@verb(
    "pick",
    VerbKey("expr", "how many", required=True, role="amount"),
    {
        "from": VerbKey("expr", "a list, set or bag", required=True),
        "as": VerbKey("new name", "what was picked", required=True, role="result"),
    },
    group="chance",
    example="- pick: 1\n  from: rival(me).hand\n  as: stolen",
    traits=Traits(binds=True),
)
def pick(body: Body, node: MapNode, value: Node, env: Env) -> Env:
    """Chance takes some, each as likely as the next, as far as they reach; nothing is moved."""
    number = body.expressions.of(value, env, INT)[0]
    expr, t = body.expressions.of(node.get("from"), env)
    if isinstance(t, UnknownType):
        return named(body, node, UNKNOWN, env)
    bag = isinstance(t, BagType)
    if not bag and not is_many(t):
        body.context.error("E201", unlike(node.span.text, t, "a list, set or bag"), node.span, found=str(t))
        return named(body, node, UNKNOWN, env)
    start = ir.Const((0,) * len(body.context.kinds[t.kind].members)) if isinstance(t, BagType) else ir.Const(())
    item = EntityType(t.kind) if isinstance(t, BagType) else item_of(t)
    picked = t if bag else ListType(item)
    _, k = env.fresh(picked, INT, t, item)  # picked; how many to go; what is left; the one picked
    body.emit(ir.Let(k, start, node.span))
    body.emit(ir.Let(k + 1, number, node.span))
    body.emit(ir.Let(k + 2, expr, node.span))
    head = body.here()
    ended = body.unless(ir.Op("lt", (ir.Const(0), ir.Local(k + 1))), node.span)
    empty = body.unless(ir.Op("lt", (ir.Const(0), ir.Op("bag_size" if bag else "size", (ir.Local(k + 2),)))), node.span)
    items = ir.Op("bag_kinds", (ir.Local(k + 2),)) if bag else ir.Local(k + 2)
    weights = ir.Op("bag_weights", (ir.Local(k + 2),)) if bag else None
    word = node.get("as")
    name = word.value if isinstance(word, ScalarNode) else "pick"
    body.emit(ir.Draw(items, weights, k + 3, body.context.type_of(item), name, node.span, k + 1))
    one: ir.Expr = ir.Op("pack", (ir.Local(k + 3),))
    if isinstance(t, BagType):
        one = ir.Op("bag_one", (ir.Const(1), ir.Local(k + 3), body.context.size_of(body.context.kinds[t.kind])))
    body.emit(ir.Let(k, ir.Op("bag_add" if bag else "concat", (ir.Local(k), one)), node.span))
    body.emit(ir.Let(k + 2, ir.Op("bag_sub" if bag else "minus", (ir.Local(k + 2), one)), node.span))
    body.emit(ir.Let(k + 1, ir.Op("sub", (ir.Local(k + 1), ir.Const(1))), node.span))
    body.emit(ir.Jump(head, node.span))
    body.aim(ended)
    body.aim(empty)
    return named(body, node, picked, env, k)


@verb(
    "roll",
    VerbKey("expr", "how many dice", required=True, role="amount"),
    {
        "die": VerbKey("expr", "how many faces, or a type whose members are the faces", required=True),
        "weights": VerbKey("name", "a table: how often each face stands on the die"),
        "as": VerbKey("new name", "the faces: a sorted list of numbers, or a bag", required=True, role="result"),
    },
    group="chance",
    example="- roll: 2\n  die: 6\n  as: faces",
    traits=Traits(binds=True),
)
def roll(body: Body, node: MapNode, value: Node, env: Env) -> Env:
    """Roll dice.  Dice are alike: numbers come as a sorted list, symbols as a bag."""
    context = body.context
    number = body.expressions.of(value, env, INT)[0]
    die = node.get("die")
    kind = context.kinds.get(die.value) if isinstance(die, ScalarNode) else None
    weights: ir.Expr | None = None
    table = node.get("weights")
    name = node.get("as")
    shown = name.value if isinstance(name, ScalarNode) else "roll"
    if kind is not None:
        assert isinstance(die, ScalarNode)
        context.refer("type", kind.name, die.span, kind.span)
        faces: ir.Expr = context.members_of(kind)
        t: Type = BagType(kind.name)
        start, item = ir.Const((0,) * len(kind.members)), context.type_of(kind.type)
        if isinstance(table, ScalarNode):
            rows = context.names.get(table.value)
            if isinstance(rows, symbols.Table) and rows.keys == (kind,):
                context.refer("table", rows.name, table.span, rows.span)
                weights = ir.Const(tuple(rows.rows.get((n,), 0) for n in range(len(kind.members))))
            else:
                tables = [n for n, s in context.names.items() if isinstance(s, symbols.Table) and s.keys == (kind,)]
                context.unknown("E115", f"table by {kind.name}", table.value, table.span, tables)
    else:
        count, bounds = body.expressions.of(die, env, INT)
        faces = ir.Op("interval", (ir.Const(1), count))
        high = bounds.high if isinstance(bounds, IntType) else None
        sides = None
        if isinstance(count, ir.Const) and isinstance(count.value, int):
            high = sides = count.value
        t, start, item = ListType(IntType(1, high)), ir.Const(()), ir.types.number(1, sides)
    _, k = env.fresh(t, INT, item_of(t))  # the faces so far; how many to go; the face
    body.emit(ir.Let(k, start, node.span))
    body.emit(ir.Let(k + 1, number, node.span))
    head = body.here()
    ended = body.unless(ir.Op("lt", (ir.Const(0), ir.Local(k + 1))), node.span)
    body.emit(ir.Draw(faces, weights, k + 2, item, shown, node.span, k + 1))
    if kind is not None:
        more = ir.Op("bag_add", (ir.Local(k), ir.Op("bag_one", (ir.Const(1), ir.Local(k + 2), context.size_of(kind)))))
    else:
        more = ir.Op("sort_items", (ir.Op("concat", (ir.Local(k), ir.Op("pack", (ir.Local(k + 2),)))),))
    body.emit(ir.Let(k, more, node.span))
    body.emit(ir.Let(k + 1, ir.Op("sub", (ir.Local(k + 1), ir.Const(1))), node.span))
    body.emit(ir.Jump(head, node.span))
    body.aim(ended)
    return named(body, node, t, env, k)
