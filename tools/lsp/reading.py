"""Games as they stand in an editor at one moment: which game a file belongs to, and what is known of it."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING

from rulespec.checker.mentions import Mention, Mentions
from rulespec.checker.recording import declarations
from rulespec.loading.reading import read, read_root
from rulespec.text.diagnostics import Diagnostics
from rulespec.text.locate import BOTS, CASES, MAIN, VARIANTS, variants_of
from rulespec.text.source import Source, Span, is_file, read_source, shown_path, unsaved
from rulespec.text.yaml_tree import MapNode, parse

if TYPE_CHECKING:
    from rulespec.checker.program import CheckedGame
    from rulespec.text.diagnostics import Diagnostic

Texts = Mapping[Path, str]  # what the editor has open, by path
UP = 3  # folders above a table in which its game may be


def game_of(file: Path, texts: Texts) -> Path | None:
    """The main file of the game, or the file of the variant, that a file belongs to; None if it belongs to none."""
    if file.parent.name in (CASES, BOTS):
        return main_in(file.parent.parent)
    if file.suffix == ".csv":
        return next((main for folder in [*file.parents][:UP] if (main := main_in(folder)) is not None), None)
    if file.suffix not in (".yaml", ".yml"):
        return None
    with unsaved(texts):
        root = read_root(file)
    if "part of" in root:
        return main_in(file.parent)
    return (
        file if "rulespec" in root or "extends" in root or file.parent.name == VARIANTS or file.name == MAIN else None
    )


def main_in(folder: Path) -> Path | None:
    """The main file in a folder: `game.yaml`, or the only file of YAML there that is a game."""
    if is_file(folder / MAIN):
        return folder / MAIN
    games = [path for path in sorted(folder.glob("*.yaml")) if is_file(path) and "rulespec" in read_root(path)]
    return games[0] if len(games) == 1 else None


@dataclass
class Reading:
    """What is known of a game, and of the names in its files."""

    file: Path
    texts: Texts
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
        """The names in each file, those within others last."""
        found: dict[Path, list[Mention]] = {}
        for mention in self.names:
            found.setdefault(Path(mention.span.source.name).resolve(), []).append(mention)
        return found

    def at(self, file: Path, offset: int) -> Mention | None:
        """The name that a place in a file is in, or right behind."""
        holding = [m for m in self.by_file.get(file, ()) if m.span.start <= offset <= m.span.end]
        return min(holding, key=lambda m: m.span.end - m.span.start, default=None)

    def source(self, file: Path) -> Source | None:
        """The text of one of the game's files, as it was read."""
        mentions = self.by_file.get(file, ())
        return mentions[0].span.source if mentions else source_of(file, self.texts)


def read_game(file: Path, texts: Texts, probe: str = "") -> Reading:
    """A game as the editor has it; nothing but its names and types is checked.  `probe` is as in `Mentions`."""
    diagnostics, mentions = Diagnostics(), Mentions(probe)
    with unsaved(texts):
        game = read(file, diagnostics, None, (), mentions)
    return Reading(file, texts, game, mentions, diagnostics.sorted())


def with_cases(file: Path, texts: Texts, probe: str = "") -> Reading:
    """The same with its cases."""
    from rulespec.cases.compiler import load_cases

    mentions = Mentions(probe)
    with unsaved(texts):
        suite, findings = load_cases(file, None, mentions)
    return Reading(file, texts, None if suite is None else suite.game, mentions, findings)


def source_of(file: Path, texts: Texts) -> Source | None:
    """The text of a file."""
    with unsaved(texts):
        return read_source(file, shown_path(file), diagnostics=Diagnostics())


def family(file: Path, texts: Texts) -> list[Reading]:
    """A game with its cases, and each of its variants: all that may speak of what it declares."""
    with unsaved(texts):
        variants = variants_of(file)
    return [with_cases(one, texts) for one in (file, *variants)]


def tree_of(source: Source) -> MapNode | None:
    """The tree of a file, as far as it can be read."""
    root = parse(source, Diagnostics())
    return root if isinstance(root, MapNode) else None


def whole(span: Span) -> str:
    """The line that a place is in, without the blanks around it."""
    return span.source.line(span.line).strip()


def reading_of(file: Path, texts: Texts, probe: str = "") -> Reading | None:
    """What is known of the game that a file belongs to, with what that file adds to it: cases, a bot."""
    main = game_of(file, texts)
    if main is None:
        return None
    if file.parent.name == CASES:
        return with_cases(main, texts, probe)
    reading = read_game(main, texts, probe)
    if file.parent.name == BOTS and reading.game is not None:
        from rulespec.bots.compiler import load_bot

        with unsaved(texts):
            load_bot(reading.game, file, Diagnostics())
    return reading
