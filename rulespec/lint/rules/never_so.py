"""Statements on the returns that no end of the game can keep."""

from __future__ import annotations

from collections.abc import Iterator

from rulespec import ir
from rulespec.lint.finding import Finding, LintRule
from rulespec.lint.game import LintGame
from rulespec.lint.utility import setups, verdicts
from rulespec.text.source import Span

RULE = LintRule("L063", "error")


def check(game: LintGame) -> Iterator[Finding]:
    """What `utility` states and is surely broken, in all setups or in some."""
    seen: set[Span] = set()
    for verdict in verdicts(game):
        if verdict.holds is False and verdict.where not in seen:
            seen.add(verdict.where)
            yield finding(verdict.where, f"the returns are never so{verdict.words}")
    if game.program.utility is None or seen:
        return
    where = next(key.span for key, _ in game.section("end of game") if key.value == "utility")
    for words, program in setups(game):
        if program.utility is not None and contradictory(program.utility, program.players):
            yield finding(where, f"`sum`, `min` and `max` contradict each other{words}")
            return


def finding(where: Span, message: str) -> Finding:
    """What is told of a statement."""
    return Finding(RULE, message, where, help=("each end of a game is held to what `utility` states (R021)",))


def contradictory(utility: ir.Utility, players: int) -> bool:
    """Whether no returns are as stated."""
    total, least, most = utility.number("together"), utility.number("least"), utility.number("most")
    if least is not None and most is not None and least > most:
        return True
    if total is None:
        return False
    return (least is not None and players * least > total) or (most is not None and players * most < total)
