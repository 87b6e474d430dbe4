"""Verbs of stretches: scopes with a memory, and batches that rules see as one step."""

from __future__ import annotations

from collections.abc import Callable

from rulespec import ir
from rulespec.checker import symbols
from rulespec.checker.body import Body, OpenRegion
from rulespec.checker.env import Env
from rulespec.checker.verbs.pieces import give_back
from rulespec.language.registry import VerbKey, verb
from rulespec.language.types import OptionType
from rulespec.text.source import Span
from rulespec.text.yaml_tree import MapNode, Node


@verb(
    "scope",
    VerbKey("name", "a scope", required=True, offers=("scopes",)),
    {
        "do": VerbKey("steps", "what happens in it", required=True),
        "with": VerbKey("map", "what its variables hold at its beginning"),
    },
    group="control",
    example="- scope: Combat\n  with:\n    attacker: active\n  do:\n    - combat_round",
)
def scope(body: Body, node: MapNode, value: Node, env: Env) -> Env:
    """Begin a stretch of the game with a memory, run the steps, and end it however it is left."""
    context = body.context
    declared = body.declared(value, context.scopes, "E109", "scope")
    if declared is None:
        return env
    inner, stores = first_values(body, node.get("with"), declared, env)
    saved, unwinding, inside = enter(body, declared, inner, node.span)
    counters = context.limits.get(declared.name, ())
    start = body.here()
    for variable, index, span in stores:
        body.store((variable, None), ir.Local(index), span)
    zones = [part for part in declared.names.values() if isinstance(part, symbols.Zone)]
    places = {z.kind.location for z in zones if z.kind.location is not None}
    bases = [declared.alive, *(v.base for v in declared.names.values()), *places]
    for base in bases:
        body.wrote(base)
    body.at = inside
    body.settle(node.span)

    def clean() -> None:
        end_lasting(body, declared.name, node.span)
        for zone in zones:
            give_back(body, zone, unwinding, Env(env.frame, {}, body.at.depth), node.span)
        for number, (low, _) in enumerate(counters, saved + 1):
            body.emit(ir.Leave(low, number, node.span))
        body.emit(ir.Leave(declared.low, saved, node.span))
        for base in bases:
            body.wrote(base)

    body.open.append(OpenRegion(clean))
    body.scopes.append(declared.name)
    outer, ahead = set(env.frame.scopes), set(env.frame.ahead)
    env.frame.scopes.clear()
    env.frame.ahead.clear()
    body.block(node.get("do"), inside)
    env.frame.ahead.update({(what, opened | {declared.name}) for what, opened in env.frame.ahead})
    env.frame.ahead.difference_update([item for item in env.frame.ahead if declared.name not in item[1]])
    env.frame.ahead.update(ahead)
    env.frame.scopes.discard(declared.name)
    env.frame.scopes.update(outer)
    if declared.within is not None and declared.within not in body.scopes:
        env.frame.scopes.add(declared.within)
    body.scopes.pop()
    body.open.pop()
    body.close_region(start, unwinding, inside, clean, declared.target, node.span)
    return env


def first_values(
    body: Body, starts: Node | None, declared: symbols.Scope, env: Env
) -> tuple[Env, list[tuple[symbols.Variable, int, Span]]]:
    """The values under `with`, each put into a local before the scope begins: the variables, the locals, and where they stand."""
    stores = []
    for key, start in starts.entries if isinstance(starts, MapNode) else ():
        variable = declared.names.get(key.value)
        if variable is None or not isinstance(variable, symbols.Variable) or variable.per:
            plain = [n for n, v in declared.names.items() if isinstance(v, symbols.Variable) and not v.per]
            body.context.unknown("E104", f"plain variable of {declared.name}", key.value, key.span, plain)
            continue
        expr = body.expressions.of(start, env, variable.type)[0]
        env, index = env.hold(variable.type)
        body.emit(ir.Let(index, expr, start.span))
        stores.append((variable, index, start.span))
    return env, stores


def enter(body: Body, scope: symbols.Scope, env: Env, span: Span) -> tuple[int, int, Env]:
    """A scope begins: its slots are saved and set to their first values.

    Returns the first local of what was saved, the local that holds the target while the scope is being left (None: it is not),
    and the environment inside.
    """
    counters = body.context.limits.get(scope.name, ())  # what rules may do during it, put aside like its state
    kept = (ir.types.aside(low, high) for low, high in ((scope.low, scope.high), *counters))
    inside, saved = env.fresh(*kept, ir.types.TARGET)
    unwinding = saved + 1 + len(counters)
    values = (1, *body.context.initial[scope.low + 1 : scope.high])
    body.emit(ir.Let(unwinding, ir.Const(None), span))
    body.emit(ir.Enter(scope.low, scope.high, values, saved, span))
    outside = ir.Op("get", (ir.Local(saved), ir.Const(0)))
    deeper = ir.Op("add", (outside, ir.Const(1)))
    body.assign(scope.alive, deeper, f"{scope.name} alive", span)
    for number, (low, high) in enumerate(counters, saved + 1):
        body.emit(ir.Enter(low, high, (0,) * (high - low), number, span))
    return saved, unwinding, inside


def end_lasting(body: Body, tag: str, span: Span) -> None:
    """Take out what lasts until the end of `tag`, and reset the limits that count during it."""
    context = body.context
    for low, high in context.limits.get(tag, ()):
        body.emit(ir.Reset(low, high, span))
    if tag not in context.end_tags:
        return
    body.wrote(ir.LASTING)
    number = context.target(tag)
    depth = context.scopes[tag].alive if tag in context.scopes else None
    for lasting in context.lastings.values():
        inner, live = body.at.hold(OptionType(lasting.arguments))
        head = body.emit(ir.Cease(lasting.index, number, None, live, span, depth))
        skip = body.unless(ir.Op("not_", (ir.Op("is_none", (ir.Local(live),)),)), span)
        if lasting.at_end is not None:
            args = tuple(ir.Op("get", (ir.Local(live), ir.Const(i))) for i in range(len(lasting.parameters)))
            body.run_procedure(lasting.at_end, args, inner, span)
        body.emit(ir.Jump(head, span))
        body.aim(skip)


@verb(
    "at once",
    VerbKey("steps", "steps without choices", required=True),
    {},
    group="control",
    example=(
        "- at once:\n    - move: all\n      from: a.stock\n      to: b.stock\n    - set: b.coins\n      to: a.coins"
    ),
)
def at_once(body: Body, node: MapNode, value: Node, env: Env) -> Env:
    """One batch: rules that are always true look only after the last step."""
    body.batch += 1
    batch(body, node.span, env, lambda inner: body.block(value, inner))
    body.batch -= 1
    body.written = set()
    return env


def batch(body: Body, span: Span, env: Env, steps: Callable[[Env], Env]) -> None:
    """Steps during which rules that are always true wait; they look when the batch is over, however it is left."""
    always = None if body.batch > 1 else body.context.always_procedure
    inner, unwinding = env.hold(ir.types.TARGET)

    def clean() -> None:
        body.nest("sub", span)
        if always is not None:
            body.run_procedure(always, (), body.at, span)

    body.emit(ir.Let(unwinding, ir.Const(None), span))
    body.nest("add", span)
    start = body.here()
    body.open.append(OpenRegion(clean))
    steps(inner)
    body.open.pop()
    body.close_region(start, unwinding, inner, clean, None, span)
