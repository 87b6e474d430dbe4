"""What is shown of a collection in which nothing may lie: `picture: {symbol: first(this.coins)}`."""

from __future__ import annotations

from collections.abc import Iterator

from rulespec import ir
from rulespec.language.facts import Result
from rulespec.language.registry import facts
from rulespec.lint.evaluate import Knowledge, RangeWorld
from rulespec.lint.finding import Finding, LintRule
from rulespec.lint.game import LintGame
from rulespec.text.quoting import ticked
from rulespec.text.source import Span

RULE = LintRule("L136")


Part = tuple[ir.Expr, Knowledge, Span | None]  # what is shown, what is known there, and where it stands


def check(game: LintGame) -> Iterator[Finding]:
    """Pictures, looks and boards that take an item of what may be empty: whoever looks would be shown no table, but an error."""
    world = game.ranges.world
    seen: set[Span] = set()
    for shown, known, where in parts(game, world):
        name = next(iter(of_nothing(world, shown, known)), None)
        if name is not None and where is not None and where not in seen:
            seen.add(where)
            yield Finding(
                RULE,
                f"{ticked(name)} may be of nothing here: then nobody is shown the table",
                where,
                help=("say what is shown where nothing lies: `if ... is empty then none else ...`",),
            )


def parts(game: LintGame, world: RangeWorld) -> Iterator[Part]:
    """What is worked out to draw a table: functions, and the expressions in texts about something."""
    context, picture = game.context, game.context.picture
    numbers = set(context.table.functions()) | (set() if picture is None else set(picture.functions()))
    numbers |= {number for board in context.boards.values() for number in board.drawn_by}
    for number in sorted(numbers):
        yield world.functions[number].body, world.entered(number), world.functions[number].where
    remarks = [] if picture is None else [picture.title, *picture.lines, picture.link_title]
    for look in context.table.looks:
        remarks += [*(look.corner or ()), *(look.title or ()), *(look.lines or ())]
    for remark in remarks:
        if remark is None:
            continue
        known: Knowledge | None = Knowledge({})
        if remark.test is not None:
            known = world.assume(world.functions[remark.test].body, True, world.entered(remark.test))
        if known is not None:
            yield from ((part[0], known, remark.where) for part in remark.text.parts if not isinstance(part, str))


def of_nothing(world: RangeWorld, shown: ir.Expr, known: Knowledge) -> list[str]:
    """The functions of which it is asked for an item of a collection, and its ranges do not tell that it has any."""
    found: list[str] = []

    def noted(e: ir.Expr, _holds: bool | None, known: Knowledge) -> None:
        if not isinstance(e, ir.Op) or facts(e.name).result not in (Result.ITEM, Result.NUMBER) or facts(e.name).total:
            return
        world.noted = None
        try:
            items = world.range(e.args[0], known)
        finally:
            world.noted = noted
        if items.what == "items" and items.least == 0 and items.size != 0:
            found.append(e.name)

    world.noted = noted
    try:
        world.range(shown, known)
    finally:
        world.noted = None
    return found
