"""Names that steps give with `seen by` (`let: ... seen by: ...`): who sees them is shown each value, until these steps have ended."""

from __future__ import annotations

from rulespec import ir
from rulespec.checker import symbols
from rulespec.checker.body import Body, OpenRegion
from rulespec.checker.env import Env, looping
from rulespec.language.types import PLAYERS
from rulespec.text.source import Span
from rulespec.text.yaml_tree import Node, ScalarNode


def publish(body: Body, node: Node | None, env: Env, span: Span) -> None:
    """Where a step sets a name that has `seen by`, those who see it are told, and it is part of what they have seen."""
    local = env.locals.get(node.value) if isinstance(node, ScalarNode) else None
    if local is None or local.told is None or not body.in_the_open("seen by", span, "log: ..."):
        return
    told, value = local.told, ir.Local(local.index)
    if told.seats is None:
        body.context.public.add(span)
        body.store((told.variable, None), value, span)
    else:
        body.context.told_some[span, local.index] = told.seats
        _, k = env.fresh(*looping(PLAYERS))
        body.emit(ir.Let(k, ir.Local(told.seats), span))
        body.emit(ir.Let(k + 1, ir.Const(0), span))
        head = body.emit(ir.Next(k, -1, span))
        body.store((told.variable, ir.Local(k + 2)), value, span)
        body.emit(ir.Jump(head, span))
        body.aim(head)
    assign_over(body, told.variable, 0, span)


def assign_over(body: Body, told: symbols.Variable, over: int, span: Span) -> None:
    """Whether the steps have ended by which a name goes that somebody is told."""
    assert told.over is not None
    body.assign(told.over, ir.Const(over), f"{told.name} over", span)


def until_the_end(body: Body, told: symbols.Variable, env: Env, span: Span) -> Env:
    """What is told under a name is over at the end of these steps, however they are left; the next answer takes it away."""
    inside, unwinding = env.hold(ir.types.TARGET)
    body.emit(ir.Let(unwinding, ir.Const(None), span))
    start = body.here()

    def clean() -> None:
        assign_over(body, told, 1, span)

    body.open.append(OpenRegion(clean, lambda: body.close_region(start, unwinding, inside, clean, None, span)))
    return inside
