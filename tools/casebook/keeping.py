"""From a stretch of a game to a case in a file: written, read again, and run."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

from interpreter import Game, State
from rulespec.cases.compiler import load_cases
from rulespec.loading.reading import read
from rulespec.system import files
from rulespec.text.diagnostics import Diagnostics
from rulespec.text.locate import find

from .book import NAME, added, book_of, text
from .moment import moment
from .writer import NoCase, Writer


@dataclass(frozen=True, slots=True)
class Kept:
    """A case that was written: its text and its file, None where it is only shown."""

    text: str
    file: Path | None


def keep(name: str, path: str, game: Game, state: State, first: int, count: int, into: Path | None, show: bool) -> Kept:
    """Make a case of `count` answers of a game after its first ones, and put it into its file.

    `path` is the game as it was named.  Raises NoCase where none can be made or written, OSError where the file cannot be.
    """
    if not NAME.fullmatch(name):
        raise NoCase(f"`{name}` cannot be the name of a case: letters, digits and _ only, a letter first")
    suite, _ = load_cases(path)
    diagnostics = Diagnostics()
    file = find(path, diagnostics)
    checked = None if file is None else read(file, diagnostics)
    if suite is None or file is None or checked is None:
        raise NoCase("the game cannot be read any more")
    if name in {case.name for case in suite.cases} | {one[0] for one in suite.faulty}:
        raise NoCase(f"there is a case named `{name}` already")
    if game.program.variants:
        raise NoCase("a variant has its cases in its own file: write this one there by hand")
    case = text(name, Writer(checked, moment(game, state, first, count)).draft())
    if show:
        return Kept(case, None)
    book = into or book_of(file)
    try:
        whole = added(book, case)
    except ValueError as error:
        raise NoCase(str(error)) from None
    book.parent.mkdir(parents=True, exist_ok=True)
    files.replace(book, whole)
    return Kept(case, book)
