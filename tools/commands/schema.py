"""`rulespec schema`: what an editor needs to complete and check a game as it is written."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import click

from rulespec.text.quoting import ticked

from .. import console
from ..framework import Command, Misuse
from ..parameters import complete_game
from ..templating import FOLDER, as_text, language_schema, link_schemas

if TYPE_CHECKING:
    from rulespec.text.yaml_tree import MapNode


@click.command(
    "schema",
    cls=Command,
    examples=[
        "rulespec schema my_game --write",
        "rulespec schema my_game --link",
        "rulespec schema {game}",
        "rulespec schema --cases > cases.schema.json",
        "rulespec schema --where",
    ],
)
@click.argument("game", required=False, shell_complete=complete_game)
@click.option("--cases", is_flag=True, help="The schema of files with cases.")
@click.option("--bots", is_flag=True, help="The schema of bots.")
@click.option("--write", is_flag=True, help="Write all of them into the folder `schemas` next to the game.")
@click.option(
    "--link", is_flag=True, help="Write files there that refer to the schemas of the language, and hold none."
)
@click.option("--where", is_flag=True, help="Print the path of the file that holds the schema of the language.")
def command(game: str | None, cases: bool, bots: bool, write: bool, link: bool, where: bool) -> int:
    """Print the JSON Schema of the language, or of one game, which knows that game's procedures and names too.

    A line at the top of a file tells an editor where its schema is:

    \b
        # yaml-language-server: $schema=schemas/game.schema.json

    A game with errors has a schema as well: of what could be read of it.
    """
    if cases and bots:
        raise Misuse("`--cases` and `--bots` exclude each other")
    if write + link + where > 1:
        raise Misuse("`--write`, `--link` and `--where` exclude each other")
    if where:
        console.data(str(language_schema("bot" if bots else "cases" if cases else "game")))
        return 0
    if write or link:
        if game is None:
            option = "--write" if write else "--link"
            raise Misuse(f"{ticked(option)} wants a game", f"rulespec schema my_game {option}")
        for path in write_schemas(game) if write else link_schemas(main_file(game).parent):
            console.message(f"written: {path.as_posix()}")
        return 0
    from rulespec.schema import bot_schema, cases_schema, game_schema, own_bot_schema, own_schema

    if game is None:
        console.data(as_text(bot_schema() if bots else cases_schema() if cases else game_schema()))
        return 0
    root = tree_of(game)[1]
    console.data(as_text(own_bot_schema(root) if bots else own_schema(root, cases=cases)))
    return 0


def main_file(game: str) -> Path:
    """The main file of a game; raises RulespecError where there is none."""
    from rulespec.text.diagnostics import Diagnostics, RulespecError
    from rulespec.text.locate import find

    diagnostics = Diagnostics()
    file = find(game, diagnostics)
    if file is None:
        raise RulespecError(diagnostics)
    return file


def tree_of(game: str) -> tuple[Path, MapNode]:
    """The main file of a game and the tree of all its files; raises RulespecError where there is none."""
    from rulespec.loading.reading import read_whole
    from rulespec.text.diagnostics import Diagnostics, RulespecError

    file, diagnostics = main_file(game), Diagnostics()
    root = read_whole(file, diagnostics)
    if root is None:
        raise RulespecError(diagnostics)
    return file, root


def write_schemas(game: str) -> list[Path]:
    """Write the schemas of a game beside it; the files written."""
    from rulespec.schema import own_bot_schema, own_schema

    file, root = tree_of(game)
    folder = file.parent / FOLDER
    folder.mkdir(exist_ok=True)
    written = []
    schemas = {"game": own_schema(root), "cases": own_schema(root, cases=True), "bot": own_bot_schema(root)}
    for name, schema in schemas.items():
        path = folder / f"{name}.schema.json"
        path.write_text(as_text(schema) + "\n", encoding="utf-8", newline="\n")
        written.append(path)
    return written
