"""What users of the language call: from a path or the id of a shipped game to a game that is checked."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from rulespec.system.records import dataclass
from rulespec.text.diagnostics import Diagnostic, Diagnostics, RulespecError
from rulespec.text.locate import MAIN, Variants, bots_of, find, folders, named, variants_of

if TYPE_CHECKING:
    from rulespec.checker.program import CheckedGame
    from rulespec.ir.gamedef import GameDef

# What needs the checker imports it when it is called: it takes longer than all that a game from the cache needs.


@dataclass(frozen=True, slots=True)
class VariantInfo:
    """A variant in a list."""

    id: str
    title: str
    about: str
    path: Path


@dataclass(frozen=True, slots=True)
class BotInfo:
    """A bot in a list."""

    id: str
    title: str
    about: str
    path: Path


@dataclass(frozen=True, slots=True)
class GameInfo:
    """A shipped game in a list."""

    id: str
    title: str
    players: tuple[int, ...]
    path: Path
    about: str
    variants: tuple[VariantInfo, ...] = ()
    bots: tuple[BotInfo, ...] = ()


def load(path_or_id: str | Path, *, variant: Variants = None, cache: bool = False) -> GameDef:
    """The game at a path (a folder or file) or with an id among the shipped ones; raises RulespecError with every fault.

    `variant` is the name of one of its variants, the path of a variant's file, or several, which must agree.  A variant's file
    can also be given itself, in place of a game.

    With `cache` a game that has been checked before is not checked again: its programs are kept in the user's cache folder (see
    `rulespec.cache`), until one of its files or this package changes.  Off unless it is asked for, since a library does not
    write files of its own accord; the command line asks for it.  Warnings are for `check`: a game that has some is
    loaded like any other, from the cache or not.
    """
    if cache:
        from rulespec.cache import load_cached

        diagnostics = Diagnostics()
        file = find(path_or_id, diagnostics)
        if file is None:
            raise RulespecError(diagnostics)
        return load_cached(file, named(variant))
    game, findings = check(path_or_id, variant)
    if game is None:
        raise RulespecError(findings)
    return game


def check(path_or_id: str | Path, variant: Variants = None) -> tuple[CheckedGame | None, tuple[Diagnostic, ...]]:
    """The game, or None, with all that was found: errors and warnings, sorted."""
    from rulespec.loading.reading import read

    diagnostics = Diagnostics()
    file = find(path_or_id, diagnostics)
    game = None if file is None else read(file, diagnostics, None, named(variant))
    return game, diagnostics.sorted()


def list_games() -> list[GameInfo]:
    """The shipped games, from the head of each file; whether a game has faults is not asked here."""
    from rulespec.loading.reading import read_head

    games = []
    for folder in folders():
        head = read_head(folder / MAIN)
        variants = tuple(variant_info(file) for file in variants_of(folder / MAIN))
        bots = tuple(bot_info(file) for file in bots_of(folder / MAIN))
        about = " ".join(head.about.split())
        games.append(
            GameInfo(
                id=folder.name,
                title=head.title or folder.name,
                players=head.counts,
                path=folder,
                about=about,
                variants=variants,
                bots=bots,
            )
        )
    return games


def variant_info(file: Path) -> VariantInfo:
    """A variant from the head of its file; faults are not reported."""
    from rulespec.loading.reading import read_root

    root = read_root(file)
    return VariantInfo(file.stem, root.get("title") or file.stem, " ".join(root.get("about", "").split()), file)


def bot_info(file: Path) -> BotInfo:
    """A bot from the head of its file; faults are not reported."""
    from rulespec.loading.reading import read_root

    root = read_root(file)
    return BotInfo(file.stem, root.get("title") or file.stem, " ".join(root.get("about", "").split()), file)
