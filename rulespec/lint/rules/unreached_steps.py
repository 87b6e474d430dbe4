"""Steps to which no way leads."""

from __future__ import annotations

from collections.abc import Iterator

from rulespec import ir
from rulespec.lint.finding import Finding, LintRule
from rulespec.lint.game import LintGame
from rulespec.lint.procedure_summaries import reachable_from
from rulespec.text.source import Span

RULE = LintRule("L040")
# What the checker puts behind steps by itself is no step.
SILENT = (ir.Let, ir.Jump, ir.Return, ir.Resume, ir.Unless, ir.Next, ir.Cease, ir.Leave, ir.Reset)


def check(game: LintGame) -> Iterator[Finding]:
    """Steps behind one that always leaves: `stop`, `return`, `give`, `end`, `win`, or a loop without an end."""
    for procedure, _ in game.steps():
        live = reachable_from(procedure)
        if len(live) == len(procedure.code):
            continue
        done = [i.where for p, i in enumerate(procedure.code) if p in live and i.where is not None]
        shown: list[Span] = []
        for position, i in enumerate(procedure.code):
            if position in live or isinstance(i, SILENT) or i.where is None:
                continue
            if isinstance(i, ir.Claim) and isinstance(i.test, ir.Const):  # that a procedure with a result gives one
                continue
            if not any(inside(span, i.where) for span in done) and not any(inside(i.where, span) for span in shown):
                if shown and follows(procedure, position, live, shown[-1]):
                    continue
                shown.append(i.where)
                yield Finding(
                    RULE, "no way leads to this step", game.line_of(i.where), help=("a step before it always leaves",)
                )


def follows(procedure: ir.Procedure, position: int, live: set[int], last: Span) -> bool:
    """Whether all from the last step that was shown up to here is unreached: one finding tells of all."""
    start = next(p for p, i in enumerate(procedure.code) if i.where == last and p not in live)
    return not any(p in live for p in range(start, position))


def inside(inner: Span, outer: Span) -> bool:
    return inner.source is outer.source and outer.start <= inner.start and inner.end <= outer.end
