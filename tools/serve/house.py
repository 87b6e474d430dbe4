"""All tables of a server, and the lobby, in which who runs it opens and closes them."""

from __future__ import annotations

import asyncio
import secrets
from collections.abc import Sequence
from dataclasses import field
from typing import TYPE_CHECKING, Any

from websockets.exceptions import ConnectionClosed

from interpreter import Fault, IllegalAction
from rulespec.system.records import dataclass
from rulespec.text.diagnostics import RulespecError
from rulespec.text.quoting import ticked

from .. import console
from ..framework import Misuse
from ..parameters import open_seating
from . import cases, journal, offers, tokens
from .clients import FAULT, RESTARTS, TOO_FAST, WRONG_LINK, Client, Leave
from .lanes import Lane, Lanes
from .library import Library
from .messages import PROTOCOL, Message
from .offers import Offered
from .requests import heard
from .rooms import Room
from .storage import Folder, Record
from .tables import Reply, Table, fresh_tokens, illegal
from .tokens import Pass

if TYPE_CHECKING:
    from websockets.asyncio.server import ServerConnection

    from interpreter import Game

    from ..bots import Seating
    from .warming import Warming

MOST_TABLES = 500
MOST_CLIENTS = 4000
MOST_STRANGERS = 256  # connections that have not said who they are; the oldest is let go for a newer one


