"""`rival` where more than two may play."""

from __future__ import annotations

from collections.abc import Iterator

from rulespec import ir
from rulespec.checker.assemble import specialise
from rulespec.ir.walk import reachable_from, within
from rulespec.lint.finding import Finding, LintRule
from rulespec.lint.game import LintGame
from rulespec.text.source import Span

RULE = LintRule("L062", "error")
NAME = "rival"


def check(game: LintGame) -> Iterator[Finding]:
    """Steps and functions that ask for the other player, and are come to with three players or more."""
    if NAME not in game.reach.operations:
        return
    seen: set[Span] = set()
    declared = game.context.root.get("players")
    related = () if declared is None else ((declared.span, "who may play"),)
    for players in (count for count in game.context.counts if count > 2):
        _, chosen = game.checked.setup(players, None)
        program = specialise(game.program, game.context, players, chosen, True)
        for where in asked(program):
            if where not in seen:
                seen.add(where)
                yield Finding(
                    RULE,
                    f"`{NAME}` is for two players, and {players} may play",
                    game.line_of(where),
                    help=(
                        "name who is meant: `left_of(p)`, a player who is chosen, or all others: `players where q != p`",
                        "what holds for two players alone stands under `if: size(players) == 2`",
                    ),
                    related=related,
                )


def asked(program: ir.Program) -> Iterator[Span]:
    """Where `rival` is left in what can be come to."""
    parts = reachable_from([("procedure", program.main)], lambda part: after(program, part))
    for kind, number in sorted(parts):
        if kind == "function":
            function = program.functions[number]
            if function.where is not None and asks(function.body):
                yield function.where
            continue
        for i in program.procedures[number].code:
            site = program.sites[i.site] if isinstance(i, ir.Ask) else None
            if i.where is not None and asks((i, site)):
                yield i.where


def asks(node: object) -> bool:
    """Whether an expression in a part of a program asks for the rival."""
    return any(isinstance(e, ir.Op) and e.name == NAME for e in within(node))


def after(program: ir.Program, part: tuple[str, int]) -> Iterator[tuple[str, int]]:
    """The procedures and functions that one of them uses."""
    kind, number = part
    if kind == "function":
        yield from used(program.functions[number].body)
        return
    for i in program.procedures[number].code:
        yield from used((i, program.sites[i.site] if isinstance(i, ir.Ask) else None))
        if isinstance(i, ir.Call | ir.Fork):
            yield "procedure", i.procedure
        elif isinstance(i, ir.Collect):
            for rule in (program.rules[n] for n in i.rules):
                yield "procedure", rule.procedure
                yield from used((rule, rule.option))
                yield from (("function", f) for f in (rule.alive, rule.test, rule.player) if f is not None)


def used(node: object) -> Iterator[tuple[str, int]]:
    """What expressions use."""
    for e in within(node):
        if isinstance(e, ir.Invoke):
            yield "function", e.function
        elif isinstance(e, ir.After):
            yield "procedure", e.procedure
