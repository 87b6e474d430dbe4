"""`rulespec new`: a game to begin with."""

import re
import shlex
from pathlib import Path

import click

from rulespec.text.quoting import ticked

from .. import console
from ..framework import Command, Misuse
from ..templating import KINDS, NAME, TEMPLATES, copy, link_schemas


@click.command(
    "new",
    cls=Command,
    examples=[
        "rulespec new my_game",
        "rulespec new robbers --template card",
        'rulespec new games/old_forest --template map --title "The Old Forest"',
        "rulespec new case my_game a_procedure",
    ],
)
@click.argument("path", metavar="NAME")
@click.argument("of", nargs=-1, metavar="[GAME PROCEDURE]")
@click.option(
    "-t",
    "--template",
    type=click.Choice(KINDS),
    default="blank",
    help="What to begin with: two choices (blank), tricks (card), stones on cells (board), roads (map).",
)
@click.option("--title", help="The name of the game for people; made from NAME, if not said.")
def command(path: str, of: tuple[str, ...], template: str, title: str | None) -> int:
    """Make a folder with a small game, its tests and what an editor needs, ready to be played and changed.

    NAME is the folder; its last part is the id of the game.

    `rulespec new case GAME PROCEDURE` prints a case to begin with: it runs the procedure or phase on the table as it is set up, and has
    the questions that are asked, what may be answered, the first answer to each, and what that changes.
    """
    if of:
        return new_case(path, of)
    target = Path(path)
    name = target.name
    if not NAME.fullmatch(name):
        fitting = suggestion(name)
        raise Misuse(
            f"{ticked(name)} cannot be the id of a game: small letters, digits and _ only, a letter first",
            ticked(shlex.join(["rulespec", "new", (target.parent / fitting).as_posix()])) if fitting else None,
        )
    if target.exists() or target.is_symlink():
        raise Misuse(f"{ticked(path)} is there already", "choose another name; nothing is overwritten")
    shown = name.replace("_", " ").capitalize() if title is None else " ".join(title.split())
    if not shown or not console.printable(shown) == shown:
        raise Misuse("the title has no letters", '--title "The Old Forest"')
    for file in copy(TEMPLATES / template, target, name, shown):
        console.message(f"written: {file.as_posix()}")
    for file in link_schemas(target):
        console.message(f"written: {file.as_posix()}")
    play, test = (ticked(shlex.join(["rulespec", command, path])) for command in ("play", "test"))
    console.message(f"next: {play}, {test}, and change {(target / 'game.yaml').as_posix()}")
    return 0


def new_case(word: str, of: tuple[str, ...]) -> int:
    """Print a case to begin with."""
    if word != "case" or len(of) != 2:
        raise Misuse(
            "one name makes a game; a case is made of a game and a procedure", "rulespec new case GAME PROCEDURE"
        )
    from ..casebook.skeleton import skeleton
    from ..casebook.writer import NoCase

    try:
        console.data(skeleton(*of).rstrip("\n"))
    except NoCase as error:
        raise Misuse(str(error)) from None
    return 0


def suggestion(name: str) -> str:
    """The nearest text to a name that can be an id; an empty one if nothing is left of it."""
    return re.sub(r"[^a-z0-9]+", "_", name.lower(), flags=re.ASCII).strip("_").lstrip("0123456789_")
