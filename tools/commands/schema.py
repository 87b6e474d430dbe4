"""`rulespec schema`: what an editor needs to complete and check a game as it is written."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import click

from .. import console
from ..framework import Command, Misuse
from ..parameters import complete_game

if TYPE_CHECKING:
    from rulespec.text.yaml_tree import MapNode

FOLDER = "schemas"


@click.command(
    "schema",
    cls=Command,
    examples=[
        "rulespec schema my_game --write",
        "rulespec schema {game}",
        "rulespec schema --cases > cases.schema.json",
    ],
)
@click.argument("game", required=False, shell_complete=complete_game)
@click.option("--cases", is_flag=True, help="The schema of files with cases.")
@click.option("--bots", is_flag=True, help="The schema of bots.")
@click.option("--write", is_flag=True, help="Write all of them into the folder `schemas` beside the game.")
def command(game: str | None, cases: bool, bots: bool, write: bool) -> int:
    """Print the JSON Schema of the language, or of one game, which knows that game's procedures and names too.

    A line at the top of a file tells an editor where its schema is:

    \b
        # yaml-language-server: $schema=schemas/game.schema.json

    A game with faults has a schema as well: of what could be read of it.
    """
    from rulespec.schema import bot_schema, cases_schema, game_schema

    if cases and bots:
        raise Misuse("`--cases` and `--bots` exclude each other")
    if game is None:
        if write:
            raise Misuse("`--write` wants a game", "rulespec schema my_game --write")
        console.data(as_text(bot_schema() if bots else cases_schema() if cases else game_schema()))
        return 0
    if write:
        for path in write_schemas(game):
            console.message(f"written: {path.as_posix()}")
        return 0
    from rulespec.schema import own_bot_schema, own_schema

    root = tree_of(game)[1]
    console.data(as_text(own_bot_schema(root) if bots else own_schema(root, cases=cases)))
    return 0


def tree_of(game: str) -> tuple[Path, MapNode]:
    """The main file of a game and the tree of all its files; raises RulespecError where there is none."""
    from rulespec.loading.locate import find
    from rulespec.loading.reading import read_whole
    from rulespec.text.diagnostics import Diagnostics, RulespecError

    diagnostics = Diagnostics()
    file = find(game, diagnostics)
    root = None if file is None else read_whole(file, diagnostics)
    if file is None or root is None:
        raise RulespecError(diagnostics)
    return file, root


def write_schemas(game: str) -> list[Path]:
    """Write the schemas of a game beside it; the files written."""
    from rulespec.schema import own_bot_schema, own_schema

    file, root = tree_of(game)
    folder = file.parent / FOLDER
    folder.mkdir(exist_ok=True)
    made = []
    schemas = {"game": own_schema(root), "cases": own_schema(root, cases=True), "bot": own_bot_schema(root)}
    for name, schema in schemas.items():
        path = folder / f"{name}.schema.json"
        path.write_text(as_text(schema) + "\n", encoding="utf-8", newline="\n")
        made.append(path)
    return made


def as_text(schema: object) -> str:
    """A schema as text, the same bytes everywhere."""
    import json

    return json.dumps(schema, indent=1, ensure_ascii=False)
