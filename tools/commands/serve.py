"""`rulespec serve`: tables for browsers."""

from __future__ import annotations

import asyncio
import errno
import os
import sys
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

import click

from rulespec.text.quoting import ticked

from .. import console
from ..framework import CLEAN, MISUSE, Command, Decimal, Whole, shipped_games
from ..parameters import (
    backend_option,
    bot_option,
    check_seats,
    complete_game,
    open_game,
    seat,
    table_options,
)

if TYPE_CHECKING:
    from ..serve.house import House, Offered
    from ..serve.rooms import Room

PORT = 8017
FOLDER = "rulespec-tables"


@click.command(
    "serve",
    cls=Command,
    examples=[
        "rulespec serve {game} --open",
        "rulespec serve {game} --players 3 --as 1 --as 2",
        "rulespec serve {game} --together --all --open",
        "rulespec serve {game} --host 0.0.0.0",
        "rulespec serve",
    ],
)
@click.argument("games", metavar="[GAME]...", nargs=-1, shell_complete=complete_game)
@table_options(
    seats="A seat that waits for a person, by number or name; repeat for more. The first seat, if not said; a bot has each seat "
    "whose link nobody opens.",
    everybody="All seats wait for people.",
    bots="Bots take all seats, and begin.",
)
@click.option("--together", is_flag=True, help="One more link, for all of these people at one machine.")
@bot_option
@click.option("--pace", type=Decimal(0, 60), default=0.8, show_default=True, help="Seconds that a bot waits.")
@click.option("--host", default="localhost", show_default=True, help="The address to listen at; 0.0.0.0 is every one.")
@click.option("--name", "names", multiple=True, help="A name by which others reach this machine; repeat for more.")
@click.option("--port", type=Whole(0, 65535), default=PORT, show_default=True, help="0 is any that is free.")
@click.option(
    "--folder",
    type=click.Path(path_type=Path),
    default=Path(FOLDER),
    show_default=True,
    help="Where tables are kept; those that are there go on.",
)
@click.option(
    "--cases/--no-cases",
    default=None,
    help="Whether the host may have cases written into the game's folder. He may, if not said, where nobody else reaches the server: "
    "it listens on this machine, and has no --name.",
)
@click.option("--new", is_flag=True, help="Open a new table, even if one of this game is there that is not over.")
@click.option("--open", "browser", is_flag=True, help="Open the browser.")
@backend_option
def command(
    games: tuple[str, ...],
    players: int | None,
    seed: int | None,
    settings: tuple[tuple[str, str], ...],
    variants: tuple[str, ...],
    seats: tuple[str, ...],
    everybody: bool,
    bots: bool,
    together: bool,
    wanted: tuple[str, ...],
    pace: float,
    host: str,
    names: tuple[str, ...],
    port: int,
    folder: Path,
    cases: bool | None,
    new: bool,
    browser: bool,
    backend: str,
) -> int:
    """Play in a browser, with people on several machines and bots.

    Opens a table of the first game, and prints one link for each seat, one for who watches and one for the host.
    In the lobby, whose link is printed too, more tables of all games named can be opened; of all
    shipped games, if none is. Each answer is saved before it counts: stop the server and start it again, and all
    tables go on. It listens on this machine only, unless --host says otherwise; see docs/hosting.md.
    """
    try:
        import websockets  # noqa: F401
    except ImportError:
        console.error("C008", "`rulespec serve` needs one more package", "pip install 'rulespec[web]'")
        return MISUSE
    from ..serve.house import House
    from ..serve.storage import Folder
    from ..serve.warming import Warming

    check_seats(seats, everybody, bots)
    offered = [offer(name, variants, settings, wanted) for name in games or shipped_games()]
    wish = None
    if games:
        opened = open_game(games[0], players, settings, variants, backend)
        people = people_of([seat(opened, name) for name in seats], everybody, bots, opened.num_players)
        names_of = [opened.seats[one] for one in people]
        wish = Wish(offered[0], opened.num_players, names_of, together, seed, bots, new, pace)
    try:
        writable = alone(host, names) if cases is None else cases
        house = House(Folder(folder), offered, backend, writable, warming=Warming())
    except OSError as error:
        console.error(
            "C007",
            f"tables cannot be kept in {ticked(folder)}: {error.strerror or error}",
            "`--folder DIR` names another one",
        )
        return MISUSE
    try:
        return asyncio.run(served(house, wish, host, port, names, browser))
    except OSError as error:
        if error.errno not in (errno.EADDRINUSE, errno.EACCES, errno.EADDRNOTAVAIL) and "address" not in str(error):
            raise
        console.error(
            "C006",
            f"{host}, port {port}, cannot be listened at: {error.strerror or error}",
            "`--port 0` takes one that is free",
        )
        return MISUSE


