"""A number that leaves the range of its variable."""

from __future__ import annotations

from collections.abc import Iterator

from rulespec import ir
from rulespec.analysis.domain import ANY, Fact, between, meet
from rulespec.language import operators
from rulespec.language.bounds import Bound
from rulespec.lint.dataflow import Flow
from rulespec.lint.evaluate import Knowledge, RangeWorld
from rulespec.lint.finding import Finding, LintRule
from rulespec.lint.game import LintGame
from rulespec.lint.measure import around
from rulespec.lint.procedure_summaries import Summaries
from rulespec.text.source import Span

RULE = LintRule("L060", "error", single=True)


def check(game: LintGame) -> Iterator[Finding]:
    """Variables that are surely set to a number outside their range, at once or in the course of a loop, in all setups or in one."""
    seen: set[Span] = set()
    for _, flow in sorted(game.ranges.flows.items()):
        code = flow.procedure.code
        for position, known in sorted(flow.before.items()):
            i = code[position] if position < len(code) else None
            if not isinstance(i, ir.Store) or i.stops or (i.low is None and i.high is None):
                continue
            if i.where is None or i.where in seen:
                continue
            for setup, world in game.worlds:
                if not world.possible(known):
                    continue
                value, when = world.range(i.value, known), "here"
                if value.empty:
                    continue
                if not outside(i, value):
                    value, when = after_all(game.ways, flow, position, i, world), "in the course of this loop"
                if outside(i, value):
                    seen.add(i.where)
                    yield Finding(
                        RULE,
                        f"`{i.name}` leaves its range {when}{setup}",
                        game.line_of(i.where),
                        expected=shown(i.low, i.high),
                        found=shown(value.low, value.high),
                    )
                    break


def outside(i: ir.Store, value: Fact) -> bool:
    """Whether no number that may be stored is in the range of the variable."""
    return not value.empty and meet(value, between(i.low, i.high, none=True)).empty


def after_all(ways: Summaries, flow: Flow, position: int, i: ir.Store, world: RangeWorld) -> Fact:
    """What a variable has become when a loop over some items, none of which is left out, has added to it for each."""
    head = around(ways, flow.procedure, position)
    if head is None or not (i.index is None or isinstance(i.index, ir.Const)):
        return ANY
    stored = ir.Load(i.base, i.index, i.size)
    match i.value:
        case ir.Op(operators.ADD, (a, b)) if stored in (a, b) and a != b:
            more, falls = (b if a == stored else a), False
        case ir.Op(operators.SUBTRACT, (a, b)) if a == stored and stored != b:
            more, falls = b, True
        case _:
            return ANY
    before = flow.before.get(head - 2, Knowledge())
    items = flow.procedure.code[head - 2]
    if not isinstance(items, ir.Let) or not world.possible(before):
        return ANY
    times = world.range(items.value, before).least
    start, step = world.range(stored, before), world.range(more, flow.before[position])
    if step.low is None or step.low <= 0 or step.none:
        return ANY
    if falls:
        return between(None, less(start.high, times * step.low))
    return between(None if start.low is None else start.low + times * step.low, None)


def less(bound: Bound, other: int) -> Bound:
    return None if bound is None else bound - other


def shown(low: Bound, high: Bound) -> str:
    """A range as it is written."""
    return str(low) if low == high else f"{'' if low is None else low}..{'' if high is None else high}"
