"""A condition of a choice that does not say why."""

from __future__ import annotations

from collections.abc import Iterator

from rulespec import ir
from rulespec.analysis.domain import ANY
from rulespec.checker.reasons import GENERAL
from rulespec.lint.evaluate import Knowledge, RangeWorld
from rulespec.lint.finding import Finding, LintRule
from rulespec.lint.game import LintGame
from rulespec.text.source import Span

RULE = LintRule("L079", "note")
HELP = (
    "beside a choice or an option: `if: ...` and `why: ...`",
    "in a condition: `why`, and `why not` for what is said where `not` of it is wanted",
)


def check(game: LintGame) -> Iterator[Finding]:
    """Conditions that may refuse what is offered, and players who ask are told no more than that the rules do not allow it."""
    seen: set[Span] = set()
    for place in unsaid(game):
        if place not in seen:
            seen.add(place)
            yield Finding(RULE, f"nobody says why, so that players read “{GENERAL}”", place, help=HELP)


def unsaid(game: LintGame) -> Iterator[Span]:
    """The places of such conditions, of questions that are reached and of options that rules add."""
    world = game.ranges.world
    for _, flow in sorted(game.ranges.flows.items()):
        for position, known in sorted(flow.before.items()):
            i = flow.procedure.code[position] if position < len(flow.procedure.code) else None
            if isinstance(i, ir.Ask):
                yield from of_site(flow.sites[i.site], known, world)
    for rule in game.program.rules:
        if rule.option is not None and rule.procedure in game.reach.procedures:
            yield from of_reasons(rule.option.reasons, Knowledge(), world)


def of_site(site: ir.Site, known: Knowledge, world: RangeWorld) -> Iterator[Span]:
    """Those of one question, by what is known where it is put."""
    items = world.range(site.items, known)
    if items.size != 0:
        yield from of_reasons(site.reasons, known.local(site.item, items.item or ANY), world)
    for option in (*site.branches, *(() if site.none is None else (site.none,))):
        yield from of_reasons(option.reasons, known, world)


def of_reasons(reasons: tuple[ir.Reason, ...], known: Knowledge | None, world: RangeWorld) -> Iterator[Span]:
    """Those of conditions that are tested one after another; one that surely holds refuses nothing."""
    for reason in reasons:
        if known is None:
            return
        if (
            reason.why.parts == (GENERAL,)
            and reason.where is not None
            and world.range(reason.test, known).truth is not True
        ):
            yield reason.where
        known = world.assume(reason.test, True, known)
