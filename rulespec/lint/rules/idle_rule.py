"""A rule that always holds and does nothing about it."""

from __future__ import annotations

from collections.abc import Iterator

from rulespec import ir
from rulespec.checker.alive import full_name
from rulespec.lint.finding import Finding, Rule
from rulespec.lint.game import LintGame
from rulespec.lint.ways import ANYTHING

RULE = Rule("L044", "error")


def check(game: LintGame) -> Iterator[Finding]:
    """Rules `always` whose steps change nothing that their condition reads: once it holds, they act without an end."""
    number = game.game.always_procedure
    if number is None:
        return
    code = game.program.procedures[number].code
    for rule in game.game.always:
        own = game.game.reserved[full_name(rule)]
        heads = [i for i in code if isinstance(i, ir.Unless) and i.where == rule.span]
        if "limit" in rule.node or not heads or game.ways.escapes[own]:
            continue
        reads = set().union(*(game.ranges.world.slots_of(i.test) for i in heads)) - {ir.BATCH}
        writes = game.ways.writes[own]
        if not (reads & writes) and ANYTHING not in writes:
            key = rule.node.key("always")
            yield Finding(RULE, f"`{rule.name}` changes nothing that it waits for, so it would act without an end",
                          rule.span if key is None else key.span)  # fmt: skip
