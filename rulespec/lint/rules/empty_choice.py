"""A choice with nothing to choose from."""

from __future__ import annotations

from collections.abc import Iterator

from rulespec import ir
from rulespec.lint.finding import Finding, Rule
from rulespec.lint.game import LintGame
from rulespec.source import Span

RULE = Rule("L050", "error")


def check(game: LintGame) -> Iterator[Finding]:
    """Choices without `or none` or `else` that are surely from nothing, always or for some number of players."""
    seen: set[Span] = set()
    for number, flow in sorted(game.ranges.flows.items()):
        for position, known in sorted(flow.before.items()):
            i = game.program.procedures[number].code[position] if position < len(game.program.procedures[number].code) else None
            site = game.program.sites[i.site] if isinstance(i, ir.Ask) else None
            if site is None or site.where is None or site.none is not None or site.where in seen:
                continue
            for setup, world in game.worlds():
                if world.possible(known) and world.range(site.items, known).most == 0:
                    seen.add(site.where)
                    yield Finding(RULE, f"there is nothing to choose from here{setup}", game.line_of(site.where),
                                  help=("choose from something else, or say what happens `else`",))  # fmt: skip
                    break
