"""Runs every rule on a game, and leaves out what comments allow."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from dataclasses import replace
from importlib import import_module
from pkgutil import iter_modules

from rulespec.checker.program import CheckedGame
from rulespec.lint import rules
from rulespec.lint.allow import ALLOWANCES, allowances, allowed
from rulespec.lint.evaluate import TooMuch
from rulespec.lint.finding import Finding, LintRule
from rulespec.lint.game import LintGame
from rulespec.lint.shared import Shared
from rulespec.text.quoting import ticked
from rulespec.text.source import Source, Span

Check = Callable[[LintGame], Iterator[Finding]]


def discovered() -> tuple[tuple[LintRule, Check], ...]:
    """Every rule with its check, by code."""
    modules = [import_module(f"{rules.__name__}.{name}") for _, name, _ in iter_modules(rules.__path__)]
    return tuple(sorted(((module.RULE, module.check) for module in modules), key=lambda pair: pair[0].code))


RULES = discovered()
LENGTHY = frozenset(rule.code for rule, _ in RULES if rule.lengthy)


def of_other_sizes(first: LintGame, known: list[Finding]) -> Iterator[Finding]:
    """What holds where boards have another size than their first, and is not known yet; each at the first size that has it."""
    seen = {(finding.rule.code, finding.span) for finding in known}
    for sized in first.checked.sizes.values():
        game = LintGame(sized, first.shared, first.told)
        size = " and ".join(f"{ticked(name)} is {word}" for name, word in sized.context.chosen.items())
        for rule, check in RULES:
            if not rule.single:
                continue
            try:
                for finding in check(game):
                    if (finding.rule.code, finding.span) not in seen:
                        seen.add((finding.rule.code, finding.span))
                        yield replace(finding, help=(*finding.cured().help, f"it is so where {size}"))
            except (TooMuch, RecursionError):
                continue


NOT_ALL = LintRule("E004", suppressible=False)


def lint(
    checked: CheckedGame,
    notes: bool = False,
    cause: Callable[[Finding], Span | None] = lambda _: None,
    variants: Iterable[Source] = (),
) -> tuple[Finding, ...]:
    """All findings in a game that no comment allows, by file and place; `notes`: also what is only possible.

    `cause` and `variants` are as in `everything`.
    """
    return tuple(
        found for found in everything(checked, notes, cause, variants) if notes or found.rule.severity != "note"
    )


def everything(
    checked: CheckedGame,
    lengthy: bool = True,
    cause: Callable[[Finding], Span | None] = lambda _: None,
    variants: Iterable[Source] = (),
    shared: Shared | None = None,
    told: Callable[[Source], bool] | None = None,
) -> tuple[Finding, ...]:
    """All findings in a game that no comment allows, notes among them, by file and place.

    Without `lengthy` notes of such rules are among them only where a comment speaks of the rule.  `cause` says which change of a variant
    brings a finding about, `variants` are the files of the variants that are laid over the game.  `shared` has what was worked out of
    games before this one.  Where `told` says of which files findings are wanted, of others only errors are sure to be among them, and
    names that nothing uses.
    """
    laid = [*variants]
    if told is not None and any(True for source in laid for _ in allowances(source)):
        told = None  # what a comment allows may stand in another file, where a change brings it about
    game = LintGame(checked, shared, told)
    sources = dict.fromkeys((*game.sources, *laid))
    spoken_of = {allowance.code for source in sources for allowance in allowances(source)}
    findings: list[Finding] = []
    for rule, check in RULES:
        if (rule.lengthy or (rule.severity == "note" and game.told)) and not lengthy and rule.code not in spoken_of:
            continue
        try:
            findings += list(check(game))
        except (TooMuch, RecursionError):
            game.whole = False
    findings += of_other_sizes(game, findings)
    if not game.whole:
        findings.append(
            Finding(
                NOT_ALL,
                "the game is too large to be looked through as a whole: there may be more to find",
                game.head,
                ("name parts of long conditions, and take apart what is deeply nested",),
            )
        )
    known = {rule.code: rule for rule in (*(rule for rule, _ in RULES), *ALLOWANCES)}
    findings = [replace(finding, cause=cause(finding)) for finding in findings]
    below = [source for source in game.sources if laid and source not in laid]
    kept = allowed(findings, sources, known, game.texts, below)
    return tuple(sorted((f.cured() for f in kept), key=lambda f: (f.span.source.name, f.span.start, f.rule.code)))
