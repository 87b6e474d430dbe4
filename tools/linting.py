"""The findings of `rulespec lint` in a game: errors, secrets that leak, likely mistakes.

The variants beside a game are looked through too.  Most of what is found in a variant was found in the game already and is
not said again, and that it no longer uses some of the game is what a variant is for: of its game's lines only errors count.
"""

from __future__ import annotations

from dataclasses import field, replace
from typing import TYPE_CHECKING

from rulespec.system.gc_pause import without_collection
from rulespec.system.records import dataclass
from rulespec.text.quoting import ticked

from .blame import Blame, Key, told

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator
    from pathlib import Path

    from rulespec.checker.program import CheckedGame
    from rulespec.lint.finding import Finding
    from rulespec.text.diagnostics import Diagnostic, Diagnostics


@dataclass(frozen=True, slots=True)
class Found:
    """The findings in a game: `faults` are those of the language and of secrets, `findings` those of the rules of lint."""

    faults: tuple[Diagnostic, ...] = ()
    findings: tuple[Finding, ...] = ()

    def all(self) -> Iterator[Diagnostic]:
        """All findings in the order in which they are shown."""
        yield from self.faults
        yield from (finding.diagnostic() for finding in self.findings)


def look_through(game: str, variants: tuple[str, ...] = (), notes: bool = False, alone: bool = False) -> Found:
    """What is found in a game, and in the variants beside it unless it is wanted `alone`; or with the variants that are named over it."""
    before = Before()
    result, sound = looked_at(game, variants, notes, before)
    if variants or alone or not sound:
        return result
    faults, findings = [*result.faults], [*result.findings]
    seen = set(map(told, result.all()))
    for file in beside(game):
        more, _ = looked_at(file, (), notes, before)
        note = (f"it is so in the variant {ticked(file.stem)}, not in the game itself",)
        for fault in more.faults:
            if told(fault) not in seen:
                faults.append(fault if written_beside(file, fault) else replace(fault, help=(*fault.help, *note)))
        for finding in more.findings:
            diagnostic = finding.diagnostic()
            if told(diagnostic) in seen:
                continue
            if written_beside(file, diagnostic):
                findings.append(finding)
            elif diagnostic.severity == "error":
                findings.append(replace(finding, help=(*finding.help, *note), fix=()))
        seen.update(map(told, more.all()))
    return Found(tuple(faults), tuple(findings))


@dataclass(slots=True)
class Before:
    """What is found in games as they are without variants, notes included: each is looked through once."""

    keys: dict[Path, frozenset[Key]] = field(default_factory=dict)
    lengthy: dict[Path, frozenset[Key]] = field(default_factory=dict)

    def has(self, base: Path, diagnostic: Diagnostic) -> bool:
        """Whether the game of a main file has a finding."""
        from rulespec.lint.linter import LENGTHY

        known = self.lengthy if diagnostic.code in LENGTHY else self.keys
        if base.resolve() not in known:
            looked_at(base, (), diagnostic.code in LENGTHY, self)
        return told(diagnostic) in known[base.resolve()]

    def keep(self, base: Path, notes: bool, found: Iterable[Diagnostic]) -> None:
        """Store what was found in a game, `notes` as in `looked_at`."""
        keys = frozenset(map(told, found))
        self.keys[base.resolve()] = keys
        if notes:
            self.lengthy[base.resolve()] = keys


@without_collection()
def looked_at(
    game: str | Path, variants: tuple[str, ...], notes: bool, before: Before | None = None
) -> tuple[Found, bool]:
    """The findings in one game, and whether it can be played; `before` is what is known of games without variants."""
    from rulespec.cases.compiler import load_cases
    from rulespec.text.diagnostics import Diagnostics
    from rulespec.text.locate import find

    suite, faults = load_cases(game, variants)
    file = find(game, Diagnostics())
    before = before or Before()
    blame = None if file is None else Blame(file, variants, before.has)
    if suite is None:
        if file is not None and not variants:
            before.keep(file, notes, faults)
        return Found(faults if blame is None else tuple(blamed(fault, blame) for fault in faults)), False
    from rulespec.bots.sight import check_bots
    from rulespec.lint.flow import leaks
    from rulespec.lint.linter import everything

    more = Diagnostics()
    base = file if blame is None or not suite.game.variants else blame.laid[0]
    if base is not None:
        check_bots(suite.game, base, more)
    if notes and not suite.cases and not suite.faulty and not suite.game.variants:
        root = suite.game.context.root
        advice = ("`rulespec new case GAME PROCEDURE` begins one; `case NAME` while you play writes one down",)
        more.add("K017", "the game has no cases", root.entries[0][0].span, severity="note", help=advice)
    if notes:
        left_to_python(suite.game, more)
    # What a bot reads is read.
    if blame is None or not suite.game.variants:
        findings = everything(suite.game, notes)
        told_of = (*faults, *leaks(suite.game), *more.sorted())
        if file is not None:
            before.keep(file, notes, (*told_of, *(finding.diagnostic() for finding in findings)))
    else:
        findings = everything(suite.game, notes, lambda finding: blame.of(finding.diagnostic()), blame.sources())
        told_of = (*faults, *leaks(suite.game), *more.sorted())
        told_of = tuple(blamed(fault, blame) for fault in told_of)
    return Found(told_of, tuple(one for one in findings if notes or one.rule.severity != "note")), True


def blamed(fault: Diagnostic, blame: Blame) -> Diagnostic:
    """A fault with the change of a variant that brings it about."""
    from rulespec.lint.finding import CAUSE

    cause = blame.of(fault)
    return fault if cause is None else replace(fault, related=(*fault.related, (cause, CAUSE)))


def beside(game: str) -> list[Path]:
    """The files of the variants that lie beside a game."""
    from rulespec.text.diagnostics import Diagnostics
    from rulespec.text.locate import find, variants_of

    file = find(game, Diagnostics())
    return [] if file is None else variants_of(file)


def written_beside(file: Path, diagnostic: Diagnostic) -> bool:
    """Whether a finding stands in a variant's file, or in one that lies beside it."""
    from pathlib import Path

    return diagnostic.file is None or Path(diagnostic.file).resolve().parent == file.resolve().parent


def left_to_python(game: CheckedGame, more: Diagnostics) -> None:
    """Note the places of a game that have no C, as it is for the fewest players."""
    from interpreter.native.emitter.expressions import TooLong
    from interpreter.native.emitter.program import source
    from interpreter.native.emitter.types import Unsupported

    whole = game.context.root.entries[0][0].span
    try:
        left = source(game.program(players=min(game.players))).handed_over
    except (Unsupported, TooLong) as problem:
        left = ((whole, "the whole game", str(problem)),)
    for where, what, why in dict.fromkeys(left):
        told = f"there is no C for this, so that Python plays it: {why} ({what})"
        more.add("P016", told, where or whole, severity="note")
