"""Verbs of pieces: moving, handing on, shuffling, looking."""

from __future__ import annotations

from rulespec import ir
from rulespec.checker import symbols
from rulespec.checker.body import Body
from rulespec.checker.env import Env, looping
from rulespec.checker.inference import article, unwrap
from rulespec.checker.sentences import tested, unlike
from rulespec.expr import syntax
from rulespec.language.facts import Origin
from rulespec.language.registry import Traits, VerbKey, facts, verb
from rulespec.language.types import (
    INT,
    PLAYER,
    PLAYERS,
    BagType,
    EntityType,
    IntType,
    ListType,
    SetType,
    Type,
    UnknownType,
    is_many,
    item_of,
)  # fmt: skip
from rulespec.text.quoting import ticked
from rulespec.text.source import Span
from rulespec.text.yaml_tree import MapNode, Node, ScalarNode

EACH = "each player"  # what `rotate` calls the player whose things it speaks of: no name can be this
ZoneRef = tuple[symbols.Zone, ir.Expr | None]


def targets(body: Body, node: Node | None, env: Env) -> list[tuple[ir.Expr | None, ZoneRef]]:
    """A zone, or one of two by a condition (`if c then a else b`), with the test for each."""
    if not isinstance(node, ScalarNode):
        return []
    value, t = body.expressions.of(node, env)

    def unfold(expr: ir.Expr, test: ir.Expr | None) -> list[tuple[ir.Expr | None, ZoneRef]]:
        if isinstance(expr, ir.Cond):
            no: ir.Expr = ir.Op("not_", (expr.test,))
            yes = expr.test if test is None else ir.Cond(test, expr.test, ir.Const(False))
            no = no if test is None else ir.Cond(test, no, ir.Const(False))
            return [*unfold(expr.then, yes), *unfold(expr.other, no)]
        zone = body.zone_of(expr)
        return [(test, zone)] if zone else []

    zones = unfold(value, None)
    if not zones and not isinstance(t, UnknownType):
        body.context.error("E405", unlike(node.span.text, t, "a zone"), node.span, expected="a zone", found=str(t))
    return zones


def load(zone: symbols.Zone, index: ir.Expr | None) -> ir.Expr:
    """What lies in a zone."""
    return ir.Load(zone.base, index, zone.size)


@verb(
    "move",
    VerbKey("expr", "a piece, several, a bag, or `all`", required=True, role="moved"),
    {
        "to": VerbKey("expr", "a zone", required=True, offers=("zones",), role="goal"),
        "from": VerbKey(
            "expr",
            "the zone they are taken from: needed for bags and `all`; an error in play if a piece lies elsewhere",
            offers=("zones",),
            role="source",
        ),
        "at": VerbKey("word", "top or bottom of a pile", words=("top", "bottom")),
    },
    group="pieces",
    example="- move: top(discard)\n  to: p.hand",
)
def move(body: Body, node: MapNode, value: Node, env: Env) -> Env:
    """Put pieces into a zone: on top of a pile, unless `at: bottom`."""
    context = body.context
    source = body.zone(node.get("from"), env) if "from" in node else None
    everything = isinstance(value, ScalarNode) and value.value == "all"
    at = node.get("at")
    bottom = isinstance(at, ScalarNode) and at.value == "bottom"
    goals = targets(body, node.get("to"), env)
    if everything and source is None:
        context.error(
            "E406", "`move: all` needs `from:`, the zone that all are moved from", value.span, expected="from: a zone"
        )
        return env
    if everything and source is not None:
        expr, t = load(*source), source[0].type
    else:
        expr, t = body.expressions.hinted(value, env, goals[0][1][0].kind.type if goals else None)
        if isinstance(t, UnknownType):
            return env
        if source is not None and any(not goal.counts for _, (goal, _) in goals):
            lies_there(body, node, value, expr, t, source, env)
    for test, goal in goals:
        skip = None if test is None else body.unless(test, node.span)
        if goal[0].counts:
            move_bag(body, node, value, expr, t, source, goal)
        else:
            move_pieces(body, node, value, expr, t, goal, bottom)
        if skip is not None:
            body.aim(skip)
    return env


