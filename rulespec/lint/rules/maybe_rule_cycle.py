"""Rules without a limit that may set each other off."""

from __future__ import annotations

from collections.abc import Iterator

from rulespec import ir
from rulespec.ir.walk import come_to
from rulespec.lint.finding import Finding, LintRule
from rulespec.lint.game import LintGame
from rulespec.lint.rules import rule_cycle
from rulespec.lint.rules.rule_cycle import after

RULE = LintRule("L045", "note")


def check(game: LintGame) -> Iterator[Finding]:
    """Circles of rules, each of which may announce what the next one hears, and none of which has a limit."""
    free = {number for number in game.reach.rules if game.program.rules[number].limit is None}
    graph = {number: heard(game, game.program.rules[number].procedure) & free for number in sorted(free)}
    sure = {finding.span for finding in rule_cycle.check(game)}
    done: set[int] = set()
    for number in graph:
        ring = {other for other in after(graph, number) if number in after(graph, other)}
        if number in done or not ring:
            continue
        done |= ring
        rules = [game.program.rules[other] for other in sorted(ring)]
        first = rules[0]
        if first.where is not None and first.where not in sure:
            names = " and ".join(dict.fromkeys(f"`{rule.name}`" for rule in rules))
            again = "may set itself off" if len(rules) == 1 else "may set each other off"
            yield Finding(
                RULE,
                f"{names} {again}",
                first.where,
                related=tuple((rule.where, "and this one") for rule in rules[1:] if rule.where is not None),
                help=("a `limit:` makes sure that it comes to an end",),
            )


def heard(game: LintGame, number: int) -> set[int]:
    """The rules that may run while a procedure does, those left out that only others set off."""
    procedures = game.program.procedures

    def called(procedure: int) -> list[int]:
        return [i.procedure for i in procedures[procedure].code if isinstance(i, ir.Call | ir.Fork)]

    run = come_to([number], called)
    return {rule for member in run for i in procedures[member].code if isinstance(i, ir.Collect) for rule in i.rules}
