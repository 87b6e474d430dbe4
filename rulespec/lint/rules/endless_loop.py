"""A loop that never ends once it has begun."""

from __future__ import annotations

from collections.abc import Iterator

from rulespec import ir
from rulespec.ir.walk import unnegated
from rulespec.language import operators
from rulespec.lint.finding import Finding, LintRule
from rulespec.lint.game import LintGame
from rulespec.lint.measure import MeasuredLoop, leaves
from rulespec.text.source import Span

RULE = LintRule("L041", "error")


def check(game: LintGame) -> Iterator[Finding]:
    """Loops with `while` or `until` that nothing leaves, and in which nothing can make their condition fail."""
    ways = game.ways
    for procedure, number in game.steps():
        for position, i in enumerate(procedure.code):
            if not isinstance(i, ir.Unless) or (place := written(game, i.test)) is None:
                continue
            end = last_jump(procedure, position)
            if end is None or not isinstance(procedure.code[end], ir.Jump):
                continue
            body = range(position + 1, end + 1)
            if any(leaves(ways, procedure, p, position, end) for p in body):
                continue
            loop = MeasuredLoop(ways, game.flow_of(number), body)
            if loop.flow.before and position not in loop.flow.before:  # no way leads there
                continue
            if not literal(i.test) and not loop.keeps(i.test):
                continue
            moved = not literal(i.test) and loop.touches(i.test)
            why = "brings the condition nearer to its end" if moved else "changes what the condition reads"
            yield Finding(
                RULE,
                "this loop never ends once it has begun",
                place,
                help=(f"nothing in it {why}, and nothing leaves it",),
            )


def written(game: LintGame, test: ir.Expr) -> Span | None:
    """Where the condition of a loop is written; None for a test that the checker made."""
    while True:
        condition = game.context.conditions.get(id(test))
        if condition is not None and condition[0] is test:
            return condition[1].at(condition[2], condition[3])
        if not (isinstance(test, ir.Op) and test.name == operators.NOT):
            return None
        test = test.args[0]


def literal(test: ir.Expr) -> bool:
    """Whether a condition is `yes` or `no`."""
    return isinstance(unnegated(test)[0], ir.Const)


def last_jump(procedure: ir.Procedure, head: int) -> int | None:
    """The last jump back to a loop's head."""
    jumps = [p for p, i in enumerate(procedure.code) if p > head and isinstance(i, ir.Jump) and i.target == head]
    return jumps[-1] if jumps else None
