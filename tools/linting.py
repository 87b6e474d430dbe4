"""The findings of `rulespec lint` in a game: errors, secrets that leak, likely mistakes.

The variants beside a game are looked through too.  Most of what is found in a variant was found in the game already and is
not said again, and that it no longer uses some of the game is what a variant is for: of its game's lines only errors count.
"""

from __future__ import annotations

import os
import re
from collections.abc import Mapping
from dataclasses import field, replace
from functools import cache, lru_cache
from pathlib import Path
from typing import TYPE_CHECKING, Any

from rulespec.system.gc_pause import without_collection
from rulespec.system.records import dataclass
from rulespec.text.diagnostics import Diagnostics
from rulespec.text.disk import Watch, place, rest_on, unchanged, watched
from rulespec.text.locate import bots_of, find, variants_of
from rulespec.text.quoting import ticked

from .blame import Blame, Key, told
from .idle import idle, moved_bases

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from rulespec.checker.program import CheckedGame
    from rulespec.lint.finding import Finding
    from rulespec.lint.shared import Shared
    from rulespec.system.code import CodeEntries
    from rulespec.text.diagnostics import Diagnostic
    from rulespec.text.source import Source

FORMAT, SECRETS = "findings 1", "secrets 1"
HERE = Path(__file__).resolve().parent
CODE = (HERE, HERE.parent / "interpreter")  # what is found rests on it too: `left_to_python`


@lru_cache(maxsize=64)
def is_variant(text: str) -> bool:
    """Whether a text is the file of a variant, which is named as the variant is."""
    return re.search(r"^extends:", text, re.MULTILINE) is not None


@dataclass(frozen=True, slots=True)
class Found:
    """The findings in a game: `faults` are those of the language and of secrets, `findings` those of the rules of lint."""

    faults: tuple[Diagnostic, ...] = ()
    findings: tuple[Finding, ...] = ()
    sound: bool = True  # whether the game can be played
    owners: Mapping[Key, str] = field(default_factory=dict)  # of what only a variant beside the game has: its name

    def all(self) -> Iterator[Diagnostic]:
        """All findings in the order in which they are shown."""
        yield from self.faults
        yield from (finding.diagnostic() for finding in self.findings)

    def variant(self, one: Diagnostic) -> str | None:
        """The variant that a finding belongs to: in whose file it stands, whose change brings it about, or in which alone it is so."""
        from rulespec.lint.finding import CAUSE

        spans = [] if one.span is None else [one.span]
        spans += [span for span, note in one.related if note == CAUSE]
        names = [Path(span.source.name).stem for span in spans if is_variant(span.source.text)]
        return names[0] if names else self.owners.get(told(one))

    def shown(self, notes: bool) -> Found:
        """Those that are shown, without notes of rules unless they are wanted."""
        if notes:
            return self
        return replace(self, findings=tuple(one for one in self.findings if one.rule.severity != "note"))


def look_through(game: str, variants: tuple[str, ...] = (), notes: bool = False, alone: bool = False) -> Found:
    """What is found in a game, and in the variants beside it unless it is wanted `alone`; or with the variants that are named over it."""
    games = Games(notes, entries())
    try:
        return with_variants(games, game, variants, notes, alone)
    finally:
        games.keep()


def with_variants(games: Games, game: str, variants: tuple[str, ...], notes: bool, alone: bool) -> Found:
    """See `look_through`."""
    result = games.found(game, variants).shown(notes)
    if variants or alone or not result.sound:
        return result
    faults, findings = [*result.faults], [*result.findings]
    seen = set(map(told, result.all()))
    owners: dict[Key, str] = {}
    for file in beside(game):
        more = games.found(file, next_to=True).shown(notes)
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
        keys = set(map(told, more.all())) - seen
        owners |= dict.fromkeys(keys, file.stem)
        seen |= keys
    return Found(tuple(faults), tuple(findings), owners=owners)


def entries() -> CodeEntries | None:
    """Where findings are kept, if they are."""
    from rulespec.system.code import CodeEntries
    from rulespec.system.store import EntryStore, default_folder

    folder = default_folder()
    try:
        os.getcwd()  # what is found names files from there
    except OSError:  # it was removed meanwhile
        return None
    return None if folder is None else CodeEntries(EntryStore(folder), FORMAT, CODE)


