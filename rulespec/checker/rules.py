"""Rules: when they are alive, whose they are, and the procedures that run them."""

from __future__ import annotations

from typing import Literal

from rulespec import ir
from rulespec.checker import symbols
from rulespec.checker.alive import (
    LIMIT,
    compile_limit,
    full_name,
    instance,
    owner_of,
    owner_type,
    reserve_procedure,
    tests,
    with_me,
)
from rulespec.checker.body import Body
from rulespec.checker.context import CheckContext
from rulespec.checker.env import Env, call_frame
from rulespec.checker.expressions import Expressions
from rulespec.checker.menus import option_of
from rulespec.checker.publishing import assign_over
from rulespec.checker.scoping import during, note_questions, record
from rulespec.checker.sites import YES_OR_NO, new_site
from rulespec.language.types import BOOL, INT, PLAYER, Type
from rulespec.text.yaml_tree import ListNode, MapNode, Node, ScalarNode


def parameters_of(context: CheckContext, rule: symbols.Rule) -> list[tuple[str, Type]]:
    """What the procedure of a rule gets after the instance's arguments."""
    for timing in ("before", "instead of", "after"):
        event = rule.node.get(timing)
        if isinstance(event, ScalarNode) and event.value in context.events:
            return [(p.name, p.type) for p in context.events[event.value].parameters]
    menu = rule.node.get("adds to")
    if isinstance(menu, ScalarNode) and menu.value in context.menus:
        return [(p.name, p.type) for p in context.menus[menu.value].parameters]
    return []


def compile_rule(context: CheckContext, expressions: Expressions, rule: symbols.Rule) -> None:
    """A rule of a window or menu: its functions and its procedure."""
    if rule.index is None:
        return
    carried, more = instance(rule), parameters_of(context, rule)
    env = call_frame(carried)
    alive = tests(context, expressions, rule, env, ("during", "live"))
    alive_number = (
        None if alive is None else context.add_function(f"{rule.name} alive", len(carried), env, alive, BOOL, rule.span)
    )
    env = call_frame([*carried, *more])
    test = tests(context, expressions, rule, env, ("during", "live", "where"))
    both = len(carried) + len(more)
    test_number = None
    if test is not None:
        test_number = context.add_function(f"{rule.name} test", both, env, test, BOOL, rule.span)
    note(context, rule, env)
    player = None
    env = call_frame([*carried, *more])
    if rule.node.get("me") is None and "me" in env.locals:
        me = env.locals["me"]
        player = context.add_function(f"{rule.name} player", both, env, ir.Local(me.index), me.type, rule.span)
    elif (owner := owner_of(context, expressions, rule, env)) is not None:
        t = owner_type(rule)
        player = context.add_function(f"{rule.name} player", both, env, owner, t, rule.span)
    procedure = compile_procedure(context, expressions, rule, carried, more)
    rank = rule.node.get("order rank")
    ranks = {"first": -1, "last": 1}
    limit, counter = compile_limit(rule)
    source: Literal["plain", "pieces", "lasting"] = (
        "lasting" if rule.lasting is not None else "plain" if rule.kind is None else "pieces"
    )
    option: ir.Branch | None = None
    locals_: tuple[ir.Type, ...] = ()
    if "adds to" in rule.node:
        env = call_frame([*carried, *more])
        option, locals_ = option_of(context, expressions, rule, env), context.local_types(env)
    context.out_rules[rule.index] = ir.Rule(
        index=rule.index,
        name=rule.name,
        source=source,
        pieces=rule.pieces,
        lasting=None if rule.lasting is None else rule.lasting.index,
        alive=alive_number,
        test=test_number,
        player=player,
        procedure=procedure,
        rank=ranks.get(rank.value, 0) if isinstance(rank, ScalarNode) else 0,
        limit=limit,
        counter=counter,
        kind=None if rule.kind is None else rule.kind.index,
        option=option,
        where=rule.span,
        locals=locals_,
        arguments=() if rule.lasting is None else tuple(context.type_of(p.type) for p in rule.lasting.parameters),
    )


