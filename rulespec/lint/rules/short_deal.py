"""A deal that cannot give everybody the same."""

from __future__ import annotations

from collections.abc import Iterator

from rulespec import ir
from rulespec.lint.dataflow import Flow
from rulespec.lint.finding import Finding, LintRule
from rulespec.lint.game import LintGame
from rulespec.text.source import Span

RULE = LintRule("L052", single=True)


def check(game: LintGame) -> Iterator[Finding]:
    """Deals of more to all players together than there can be, so that the last ones surely get less."""
    seen: set[Span] = set()
    for _, flow in sorted(game.ranges.flows.items()):
        for head, known in sorted(flow.before.items()):
            place = flow.procedure.code[head].where if head < len(flow.procedure.code) else None
            parts = deal(flow, head)
            if parts is None or place is None or place in seen:
                continue
            source, number, players = parts
            for setup, world in game.worlds:
                if not world.possible(known):
                    continue
                each, among = world.range(number, known).low, world.range(players, known).least
                there = world.range(source, known).size
                if each is not None and there is not None and among and each * among > there:
                    seen.add(place)
                    told = "" if setup.endswith("players") else setup  # the message has their number already
                    yield Finding(
                        RULE,
                        f"{each} each for {among} players are {each * among}, and there are at most {there}{told}",
                        game.line_of(place),
                    )
                    break


def deal(flow: Flow, head: int) -> tuple[ir.Expr, ir.Expr, ir.Expr] | None:
    """The step `deal` whose loop over the players begins at a position: from where, how many to each, and to whom."""
    code = flow.procedure.code
    match code[head - 2 : head + 3] if head >= 2 else ():
        case (ir.Let(_, players), ir.Let(), ir.Next(_, end), ir.Let(_, ir.Const(())), ir.Let(_, number)):
            for i in code[head:end]:
                if isinstance(i, ir.Draw) and i.where == code[head].where:
                    return i.items, number, players
    return None