@dataclass
class House:
    """All tables, by name."""

    folder: Folder
    offered: Sequence[Offered] = ()
    backend: str = "auto"
    cases: bool = False  # whether hosts may have cases written into the games that are offered
    rooms: dict[str, Room] = field(default_factory=dict)
    lobby: set[Client] = field(default_factory=set)
    strangers: dict[Client, None] = field(default_factory=dict)
    clients: int = 0
    lanes: Lanes = field(default_factory=Lanes)
    warming: Warming | None = None
    library: Library = field(default_factory=Library)
    described: list[Reply] = field(default_factory=list)  # the games that are offered, as the lobby is told of them
    opened: dict[Any, tuple[Game, Seating | None]] = field(default_factory=dict)
    loaded: bool = (
        False  # all tables of the folder are there, and the server does not stop: one that is not here is nowhere
    )

    def __post_init__(self) -> None:
        self.token = self.folder.token()

    # --- tables -----------------------------------------------------------------------------------------
    def game_of(self, record: Record) -> tuple[Game, Seating | None]:
        """The game of a table and its bots, opened once for all tables that are alike; raises RulespecError and Misuse."""
        settings = tuple(sorted(record.settings.items()))
        key = (record.game, record.players, settings, tuple(record.variants), tuple(record.bots))
        if key not in self.opened:
            self.opened[key] = open_seating(
                record.game, record.players, settings, tuple(record.variants), tuple(record.bots), backend=self.backend
            )
            if self.warming is not None:
                self.warming.opened(self.opened[key][0])
        return self.opened[key]

    async def load_all(self) -> None:
        """Go on with all tables of the folder; until they are there, nobody is told that one of them is not."""
        for name in self.folder.tables():
            await self.load(name)
        self.loaded = True

    async def load(self, name: str) -> Room | None:
        """Go on with a table of the folder; where that fails, say why, and leave it as it is."""
        home, lane = self.folder.home(name), self.lanes.next()

        def work() -> Table:
            record = home.record()
            game, seating = self.game_of(record)
            return Table(game, home.state(game), record, home, seating)

        try:
            table = await lane.run(work)
        except RulespecError as error:
            problem = "; ".join(f"{d.code}: {d.message}" for d in error.diagnostics[:3])
        except Misuse as error:
            problem = str(error)
        except Exception as error:  # one table that is broken stops no other
            problem = journal.told(error)
        else:
            return self.add(name, table, lane)
        journal.LOG.error("table %s is not opened: %s", name, problem)
        return None

    async def open(
        self,
        game: Offered,
        players: int | None,
        people: Sequence[str],
        together: bool,
        seed: int | None = None,
        begun: bool = False,
    ) -> Room:
        """A new table; raises RulespecError, Misuse, Fault, IllegalAction and OSError."""
        lane = self.lanes.next()

        def work() -> Table:
            record = Record(
                game.name, players or game.players[0], [], list(game.variants), dict(game.settings), list(game.bots)
            )
            opened, seating = self.game_of(record)
            unknown = [name for name in people if name not in opened.seats]
            if unknown:
                raise Misuse(f"there is no seat {ticked(unknown[0])}", f"the seats: {', '.join(opened.seats)}")
            record.by = ["person" if name in people else "empty" for name in opened.seats]
            record.together = [seat for seat, by in enumerate(record.by) if by == "person"] if together else []
            record.tokens, record.begun = fresh_tokens(opened), begun
            state = opened.new_state(secrets.randbelow(2**32) if seed is None else seed)
            home = self.folder.new()
            try:
                table = Table(opened, state, record, home, seating)
                home.keep_game(state)
                table.keep_record()
                if begun:
                    table.advance()
            except BaseException:
                try:
                    home.remove()
                except OSError as problem:
                    journal.fault(f"table {home.name}", problem)
                raise
            return table

        table = await lane.run(work)
        return self.add(table.home.name, table, lane)

    def add(self, name: str, table: Table, lane: Lane) -> Room:
        """A table that is open from now on."""
        if self.cases:
            cases.allow(table, [game.name for game in self.offered])
        room = self.rooms[name] = Room(name, table, lane, self.library, self.tell_lobby)
        room.start()
        self.tell_lobby()
        return room

    def health(self) -> dict[str, Any]:
        """How the server is, for who watches over it: nothing of any table."""
        status = "not ready" if not self.loaded else "not saving" if self.folder.unsaved else "ok"
        return {"status": status, "tables": len(self.rooms), "saving": not self.folder.unsaved}

    async def close(self, code: int = 1001, why: str = "the server stops") -> None:
        """Stop all tables; they are kept."""
        self.loaded, rooms, self.rooms = False, self.rooms, {}
        await asyncio.gather(*(room.stop(code, why) for room in rooms.values()))
        self.library.close()
        self.lanes.close()
        if self.warming is not None:
            self.warming.close()
        self.folder.close()

    # --- connections ------------------------------------------------------------------------------------
    async def welcome(self, connection: ServerConnection) -> None:
        """All of one connection."""
        client = Client(connection)
        talking: asyncio.Task[None] | None = None
        room: Room | None = None
        self.clients += 1
        self.strangers[client] = None
        try:
            if self.clients > MOST_CLIENTS:
                raise Leave(TOO_FAST, "the server is full")
            if len(self.strangers) > MOST_STRANGERS:
                oldest = next(iter(self.strangers))
                del self.strangers[oldest]
                oldest.connection.transport.abort()
            message = await client.hello()
            room = self.admitted(client, message)
            self.strangers.pop(client, None)
            talking = asyncio.create_task(client.talk())
            await (self.in_lobby(client) if room is None else self.in_room(client, room, message))
        except Leave as leave:
            await connection.close(leave.code, leave.why)
        except ConnectionClosed:
            pass
        except Exception as problem:
            journal.fault("the lobby" if room is None else f"table {room.name}", problem)
            await connection.close(FAULT, "the server has trouble with this")
        finally:
            self.clients -= 1
            self.strangers.pop(client, None)
            self.lobby.discard(client)
            if room is not None:
                room.leave(client)
            if talking is not None:
                talking.cancel()

    def admitted(self, client: Client, message: Message) -> Room | None:
        """The table that a first message lets somebody in to, None for the lobby; raises Leave."""
        token, name = message.data["token"], message.data.get("table")
        if message.data["protocol"] != PROTOCOL:
            raise Leave(WRONG_LINK, f"this server speaks protocol {PROTOCOL}")
        if name is None:
            client.passed = Pass("lobby") if tokens.equal(token, self.token) else None
            room = None
        else:
            room = self.rooms.get(name)
            client.passed = tokens.looked_up(token, {} if room is None else room.table.passes())
        if client.passed is None and not self.loaded:
            raise Leave(RESTARTS, "the server starts, or stops: try again")
        if client.passed is None:
            raise Leave(WRONG_LINK, "this link is not right, or its table is closed")
        return room

    async def in_room(self, client: Client, room: Room, message: Message) -> None:
        """Somebody at a table; raises Leave and ConnectionClosed."""
        await room.enter(client, message)
        while True:
            await heard(room, client, await client.message())

    # --- the lobby --------------------------------------------------------------------------------------
    async def in_lobby(self, client: Client) -> None:
        """Who runs the server, in the lobby; raises Leave and ConnectionClosed."""
        self.lobby.add(client)
        client.say(
            {
                "type": "welcome", "protocol": PROTOCOL, "role": "lobby", "seats": [], "table": None, "game": None,
                "secrets": False, "chat": [],
            }
        )  # fmt: skip
        games = await self.games()
        client.say({**self.listed(), "games": games})  # the tables as they are now, and not before the games were read
        while True:
            message = await client.message()
            client.say({"id": message.id, **await self.asked(message)})

    async def asked(self, message: Message) -> Reply:
        """What comes of a message in the lobby."""
        data = message.data
        if message.type == "open":
            return await self.asked_to_open(data)
        if message.type == "close" and (room := self.rooms.pop(data["table"], None)) is not None:
            await room.stop()
            self.tell_lobby()
            try:
                await room.run(room.table.home.remove)
            except OSError as error:
                journal.fault(f"table {room.name}", error)
                return illegal(f"The table is closed, but its folder is still there: {console.reason(error)}")
            return {"type": "ok"}
        return illegal("There is no such table" if message.type == "close" else "This is not for the lobby")

    async def asked_to_open(self, data: dict[str, Any]) -> Reply:
        """Open a table as the lobby says."""
        game = next((one for one in self.offered if data["game"] in (one.id, one.name)), None)
        if game is None:
            return illegal("There is no such game")
        if len(self.rooms) >= MOST_TABLES:
            return illegal("There are too many tables")
        try:
            said = (await self.games())[self.offered.index(game)]
            game = game.chosen(said, data.get("variants", []), data.get("options", {}), data.get("bot"))
            room = await self.open(game, data.get("players"), data.get("people", ()), data.get("together", False))
        except RulespecError as error:
            journal.fault(f"a new table of {game.id}", error)
            return illegal(error.diagnostics[0].message)
        except Misuse as error:
            return illegal(error.format_message())
        except (Fault, IllegalAction) as error:
            journal.fault(f"a new table of {game.id}", error)
            return illegal(error.diagnostic.message)
        except OSError as error:
            journal.fault(f"a new table of {game.id}", error)
            return illegal(f"The table cannot be saved: {error.strerror}")
        except Exception as error:
            journal.fault(f"a new table of {game.id}", error)
            return illegal("The server has trouble with this")
        return room.links()

    async def games(self) -> list[Reply]:
        """What may be opened, read once: a family of games has hundreds of variants."""
        if not self.described:
            self.described = await asyncio.to_thread(lambda: [offers.data(game) for game in self.offered])
        return self.described

    def listed(self) -> Reply:
        """The tables, with the links of their seats: who runs the server may give them away."""
        tables = [
            {
                "table": name, "game": room.table.game.id, "title": room.table.game.title, "over": room.over,
                "variants": room.table.record.variants, **room.listed(),
            }
            for name, room in self.rooms.items()
        ]  # fmt: skip
        return {"type": "lobby", "tables": tables}

    def tell_lobby(self) -> None:
        """Tell the lobby what there is now."""
        if self.lobby:
            listed = self.listed()
            for client in self.lobby:
                client.say(listed)
