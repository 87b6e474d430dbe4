"""A rule that always holds and does nothing about it."""

from __future__ import annotations

from collections.abc import Iterator

from rulespec import ir
from rulespec.checker.alive import full_name
from rulespec.lint.finding import Finding, LintRule
from rulespec.lint.game import LintGame
from rulespec.lint.measure import MeasuredLoop
from rulespec.lint.procedure_summaries import ANYTHING

RULE = LintRule("L044", "error")


def check(game: LintGame) -> Iterator[Finding]:
    """Rules `always` whose steps leave their condition true: once it holds, they act without an end."""
    number = game.context.always_procedure
    if number is None:
        return
    code = game.program.procedures[number].code
    for rule in game.context.always:
        procedure = game.context.reserved[full_name(rule)]
        heads = [i for i in code if isinstance(i, ir.Unless) and i.where == rule.span]
        if "limit" in rule.node or not heads or game.ways.escapes[procedure]:
            continue
        reads = set().union(*(game.ranges.world.slots_of(i.test) for i in heads)) - {ir.BATCH}
        writes = game.ways.writes[procedure]
        key = rule.node.key("always")
        place = rule.span if key is None else key.span
        if not (reads & writes) and ANYTHING not in writes | reads:
            yield Finding(
                RULE, f"`{rule.name}` changes nothing that it waits for, so it would act without an end", place
            )
        elif all(stays(game, procedure, i.test) for i in heads) and not others_may_change(game, procedure, reads):
            yield Finding(
                RULE, f"`{rule.name}` never makes what it waits for untrue, so it would act without an end", place
            )


def stays(game: LintGame, number: int, test: ir.Expr) -> bool:
    """Whether the steps of a rule leave its condition true."""
    return MeasuredLoop(game.ways, game.flow_of(number), range(len(game.program.procedures[number].code))).keeps(test)


def others_may_change(game: LintGame, number: int, reads: set[int]) -> bool:
    """Whether another rule of this kind may change what a rule waits for."""
    others = {game.context.reserved[full_name(rule)] for rule in game.context.always} - {number}
    return any(reads & (writes := game.ways.writes[other]) or ANYTHING in writes | reads for other in others)
