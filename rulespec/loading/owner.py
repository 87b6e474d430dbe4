"""Which game a file belongs to: what an editor shows, and what comes from standard input, is a part of something."""

from __future__ import annotations

from pathlib import Path

from rulespec.loading.reading import read_root
from rulespec.text.disk import files_named, is_file
from rulespec.text.locate import BOTS, CASES, MAIN, VARIANTS

UP = 3  # folders above a table in which its game may be


def owner(file: Path) -> Path | None:
    """The main file of the game, or the file of the variant, that a file belongs to; None if it belongs to none."""
    if file.parent.name in (CASES, BOTS):
        return main_in(file.parent.parent)
    if file.suffix == ".csv":
        return next((main for folder in [*file.parents][:UP] if (main := main_in(folder)) is not None), None)
    if file.suffix not in (".yaml", ".yml"):
        return None
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
    games = [path for path in files_named(folder, ".yaml") if is_file(path) and "rulespec" in read_root(path)]
    return games[0] if len(games) == 1 else None
