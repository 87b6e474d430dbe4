"""Rules without a limit that may set each other off."""

from __future__ import annotations

from collections.abc import Iterator

from rulespec import ir
from rulespec.ir.walk import reachable_from
from rulespec.lint.finding import Finding, LintRule
from rulespec.lint.game import LintGame
from rulespec.lint.rules import rule_cycle
from rulespec.lint.rules.rule_cycle import after, limited

RULE = LintRule("L045", "note")


def check(game: LintGame) -> Iterator[Finding]:
    """Circles of rules, each of which may announce what the next one hears, and none of which has a limit that lasts."""
    rules_of = game.program.rules
    every = {number: heard(game, rules_of[number].procedure) & game.reach.rules for number in sorted(game.reach.rules)}
    afresh = {number: entered(game, rules_of[number].procedure) for number in every}
    free = {
        number
        for number in every
        if not limited(rules_of[number], {slot for other in {number} | after(every, number) for slot in afresh[other]})
    }
    graph = {number: every[number] & free for number in sorted(free)}
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
            again = (
                "could trigger itself again and again"
                if len(rules) == 1
                else "could trigger each other again and again"
            )
            yield Finding(
                RULE,
                f"{names} {again}",
                first.where,
                related=tuple((rule.where, "and this one") for rule in rules[1:] if rule.where is not None),
                help=("a `limit:` makes sure that it comes to an end",),
            )


def heard(game: LintGame, number: int) -> set[int]:
    """The rules that may run while a procedure does, those left out that only others set off."""
    return {rule for i in run_in(game, number) if isinstance(i, ir.Collect) for rule in i.rules}


def entered(game: LintGame, number: int) -> set[int]:
    """The slots that may begin again while a procedure runs, those left out that only rules see to."""
    return {slot for i in run_in(game, number) if isinstance(i, ir.Enter) for slot in range(i.low, i.high)}


def run_in(game: LintGame, number: int) -> list[ir.Instruction]:
    """The instructions that may be run while a procedure does, without those of rules."""
    procedures = game.program.procedures

    def called(procedure: int) -> list[int]:
        return [i.procedure for i in procedures[procedure].code if isinstance(i, ir.Call | ir.Fork)]

    return [i for member in reachable_from([number], called) for i in procedures[member].code]
