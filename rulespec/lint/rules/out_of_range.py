"""A number that leaves the range of its variable."""

from __future__ import annotations

from collections.abc import Iterator

from rulespec import ir
from rulespec.lint.finding import Finding, Rule
from rulespec.lint.game import LintGame
from rulespec.lint.ranges import Range, meet
from rulespec.source import Span

RULE = Rule("L060", "error")


def check(game: LintGame) -> Iterator[Finding]:
    """Variables that are surely set to a number outside their range, always or for some number of players."""
    seen: set[Span] = set()
    for number, flow in sorted(game.ranges.flows.items()):
        code = game.program.procedures[number].code
        for position, known in sorted(flow.before.items()):
            i = code[position] if position < len(code) else None
            if not isinstance(i, ir.Store) or i.stops or (i.low is None and i.high is None):
                continue
            if i.where is None or i.where in seen:
                continue
            for setup, world in game.worlds():
                value = world.range(i.value, known)
                if world.possible(known) and not value.empty and meet(value, Range(i.low, i.high, none=True)).empty:
                    seen.add(i.where)
                    bounds = f"{shown(i.low)}..{shown(i.high)}"
                    yield Finding(RULE, f"`{i.name}` leaves its range here{setup}", game.line_of(i.where), expected=bounds,
                                  found=said(value))  # fmt: skip
                    break


def shown(bound: int | None) -> str:
    return "" if bound is None else str(bound)


def said(value: Range) -> str:
    """A range as it is written."""
    return str(value.low) if value.low == value.high else f"{shown(value.low)}..{shown(value.high)}"
