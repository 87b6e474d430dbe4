"""The door: from a path or the id of a shipped game to a game that is checked."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from rulespec.diagnostics import Diagnostic, Diagnostics, RulespecError, nearest
from rulespec.resources import games_dir

if TYPE_CHECKING:
    from rulespec.checker.program import CheckedGame
    from rulespec.gamedef import GameDef

# What needs the checker imports it when it is called: it takes longer than all that a game from the cache needs.
MAIN = "game.yaml"


@dataclass(frozen=True, slots=True)
class GameInfo:
    """A shipped game in a list."""

    id: str
    title: str
    players: tuple[int, ...]
    path: Path
    about: str


def load(path_or_id: str | Path, *, cache: bool = False) -> GameDef:
    """The game at a path (a folder or file) or with an id among the shipped ones; raises RulespecError with every fault.

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
        return load_cached(file)
    found, findings = check(path_or_id)
    if found is None:
        raise RulespecError(findings)
    return found


def check(path_or_id: str | Path) -> tuple[CheckedGame | None, tuple[Diagnostic, ...]]:
    """The game, or None, with all that was found: errors and warnings, sorted."""
    from rulespec.reading import read

    diagnostics = Diagnostics()
    file = find(path_or_id, diagnostics)
    found = None if file is None else read(file, diagnostics)
    return found, diagnostics.sorted()


def find(path_or_id: str | Path, diagnostics: Diagnostics) -> Path | None:
    """The main file of a game."""
    path = Path(path_or_id)
    if path.is_dir():
        if (path / MAIN).is_file():
            return path / MAIN
        diagnostics.add("Y001", f"there is no {MAIN} in this folder", origin=str(path_or_id))
        return None
    if path.is_file():
        return path
    name = str(path_or_id)
    shipped = games_dir() / name / MAIN
    if name and Path(name).name == name and shipped.is_file():
        return shipped
    close = nearest(name, (info.name for info in folders()))
    diagnostics.add("C004", f"there is no game `{name}`: neither a path nor the id of a shipped game", origin=name,
                    help=(f"did you mean `{close}`?",) if close else ("`rulespec list` shows the shipped games",))  # fmt: skip
    return None


def folders() -> list[Path]:
    """The folders of the shipped games, by name."""
    root = games_dir()
    return sorted(p for p in root.iterdir() if (p / MAIN).is_file()) if root.is_dir() else []


def list_games() -> list[GameInfo]:
    """The shipped games, from the head of each file; whether a game has faults is not asked here."""
    from rulespec.reading import read_head

    made = []
    for folder in folders():
        head = read_head(folder / MAIN)
        made.append(GameInfo(folder.name, head.title or folder.name, head.counts, folder, " ".join(head.about.split())))
    return made
