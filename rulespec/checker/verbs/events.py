"""Verbs of events: announcing them, and what lasts for a while."""

from __future__ import annotations

from rulespec import ir
from rulespec.checker import symbols
from rulespec.checker.body import Body
from rulespec.checker.env import Env
from rulespec.checker.reasons import literal
from rulespec.checker.sites import new_site
from rulespec.language.registry import VerbKey, verb
from rulespec.language.types import BOOL, INT, PLAYER, ListType, OptionType
from rulespec.text.source import Span
from rulespec.text.yaml_tree import MapNode, Node, ScalarNode


def given(
    body: Body, parameters: list[symbols.Parameter], node: Node | None, env: Env, span: Span, what: str
) -> list[ir.Expr]:
    """`with:` the arguments by name."""
    context = body.context
    values = {key.value: (key, value) for key, value in node.entries} if isinstance(node, MapNode) else {}
    for name, (key, _) in values.items():
        if name not in [p.name for p in parameters]:
            context.unknown("S002", f"parameter of {what}", name, key.span, [p.name for p in parameters])
    arguments: list[ir.Expr] = []
    for parameter in parameters:
        if parameter.name in values:
            arguments.append(body.expressions.given(values[parameter.name][1], env, parameter))
        elif parameter.name in env.locals and parameter.name == "me":
            arguments.append(ir.Local(env.locals["me"].index))
        elif parameter.default is not None:
            arguments.append(body.expressions.default(parameter, env))
        else:
            context.error(
                "E301", f"{what} needs `{parameter.name}`", span, expected=f"{parameter.name}: {parameter.type}"
            )
            arguments.append(ir.Const(context.default_of(parameter.type)))
    return arguments


@verb(
    "announce",
    VerbKey("name", "an event", required=True, offers=("events",)),
    {
        "with": VerbKey("map", "its arguments by name"),
        "order": VerbKey("expr", "players, in the order in which their rules react"),
        "do": VerbKey("steps", "what happens, unless a rule replaces it"),
    },
    group="events",
    example=(
        "- announce: damage_done\n"
        "  with: {place: target}\n"
        "  order: seats_from(active)\n"
        "  do:\n"
        "    - add: 1\n"
        "      to: target.damage"
    ),
)
def announce(body: Body, node: MapNode, value: Node, env: Env) -> Env:
    """Open a window: rules `instead of` the event, else those `before` it, then `do`, then those `after` it.

    With `order`, rules react player by player; where two or more of a player's rules of one rank apply, that player says which
    comes first.  Without, they react in the order of the file.  Which rules react is settled when the window opens; each is
    tested again when its turn comes.
    """
    context = body.context
    event = body.declared(value, context.events, "E110", "event")
    if event is None:
        return env
    body.sets_off(f"event {event.name}", value.span)
    listeners = {t: context.listeners.get((event.name, t), []) for t in ("instead of", "before", "after")}
    inner = env
    args: list[ir.Expr] = []
    values = given(body, event.parameters, node.get("with"), env, node.span, f"`{event.name}`")
    if any(listeners.values()):
        inner, first = inner.fresh(*(parameter.type for parameter in event.parameters))
        for index, expr in enumerate(values, first):
            body.emit(ir.Let(index, expr, node.span))
            args.append(ir.Local(index))
    counters = context.limits.get(
        event.name, ()
    )  # how often rules may act during it, put aside if it is announced within itself
    inner, kept = inner.fresh(*(ir.types.aside(low, high) for low, high in counters))
    for number, (low, high) in enumerate(counters, kept):
        body.emit(ir.Enter(low, high, (0,) * (high - low), number, node.span))
    order = None
    if "order" in node:
        order = body.expressions.of(node.get("order"), inner, ListType(PLAYER))[0]
    end: list[int] = []
    if listeners["instead of"]:
        end = window(body, listeners["instead of"], tuple(args), order, inner, node.span, replaces=True)
    if listeners["before"]:
        window(body, listeners["before"], tuple(args), order, inner, node.span)
    body.block(node.get("do"), inner)
    if listeners["after"]:
        window(body, listeners["after"], tuple(args), order, inner, node.span)
    for position in end:
        body.aim(position)
    for number, (low, _) in enumerate(counters, kept):
        body.emit(ir.Leave(low, number, node.span))
    return env


