"""A table with those who are connected to it: what they say, what they are shown, and its bots at their pace."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Iterable
from typing import TypeVar

from interpreter import Fault

from . import cases, journal
from .clients import CLOSED, TOO_FAST, Client, Leave
from .feeds import Shown
from .lanes import Lane
from .library import Library
from .messages import PROTOCOL, Message
from .tables import Ask, Reply, Table, fault_text

T = TypeVar("T")
MOST_OF_A_SEAT = 8  # connections
MOST_WATCHING = 500
PATIENCE = 60  # seconds until somebody who is asked is taken to be against it
SOON = 0.1  # seconds
WAIT_AFTER_FAULT = 5  # seconds until a bot tries again


class Room:
    """A table and its connections."""

    def __init__(
        self, name: str, table: Table, lane: Lane, library: Library, tell: Callable[[], None] = lambda: None
    ) -> None:
        self.name = name
        self.library = library
        self.table = table
        self.lane = lane
        self.tell = tell  # the lobby, that something has changed
        self.clients: set[Client] = set()
        self.shown: dict[int | None, Shown] = {}
        self.waiting: list[int] = []  # people who are asked
        self.over = False
        self.changed = asyncio.Event()
        self.bots = asyncio.Event()
        self.timer: asyncio.TimerHandle | None = None
        self.announcing: asyncio.TimerHandle | None = None
        self.faulty = False
        self.tasks: list[asyncio.Task[None]] = []

    def start(self) -> None:
        """Begin to publish, and let bots play."""
        self.tasks = [asyncio.create_task(self.publish()), asyncio.create_task(self.play_bots())]
        self.touch()

    async def stop(self, code: int = CLOSED, why: str = "the table was closed") -> None:
        """Let everybody go."""
        for task in self.tasks:
            task.cancel()
        for ended in await asyncio.gather(*self.tasks, return_exceptions=True):
            if isinstance(ended, Exception):
                journal.fault(f"table {self.name}", ended)
        for client in list(self.clients):
            try:
                await client.connection.close(code, why)
            except Exception as problem:  # the others are let go all the same
                journal.fault(f"table {self.name}", problem)

    async def run(self, work: Callable[[], T]) -> T:
        """Something with the table, in its thread."""
        return await self.lane.run(work)

    def touch(self) -> None:
        """Something is otherwise: show it, and let bots go on."""
        self.changed.set()
        self.bots.set()

    # --- coming and going -------------------------------------------------------------------------------
    async def enter(self, client: Client, message: Message) -> None:
        """Let somebody in who has a pass; raises Leave."""
        assert client.passed is not None
        role, seats = client.passed.role, client.passed.seats
        others = sum(other.passed == client.passed for other in self.clients)
        if others >= (MOST_OF_A_SEAT if seats else MOST_WATCHING):
            raise Leave(TOO_FAST, "too many pages of this link are open")
        taken = [seat for seat in seats if self.table.record.by[seat] != "person"]
        try:
            for seat in taken if role in ("seat", "machine") else ():
                await self.run(lambda seat=seat: self.table.sit(seat, "person"))  # type: ignore[misc]
        except OSError as problem:
            journal.fault(f"table {self.name}", problem)
        client.shown = self.shown
        names, game = self.table.game.seats, self.table.game
        client.say(
            {
                "type": "welcome", "protocol": PROTOCOL, "role": role, "seats": [names[seat] for seat in seats],
                "table": self.name, "game": {"id": game.id, "title": game.title}, "secrets": self.table.secrets,
                "chat": self.table.record.chats,
            }
        )  # fmt: skip
        self.clients.add(client)
        client.say(self.presence())
        self.tell_presence()
        if role == "machine":
            client.cover()
        else:
            client.look(seats[0] if seats else None)
            if (have := message.data.get("have")) is not None:
                shown = await self.run(lambda: self.table.show(client.viewer))
                if shown.at == have:
                    client.have = have
                    client.say({"type": "same", "at": have})
        if (asked := self.table.asked) is not None and asked.waiting & set(seats):
            client.say(self.ask(asked))
        if role == "host" and self.table.recording is not None:
            client.say(cases.told(self.table))
        self.touch()

    def leave(self, client: Client) -> None:
        """Somebody is gone; his seat waits for him."""
        self.clients.discard(client)
        self.tell_presence()

    def presence(self) -> Reply:
        """Who sits where."""
        here = {seat for client in self.clients if client.passed is not None for seat in client.passed.seats}
        game, record = self.table.game, self.table.record
        seats = [
            {"seat": name, "label": game.seat_labels[seat], "by": record.by[seat], "here": seat in here}
            for seat, name in enumerate(game.seats)
        ]
        watching = sum(1 for client in self.clients if client.passed is not None and not client.passed.seats)
        return {"type": "presence", "begun": record.begun, "seats": seats, "watching": watching, "pace": record.pace}

    def listed(self) -> Reply:
        """Who sits where, with all links, for who runs the server."""
        links, presence = self.links(), self.presence()
        seats = [{**seat, "link": links["seats"][seat["seat"]]} for seat in presence["seats"]]
        return {"begun": presence["begun"], "seats": seats, "spectator": links["spectator"], "host": links["host"]}

    def tell_presence(self) -> None:
        """Tell everybody who sits where, soon: one who comes and goes all the time costs others little."""
        if self.announcing is None:
            self.announcing = asyncio.get_running_loop().call_later(SOON, self.announce)

    def announce(self) -> None:
        """Tell everybody now."""
        self.announcing = None
        self.say(self.presence(), self.clients)
        self.tell()

    def say(self, message: Reply, clients: Iterable[Client]) -> None:
        """The same to several."""
        for client in list(clients):
            client.say(message)

    def of(self, seats: Iterable[int]) -> list[Client]:
        """The connections of seats."""
        wanted = set(seats)
        return [client for client in self.clients if client.passed is not None and wanted & set(client.passed.seats)]

    # --- what they are shown ------------------------------------------------------------------------------
    async def publish(self) -> None:
        """Show everybody the newest view, as often as there is one and as fast as it can be made."""
        while True:
            await self.changed.wait()
            self.changed.clear()
            try:
                await self.refresh()
                self.faulty = False
            except Fault as fault:
                journal.fault(f"table {self.name}", fault)
                self.say({"type": "error", "text": fault_text(fault)}, self.clients)
            except Exception as problem:
                self.fail(problem)

    async def refresh(self) -> None:
        """The newest views; raises Fault."""
        self.waiting, self.over = await self.run(lambda: (self.table.waiting(), self.table.state.is_terminal()))
        for client in list(self.clients):
            self.turn(client)
        viewers = {client.viewer for client in self.clients if not client.covered}
        for viewer in list(self.shown.keys() - viewers):
            del self.shown[viewer]
        for viewer in viewers:
            self.shown[viewer] = await self.run(lambda viewer=viewer: self.table.show(viewer))  # type: ignore[misc]
            for client in self.clients:
                if client.viewer == viewer and not client.covered:
                    client.wake.set()

    def turn(self, client: Client) -> None:
        """At a machine of several people: whose view is shown now, or is behind the curtain."""
        if client.passed is None or client.passed.role != "machine":
            return
        asked = [seat for seat in client.passed.seats if seat in self.waiting]
        following = asked[0] if asked else None
        names = self.table.game.seats
        if not self.table.secrets:
            if client.covered or (asked and client.viewer not in asked):
                client.look(client.passed.seats[0] if following is None else following)
        elif client.covered:
            if following is not None and client.curtain != following:
                client.curtain = following
                client.say({"type": "curtain", "seat": names[following]})
        elif following is not None and client.viewer not in asked and client.viewer is not None and not client.handing:
            client.handing = True
            client.say({"type": "hand_over", "seat": names[client.viewer], "next": names[following]})

    # --- bots ---------------------------------------------------------------------------------------------
    async def play_bots(self) -> None:
        """Let bots play, one answer after the other, at their pace; nobody learns how long they think."""
        while True:
            await self.bots.wait()
            self.bots.clear()
            try:
                while await self.run(lambda: self.table.playing()) is not None:
                    if not await self.run(lambda: self.table.hurried()):
                        await asyncio.sleep(self.table.record.pace)
                    if await self.run(lambda: self.table.play_bot()):
                        self.changed.set()
            except Exception as problem:
                self.fail(problem)
                await asyncio.sleep(WAIT_AFTER_FAULT)
                self.bots.set()

    def fail(self, problem: Exception) -> None:
        """Say once what goes wrong at the table."""
        if not self.faulty:
            self.faulty = True
            journal.fault(f"table {self.name}", problem)
            text = fault_text(problem) if isinstance(problem, Fault) else "The server has trouble with this table"
            self.say({"type": "error", "text": text}, self.clients)

    # --- taking back, seats and links ------------------------------------------------------------------
    def ask(self, asked: Ask) -> Reply:
        """The question of one who wants to take something back."""
        return {"type": "ask", "ask": asked.number, "what": "undo", "by": self.table.game.seats[asked.seat]}

    def run_out(self, asked: Ask) -> None:
        """Somebody has not said anything."""
        if self.table.asked is asked:
            self.table.asked = None
            self.settled(asked, False)

    def settled(self, asked: Ask, yes: bool) -> None:
        """Tell those whom it concerns how it is settled."""
        if self.timer is not None:
            self.timer.cancel()
        self.say({**self.ask(asked), "type": "asked", "yes": yes}, self.of(asked.concerned))
        self.touch()

    async def seat_given(self, seat: int, by: str) -> Reply:
        """Give a seat to somebody; one who was asked to let others take something back is asked no more."""
        await self.run(lambda: self.table.sit(seat, by))
        asked = self.table.asked
        if asked is not None and (done := await self.run(lambda: self.table.settled())) is not None:
            self.settled(asked, done)
        self.tell_presence()
        self.touch()
        return {"type": "ok"}

    def links(self) -> Reply:
        """The links of the table, as paths."""
        tokens, path = self.table.record.tokens, f"/t/{self.name}#"
        seats = {name: f"{path}{tokens[f'seat.{name}']}" for name in self.table.game.seats}
        links: Reply = {"type": "links", "table": self.name, "seats": seats}
        links |= {name: f"{path}{tokens[name]}" for name in ("spectator", "host")}
        if self.table.record.together:
            links["machine"] = f"{path}{tokens['machine']}"
        return links