def lies_there(body: Body, node: MapNode, value: Node, expr: ir.Expr, t: Type, source: ZoneRef, env: Env) -> None:
    """See that what is moved lies in the zone that `from` names: a fault where it does not, an error where it surely does not."""
    pieces, zone = body.pieces(expr, unwrap(t) or t), node.get("from")
    if pieces is None or zone is None:
        return  # reported with what is moved
    origin, wanted = taken_from(body, expr), ir.Load(source[0].base, source[1], source[0].size)
    if origin == wanted:
        return
    if pieces[1] is not source[0].kind or (origin is not None and surely_other(origin, wanted)):
        body.context.error(
            "E418",
            "what is moved does not lie in the zone that `from` names",
            zone.span,
            help=["leave `from` out, or take the pieces from that zone"],
            related=[(value.span, "what is moved")],
        )
        return
    _, index = env.fresh(pieces[1].type)
    elsewhere = ir.Comp(index, pieces[0], ir.Op("not_", (ir.Op("contains", (wanted, ir.Local(index))),)))
    test = ir.Op("eq", (ir.Op("size", (elsewhere,)), ir.Const(0)))
    named = zone.value if isinstance(zone, ScalarNode) else source[0].name
    body.emit(ir.Claim(test, ir.Text((f"what is moved from {ticked(named)} does not lie there",)), node.span, "R019"))


def taken_from(body: Body, expr: ir.Expr) -> ir.Load | None:
    """The zone that pieces are surely taken from; None where it cannot be told."""
    match expr:
        case ir.Load():
            return expr if body.zone_of(expr) else None
        case ir.Local(index):
            items = just_taken(body, index)
            return None if items is None else taken_from(body, items)
        case ir.Known(value):
            return taken_from(body, value)
        case ir.Comp(source=items, value=None):
            return taken_from(body, items)
        case ir.Op(name, (items, *_)) if facts(name).origin is Origin.FIRST:
            return taken_from(body, items)
    return None


def just_taken(body: Body, local: int) -> ir.Expr | None:
    """What a local was taken from, or from whose items; None where a test or a step that may move pieces lies behind that."""
    code = body.code
    for position in range(len(code) - 1, -1, -1):
        match code[position]:
            case ir.Let(index, value) if index == local:
                return value
            case ir.Next(index) if index + 2 == local:
                items = code[position - 2]
                return items.value if isinstance(items, ir.Let) and items.index == index else None
            case ir.Ask(site, live) if live == local:
                asked = body.context.out_sites[site]
                return None if asked is None else asked.items
            case ir.Let() | ir.Store() | ir.Say() | ir.Learn() | ir.Claim() | ir.Draw() | ir.Ask():
                pass
            case _:
                return None
    return None


def surely_other(one: ir.Load, two: ir.Load) -> bool:
    """Whether two zones are never the same: of other names, or at other places that are constants."""
    if one.base != two.base:
        return True
    return isinstance(one.index, ir.Const) and isinstance(two.index, ir.Const) and one.index != two.index


def move_pieces(body: Body, node: MapNode, value: Node, expr: ir.Expr, t: Type, goal: ZoneRef, bottom: bool) -> None:
    context = body.context
    zone = goal[0]
    pieces = body.pieces(expr, unwrap(t) or t)
    if pieces is None:
        context.error(
            "E201",
            unlike(value.span.text, t, "pieces", "are"),
            value.span,
            expected=f"{zone.kind.name} pieces",
            found=str(t),
            help=["so many, from the top or at random, are moved by `draw:`"] if isinstance(t, IntType) else (),
        )
        return
    if t != unwrap(t):
        context.error(
            "E203", f"{ticked(value.span.text)} may be none", value.span, found=str(t), help=[tested(value.span.text)]
        )
        return
    if pieces[1] is not zone.kind:
        context.error(
            "E407",
            f"`{zone.name}` holds {zone.kind.name}, and this is {article(t)}",
            value.span,
            expected=zone.kind.name,
            found=str(t),
        )
        return
    body.emit(ir.Move(pieces[0], zone.index, goal[1], bottom, node.span))
    touch(body, zone)


def touch(body: Body, zone: symbols.Zone) -> None:
    """Moving may change any zone of the kind."""
    for other in body.context.zones:
        if other.kind is zone.kind:
            body.wrote(other.base)
    if zone.kind.location is not None:
        body.wrote(zone.kind.location)


