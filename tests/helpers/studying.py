"""A studio in this process, and a page of it that says what is wanted."""

from __future__ import annotations

import asyncio
import json
import subprocess
import sys
from collections.abc import AsyncIterator, Callable, Coroutine
from contextlib import asynccontextmanager
from itertools import count
from pathlib import Path
from typing import Any, Self

from websockets.asyncio.client import ClientConnection, connect

from tests.helpers.places import ROOT
from tools.commands.studio import places
from tools.serve.house import House
from tools.serve.server import listening, port_of
from tools.serve.storage import Folder
from tools.studio.drafts import Drafts
from tools.studio.messages import MOST
from tools.studio.projects import digest
from tools.studio.studio import HIDDEN, SOCKET, Studio
from tools.studio.web import StudioPage

LONG = 30.0  # seconds after which something is taken to be missing


class Page:
    """A page of a studio: `said` is all that it was told."""

    def __init__(self, studio: Studio, port: int, name: str = "page") -> None:
        self.studio, self.port, self.name = studio, port, name
        self.said: list[dict[str, Any]] = []
        self.ids = count(1)
        self.told = asyncio.Event()
        self.connection: ClientConnection
        self.listening: asyncio.Task[None]

    async def __aenter__(self) -> Self:
        self.connection = await connect(f"ws://127.0.0.1:{self.port}{SOCKET}", max_size=None)
        await self.say(type="hello", protocol=1, token=self.studio.house.token, page=self.name)
        self.listening = asyncio.create_task(self.listen())
        return self

    async def __aexit__(self, *_: object) -> None:
        self.listening.cancel()
        await self.connection.close()

    async def listen(self) -> None:
        async for frame in self.connection:
            self.said.append(json.loads(frame))
            self.told.set()

    async def say(self, **message: Any) -> None:
        await self.connection.send(json.dumps(message))

    async def until(self, holds: Callable[[dict[str, Any]], bool], start: int = 0) -> dict[str, Any]:
        """The first message, of those after `start`, of which something holds."""
        async with asyncio.timeout(LONG):
            while True:
                for one in self.said[start:]:
                    if holds(one):
                        return one
                self.told.clear()
                await self.told.wait()

    async def ask(self, **message: Any) -> dict[str, Any]:
        """The reply to a message."""
        name = f"n{next(self.ids)}"
        await self.say(**message, id=name)
        return await self.until(lambda one: one.get("id") == name)

    async def table(self, good: bool, start: int = 0) -> dict[str, Any]:
        """How the table stands, once it follows the text or does not."""
        return await self.until(lambda one: one["type"] == "table" and one["good"] == good and "link" in one, start)

    async def cases(self, start: int = 0) -> dict[str, bool]:
        """How all cases of the newest run went, once it is over."""
        done = await self.until(lambda one: one["type"] == "ran" and one.get("done", False), start)
        results = [
            one
            for told in self.said[start:]
            if told["type"] == "ran" and told["run"] == done["run"]
            for one in told["results"]
        ]
        return {one["case"]: one["passed"] for one in results}

    async def type(self, file: str, before: str, text: str) -> int:
        """Type a text without saving it; where what is told of it begins."""
        start = len(self.said)
        assert (await self.ask(type="draft", file=file, before=digest(before), text=text))["type"] == "ok"
        return start


@asynccontextmanager
async def studio(where: Path | str) -> AsyncIterator[tuple[Studio, int]]:
    """A studio that runs, and its port; `where` is what the command is given."""
    projects, start = places(str(where))
    hidden = projects.root / HIDDEN
    made = Studio(projects, House(Folder(hidden), backend="python"), Drafts(hidden / "drafts"), start)
    others = {SOCKET: made.welcome}
    async with listening(made.house, "127.0.0.1", 0, StudioPage(), others=others, most=MOST) as server:
        made.house.loaded = True
        try:
            yield made, port_of(server)
        finally:
            await made.close()


class Process:
    """`rulespec studio` of a folder in a process of its own, and the link that it prints."""

    def __init__(self, folder: Path, port: int = 0) -> None:
        words = [sys.executable, "-m", "rulespec", "studio", str(folder), "--port", str(port)]
        self.process = subprocess.Popen(words, cwd=ROOT, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True)
        assert self.process.stdout is not None
        self.link = self.process.stdout.readline().split()[-1]
        self.port = int(self.link.split(":")[2].split("/")[0])

    def kill(self) -> None:
        """End it at once."""
        self.process.kill()
        self.process.wait(10)
        assert self.process.stdout is not None
        self.process.stdout.close()


def studied(where: Path | str, work: Callable[[Studio, int], Coroutine[Any, Any, None]]) -> None:
    """Do something with a studio."""

    async def all_of_it() -> None:
        async with studio(where) as (made, port), asyncio.timeout(2 * LONG):
            await work(made, port)

    asyncio.run(all_of_it())
