"""A number that may leave the range of its variable."""

from __future__ import annotations

from collections.abc import Iterator

from rulespec import ir
from rulespec.analysis.domain import Fact, between, meet
from rulespec.lint.finding import Finding, LintRule
from rulespec.lint.game import LintGame
from rulespec.lint.rules.out_of_range import shown
from rulespec.text.source import Span

RULE = LintRule("L061", "note")


def check(game: LintGame) -> Iterator[Finding]:
    """Variables that are set to a number of which something is known, but not that it stays in the range."""
    world = game.ranges.world
    seen: set[Span] = set()
    for _, flow in sorted(game.ranges.flows.items()):
        for position, known in sorted(flow.before.items()):
            i = flow.procedure.code[position] if position < len(flow.procedure.code) else None
            if not isinstance(i, ir.Store) or i.stops or i.where is None or i.where in seen:
                continue
            value, declared = world.range(i.value, known), between(i.low, i.high, none=True)
            if within(value, declared) or meet(value, declared).empty or (value.low is None and value.high is None):
                continue
            seen.add(i.where)
            yield Finding(
                RULE,
                f"`{i.name}` may leave its range here",
                game.line_of(i.where),
                expected=shown(i.low, i.high),
                found=shown(value.low, value.high),
                help=(
                    "most often `stops: yes` with the variable is meant, which keeps it at the end of its range; "
                    "else ask before the step, or declare a wider range",
                ),
            )


def within(a: Fact, b: Fact) -> bool:
    """Whether each number that may be `a` is one of `b`."""
    above = b.low is None or (a.low is not None and a.low >= b.low)
    below = b.high is None or (a.high is not None and a.high <= b.high)
    return not a.some or (above and below)