def move_bag(
    body: Body, node: MapNode, value: Node, expr: ir.Expr, t: Type, source: ZoneRef | None, goal: ZoneRef
) -> None:
    context, zone = body.context, goal[0]
    if isinstance(t, EntityType) and t.kind == zone.kind.name:
        expr, t = ir.Op("bag_one", (ir.Const(1), expr, context.size_of(zone.kind))), BagType(zone.kind.name)
    if not isinstance(t, BagType) or t.kind != zone.kind.name:
        context.error(
            "E407",
            f"`{zone.name}` holds a bag of {zone.kind.name}, and this is {article(t)}",
            value.span,
            expected=f"bag of {zone.kind.name}",
            found=str(t),
        )
        return
    if source is None:
        context.error("E406", "pieces that are alike are moved from somewhere", node.span, expected="from: a zone")
        return
    if source[0].kind is not zone.kind:
        context.error("E407", f"`{source[0].name}` holds {source[0].kind.name}, not {zone.kind.name}", node.span)
        return
    body.emit(ir.MoveCounts(expr, source[0].index, source[1], zone.index, goal[1], node.span))
    body.wrote(zone.base)
    body.wrote(source[0].base)


def give_back(body: Body, zone: symbols.Zone, unwinding: int, env: Env, span: Span) -> None:
    """Where the scope of a zone ends: pieces go to where they return, or there must be none, unless the game is over."""
    inner, k = env.fresh(*looping(SetType(INT)))  # the zones of this name, how many are done, the one at hand
    index = ir.Local(k + 2) if zone.per else None
    body.emit(ir.Let(k, ir.Const(tuple(range(zone.size))), span))
    body.emit(ir.Let(k + 1, ir.Const(0), span))
    head = body.emit(ir.Next(k, -1, span))
    if zone.back is None:
        size = ir.Op("bag_size" if zone.counts else "size", (load(zone, index),))
        over = ir.Op("eq", (ir.Local(unwinding), ir.Const(body.context.target("the game"))))
        test = ir.Cond(over, ir.Const(True), ir.Op("eq", (size, ir.Const(0))))
        why = f"pieces are left in `{zone.name}` when its scope ends; move them, or say where it `returns to`"
        body.emit(ir.Claim(test, ir.Text((why,)), span))
    else:
        if zone.per and isinstance(zone.per[0], symbols.Kind):
            inner, this = inner.bind("this", zone.per[0].type)
            stride = zone.size // symbols.index_size(zone.per[0])
            body.emit(ir.Let(this, ir.Op("divide", (ir.Local(k + 2), ir.Const(stride))), span))
        goal = body.zone(zone.back, inner)
        if goal is not None and goal[0].kind is not zone.kind:
            body.context.error(
                "E407", f"`{goal[0].name}` holds {goal[0].kind.name}, not {zone.kind.name}", zone.back.span
            )
        elif goal is not None and zone.counts:
            body.emit(ir.MoveCounts(load(zone, index), zone.index, index, goal[0].index, goal[1], span))
            body.wrote(goal[0].base)
        elif goal is not None:
            body.emit(ir.Move(load(zone, index), goal[0].index, goal[1], False, span))
            touch(body, zone)
    body.emit(ir.Jump(head, span))
    body.aim(head)


def among(body: Body, node: MapNode, env: Env) -> ir.Expr:
    """`among:` the players in order; all, from the first seat, where it is left out."""
    written = node.get("among")
    if written is None:
        return ir.Op("seats", (ir.Setting("players"),))
    players, t = body.expressions.of(written, env)
    return players if is_many(t) and item_of(t) == PLAYER else body.expressions.of(written, env, PLAYERS)[0]


@verb(
    "rotate",
    VerbKey("name", "a zone or a variable that each player has", required=True, offers=("zones",)),
    {
        "to": VerbKey(
            "word",
            "whose it becomes: the next player's (`left`, if left out) or that of the one before",
            words=("left", "right"),
        ),
        "among": VerbKey("expr", "the players, in order, the last next to the first; all if left out"),
    },
    group="pieces",
    example="- rotate: hand\n  to: left",
    traits=Traits(assigns=("rotate",)),
)
def rotate(body: Body, node: MapNode, value: Node, env: Env) -> Env:
    """Each player hands on what lies in a zone, or the value of a variable, to the next: all at the same time."""
    if not isinstance(value, ScalarNode):
        return env
    order = among(body, node, env)
    inner, owner = env.bind(EACH, PLAYER)
    name = syntax.Attr(syntax.Name(EACH), value.value, end=len(value.value))
    part, t = body.expressions.tree(value, name, inner)
    place = body.zone_of(part) or body.variable_of(part)
    if place is None:
        if not isinstance(t, UnknownType):
            expected = "a zone or a variable `per Player`"
            body.context.error(
                "E505", f"{ticked(value.value)} cannot be passed on to another player", value.span, expected=expected
            )
        return env
    to = node.get("to")
    if isinstance(to, ScalarNode) and to.value == "right":
        order = ir.Op("backwards", (order,))
    _, players = env.fresh(ListType(PLAYER), ListType(t), *looping(ListType(INT)))
    values = players + 1
    body.emit(ir.Let(players, order, node.span))
    body.emit(ir.Let(values, ir.Comp(owner, ir.Local(players), None, part), node.span))
    hand_on(body, place[0], ir.Local(players), ir.Local(values), values + 1, node.span)
    return env.forgetting(value.value)


