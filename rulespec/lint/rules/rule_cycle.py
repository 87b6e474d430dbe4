"""Rules that set each other off without an end."""

from __future__ import annotations

from collections.abc import Iterator

from rulespec import ir
from rulespec.lint.finding import Finding, Rule
from rulespec.lint.game import LintGame
from rulespec.lint.ways import always_done

RULE = Rule("L043", "error")


def check(game: LintGame) -> Iterator[Finding]:
    """Circles of rules, each of which surely announces what the next one hears, with no condition and no limit anywhere."""
    sure = {
        number for number in game.reach.rules
        if (rule := game.program.rules[number]).test is None and rule.limit is None and rule.alive is None
    }  # fmt: skip
    known: dict[int, set[int]] = {}
    graph = {number: set_off(game, game.program.rules[number].procedure, known) & sure for number in sorted(sure)}
    done: set[int] = set()
    for number in graph:
        ring = {other for other in after(graph, number) if number in after(graph, other)}
        if number in done or not ring:
            continue
        done |= ring
        rules = [game.program.rules[other] for other in sorted(ring)]
        first = rules[0]
        if first.where is None:
            continue
        names = " and ".join(f"`{rule.name}`" for rule in rules)
        again = "sets itself off" if len(rules) == 1 else "set each other off"
        yield Finding(RULE, f"{names} {again} without an end", first.where,
                      related=tuple((rule.where, "and this one") for rule in rules[1:] if rule.where is not None),
                      help=("give one a `limit:` or a `where:`",))  # fmt: skip


def after(graph: dict[int, set[int]], number: int) -> set[int]:
    """The rules that one sets off, by whatever way."""
    found: set[int] = set()
    todo = list(graph[number])
    while todo:
        other = todo.pop()
        if other not in found:
            found.add(other)
            todo.extend(graph[other])
    return found


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
    return any(isinstance(i, ir.Unless) and isinstance(i.test, ir.Local) for i in procedure.code[position + 3 : position + 4])
