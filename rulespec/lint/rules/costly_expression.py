"""An expression that looks at very many items at each decision."""

from __future__ import annotations

from collections.abc import Iterator

from rulespec.lint.cost import Cost, Costly, costs
from rulespec.lint.finding import Finding, LintRule
from rulespec.lint.game import LintGame
from rulespec.text.source import Span

RULE = LintRule("L118", "note", lengthy=True)
MANY = 20_000  # items: about two milliseconds in Python


def check(game: LintGame) -> Iterator[Finding]:
    """What the passes have left of expressions, with the most players and the usual options; of one place the dearest."""
    program = game.checked.program(players=game.context.counts[-1])
    cost = Cost(program, game.ranges.world)
    dearest: dict[Span, Costly] = {}
    for costly in costs(cost, (number for _, number in game.steps())):
        known = dearest.get(costly.where)
        if costly.items > MANY and (known is None or costly.items > known.items):
            dearest[costly.where] = costly
    for where, costly in dearest.items():
        inner = cost.dearest_call(costly.part)
        yield Finding(
            RULE,
            f"at each decision some {rounded(costly.items)} items are looked at here",
            game.line_of(where),
            help=(
                "a test of fixed data alone, such as rows, columns and neighbours, becomes a table; look at fewer items first, "
                "by `neighbours`, `ray` or a zone, or keep in a variable what a step can keep up to date",
            ),
            related=((game.line_of(inner[0]), f"{rounded(inner[1])} of them at each call"),)
            if inner is not None
            else (),
        )


def rounded(number: float) -> str:
    """A number of which two figures are told."""
    unit = 10 ** max(0, len(str(int(number))) - 2)
    return f"{round(number / unit) * unit:,}"
