"""A choice with nothing to choose from, or with too little."""

from __future__ import annotations

from collections.abc import Iterator

from rulespec import ir
from rulespec.analysis.domain import ANY
from rulespec.language import operators
from rulespec.language.facts import Reduction, Result
from rulespec.language.registry import facts
from rulespec.lint.dataflow import Flow
from rulespec.lint.evaluate import Knowledge, RangeWorld
from rulespec.lint.finding import Finding, LintRule
from rulespec.lint.game import LintGame
from rulespec.text.source import Span

RULE = LintRule("L050", "error", single=True)
NEAR = 8  # between the question of a choice of several and its end lie fewer instructions


def check(game: LintGame) -> Iterator[Finding]:
    """Choices without `or none` or `else` that surely cannot be answered, always or in some setup."""
    seen: set[Span] = set()
    for _, flow in sorted(game.ranges.flows.items()):
        for position, known in sorted(flow.before.items()):
            if position >= len(flow.procedure.code) or not isinstance(flow.procedure.code[position], ir.Ask | ir.Claim):
                continue
            names = settings_of(flow, position, known)
            looked_at = set()  # setups that differ in nothing that is read here are alike
            for setup, world in game.worlds:
                alike = (not setup, *(world.settings.get(name) for name in names))
                if alike in looked_at:
                    continue
                looked_at.add(alike)
                place, why = missing(flow, position, known, world, not setup)
                if place is None or place in seen or not world.possible(known):
                    continue
                seen.add(place)
                yield Finding(
                    RULE,
                    f"{why}{setup}",
                    game.line_of(place),
                    help=("choose from something else, or say what happens `else`",),
                )
                break


def settings_of(flow: Flow, position: int, known: Knowledge) -> list[str]:
    """The settings that decide whether a choice can be answered: those which it reads, and what is known there of."""
    i = flow.procedure.code[position]
    before = flow.procedure.code[max(0, position - NEAR) : position]
    asked = [flow.sites[one.site] for one in (i, *before) if isinstance(one, ir.Ask)]
    parts = (*known.facts, i, *((site.items, *(reason.test for reason in site.reasons)) for site in asked))
    return sorted(flow.world.settings_of(parts))


def missing(flow: Flow, position: int, known: Knowledge, world: RangeWorld, joint: bool) -> tuple[Span | None, str]:
    """A choice that surely cannot be answered, and why not."""
    i = flow.procedure.code[position]
    if isinstance(i, ir.Claim):
        return too_few(flow, position, known, world)
    if not isinstance(i, ir.Ask) or (site := flow.sites[i.site]).none is not None or site.where is None:
        return None, ""
    items = world.range(site.items, known)
    if items.size == 0:
        return site.where, "there is nothing to choose from here"
    if joint:  # conditions that never hold are found as conditions
        return None, ""
    inner: Knowledge | None = known.local(site.item, items.item or ANY)
    for reason in site.reasons:
        inner = None if inner is None else world.assume(reason.test, True, inner)
    return (site.where, "nothing that could be chosen here is allowed") if inner is None else (None, "")


def too_few(flow: Flow, position: int, known: Knowledge, world: RangeWorld) -> tuple[Span | None, str]:
    """A choice of several, which ends in a claim that enough was chosen: one after another, none twice."""
    code = flow.procedure.code
    claim = code[position]
    assert isinstance(claim, ir.Claim)
    test = (
        claim.test.test if isinstance(claim.test, ir.Cond) else claim.test
    )  # before what all of them must be together
    for i in code[max(0, position - NEAR) : position]:
        if not isinstance(i, ir.Ask) or i.where is None or i.where is not claim.where:
            continue
        match flow.sites[i.site].items, test:
            case ir.Op(later, (items, ir.Local(local))), ir.Op(
                operators.AT_MOST, (least, ir.Op(size, (ir.Local(k),)))
            ) if facts(later).result is Result.LATER and facts(size).reduces is Reduction.COUNT:
                wanted, there = world.range(least, known).low, world.range(items, known).size
                if local == k and wanted is not None and there is not None and wanted > there:
                    amount = "nothing" if there == 0 else "one" if there == 1 else f"at most {there}"
                    return i.where, f"{wanted} must be chosen here, and there is {amount}"
    return None, ""
