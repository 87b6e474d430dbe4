"""From a stretch of a game to a case in a file: written, read again, and run."""

from __future__ import annotations

from pathlib import Path
from threading import Lock

from interpreter import Game, State
from rulespec.cases.compiler import load_cases
from rulespec.loading.reading import read
from rulespec.system import files
from rulespec.system.records import dataclass
from rulespec.text.diagnostics import Diagnostics
from rulespec.text.locate import find
from rulespec.text.quoting import ticked

from .book import NAME, added, book_of, text
from .writer import NoCase, drafted

ONE = Lock()  # cases of two tables of a server may go into the same file


@dataclass(frozen=True, slots=True)
class Kept:
    """A case that was written: its text, and its file and line there, None and 0 where it is only shown."""

    text: str
    file: Path | None
    line: int = 0


def keep(name: str, path: str, game: Game, state: State, first: int, count: int, into: Path | None, show: bool) -> Kept:
    """Make a case of `count` answers of a game after its first ones, and put it into its file.

    `path` is the game as it was named.  Raises NoCase where none can be made or written, OSError where the file cannot be.
    """
    if not NAME.fullmatch(name):
        raise NoCase(f"{ticked(name)} cannot be the name of a case: letters, digits and _ only, a letter first")
    if game.program.variants:
        raise NoCase("a variant has its cases in its own file: write this one there by hand")
    with ONE:
        suite, _ = load_cases(path)
        diagnostics = Diagnostics()
        file = find(path, diagnostics)
        checked = None if file is None else read(file, diagnostics)
        if suite is None or file is None or checked is None:
            raise NoCase("the game cannot be read any more")
        if name in {case.name for case in suite.cases} | {one[0] for one in suite.faulty}:
            raise NoCase(f"there is a case named {ticked(name)} already")
        case = text(name, drafted(checked, game, state, first, count))
        return Kept(case, None) if show else written(case, into or book_of(file))


def written(case: str, book: Path) -> Kept:
    """Put a case at the end of a file; raises NoCase and OSError."""
    try:
        whole = added(book, case)
    except ValueError as error:
        raise NoCase(str(error)) from None
    book.parent.mkdir(parents=True, exist_ok=True)
    files.replace(book, whole)
    return Kept(case, book, whole.count("\n", 0, len(whole) - len(case)) + 1)
