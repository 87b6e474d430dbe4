"""Rules that set each other off without an end."""

from __future__ import annotations

from collections.abc import Iterator

from rulespec import ir
from rulespec.ir.walk import reachable_from, within
from rulespec.lint.finding import Finding, LintRule
from rulespec.lint.game import LintGame
from rulespec.lint.procedure_summaries import ANYTHING, always_done, behind_rules

RULE = LintRule("L043", "error")
Done = dict[int, frozenset[int]]  # rules, each with the slots that begin again before it runs


def check(game: LintGame) -> Iterator[Finding]:
    """Circles of rules, each of which surely announces what the next one hears, with no limit and no condition that may change.

    A limit that counts afresh each time round is none.
    """
    rules_of = game.program.rules
    sure = {number for number in game.reach.rules if (r := rules_of[number]).alive is None and blind(game, r)}
    known: dict[int, Done] = {}
    every = {number: surely_done(game, rules_of[number].procedure, known) for number in sorted(sure)}
    for ring in rings(game, every, sure):
        rules = [game.program.rules[number] for number in sorted(ring)]
        first = rules[0]
        if first.where is None:
            continue
        names = " and ".join(f"`{rule.name}`" for rule in rules)
        again = "triggers itself" if len(rules) == 1 else "trigger each other"
        tested = any(rule.test is not None for rule in rules)
        once = "" if not tested else ", once its condition holds" if len(rules) == 1 else ", once their conditions hold"
        afresh = any(rule.limit is not None for rule in rules)
        cure = (
            "a limit that counts afresh each time round is none; name a phase or scope around it"
            if afresh
            else "nothing on the way changes what the conditions read; give one rule a `limit:`"
            if tested
            else "give one a `limit:` or a `where:`"
        )
        yield Finding(
            RULE,
            f"{names} {again} without an end{once}",
            first.where,
            related=tuple((rule.where, "and this one") for rule in rules[1:] if rule.where is not None),
            help=(cure,),
        )


def rings(game: LintGame, every: dict[int, Done], sure: set[int]) -> Iterator[set[int]]:
    """Rules that lead back to each other, where none has a limit that lasts, or changes what a condition of one of them reads."""
    todo = set(sure)
    while todo:
        graph = {number: every[number].keys() & todo for number in sorted(todo)}
        number = min(todo)
        ring = {other for other in after(graph, number) if number in after(graph, other)}
        afresh = {slot for one in ring for other in ring for slot in every[one].get(other, ())}
        writes = set().union(*(game.ways.writes[game.program.rules[other].procedure] for other in ring))
        moved = {
            other
            for other in ring
            if limited(game.program.rules[other], afresh)
            or ((reads_of := reads(game, other)) and (reads_of & writes or ANYTHING in writes | reads_of))
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
    return reachable_from(graph[number], graph.__getitem__)


def limited(rule: ir.Rule, afresh: set[int]) -> bool:
    """Whether a rule has a limit whose counter is not among those that begin again on the way round."""
    return rule.limit is not None and rule.counter not in afresh


def surely_done(game: LintGame, number: int, known: dict[int, Done]) -> Done:
    """The rules that surely run whenever a procedure does, each with the counters of limits that begin again before."""
    if number not in known:
        done = known[number] = {}
        procedure = game.program.procedures[number]
        for position in always_done(procedure):
            afresh = counted_afresh(procedure, position)
            match procedure.code[position]:
                case ir.Collect() as window:
                    for rule in surely_run(game, procedure, position, window):
                        done[rule] = done.get(rule, frozenset()) | afresh
                case ir.Call(called):
                    for rule, slots in surely_done(game, called, known).items():
                        done[rule] = done.get(rule, frozenset()) | slots | afresh
    return known[number]


def surely_run(game: LintGame, procedure: ir.Procedure, position: int, window: ir.Collect) -> tuple[int, ...]:
    """The rules of a window that run if their conditions hold: of those that replace the event, the one that is first."""
    if not replaces(procedure, position):
        return window.rules
    rules = [game.program.rules[number] for number in sorted(window.rules)]
    first = sorted(rules, key=lambda rule: rule.rank)[:1] if window.order is None or len(rules) == 1 else []
    return tuple(rule.index for rule in first)


def counted_afresh(procedure: ir.Procedure, position: int) -> frozenset[int]:
    """The slots that begin again around a position of a procedure: those of scopes, and the counters of an event's limits."""
    slots: set[int] = set()
    for before, i in enumerate(procedure.code[:position]):
        if isinstance(i, ir.Enter) and not any(
            isinstance(j, ir.Leave) and j.live == i.live for j in procedure.code[before:position]
        ):
            slots.update(range(i.low, i.high))
    return frozenset(slots)


def replaces(procedure: ir.Procedure, position: int) -> bool:
    """Whether a window is of rules that replace the event: the first that applies ends it."""
    i = behind_rules(procedure, position)
    return isinstance(i, ir.Unless) and isinstance(i.test, ir.Local)