def window(
    body: Body,
    rules: list[symbols.Rule],
    args: tuple[ir.Expr, ...],
    order: ir.Expr | None,
    env: Env,
    span: Span,
    replaces: bool = False,
) -> list[int]:
    """Run the rules that react; where they replace the event, the jumps taken once one was applied."""
    numbers = tuple(rule.index for rule in rules if rule.index is not None)
    entry = ir.types.entry(numbers)
    # the queue; its next entry; whether the rule was applied; a position in the queue
    _, q = env.fresh(ir.types.list_of(entry), entry, BOOL, INT)
    body.emit(ir.Collect(numbers, args, order, q, span))
    arrange: int | None = None
    if order is not None:
        site = ir.Site(
            index=0,
            name="order",
            player=ir.Const(0),
            items=ir.Const(()),
            item=q + 3,
            type=ir.types.INT,
            prompt=literal("Which of your rules comes first?"),
            code="index",
            where=span,
        )
        arrange = new_site(body, site, None)
    head = body.emit(ir.NextRule(q, args, -1, arrange, span))
    body.emit(ir.CallRule(args, q + 2, span))
    end: list[int] = []
    if replaces:
        again = body.unless(ir.Local(q + 2), span)
        end.append(body.jump(span))
        body.aim(again)
    body.emit(ir.Jump(head, span))
    body.aim(head)
    body.written |= body.context.always_reads
    return end


@verb(
    "begin",
    VerbKey("name", "a lasting effect", required=True, offers=("lasting",)),
    {"with": VerbKey("map", "its arguments by name"), "until": VerbKey("text", "`end of` a phase or scope")},
    group="events",
    example="- begin: broken_ground\n  with: {ground: target}\n  until: end of turn",
)
def begin(body: Body, node: MapNode, value: Node, env: Env) -> Env:
    """A lasting effect begins; it ends with the phase or scope named, by its own `until`, or by `cease`."""
    context = body.context
    lasting = body.declared(value, body.context.lastings, "E116", "lasting effect")
    if lasting is None:
        return env
    args = given(body, lasting.parameters, node.get("with"), env, node.span, f"`{lasting.name}`")
    until = node.get("until")
    tag: int | None = None
    depth: int | None = None
    if isinstance(until, ScalarNode):
        name = until.value.removeprefix("end of ").strip()
        phases = {n for n, p in context.procedures.items() if p.phase}
        if not until.value.startswith("end of "):
            context.error(
                "S013",
                "`until` names what ends: `end of NAME`",
                until.span,
                help=["a condition that ends the effect stands in its declaration"],
            )
        elif name not in phases and name not in context.scopes:
            context.unknown("E114", "phase or scope", name, until.span, [*phases, *context.scopes])
        else:
            tag = context.target(name)
            depth = context.scopes[name].alive if name in context.scopes else None
    body.emit(ir.Begin(lasting.index, tuple(args), tag, node.span, depth))
    body.wrote(ir.LASTING)
    return env


@verb(
    "cease",
    VerbKey("name", "a lasting effect", required=True, offers=("lasting",)),
    {"with": VerbKey("map", "its arguments by name, if it matters which")},
    group="events",
    example="- cease: broken_ground",
)
def cease(body: Body, node: MapNode, value: Node, env: Env) -> Env:
    """The lasting effect ends, the first that fits; nothing happens if there is none."""
    lasting = body.declared(value, body.context.lastings, "E116", "lasting effect")
    if lasting is None:
        return env
    args = None
    if "with" in node:
        args = tuple(given(body, lasting.parameters, node.get("with"), env, node.span, f"`{lasting.name}`"))
    inner, live = env.hold(OptionType(lasting.arguments))
    body.emit(ir.Cease(lasting.index, None, args, live, node.span))
    if lasting.at_end is not None:
        none = body.unless(ir.Op("not_", (ir.Op("is_none", (ir.Local(live),)),)), node.span)
        parts = tuple(ir.Op("get", (ir.Local(live), ir.Const(i))) for i in range(len(lasting.parameters)))
        body.run_procedure(lasting.at_end, parts, inner, node.span)
        body.aim(none)
    body.wrote(ir.LASTING)
    return env