def compile_procedure(
    context: CheckContext,
    expressions: Expressions,
    rule: symbols.Rule,
    instance: list[tuple[str, Type]],
    more: list[tuple[str, Type]],
) -> int:
    """What a rule does; it gives whether it was applied."""
    number = reserve_procedure(context, rule)
    body = Body(context, expressions, rule.name, rule.span)
    body.gives, body.rule, body.owner = BOOL, True, f"rule {full_name(rule)}"
    env = call_frame([*instance, *more])
    inner, _, owner = with_me(context, expressions, rule, env, PLAYER)
    if owner is not None:
        body.emit(ir.Let(inner.locals["me"].index, ir.Known(owner, "me"), rule.span))
    if "seen by" in rule.node:
        tell_all(body, rule, env, instance)
    may = rule.node.get("may")
    if may is not None:
        _, live = inner.fresh(INT, INT)
        site = ir.Site(
            index=0,
            name=rule.name.rpartition(".")[2],
            player=body.player(rule.node, inner),
            items=ir.Const((0, 1)),
            item=live + 1,
            type=ir.types.INT,
            prompt=expressions.text(may, inner),
            branches=YES_OR_NO,
            size=2,
            where=rule.span,
        )
        body.emit(ir.Ask(new_site(body, site, inner), live, rule.span))
        yes = body.unless(ir.Op("eq", (ir.Local(live), ir.Const(1))), rule.span)
        body.emit(ir.Return(ir.Const(False), rule.span))
        body.aim(yes)
    body.block(rule.node.get("do"), inner)
    body.emit(ir.Return(ir.Const(True), rule.span))
    context.out_procedures[number] = body.finish(len(instance) + len(more), env)
    note(context, rule, env, body)
    return number


def tell_all(body: Body, rule: symbols.Rule, env: Env, instance: list[tuple[str, Type]]) -> None:
    """All are told that a rule acts, and for what: it is part of what they have seen."""
    context = body.context
    context.public.add(rule.span)
    name = ScalarNode(rule.name, "plain", rule.key.span)
    told: list[tuple[Type, ir.Expr]] = [(t, ir.Local(env.locals[of].index)) for of, t in instance]
    for t, value in told or [(BOOL, ir.Const(True))]:
        kept = context.told(name, t)
        body.store((kept, None), value, rule.span)
        assign_over(body, kept, 1, rule.span)


def note(context: CheckContext, rule: symbols.Rule, env: Env, body: Body | None = None) -> None:
    """Record the scopes that a rule uses beyond those of its `during`, and that its event calls it."""
    given = during(context, context.scalar(rule.node.get("during")))
    calls = set() if body is None else body.calls
    record(context, f"rule {full_name(rule)}", rule.span, env.frame.scopes, calls | env.frame.ahead, given)
    if body is not None:
        note_questions(context, f"rule {full_name(rule)}", body.asks, body.batched)
    for key in ("before", "instead of", "after", "adds to"):
        heard = rule.node.get(key)
        if isinstance(heard, ScalarNode):
            what = "menu" if key == "adds to" else "event"
            record(context, f"{what} {heard.value}", None, set(), {(f"rule {full_name(rule)}", frozenset())})


def reserve_counters(context: CheckContext) -> None:
    """Slots for the counters of limits, known before any procedure that resets them is compiled."""
    for rule in context.rules:
        node = rule.node.get("limit")
        if not isinstance(node, ScalarNode):
            continue
        match = LIMIT.match(node.value)
        if match is None:
            context.error(
                "S012",
                "a limit is written `once per NAME`",
                node.span,
                expected="once per turn, twice per Combat, 3 times per game",
            )
            continue
        span = match[3]
        phases = [name for name, p in context.procedures.items() if p.phase]
        spans = [*phases, *context.scopes, *context.events, "game"]
        if span not in spans:
            context.unknown("E114", "phase, scope or event", span, node.span, spans)
            continue
        size = max(1, len(rule.pieces))
        rule.counter = context.allot(f"{rule.name} used", size, 0)
        context.limits.setdefault(span, []).append((rule.counter, rule.counter + size))


def find_end_tags(node: Node, tags: set[str]) -> None:
    """What `until: end of NAME` names anywhere."""
    if isinstance(node, MapNode):
        until = node.get("until")
        if isinstance(until, ScalarNode) and until.value.startswith("end of "):
            tags.add(until.value.removeprefix("end of ").strip())
        for _, value in node.entries:
            find_end_tags(value, tags)
    elif isinstance(node, ListNode):
        for item in node:
            find_end_tags(item, tags)


# --- rules that are always true ---------------------------------------------------------------------------------------


def compile_lastings(context: CheckContext, expressions: Expressions) -> None:
    """The steps at the end of lasting effects; their numbers are known before."""
    for lasting in context.lastings.values():
        if lasting.at_end is None:
            continue
        body = Body(context, expressions, f"end of {lasting.name}", lasting.span)
        env = call_frame([(p.name, p.type) for p in lasting.parameters])
        body.block(lasting.node.get("at end"), env)
        context.out_procedures[lasting.at_end] = body.finish(len(lasting.parameters), env)


def reserve_lastings(context: CheckContext) -> None:
    """Numbers for the procedures that end lasting effects."""
    for lasting in context.lastings.values():
        if "at end" in lasting.node:
            lasting.at_end = len(context.out_procedures)
            context.out_procedures.append(None)
