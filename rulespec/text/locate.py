"""Finds the files of games, variants and bots, by a path or an id."""

from __future__ import annotations

from collections.abc import Iterable
from os import PathLike, fspath
from pathlib import Path

from rulespec.system.resources import games_dir
from rulespec.text.diagnostics import Diagnostics, nearest
from rulespec.text.disk import files_named, is_file, is_folder, names
from rulespec.text.quoting import ticked
from rulespec.text.source import inside, shown_path

MAIN = "game.yaml"
VARIANTS = "variants"  # the folder beside a game
ANY_GAME = Path(__file__).parent.parent / "variants" / "any_game"  # the folder of the variants that any game can have
BOTS = "bots"  # the same for bots
CASES = "cases"  # the same for cases
MOST_LOOKED_AT = 1000  # names in a folder, for one that is misspelt
GENERIC_BOTS = ("random", "search", "alphabeta")  # those that any game has

Variants = str | PathLike[str] | Iterable[str | PathLike[str]] | None


def named(variant: Variants) -> tuple[str, ...]:
    """The names or paths of variants as a tuple, whether one or several are given."""
    if variant is None:
        return ()
    return tuple(fspath(name) for name in ([variant] if isinstance(variant, str | PathLike) else variant))


def find(path_or_id: str | Path, diagnostics: Diagnostics) -> Path | None:
    """The main file of a game, or the file of a variant."""
    path = Path(path_or_id)
    if is_folder(path):
        if is_file(path / MAIN):
            return path / MAIN
        diagnostics.add("Y001", f"there is no {MAIN} in this folder", origin=str(path_or_id))
        return None
    if is_file(path):
        return path
    name = str(path_or_id)
    shipped = games_dir() / name / MAIN
    if name and Path(name).name == name and is_file(shipped):
        return shipped
    ids = [info.name for info in folders()]
    close = nearby(path) or nearest(name, ids)
    meant = [close] if close else having(name, ids)
    diagnostics.add(
        "C004",
        f"there is no game {ticked(name)}: neither a path nor the id of a shipped game",
        origin=name,
        help=(
            f"did you mean {' or '.join(map(ticked, meant))}?" if meant else "`rulespec list` shows the shipped games",
        ),
    )
    return None


def having(name: str, ids: Iterable[str]) -> list[str]:
    """Those of `ids` in which a name stands as a word or several, in upper or lower case."""
    words = f"_{name.casefold()}_"
    return [one for one in ids if words in f"_{one}_"]


def nearby(path: Path) -> str | None:
    """The file or folder of a game that is meant by a path that is not there: with another ending or none, or misspelt."""
    try:
        entries = [path.parent / name for name in names(path.parent)[:MOST_LOOKED_AT]]
    except OSError:
        return None
    there = {
        one.stem if one.suffix == ".yaml" else one.name: one
        for one in entries
        if (one.suffix == ".yaml" and is_file(one)) or is_file(one / MAIN)
    }
    meant = path.stem if path.suffix in (".yaml", ".yml") else path.name
    name = meant if meant in there else nearest(meant, there)
    return None if name is None else str(there[name])


def game_of(cases: Path) -> Path | None:
    """The main file of the game whose folder of cases a file lies in; None for any other file.

    Without a `game.yaml` it is the only YAML file beside that folder.
    """
    if cases.suffix != ".yaml" or not is_file(cases) or cases.absolute().parent.name != CASES:
        return None
    folder = cases.absolute().parent.parent
    if is_file(folder / MAIN):
        return folder / MAIN
    files = [path for path in files_named(folder, ".yaml") if is_file(path)]
    return files[0] if len(files) == 1 else None


def folders() -> list[Path]:
    """The folders of the shipped games, by name."""
    root = games_dir()
    return [path for path in files_named(root, "") if is_file(path / MAIN)]


def variants_of(file: Path) -> list[Path]:
    """The variants beside the main file of a game, by name."""
    folder = file.parent / VARIANTS
    return files_of(folder)


def files_of(folder: Path) -> list[Path]:
    """The YAML files in a folder of a game, by name; not those that links lead out of the game to."""
    return [path for path in files_named(folder, ".yaml") if is_own(path)]


def is_own(path: Path) -> bool:
    """Whether a path is that of a file in a folder of a game, and no link leads out of the game."""
    return is_file(path) and inside(path.parent.parent, str(path.absolute())) is not None


def own_file(folder: Path, name: str) -> Path | None:
    """The one of the files in a folder of a game that has a name, without a look at the others."""
    path = next((path for path in files_named(folder, f"{name}.yaml") if path.stem == name), None)
    return path if path is not None and is_own(path) else None


def elsewhere(name: str) -> Path | None:
    """The file that a name is the path of, if it is one."""
    path = Path(name)
    return path if path.suffix == ".yaml" and is_file(path) else None


def general() -> list[Path]:
    """The shipped variants that any game can have, by name."""
    return files_of(ANY_GAME)


def find_variant(file: Path, name: str, title: str, diagnostics: Diagnostics) -> Path | None:
    """The file of a variant of a game, or of any game, by its name or its path; reports P012."""
    path = own_file(file.parent / VARIANTS, name) or elsewhere(name) or own_file(ANY_GAME, name)
    if path is not None:
        return path
    known = {path.stem: path for path in (*general(), *variants_of(file))}
    close = nearest(name, known)
    listed = f"variants: {', '.join(known)}" if known else "the game has no variants; a path names one elsewhere"
    diagnostics.add(
        "P012",
        f"{title} has no variant {ticked(name)}",
        origin=shown_path(file),
        help=(f"did you mean {ticked(close)}?" if close else listed,),
    )
    return None


def bots_of(file: Path) -> list[Path]:
    """The bots beside the main file of a game, or beside the game of a variant's file, by name."""
    folder = file.parent / BOTS
    if not is_folder(folder) and file.absolute().parent.name == VARIANTS:
        folder = file.absolute().parent.parent / BOTS
    return files_of(folder)


def find_bot(file: Path, name: str, title: str, diagnostics: Diagnostics) -> Path | None:
    """The file of a bot of a game, by its name or its path; reports B001."""
    known = {path.stem: path for path in bots_of(file)}
    path = known.get(name) or elsewhere(name)
    if path is not None:
        return path
    names = [*GENERIC_BOTS, *known]
    close = nearest(name, names)
    diagnostics.add(
        "B001",
        f"{title} has no bot {ticked(name)}",
        None,
        origin=shown_path(file),
        help=(f"did you mean {ticked(close)}?" if close else f"bots: {', '.join(names)}; a path names one elsewhere",),
    )
    return None
