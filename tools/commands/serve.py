"""`rulespec serve`: tables for browsers."""

from __future__ import annotations

import asyncio
import errno
import os
import sys
from pathlib import Path
from socket import gaierror
from typing import TYPE_CHECKING

import click

from rulespec.system.records import dataclass
from rulespec.text.quoting import ticked

from .. import console
from ..extras import install
from ..framework import CLEAN, MISUSE, Command, Decimal, Misuse, Whole, shipped_games
from ..parameters import (
    backend_option,
    bot_option,
    check_seats,
    complete_game,
    open_game,
    seat,
    table_options,
)
from ..serve import address

if TYPE_CHECKING:
    from ..serve.address import Address
    from ..serve.house import House
    from ..serve.links import Place
    from ..serve.offers import Offered
    from ..serve.rooms import Room

PORT = 8017
FOLDER = "rulespec-tables"


def url_of(_context: click.Context, _option: click.Parameter, value: str | None) -> Address | None:
    """The address that `--url` names; raises Misuse."""
    try:
        return None if value is None else address.address_of(value)
    except ValueError as problem:
        raise Misuse(f"--url: {problem}", address.EXAMPLE) from None


def host_of(_context: click.Context, _option: click.Parameter, value: str) -> str:
    """What `--host` names, without the brackets of an address of IPv6; raises Misuse."""
    host = value.strip("[]")
    try:
        known = bool(host.encode("idna"))
    except UnicodeError:  # a part of it is empty, or too long
        known = False
    if not known:
        raise Misuse(
            f"--host: {ticked(value)} is no name of a machine, nor an address by its number",
            "`--host 0.0.0.0` is every address",
        )
    return host


def names_of(_context: click.Context, _option: click.Parameter, values: tuple[str, ...]) -> tuple[str, ...]:
    """What `--name` names; raises Misuse."""
    for value in values:
        if not address.named(value):
            raise Misuse(
                f"--name: {ticked(value)} is no name of a machine, nor an address by its number",
                "`--name tables.example.org`, without `https://`, port or path: those are for `--url`",
            )
    return values


@click.command(
    "serve",
    cls=Command,
    examples=[
        "rulespec serve {game} --open",
        "rulespec serve my_game --players 3 --as 1 --as 2",
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
@click.option(
    "--host",
    default="localhost",
    show_default=True,
    callback=host_of,
    help="The address to listen at; 0.0.0.0 is every one.",
)
@click.option(
    "--name",
    "names",
    metavar="NAME",
    multiple=True,
    callback=names_of,
    help="A name by which others reach this machine; repeat for more.",
)
@click.option(
    "--url",
    metavar="URL",
    callback=url_of,
    help="The address by which others reach it through a web server in between: https://example.org, or below a path of that, "
    "https://example.org/games. Links begin with it.",
)
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
    "it listens on this machine, and has no --name and no --url.",
)
@click.option(
    "--log",
    type=click.Path(path_type=Path, dir_okay=False),
    help="A file to which what goes wrong is written, a line for each; stderr, if not said.",
)
@click.option(
    "--links",
    type=click.Path(path_type=Path, dir_okay=False, allow_dash=True),
    help="A file, for its owner's eyes alone, to which the links are written instead of being printed; - prints them even where "
    "stdout is no terminal, which is not done if not said: who reads the log of a service would have every seat.",
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
    url: Address | None,
    port: int,
    folder: Path,
    cases: bool | None,
    log: Path | None,
    links: Path | None,
    new: bool,
    browser: bool,
    backend: str,
) -> int:
    """Play in a browser, with people on several machines and bots.

    Opens a table of the first game, and prints one link for each seat, one for spectators and one for the host (on a
    terminal; see --links). In the lobby, whose link is printed too, more tables of all games named can be opened; of all
    shipped games, if none is. Each answer is saved before it counts: stop the server and start it again, and all
    tables go on. It listens on this machine only, unless --host says otherwise; see docs/hosting.md.
    """
    try:
        import websockets  # noqa: F401
    except ImportError:
        console.error("C008", "`rulespec serve` needs one more package", install("web"))
        return MISUSE
    from ..serve import journal
    from ..serve.house import House
    from ..serve.links import Place
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
        handler = journal.kept(log)
    except OSError as error:
        return unwritten(f"the log cannot be kept in {ticked(log)}", error, "`--log FILE` names another one")
    try:
        writable = alone(host, names, url) if cases is None else cases
        house = House(Folder(folder), offered, backend, writable, warming=Warming())
    except OSError as error:
        journal.left(handler)
        return unwritten(f"tables cannot be kept in {ticked(folder)}", error, "`--folder DIR` names another one")
    place = Place(host, port, names, url)
    try:
        return asyncio.run(served(house, wish, place, links, browser))
    except OSError as error:
        taken = error.errno in (errno.EADDRINUSE, errno.EACCES)
        unknown = isinstance(error, gaierror) or error.errno == errno.EADDRNOTAVAIL or "address" in str(error)
        if not taken and not unknown:
            raise
        console.error(
            "C006",
            f"{host}, port {port}, cannot be listened at: {error.strerror or error}",
            "`--port 0` takes one that is free"
            if taken
            else "`--host` names an address of this machine; 0.0.0.0 is every one",
        )
        return MISUSE
    finally:
        journal.left(handler)


def unwritten(what: str, error: OSError, cure: str) -> int:
    """Say where nothing can be written; the exit code."""
    console.error("C007", f"{what}: {error.strerror or error}", cure)
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


def alone(host: str, names: tuple[str, ...], url: Address | None = None) -> bool:
    """Whether nobody but who uses this machine is meant to reach the server."""
    return not names and url is None and address.alone(host)


def offer(
    name: str, variants: tuple[str, ...], settings: tuple[tuple[str, str], ...], bots: tuple[str, ...]
) -> Offered:
    """A game for the lobby; raises RulespecError."""
    import rulespec

    from ..serve.offers import Offered

    gamedef = rulespec.load(name, variant=variants, cache=True)
    return Offered(name, gamedef.id, gamedef.title, tuple(gamedef.players), variants, settings, bots)


def people_of(named: list[int], everybody: bool, bots: bool, players: int) -> list[int]:
    """The seats that wait for people."""
    if everybody:
        return list(range(players))
    return [] if bots else named or [0]


async def served(house: House, wish: Wish | None, place: Place, links: Path | None, browser: bool) -> int:
    """Serve until told to end."""
    from ..serve.links import tell
    from ..serve.server import listening, port_of, room_for_connections, until_stopped
    from ..serve.web import Page

    room_for_connections()
    async with listening(house, place.host, place.port, Page(), place.names, place.url) as server:
        await house.load_all()
        room = None if wish is None else await table_of(house, wish)
        where = place.address(port_of(server))

        def ready() -> None:
            tell(house, room, where, links)
            if browser and has_screen():
                path = f"/#{house.token}"
                if room is not None and wish is not None:
                    to = room.links()
                    path = to.get("machine") or next((to["seats"][name] for name in wish.people), to["host"])
                click.launch(f"{where}{path}")

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
