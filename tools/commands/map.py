"""`rulespec map`: the map of a game, in the terminal or as a file."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import click

from .. import console
from ..framework import Command, Misuse
from ..parameters import (
    game_argument,
    json_option,
    players_option,
    seed_option,
    settings_option,
    variant_option,
)

if TYPE_CHECKING:
    from interpreter import Game, State
    from interpreter.views.pictures import Picture

FILE = click.Path(path_type=Path)


@click.command(
    "map",
    cls=Command,
    examples=[
        "rulespec map {game}",
        "rulespec map {game} --svg map.svg",
        "rulespec map {game} --as 2 --load evening.json",
        "rulespec map {game} --transcript game.jsonl --json",
    ],
)
@game_argument
@players_option
@seed_option(1)
@settings_option
@variant_option
@click.option("--as", "seat", metavar="SEAT", help="As a seat sees it, by number or name; as all do, if not said.")
@click.option("--load", type=FILE, help="As it is in a saved game.")
@click.option("--transcript", type=FILE, help="As it is at the end of a transcript.")
@click.option("--svg", type=FILE, help="Write it to this file as SVG.")
@json_option
def command(
    game: str,
    players: int | None,
    seed: int,
    settings: tuple[tuple[str, str], ...],
    variants: tuple[str, ...],
    seat: str | None,
    load: Path | None,
    transcript: Path | None,
    svg: Path | None,
    as_json: bool,
) -> int:
    """Show the map of a game as it is at the beginning, in a save, or at the end of a transcript.

    How it is drawn is said by the `picture` of the game's map. What a seat does not see is not
    shown to it, and without a seat only what all see.
    """
    from interpreter import Fault

    from .. import report

    if load is not None and transcript is not None:
        raise Misuse("`--load` and `--transcript` exclude each other")
    try:
        opened, state = position(game, players, seed, settings, variants, load, transcript)
        picture = seen(opened, state, seat)
    except Fault as fault:
        report.fault(fault)
        return 1
    if svg is not None:
        from ..maps.svg import drawing

        write(svg, drawing(picture))
    if as_json:
        console.data_json(picture.data())
    elif svg is None:
        from ..maps.text import lines_of

        for line in lines_of(picture, console.width()):
            console.data(line)
    else:
        console.message(f"written: {svg}")
    return 0


def position(
    game: str,
    players: int | None,
    seed: int,
    settings: tuple[tuple[str, str], ...],
    variants: tuple[str, ...],
    load: Path | None,
    transcript: Path | None,
) -> tuple[Game, State]:
    """The game and the position that is shown."""
    from .play import begin
    from .replay import replayed

    if transcript is not None:
        if players is not None or settings:
            raise Misuse("a transcript has its players and options")
        return replayed(transcript, game, variants, "python")
    opened, state, _ = begin(game, players, None if load is not None else seed, settings, variants, load, (), "python")
    return opened, state


def seen(game: Game, state: State, name: str | None) -> Picture:
    """The map as a seat sees it."""
    from ..parameters import seat

    picture = state.picture(None if name is None else seat(game, name))
    if picture is None:
        raise Misuse(f"`{game.id}` has no map", "a map is declared under `map`")
    return picture


def write(path: Path, text: str) -> None:
    """Write an SVG file; one of another sort is not overwritten."""
    from ..table import guard

    try:
        guard(path, "<svg ")
        path.write_text(text, encoding="utf-8")
    except OSError as error:
        raise Misuse(f"`{path}` cannot be written: {console.reason(error)}") from None
