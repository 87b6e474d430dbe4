"""A server of tables in this process, on a port of its own."""

from __future__ import annotations

from collections.abc import AsyncIterator, Sequence
from contextlib import asynccontextmanager
from pathlib import Path

from tools.dev.load.player import Player
from tools.parameters import open_game
from tools.serve.address import Address
from tools.serve.house import House
from tools.serve.offers import Offered
from tools.serve.rooms import Room
from tools.serve.server import listening, port_of
from tools.serve.storage import Folder
from tools.serve.web import Page


class Place:
    """A running server."""

    def __init__(self, house: House, port: int) -> None:
        self.house = house
        self.port = port

    async def table(
        self,
        game: str,
        people: Sequence[str] | None = None,
        players: int | None = None,
        seed: int = 1,
        begun: bool = True,
        together: bool = False,
        pace: float = 0.0,
    ) -> Room:
        """A table; people have all seats, if not said."""
        opened = open_game(game, players, (), (), "python")
        offer = Offered(game, opened.id, opened.title, (opened.num_players,))
        names = opened.seats if people is None else people
        room = await self.house.open(offer, opened.num_players, list(names), together, seed, begun)
        room.table.record.pace = pace
        return room

    def player(self, room: Room, seat: str, keep: bool = False) -> Player:
        """Who has the link of a seat, or of `spectator`, `host`, `machine`."""
        links = room.links()
        return Player(self.port, links.get(seat) or links["seats"][seat], keep)


@asynccontextmanager
async def place(
    folder: Path,
    games: Sequence[Offered] = (),
    page: Path | None = None,
    cases: bool = False,
    names: Sequence[str] = (),
    url: Address | None = None,
) -> AsyncIterator[Place]:
    """A server, which goes on with the tables of a folder."""
    house = House(Folder(folder), games, "python", cases)
    async with listening(house, "127.0.0.1", 0, Page() if page is None else Page(page), names, url) as server:
        await house.load_all()
        yield Place(house, port_of(server))