def hand_on(
    body: Body,
    place: symbols.Zone | symbols.Variable,
    players: ir.Expr,
    values: ir.Expr,
    k: int,
    span: Span,
) -> None:
    """The value of each player becomes that of the next one; the three locals from `k` are those of the loop."""
    size = ir.Op("size", (players,))
    position = ir.Local(k + 2)
    giver = ir.Op("item_at", (players, position))
    receiver = ir.Op("item_at", (players, ir.Op("add", (ir.Op("modulo", (position, size)), ir.Const(1)))))
    handed = ir.Op("item_at", (values, position))
    body.emit(ir.Let(k, ir.Op("interval", (ir.Const(1), size)), span))
    body.emit(ir.Let(k + 1, ir.Const(0), span))
    head = body.emit(ir.Next(k, -1, span))
    if isinstance(place, symbols.Variable):
        body.store((place, receiver), handed, span)
    elif place.counts:
        body.emit(ir.MoveCounts(handed, place.index, giver, place.index, receiver, span))
    else:
        body.emit(ir.Move(handed, place.index, receiver, False, span))
    body.emit(ir.Jump(head, span))
    body.aim(head)
    if isinstance(place, symbols.Zone):
        touch(body, place)


@verb(
    "shuffle",
    VerbKey("expr", "a shuffled zone", required=True, offers=("zones",), role="shuffled"),
    {},
    group="pieces",
    example="- shuffle: deck",
)
def shuffle(body: Body, node: MapNode, value: Node, env: Env) -> Env:
    """Nobody knows the pieces of the zone any more.  A shuffled zone has no order until something is drawn from it."""
    place = body.zone(value, env)
    if place is None:
        return env
    zone, index = place
    if zone.order != "shuffled":
        body.context.error(
            "E409",
            f"`{zone.name}` is not declared `order: shuffled`",
            value.span,
            help=[
                f"declare it so, if it has no order until something is drawn: `{zone.name}: {{of: {zone.kind.name}, order: shuffled}}`",
                f"or move what lies there into a shuffled zone: `move: all`, `from: {zone.name}`, `to: deck`, and then `shuffle: deck`",
            ],
        )
    if not zone.counts:
        body.emit(ir.Learn(load(zone, index), zone.kind.index, None, True, node.span))
    return env


@verb(
    "look",
    VerbKey("expr", "pieces", required=True, role="shown"),
    {"by": VerbKey("expr", "the player; `me` if left out")},
    group="pieces",
    example="- look: rival(active).hand\n  by: active",
)
def look(body: Body, node: MapNode, value: Node, env: Env) -> Env:
    """A player sees pieces and knows them where they lie, until they move or are shuffled."""
    return learn(body, node, value, env, ir.Op("pack", (body.player(node, env),)))


@verb(
    "reveal",
    VerbKey("expr", "pieces", required=True, role="shown"),
    {"to": VerbKey("expr", "players; all if left out")},
    group="pieces",
    example="- reveal: p.hand",
)
def reveal(body: Body, node: MapNode, value: Node, env: Env) -> Env:
    """Players see pieces and know them where they lie, until they move or are shuffled."""
    to = node.get("to")
    seats = None if to is None else body.expressions.players(to, env)
    everybody = ir.Op("seats", (ir.Setting("players"),))
    return learn(body, node, value, env, None if seats == everybody else seats)


def learn(body: Body, node: MapNode, value: Node, env: Env, seats: ir.Expr | None) -> Env:
    expr, t = body.expressions.of(value, env)
    pieces = body.pieces(expr, t)
    if pieces is None or pieces[1].location is None:
        if not isinstance(t, UnknownType):
            body.context.error(
                "E201",
                unlike(value.span.text, t, "pieces", "are"),
                value.span,
                found=str(t),
                help=["a value is shown by `let:` and `seen by: all`, then a `log`"],
            )
        return env
    body.emit(ir.Learn(pieces[0], pieces[1].index, seats, False, node.span))
    return env
