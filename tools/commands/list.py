"""`rulespec list`: the games that are there."""

import click

from .. import console
from ..framework import Command
from ..wording import players_text


@click.command(
    "list",
    cls=Command,
    examples=["rulespec list", "rulespec list --json"],
)
@click.option("--json", "as_json", is_flag=True, help="One JSON array, for programs.")
def command(as_json: bool) -> None:
    """Show the games that are there: their id, title, players and what they are."""
    import rulespec

    games = rulespec.list_games()
    if as_json:
        console.data_json(
            [
                {
                    "id": game.id,
                    "title": game.title,
                    "players": list(game.players),
                    "about": game.about,
                    "path": str(game.path),
                }
                for game in games
            ]
        )
        return
    if not games:
        console.message("no games are there")
        return
    rows = [
        [game.id, console.printable(game.title), players_text(game.players)] for game in games
    ]
    for game, line in zip(games, console.columns(rows), strict=True):
        console.data(line.replace(game.id, console.paint(game.id, "bold"), 1))
        about = console.printable(" ".join(game.about.split()))
        if about:
            for part in console.wrapped(about, "    "):
                console.data(console.paint(part, "dim"))
