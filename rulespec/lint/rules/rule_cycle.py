"""Rules that set each other off without an end."""

from __future__ import annotations

from collections.abc import Iterator

from rulespec import ir
from rulespec.ir.walk import come_to, within
from rulespec.lint.finding import Finding, LintRule
from rulespec.lint.game import LintGame
from rulespec.lint.ways import ANYTHING, always_done, behind_rules

RULE = LintRule("L043", "error")


def check(game: LintGame) -> Iterator[Finding]:
    """Circles of rules, each of which surely announces what the next one hears, with no limit and no condition that may change."""
    sure = {
        number
        for number in game.reach.rules
        if (rule := game.program.rules[number]).limit is None and rule.alive is None and blind(game, rule)
    }
    known: dict[int, set[int]] = {}
    every = {number: set_off(game, game.program.rules[number].procedure, known) for number in sorted(sure)}
    for ring in rings(game, every, sure):
        rules = [game.program.rules[number] for number in sorted(ring)]
        first = rules[0]
        if first.where is None:
            continue
        names = " and ".join(f"`{rule.name}`" for rule in rules)
        again = "sets itself off" if len(rules) == 1 else "set each other off"
        tested = any(rule.test is not None for rule in rules)
        once = "" if not tested else ", once its condition holds" if len(rules) == 1 else ", once their conditions hold"
        yield Finding(
            RULE,
            f"{names} {again} without an end{once}",
            first.where,
            related=tuple((rule.where, "and this one") for rule in rules[1:] if rule.where is not None),
            help=(
                "nothing on the way changes what the conditions read; give one rule a `limit:`"
                if tested
                else "give one a `limit:` or a `where:`",
            ),
        )


def rings(game: LintGame, every: dict[int, set[int]], sure: set[int]) -> Iterator[set[int]]:
    """Rules that lead back to each other, where none of them changes what a condition of one of them reads."""
    todo = set(sure)
    while todo:
        graph = {number: every[number] & todo for number in sorted(todo)}
        number = min(todo)
        ring = {other for other in after(graph, number) if number in after(graph, other)}
        writes = set().union(*(game.ways.writes[game.program.rules[other].procedure] for other in ring))
        moved = {
            other
            for other in ring
            if (reads_of := reads(game, other)) and (reads_of & writes or ANYTHING in writes | reads_of)
        }
        if ring and not moved:
            yield ring
        todo -= moved or ring or {number}


def blind(game: LintGame, rule: ir.Rule) -> bool:
    """Whether the condition of a rule asks nothing of the event: what does may be otherwise the next time."""
    if rule.test is None:
        return True
    test = game.program.functions[rule.test]
    return not any(isinstance(e, ir.Local) and e.index < test.parameters for e in within(test.body))


def reads(game: LintGame, number: int) -> frozenset[int]:
    """What the condition of a rule depends on."""
    test = game.program.rules[number].test
    return frozenset() if test is None else game.ranges.world.slots_of(game.program.functions[test].body)


def after(graph: dict[int, set[int]], number: int) -> set[int]:
    """The rules that one sets off, by whatever way."""
    return come_to(graph[number], graph.__getitem__)


def set_off(game: LintGame, number: int, known: dict[int, set[int]]) -> set[int]:
    """The rules that surely run whenever a procedure does."""
    if number not in known:
        known[number] = set()
        procedure = game.program.procedures[number]
        for position in always_done(procedure):
            match procedure.code[position]:
                case ir.Collect(rules) if len(rules) == 1 or not replaces(procedure, position):
                    known[number] |= set(rules)
                case ir.Call(called):
                    known[number] |= set_off(game, called, known)
    return known[number]


def replaces(procedure: ir.Procedure, position: int) -> bool:
    """Whether a window is of rules that replace the event: the first that applies ends it."""
    i = behind_rules(procedure, position)
    return isinstance(i, ir.Unless) and isinstance(i.test, ir.Local)
