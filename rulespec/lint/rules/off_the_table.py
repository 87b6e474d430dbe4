"""A choice none of whose answers lies on the table."""

from __future__ import annotations

from collections.abc import Iterator

from rulespec import ir
from rulespec.lint.finding import Finding, LintRule
from rulespec.lint.game import LintGame
from rulespec.text.source import Span

RULE = LintRule("L080", "note")
HELP = (
    "a type is shown where pieces of it are in zones, or where zones and variables are counted by it",
    "`table: {boards: {NAME: {column: number(this), row: 1}}}` shows its members",
)


def check(game: LintGame) -> Iterator[Finding]:
    """Choices among members of a type that nobody can point at, since nothing shows where they are: players are given buttons."""
    there = on_the_table(game.program)
    seen: set[Span] = set()
    for site in game.program.sites:
        kind = chosen_of(site)
        if (
            site.index not in game.reach.sites
            or kind is None
            or kind in there
            or site.where is None
            or site.where in seen
        ):
            continue
        if site.name in {name for grid in game.program.table.boards for name, _ in grid.answers}:
            continue
        seen.add(site.where)
        name = game.program.kinds[kind].name
        yield Finding(RULE, f"players can choose a {name}, but no {name} is shown on the table", site.where, help=HELP)


def chosen_of(site: ir.Site) -> int | None:
    """The kind of which one is chosen; None where it is a verb, a number or several at once."""
    t = site.type.parts[0] if site.type.what == "option" else site.type
    return t.kind if t.what == "entity" and not site.branches else None


def on_the_table(program: ir.Program) -> set[int]:
    """The kinds whose members people see somewhere: players, places, cells, what lies in zones, what something is counted by."""
    there = {program.player_kind, *(grid.kind for grid in program.table.boards)}
    there |= {kind.index for kind in program.kinds if kind.what in ("node", "cell", "part")}
    for zone in program.zones:
        there |= {zone.kind, *zone.per}
    for variable in program.variables:
        there |= set(variable.per)
        if variable.shown and variable.type.what == "bag" and variable.type.kind is not None:
            there.add(variable.type.kind)
    return there
