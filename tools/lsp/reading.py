"""Games as they stand in an editor at one moment: which game a file belongs to, and what is known of it."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeVar

from rulespec.checker.mentions import Mention, Mentions
from rulespec.checker.recording import declarations
from rulespec.loading.owner import main_in, owner
from rulespec.loading.reading import read
from rulespec.system.records import dataclass
from rulespec.text.diagnostics import Diagnostics
from rulespec.text.disk import unsaved
from rulespec.text.locate import BOTS, CASES, VARIANTS, variants_of
from rulespec.text.source import Source, Span, read_source, shown_path
from rulespec.text.yaml_tree import MapNode, parse

if TYPE_CHECKING:
    from rulespec.checker.program import CheckedGame
    from rulespec.text.diagnostics import Diagnostic

Texts = Mapping[Path, str]  # what the editor has open, by path
T = TypeVar("T")


@dataclass
class Reading:
    """What is known of a game, and of the names in its files."""

    file: Path
    game: CheckedGame | None
    mentions: Mentions
    findings: tuple[Diagnostic, ...]

    @cached_property
    def names(self) -> list[Mention]:
        """Every name whose meaning is known, where it is declared too."""
        context = self.mentions.context
        return [*(declarations(context) if context is not None else ()), *self.mentions.names]

    @cached_property
    def by_file(self) -> dict[Path, list[Mention]]:
        """The names in each file."""
        found: dict[Path, list[Mention]] = {}
        for mention in self.names:
            found.setdefault(Path(mention.span.source.name).resolve(), []).append(mention)
        return found

    def at(self, file: Path, offset: int) -> Mention | None:
        """The shortest name that a place in a file is in, or right behind."""
        holding = [m for m in self.by_file.get(file, ()) if m.span.start <= offset <= m.span.end]
        return min(holding, key=lambda m: m.span.end - m.span.start, default=None)


class Desk:
    """The texts that an editor has open at one moment, and what is known of their games: each is read once, when it is asked for.

    `probe` is as in `Mentions`.
    """

    def __init__(self, texts: Texts, probe: str = "") -> None:
        self.texts = texts
        self.probe = probe
        self._done: dict[tuple[str, Path], Any] = {}

    def once(self, what: str, file: Path, make: Callable[[], T]) -> T:
        """What is made of a file, made once and with the texts of the editor in place of files."""
        if (what, file) not in self._done:
            with unsaved(self.texts):
                self._done[what, file] = make()
        result: T = self._done[what, file]
        return result

    def game_of(self, file: Path) -> Path | None:
        """The main file of the game, or the file of the variant, that a file belongs to; None if it belongs to none."""
        return self.once("game", file, lambda: owner(file))

    def games(self) -> list[Path]:
        """The games that open files belong to, each once."""
        return list(dict.fromkeys(game for file in self.texts if (game := self.game_of(file)) is not None))

    def opened(self, game: Path) -> list[Path]:
        """The open files that belong to a game."""
        return [file for file in self.texts if self.game_of(file) == game]

    def base_of(self, file: Path) -> Path:
        """The main file of the game that a file belongs to, also one of a variant."""
        main = self.game_of(file) or file
        base = main_in(main.parent.parent) if main.parent.name == VARIANTS else main
        return base or main

    def plain(self, main: Path) -> Reading:
        """A game of which nothing but names and types is checked."""

        def make() -> Reading:
            diagnostics, mentions = Diagnostics(), Mentions(self.probe)
            game = read(main, diagnostics, None, (), mentions)
            return Reading(main, game, mentions, diagnostics.sorted())

        return self.once("plain", main, make)

    def with_cases(self, main: Path) -> Reading:
        """The same with its cases."""
        from rulespec.cases.compiler import load_cases

        def make() -> Reading:
            mentions = Mentions(self.probe)
            suite, findings = load_cases(main, None, mentions)
            return Reading(main, None if suite is None else suite.game, mentions, findings)

        return self.once("cases", main, make)

    def of(self, file: Path) -> Reading | None:
        """What is known of the game that a file belongs to, with what that file adds to it: cases, a bot."""
        main = self.game_of(file)
        if main is None:
            return None
        if file.parent.name == CASES:
            return self.with_cases(main)
        reading = self.plain(main)
        if file.parent.name == BOTS and (game := reading.game) is not None:
            from rulespec.bots.compiler import load_bot

            self.once("bot", file, lambda: load_bot(game, file, Diagnostics()))
        return reading

    def family(self, main: Path) -> list[Reading]:
        """A game with its cases, and each of its variants: all that may speak of what it declares."""
        variants = self.once("variants", main, lambda: variants_of(main))
        return [self.with_cases(one) for one in (main, *variants)]

    def source(self, file: Path) -> Source | None:
        """The text of a file."""
        return self.once("source", file, lambda: read_source(file, shown_path(file), diagnostics=Diagnostics()))


def tree_of(source: Source) -> MapNode | None:
    """The tree of a file, as far as it can be read."""
    root = parse(source, Diagnostics())
    return root if isinstance(root, MapNode) else None


def whole(span: Span) -> str:
    """The line that a place is in, without the blanks around it."""
    return span.source.line(span.line).strip()