@dataclass(frozen=True, slots=True)
class Wish:
    """The table that is wanted."""

    game: Offered
    players: int
    people: list[str]
    together: bool
    seed: int | None
    begun: bool
    new: bool
    pace: float


def alone(host: str, names: tuple[str, ...]) -> bool:
    """Whether nobody but who uses this machine is meant to reach the server."""
    from ..serve.web import LOCAL

    return not names and (host in LOCAL or host == "::1")


def offer(
    name: str, variants: tuple[str, ...], settings: tuple[tuple[str, str], ...], bots: tuple[str, ...]
) -> Offered:
    """A game for the lobby; raises RulespecError."""
    import rulespec

    from ..serve.house import Offered

    gamedef = rulespec.load(name, variant=variants, cache=True)
    return Offered(name, gamedef.id, gamedef.title, tuple(gamedef.players), variants, settings, bots)


def people_of(named: list[int], everybody: bool, bots: bool, players: int) -> list[int]:
    """The seats that wait for people."""
    if everybody:
        return list(range(players))
    return [] if bots else named or [0]


async def served(house: House, wish: Wish | None, host: str, port: int, names: tuple[str, ...], browser: bool) -> int:
    """Serve until told to end."""
    from ..serve.server import listening, port_of, room_for_connections, until_stopped
    from ..serve.web import Page

    room_for_connections()
    async with listening(house, host, port, Page(), names) as server:
        await house.load_all()
        room = None if wish is None else await table_of(house, wish)
        where = f"http://{names[0] if names else 'localhost' if host in ('0.0.0.0', '::') else host}:{port_of(server)}"

        def ready() -> None:
            tell(house, room, where)
            if browser and has_screen():
                path = f"/#{house.token}"
                if room is not None and wish is not None:
                    links = room.links()
                    path = links.get("machine") or next((links["seats"][name] for name in wish.people), links["host"])
                click.launch(where + path)

        await until_stopped(ready)
    return CLEAN


def has_screen() -> bool:
    """Whether a browser can show itself here; where none can, the links that are printed have to do."""
    return sys.platform in ("win32", "darwin") or any(map(os.environ.get, ("DISPLAY", "WAYLAND_DISPLAY", "BROWSER")))


async def table_of(house: House, wish: Wish) -> Room:
    """A table of the game that is there and not over, or a new one."""
    game = wish.game
    for room in house.rooms.values():
        record = room.table.record
        alike = (record.game, record.players, tuple(record.variants), record.settings) == (
            game.name, wish.players, game.variants, dict(game.settings),
        )  # fmt: skip
        if alike and not wish.new and wish.seed is None and not room.table.state.is_terminal():
            return room
    room = await house.open(game, wish.players, wish.people, wish.together, wish.seed, wish.begun)
    room.table.record.pace = wish.pace
    await room.run(room.table.keep_record)
    return room


def tell(house: House, room: Room | None, where: str) -> None:
    """Print the links."""
    from ..report import counted

    rows = []
    if room is not None:
        links, game = room.links(), room.table.game
        console.data(console.paint(console.printable(game.title), "bold"))
        for number, name in enumerate(game.seats):
            by = {"person": "", "bot": "(a bot)", "empty": "(a bot, until somebody opens it)"}[
                room.table.record.by[number]
            ]
            rows.append([console.printable(game.seat_labels[number]), where + links["seats"][name], by])
        if "machine" in links:
            rows.append(["all at one machine", where + links["machine"], ""])
        rows += [["who watches", where + links["spectator"], ""], ["the host", where + links["host"], ""]]
    rows.append(["the lobby", f"{where}/#{house.token}", f"({counted(len(house.rooms), 'table')})"])
    for line in console.columns(rows):
        console.data(f"  {line}")
    sys.stdout.flush()
    folder = console.printable(str(house.folder.path))
    console.message(f"tables are kept in {folder}; Ctrl-C stops the server, and the same command goes on")
