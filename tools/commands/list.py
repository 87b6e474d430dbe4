"""`rulespec list`: the games that are there, their variants, bots and options."""

from __future__ import annotations

from typing import TYPE_CHECKING

import click

from .. import console
from ..described import as_data, info_of
from ..framework import Command
from ..parameters import complete_game
from ..wording import players_text

if TYPE_CHECKING:
    from rulespec import GameDef


@click.command(
    "list",
    cls=Command,
    examples=["rulespec list", "rulespec list {game}", "rulespec list --options --json"],
)
@click.argument("games", nargs=-1, metavar="[GAME...]", shell_complete=complete_game)
@click.option(
    "--options", "with_options", is_flag=True, help="Show what can be set, too; so it is where games are named."
)
@click.option("--json", "as_json", is_flag=True, help="One JSON array, for programs.")
@click.option(
    "-v", "--verbose", is_flag=True, help="Show, too, whether games are compiled here, and where their objects lie."
)
def command(games: tuple[str, ...], with_options: bool, as_json: bool, verbose: bool) -> None:
    """Show the games that are there: their id, title, players and what they are, their variants and their bots.

    With `--options`, and for games that are named, also what can be set before a game.
    """
    import rulespec

    if games:
        infos = [info_of(game) for game in dict.fromkeys(games)]
    else:
        infos = rulespec.list_games()
    shown = with_options or bool(games)
    loaded = {info.path: rulespec.load(info.path, cache=True) for info in infos} if shown else {}
    if as_json:
        console.data_json([as_data(info, loaded.get(info.path)) for info in infos])
        return
    if not infos:
        console.message("no games are there")
        return
    rows = [[info.id, console.printable(info.title), players_text(info.players)] for info in infos]
    for info, line in zip(infos, console.columns(rows), strict=True):
        console.data(line.replace(info.id, console.paint(info.id, "bold"), 1))
        paragraph(info.about, "    ")
        for variant in info.variants:
            text = f"{variant.title}. {variant.about}" if variant.about else variant.title
            paragraph(text, "      ", f"    --variant {variant.id}  ")
        for bot in info.bots:
            text = f"{bot.title}. {bot.about}" if bot.about else bot.title
            paragraph(text, "      ", f"    --bot {bot.id}  ")
        if info.path in loaded:
            show_options(loaded[info.path])
    if verbose:
        from interpreter import Game
        from interpreter.native.building import told

        for gamedef in loaded.values():
            switch = Game(gamedef).switch
            if switch is not None:
                console.data(console.printable(f"{gamedef.id} is played by: {switch.words()}"))
        console.data(console.printable(told()))


def paragraph(text: str, indent: str, head: str = "") -> None:
    """A text that is folded, after a head on its first line."""
    text = console.printable(" ".join(text.split()))
    if not text:
        return
    for number, part in enumerate(console.wrapped(f"{head.strip()}  {text}" if head else text, indent)):
        line = part if number or not head else head + part.strip().removeprefix(head.strip()).strip()
        console.data(console.paint(line, "dim"))


def show_options(game: GameDef) -> None:
    """What can be set, with the default and what it means."""
    for option in game.options:
        head = f"    --option {option.name}={option.default}  "
        allowed = option.allowed
        if option.players != game.players:
            allowed = f"{allowed}, with {players_text(option.players)}"
        paragraph(f"{allowed}: {option.about}" if option.about else allowed, "      ", head)