@dataclass(slots=True)
class Games:
    """Games with the variants that are laid over them, and what is found in each: it is looked through once, and again after a change.

    With `notes` everything is looked for, also what takes long; without them notes of most rules are among the findings all the same.
    """

    notes: bool
    entries: CodeEntries | None = None
    done: dict[tuple[Path, tuple[str, ...], bool], tuple[Found, Watch]] = field(default_factory=dict)
    fresh: list[tuple[Any, tuple[Any, ...]]] = field(default_factory=list)  # what is to be kept
    worked_out: Shared | None = None  # what holds in the next game, too

    def found(self, game: str | Path, variants: tuple[str, ...] = (), next_to: bool = False) -> Found:
        """All findings in a game; in a variant that is looked through `next_to` its game, those that are shown there."""
        with watched() as watch:
            file = find(game, Diagnostics())
            key = None if file is None else (place(file), variants, next_to)
            if key is None or key not in self.done:
                found = self.kept(game, variants, next_to) or self.looked_for(game, file, variants, next_to)
                if key is None:
                    return found
                self.done[key] = found, watch
            found, before = self.done[key]
            rest_on(before)
        return found

    def kept(self, game: str | Path, variants: tuple[str, ...], next_to: bool) -> Found | None:
        """What was found when all files were as they are now."""
        if self.entries is None:
            return None
        from rulespec.lint.kept import Malformed, read

        data = self.entries.get(os.getcwd(), str(game), variants, self.notes, next_to)
        try:
            match data:
                case {"answers": [*answers], "sound": bool(sound), "found": kept}:
                    watch = Watch({(what, path): answer for what, path, answer in answers})
                    if unchanged(watch.answers.items()):
                        rest_on(watch)
                        return Found(*read(kept), sound)
        except (Malformed, TypeError, ValueError):
            pass
        return None

    def looked_for(self, game: str | Path, file: Path | None, variants: tuple[str, ...], next_to: bool) -> Found:
        """What is found now; it is kept, if it rests on nothing but files."""
        with watched() as watch, without_collection(last=True):
            found = look_for(self, game, file, variants, next_to)
        if self.entries is not None and watch.sound:
            from rulespec.lint.kept import written

            data: dict[str, Any] = {
                "answers": [[what, path, answer] for (what, path), answer in watch.answers.items()],
                "sound": found.sound,
                "found": written(found.faults, found.findings),
            }
            self.fresh.append((data, (os.getcwd(), str(game), variants, self.notes, next_to)))
        return found

    @property
    def shared(self) -> Shared:
        """What was worked out of games that were looked through before."""
        from rulespec.lint.shared import Shared

        if self.worked_out is None:
            self.worked_out = Shared()
        return self.worked_out

    def secrets(self, game: CheckedGame) -> list[Diagnostic]:
        """The secrets that a game leaks: what was found in the same rules is found again, whatever else has changed."""
        if not game.template.hides:
            return []
        from rulespec.lint.rests import rests_on

        known = rests_on(game) if self.entries is not None else None
        if known is None or self.entries is None:
            from rulespec.lint.flow import leaks

            return leaks(game)
        from rulespec.lint.kept import Malformed, read_by_name, written_by_name

        digest, sources = known
        try:
            return read_by_name(self.entries.get(SECRETS, digest), sources)
        except (Malformed, TypeError, ValueError):
            from rulespec.lint.flow import leaks

            found = leaks(game)
            self.fresh.append((written_by_name(found), (SECRETS, digest)))
            return found

    def keep(self) -> None:
        """Keep what was found on the disk."""
        if self.entries is not None and self.fresh:
            self.entries.put_all(self.fresh)
            self.fresh.clear()

    def has(self, base: Path, diagnostic: Diagnostic) -> bool:
        """Whether a game has a finding."""
        from rulespec.lint.linter import LENGTHY

        games = Games(True) if diagnostic.code in LENGTHY and not self.notes else self
        return told(diagnostic) in set(map(told, games.found(base).all()))


def look_for(games: Games, game: str | Path, file: Path | None, variants: tuple[str, ...], next_to: bool) -> Found:
    """See `Games.found`; `file` is the main file of the game, or that of a variant."""
    from rulespec.cases.compiler import load_cases

    suite, faults = load_cases(game, variants)
    blame = None if file is None else Blame(file, variants, games.has)
    if suite is None:
        return Found(faults if blame is None else tuple(blamed(fault, blame) for fault in faults), sound=False)
    from rulespec.lint.linter import everything

    more = Diagnostics()
    base = file if blame is None or not suite.game.variants else blame.laid[0]
    if base is not None and bots_of(base):
        from rulespec.bots.sight import check_bots

        check_bots(suite.game, base, more)
    if games.notes and not suite.cases and not suite.faulty and not suite.game.variants:
        root = suite.game.context.root
        advice = ("`rulespec new case GAME PROCEDURE` begins one; `case NAME` while you play writes one down",)
        more.add("K017", "the game has no cases", root.entries[0][0].span, severity="note", help=advice)
    if games.notes:
        left_to_python(suite.game, more)
    # What a bot reads is read.
    if blame is None or not suite.game.variants:
        findings = everything(suite.game, games.notes, shared=games.shared)
        return Found((*faults, *games.secrets(suite.game), *more.sorted()), findings)
    findings = everything(
        suite.game,
        games.notes,
        lambda finding: blame.of(finding.diagnostic()),
        blame.sources(),
        games.shared,
        texts_beside(blame.file) if next_to else None,
    )
    unused = [one.span.text for one in findings if one.rule.code == "L016"]
    stack = blame.stack
    for warning in () if stack is None else (*moved_bases(stack), *idle(stack, suite.game, unused)):
        more.keep(warning)
    told_of = (*faults, *games.secrets(suite.game), *more.sorted())
    return Found(tuple(blamed(fault, blame) for fault in told_of), findings)


def blamed(fault: Diagnostic, blame: Blame) -> Diagnostic:
    """A fault with the change of a variant that brings it about."""
    from rulespec.lint.finding import CAUSE

    cause = blame.of(fault)
    return fault if cause is None else replace(fault, related=(*fault.related, (cause, CAUSE)))


def beside(game: str) -> list[Path]:
    """The files of the variants that lie beside a game."""
    file = find(game, Diagnostics())
    return [] if file is None else variants_of(file)


def written_beside(file: Path, diagnostic: Diagnostic) -> bool:
    """Whether a finding stands in a variant's file, or in one that lies beside it."""
    return diagnostic.file is None or Path(diagnostic.file).resolve().parent == file.resolve().parent


def texts_beside(file: Path) -> Callable[[Source], bool]:
    """Whether a text is that of a file in the folder of a variant's."""
    folder = file.resolve().parent
    return cache(lambda source: Path(source.name).resolve().parent == folder)


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
