"""A client of a table, which keeps its view as a page does."""

from __future__ import annotations

import asyncio
import json
from contextlib import suppress
from itertools import count
from time import perf_counter
from typing import Any, Self

from websockets.asyncio.client import ClientConnection, connect
from websockets.exceptions import ConnectionClosed

from ...serve.messages import PROTOCOL
from ...serve.patches import applied

LONG = 30.0  # seconds after which something is taken to be missing


class Player:
    """Somebody with a link: `links` are paths such as `/t/TABLE#TOKEN`."""

    def __init__(self, port: int, link: str, keep: bool = False) -> None:
        self.port = port
        self.table, _, self.token = link.removeprefix("/t/").partition("#")
        self.have: str | None = None
        self.at = ""
        self.view: dict[str, Any] = {}
        self.said: list[dict[str, Any]] = []  # all that came but views
        self.frames: list[str] | None = [] if keep else None
        self.replies: dict[str, asyncio.Future[dict[str, Any]]] = {}
        self.changed = asyncio.Event()
        self.came = 0.0  # when the last view came
        self.ids = count(1)
        self.connection: ClientConnection
        self.listening: asyncio.Task[None]
        self.closed: ConnectionClosed | None = None

    async def __aenter__(self) -> Self:
        await self.join()
        return self

    async def __aexit__(self, *_: object) -> None:
        await self.drop()

    async def join(self) -> None:
        """Connect, and say hello."""
        self.closed = None
        self.connection = await connect(f"ws://127.0.0.1:{self.port}/ws", max_size=None, ping_interval=None)
        hello = {"type": "hello", "protocol": PROTOCOL, "token": self.token}
        if self.table:
            hello["table"] = self.table
        if self.have is not None:
            hello["have"] = self.have
        await self.send(hello)
        self.listening = asyncio.create_task(self.listen())

    async def drop(self) -> None:
        """Go without a word; what was seen stays."""
        self.have = self.at or None
        self.connection.transport.abort()
        await self.listening

    async def send(self, message: dict[str, Any]) -> None:
        """Say something."""
        await self.connection.send(json.dumps(message))

    async def listen(self) -> None:
        """Hear what comes, until the connection is closed."""
        try:
            while True:
                frame = await self.connection.recv(decode=True)
                if self.frames is not None:
                    self.frames.append(frame)
                self.hear(json.loads(frame))
        except ConnectionClosed as closed:
            self.closed = closed
        for future in self.replies.values():
            if not future.done():
                future.set_exception(self.closed)
        self.replies.clear()
        self.changed.set()

    def hear(self, message: dict[str, Any]) -> None:
        """Take one message."""
        if message["type"] == "view":
            self.view = message["view"]
        elif message["type"] == "patch":
            assert message["from"] == self.at, "a patch of a view that was not sent"
            self.view = applied(self.view, message["patch"])
        else:
            self.said.append(message)
            future = self.replies.pop(message.get("id", ""), None)
            if future is not None:
                future.set_result(message)
        if message["type"] in ("view", "patch", "same"):
            self.at, self.came = message["at"], perf_counter()
            assert self.view["at"] == self.at
        if message["type"] == "curtain":
            self.view, self.at = {}, ""
        self.changed.set()

    async def ask(self, kind: str, **parts: Any) -> dict[str, Any]:
        """Say something with an `id`, and wait for the reply."""
        ident = parts.pop("id", None) or f"{kind}{next(self.ids)}"
        future: asyncio.Future[dict[str, Any]] = asyncio.get_running_loop().create_future()
        self.replies[ident] = future
        await self.send({"type": kind, "id": ident, **parts})
        async with asyncio.timeout(LONG):
            return await future

    async def answer(self, *actions: int, **parts: Any) -> dict[str, Any]:
        """Answer the view that is there."""
        return await self.ask("answer", **{"at": self.at, "actions": list(actions), **parts})

    async def until(self, condition: Any) -> None:
        """Wait until something holds of this player; raises TimeoutError."""
        async with asyncio.timeout(LONG):
            while not condition(self):
                if self.closed is not None:
                    raise self.closed
                self.changed.clear()
                await self.changed.wait()

    async def heard(self, kind: str) -> dict[str, Any]:
        """The first message of a type that has not been looked at; raises TimeoutError."""
        await self.until(lambda me: any(message["type"] == kind for message in me.said))
        message = next(message for message in self.said if message["type"] == kind)
        self.said.remove(message)
        return message

    # --- what is on the table --------------------------------------------------------------------------
    @property
    def asked(self) -> bool:
        """Whether this seat has to answer."""
        return bool(self.view) and self.view["decision"] is not None

    @property
    def over(self) -> bool:
        """Whether the game is over."""
        return bool(self.view) and self.view["over"] is not None

    def legal(self) -> list[int]:
        """The actions that may be answered."""
        return [option["action"] for option in self.view["decision"]["options"] if option.get("legal", True)]

    async def leave(self) -> None:
        """Close the connection as a page does that is closed."""
        with suppress(ConnectionClosed):
            await self.connection.close()
        await self.listening
